"""sharing.apply: make the machine serve what is stored, as after a mount or a change by hand."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from host.inventory import Inventory
from jobs.plan import Plan
from jobs.planning.findings import Findings
from jobs.wording import capital, listed
from shares import changing
from shares.applying import apply, drifted, ours, texts
from shares.nfs.render import exported
from shares.smb.render import sections
from shares.wording import named, noticed, pause


class ApplySharing(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Write the files of all shares again, and have them read."""


def plan(_request: ApplySharing, inventory: Inventory) -> Plan:
    """Raises `Refused` where all is served as it should be."""
    return _plan("sharing.apply", inventory)


def plan_following(_request: ApplySharing, inventory: Inventory) -> Plan:
    """Apply again on schedule, as sharing.follow."""
    return _plan("sharing.follow", inventory)


def _plan(operation: str, inventory: Inventory) -> Plan:
    findings = Findings()
    steps = apply(inventory.sharing, inventory, repair=True)
    if not steps:
        findings.refuse("nothing-changes", "", "All shares are already served correctly.")
    changing.warn_of_drift(drifted(inventory), findings)
    return Plan(
        operation=operation,
        steps=steps,
        summary=f"{_summary(inventory)} {noticed(steps)}",
        takes=pause(steps),
        findings=findings.all(),
        claims=(changing.CLAIM,),
    )


def _summary(inventory: Inventory) -> str:
    names = {share.name for share in inventory.sharing.smb}
    now = _shares(inventory.served.files.get("samba", ""), names)
    shares = _shares(texts(inventory.sharing, inventory)["samba"], names)
    paths = [path for path in inventory.served.exported if ours(path, inventory)]
    places = exported(inventory.sharing, inventory)
    back, back_paths = _without(shares, now), _without(places, paths)
    gone, gone_paths = _without(now, shares), _without(paths, places)
    sentences = []
    if back or back_paths:
        many = len(back) + len(back_paths) > 1
        sentences.append(f"{_called(back, back_paths)} {'are' if many else 'is'} served again.")
    if gone or gone_paths:
        many = len(gone) + len(gone_paths) > 1
        why = "are no longer served: their datasets are" if many else "is no longer served: its dataset is"
        sentences.append(f"{_called(gone, gone_paths)} {why} not mounted.")
    by_hand = "; what somebody changed by hand is overwritten" if drifted(inventory) else ""
    return " ".join(sentences) or f"All shares are served as they are set up in the console{by_hand}."


def _called(shares: list[str], paths: list[str]) -> str:
    words = [named("share", shares)] if shares else []
    words += [named("NFS export", paths)] if paths else []
    return capital(listed(words))


def _shares(text: str, names: set[str]) -> list[str]:
    return [name for name in sections(text) if name in names]


def _without(these: Sequence[str], those: Sequence[str]) -> list[str]:
    return [one for one in these if one not in those]
