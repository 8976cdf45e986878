"""smb.delete: stop sharing. The files stay where they are."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from host.inventory import Inventory, Sharing, SmbShare
from jobs.plan import Plan
from jobs.planning.findings import Findings
from jobs.wording import listed
from shares import changing, stored
from shares.serving import standing
from shares.wording import CUT_OFF, named


class DeleteSmbShare(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Delete a share of SMB, not its files."""

    share: Annotated[str, Meta(max_length=1024)]


def plan(request: DeleteSmbShare, inventory: Inventory) -> Plan:
    """Raises `Refused` where it is not there."""
    findings = Findings()
    found = inventory.sharing.smb_share(request.share)
    if found is None:
        findings.refuse("unknown-share", "share", f"There is no share {request.share[:80]}.")
    message = f"Clients connected to {found.name} are cut off; what they have not saved may be lost."
    findings.warning("cut-off", "", message)
    findings.info("files-stay", "", f"All files of {found.dataset} stay as they are.")
    left = _without(found, inventory)
    return changing.plan_of(
        "smb.delete",
        f"Delete the share {found.name}",
        left,
        inventory,
        findings,
        summary=_summary(found, left),
        notice=CUT_OFF if standing(found, inventory).place is not None else "",
    )


def _summary(share: SmbShare, left: Sharing) -> str:
    others = [one.name for one in left.smb if one.guid == share.guid and one.enabled]
    ways = [named("share", others)] if others else []
    if any(one.guid == share.guid and one.enabled for one in left.nfs):
        ways.append("NFS")
    stays = f" and can still be reached by {listed(ways)}" if ways else ""
    return f"The share {share.name} is deleted; the files in {share.dataset} stay{stays}."


def remember(request: DeleteSmbShare, inventory: Inventory, _actor: str) -> None:
    """Delete its row."""
    if found := inventory.sharing.smb_share(request.share):
        stored.keep(_without(found, inventory))


def _without(found: SmbShare, inventory: Inventory) -> Sharing:
    sharing = inventory.sharing
    return msgspec.structs.replace(sharing, smb=tuple(one for one in sharing.smb if one is not found))
