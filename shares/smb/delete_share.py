"""smb.delete: stop sharing. The files stay where they are."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from host.inventory import Inventory, Sharing, SmbShare
from jobs.plan import Plan
from jobs.planning.findings import Findings
from shares import changing, stored


class DeleteSmbShare(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Delete a share of SMB, not its files."""

    share: Annotated[str, Meta(max_length=1024)]


def plan(request: DeleteSmbShare, inventory: Inventory) -> Plan:
    """Raises `Refused` where it is not there."""
    findings = Findings()
    found = inventory.sharing.smb_share(request.share)
    if found is None:
        findings.refuse("unknown-share", "share", f"There is no share {request.share[:80]}.")
    message = f"Who is connected to {found.name} is cut off; what is not saved there may be lost."
    findings.warning("cut-off", "", message)
    findings.info("files-stay", "", f"All files of {found.dataset} stay as they are.")
    return changing.plan_of(
        "smb.delete", f"Forget the share {found.name}", _without(found, inventory), inventory, findings
    )


def remember(request: DeleteSmbShare, inventory: Inventory, _actor: str) -> None:
    """Delete its row."""
    if found := inventory.sharing.smb_share(request.share):
        stored.keep(_without(found, inventory))


def _without(found: SmbShare, inventory: Inventory) -> Sharing:
    sharing = inventory.sharing
    return msgspec.structs.replace(sharing, smb=tuple(one for one in sharing.smb if one is not found))
