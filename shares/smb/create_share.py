"""smb.create: share a file system by SMB."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from host.inventory import Inventory, Sharing, SmbShare
from host.inventory.shares import Encryption, Guests, Purpose
from jobs.findings import Findings
from jobs.plan import Plan
from shares import changing, stored
from shares.purposes import purpose
from shares.smb.checks import check

_Text = Annotated[str, Meta(max_length=1024)]
Names = Annotated[tuple[Annotated[str, Meta(max_length=64)], ...], Meta(max_length=200)]
Extra = Annotated[
    dict[Annotated[str, Meta(max_length=64)], Annotated[str, Meta(max_length=1500)]], Meta(max_length=20)
]
MostBytes = Annotated[int, Meta(ge=0, le=1 << 62)]


class CreateSmbShare(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Share a dataset. What is left out is as the purpose has it.

    `read` and `write` name people, and groups with a leading @; @nasweb-people is everybody with an account.
    """

    name: _Text
    dataset: _Text
    purpose: Purpose = "general"
    comment: _Text | None = None
    enabled: bool = True
    read: Names | None = None
    write: Names | None = None
    guests: Guests | None = None
    hidden: bool | None = None
    previous_versions: bool | None = None
    recycle_bin: bool | None = None
    audit: bool | None = None
    macos: bool | None = None
    case_sensitive: bool | None = None
    encryption: Encryption | None = None
    most_bytes: MostBytes | None = None
    extra: Extra | None = None


def plan(request: CreateSmbShare, inventory: Inventory) -> Plan:
    """Raises `Refused` with all that is wrong."""
    findings = Findings()
    share, sharing = _wanted(request, inventory)
    check(share, inventory.sharing, inventory, findings)
    return changing.plan_of(
        "smb.create", f"Remember the share {request.name} of {request.dataset}", sharing, inventory, findings
    )


def remember(request: CreateSmbShare, inventory: Inventory, _actor: str) -> None:
    """Write its row."""
    stored.keep(_wanted(request, inventory)[1])


def given(request: msgspec.Struct, *, without: tuple[str, ...]) -> dict[str, Any]:
    """The fields that somebody gave."""
    fields = msgspec.structs.asdict(request)
    return {name: value for name, value in fields.items() if value is not None and name not in without}


def _wanted(request: CreateSmbShare, inventory: Inventory) -> tuple[SmbShare, Sharing]:
    found = inventory.dataset(request.dataset)
    chosen = purpose(request.purpose).values | given(request, without=())
    share = SmbShare(id=0, guid=found.guid if found else "", **chosen)
    sharing = inventory.sharing
    return share, msgspec.structs.replace(sharing, smb=(*sharing.smb, share))
