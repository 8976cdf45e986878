"""smb.change: change a share of SMB, also its name."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from host.commands.shares.sharing import CloseShare
from host.inventory import Inventory, Sharing, SmbShare
from host.inventory.shares import Purpose
from jobs.plan import Plan
from jobs.planning.findings import Findings
from jobs.wording import listed
from shares import changing, stored
from shares.purposes import purpose
from shares.serving import standing
from shares.smb.checks import check
from shares.smb.fields import SmbFields, Text, given
from shares.wording import CUT_OFF, access, everyone_like, people, waits

# What a setting that is switched on or off comes to.
_SWITCHES = {
    "hidden": ("it is hidden from clients that browse the NAS", "clients that browse the NAS see it"),
    "previous_versions": ("Windows shows snapshots as previous versions", "there are no previous versions"),
    "recycle_bin": ("deleted files go to a recycle bin", "deleted files are gone at once"),
    "audit": ("deletions and renames are logged", "deletions and renames are not logged"),
    "macos": ("tags and resource forks of Macs are stored", "tags and resource forks of Macs are not stored"),
    "case_sensitive": ("names are case-sensitive", "names are not case-sensitive"),
}
# Those of them that Samba reads when a client connects to the share, and not again.
_AT_CONNECTING = {
    "previous_versions": "previous versions",
    "recycle_bin": "the recycle bin",
    "audit": "the log of deletions",
    "macos": "tags and resource forks",
    "case_sensitive": "case sensitivity",
}
_ENCRYPTION = {
    "off": "connections are not encrypted", "offered": "connections are encrypted where the client can",
}  # fmt: skip
_MOST_CHANGES = 4


class ChangeSmbShare(SmbFields, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Change what is given of `share`, and leave the rest. `name` is a new one; `most_bytes` 0: no limit."""

    share: Text
    name: Text | None = None
    purpose: Purpose | None = None
    enabled: bool | None = None


def plan(request: ChangeSmbShare, inventory: Inventory) -> Plan:
    """Raises `Refused` with all that is wrong, or where nothing would differ."""
    findings = Findings()
    found = inventory.sharing.smb_share(request.share)
    if found is None:
        findings.refuse("unknown-share", "share", f"There is no share {request.share[:80]}.")
    wanted, sharing = _wanted(request, found, inventory)
    if wanted == found:
        findings.refuse("nothing-changes", "", "These settings are already in place.")
    check(wanted, inventory.sharing, inventory, findings)
    if wanted.name != found.name:
        message = f"Clients can no longer find it as {found.name}: tell their users the new name."
        findings.warning("renamed", "name", message)
    title = f"Save the changes to the share {found.name}"
    off = standing(found, inventory).place is not None and not wanted.enabled
    notice = CUT_OFF if off else ""
    summary = _summary(found, wanted, inventory)
    made = changing.plan_of("smb.change", title, sharing, inventory, findings, summary=summary, notice=notice)
    cut_off = any(isinstance(command, CloseShare) for step in made.steps for command in step.commands)
    later = "" if cut_off or standing(found, inventory).place is None else _later(found, wanted)
    return msgspec.structs.replace(made, summary=f"{made.summary}{later}")


def _summary(before: SmbShare, wanted: SmbShare, inventory: Inventory) -> str:
    sentences, name = [], wanted.name
    if name != before.name:
        sentences.append(
            f"The share {before.name} is now called {name}; clients do not find it by the old name."
        )
    changes = list(_changes(before, wanted, inventory))
    if before.enabled and not wanted.enabled:
        sentences.append(f"The share {name} is turned off: nobody can use it until it is on again.")
    elif wanted.enabled and not before.enabled:
        sentences.append(f"The share {name} is turned on: {access(wanted)}{waits(wanted, inventory)}.")
    elif changes:
        more = len(changes) - _MOST_CHANGES
        tail = [f"{more} more settings change"] if more > 1 else changes[_MOST_CHANGES:]
        sentences.append(f"The share {name} changes: {'; '.join((*changes[:_MOST_CHANGES], *tail))}.")
    return " ".join(sentences)


def _later(before: SmbShare, wanted: SmbShare) -> str:
    """A sentence of what changes only for those who connect from then on."""
    names = [
        words for field, words in _AT_CONNECTING.items() if getattr(wanted, field) != getattr(before, field)
    ]
    kept = f" Clients connected now keep the old settings for {listed(names)} until they reconnect."
    return kept if names else ""


def _changes(before: SmbShare, wanted: SmbShare, inventory: Inventory) -> Iterator[str]:
    if wanted.purpose != before.purpose:
        yield f"the purpose is now “{purpose(wanted.purpose).title}”"
    if (words := access(wanted)) != access(before):
        yield words
    if lost := people(_losing(before, wanted, inventory)):
        yield f"{lost} can no longer use it"
    if wanted.encryption != before.encryption and wanted.encryption in _ENCRYPTION:
        yield _ENCRYPTION[wanted.encryption]
    for field, (on, off) in _SWITCHES.items():
        if (value := getattr(wanted, field)) != getattr(before, field):
            yield on if value else off
    if wanted.comment != before.comment:
        yield f"the comment is “{wanted.comment}”" if wanted.comment else "there is no comment"
    if wanted.extra != before.extra:
        yield "additional Samba parameters change"


def _losing(before: SmbShare, wanted: SmbShare, inventory: Inventory) -> Iterator[str]:
    """Who was named and is not any more, nor let in by a group of theirs."""
    left = {*wanted.read, *wanted.write}
    for name in dict.fromkeys((*before.write, *before.read)):
        person = inventory.accounts.person(name)
        names = everyone_like(name, person.groups if person else ())
        if wanted.guests == "no" and left.isdisjoint(names):
            yield name


def remember(request: ChangeSmbShare, inventory: Inventory, _actor: str) -> None:
    """Write its row."""
    if found := inventory.sharing.smb_share(request.share):
        stored.keep(_wanted(request, found, inventory)[1])


def _wanted(request: ChangeSmbShare, found: SmbShare, inventory: Inventory) -> tuple[SmbShare, Sharing]:
    changes = given(request, without=("share",))
    if changes.get("most_bytes") == 0:
        changes["most_bytes"] = None
    wanted = msgspec.structs.replace(found, **changes)
    sharing = inventory.sharing
    smb = tuple(wanted if one is found else one for one in sharing.smb)
    return wanted, msgspec.structs.replace(sharing, smb=smb)
