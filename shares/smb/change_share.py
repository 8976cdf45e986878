"""smb.change: change a share of SMB, also its name."""

from __future__ import annotations

import msgspec

from host.inventory import Inventory, Sharing, SmbShare
from host.inventory.shares import Purpose
from jobs.plan import Plan
from jobs.planning.findings import Findings
from shares import changing, stored
from shares.smb.checks import check
from shares.smb.fields import SmbFields, Text, given


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
        findings.refuse("nothing-changes", "", "That is how it is already.")
    check(wanted, inventory.sharing, inventory, findings)
    if wanted.name != found.name:
        message = f"Clients that know it as {found.name} do not find it any more: tell them the new name."
        findings.warning("renamed", "name", message)
    return changing.plan_of(
        "smb.change", f"Remember the changes of the share {found.name}", sharing, inventory, findings
    )


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
