"""smb.create: share a file system by SMB."""

from __future__ import annotations

import msgspec

from host.inventory import Inventory, Sharing, SmbShare
from host.inventory.shares import Purpose
from jobs.plan import Plan
from jobs.planning.findings import Findings
from shares import changing, stored
from shares.purposes import purpose
from shares.smb.checks import check
from shares.smb.fields import SmbFields, Text, given
from shares.wording import access, waits


class CreateSmbShare(SmbFields, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Share a dataset. What is left out is as the purpose has it.

    `read` and `write` name people, and groups with a leading @; @nasweb-people is everybody with an account.
    """

    name: Text
    dataset: Text
    purpose: Purpose = "general"
    enabled: bool = True


def plan(request: CreateSmbShare, inventory: Inventory) -> Plan:
    """Raises `Refused` with all that is wrong."""
    findings = Findings()
    share, sharing = _wanted(request, inventory)
    check(share, inventory.sharing, inventory, findings)
    title = f"Save the share {request.name} of {request.dataset}"
    summary = _summary(share, inventory)
    return changing.plan_of("smb.create", title, sharing, inventory, findings, summary=summary)


def _summary(share: SmbShare, inventory: Inventory) -> str:
    if not share.enabled:
        return f"{share.dataset} gets the share {share.name}, turned off: nobody can use it yet."
    return f"{share.dataset} is shared by SMB as {share.name}: {access(share)}{waits(share, inventory)}."


def remember(request: CreateSmbShare, inventory: Inventory, _actor: str) -> None:
    """Write its row."""
    stored.keep(_wanted(request, inventory)[1])


def _wanted(request: CreateSmbShare, inventory: Inventory) -> tuple[SmbShare, Sharing]:
    found = inventory.dataset(request.dataset)
    chosen = purpose(request.purpose).values | given(request, without=())
    share = SmbShare(id=0, guid=found.guid if found else "", **chosen)
    sharing = inventory.sharing
    return share, msgspec.structs.replace(sharing, smb=(*sharing.smb, share))
