"""Passwords for the shares: never stored by the console, passed on by reference (jobs.secrets)."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from host.commands.base import SECRET_PATTERN
from jobs.secrets import typed_as

# Windows takes 127 characters, and smbpasswd reads lines of 255 bytes, of which a character can be four.
_TYPED = Annotated[
    str,
    Meta(
        min_length=8,
        max_length=127,
        pattern=r"\A(?:[\x20-\x7e]*|[^\x00-\x1f\x7f]{0,63})\Z",
        description="8 to 127 characters without line breaks, or to 63 where there are other than ASCII",
        extra_json_schema={"writeOnly": True, "format": "password"},
    ),
]
Password = Annotated[str, Meta(pattern=SECRET_PATTERN, extra=typed_as(_TYPED))]
