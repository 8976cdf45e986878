"""What can be said of a share of SMB, when it is made and later."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from host.inventory.shares import Encryption, Guests

Text = Annotated[str, Meta(max_length=1024)]
Names = Annotated[tuple[Annotated[str, Meta(max_length=64)], ...], Meta(max_length=200)]
Extra = Annotated[
    dict[Annotated[str, Meta(max_length=64)], Annotated[str, Meta(max_length=1500)]], Meta(max_length=20)
]
MostBytes = Annotated[int, Meta(ge=0, le=1 << 62)]


class SmbFields(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What may be left out of a request; None is as if it were."""

    comment: Text | None = None
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


def given(request: msgspec.Struct, *, without: tuple[str, ...]) -> dict[str, Any]:
    """The fields that somebody gave."""
    fields = msgspec.structs.asdict(request)
    return {name: value for name, value in fields.items() if value is not None and name not in without}
