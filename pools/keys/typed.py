"""What people type to open an encrypted dataset: never stored, passed on by reference (jobs.secrets)."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from host.commands.base import SECRET_PATTERN
from jobs.secrets import typed_as

# zfsprops(7), keyformat: a passphrase has 8 to 512 bytes, a key 32, which are 64 hex digits.
_PASSPHRASE = Annotated[
    str,
    Meta(
        min_length=8,
        max_length=512,
        pattern=r"\A[^\x00-\x1f\x7f]*\Z",
        description="8 to 512 characters, without line breaks",
        extra_json_schema={"writeOnly": True, "format": "password"},
    ),
]
_KEY = Annotated[
    str,
    Meta(
        pattern=r"\A[0-9a-fA-F]{64}\Z",
        description="64 hex digits (0-9, a-f)",
        extra_json_schema={"writeOnly": True, "format": "password"},
    ),
]
Passphrase = Annotated[str, Meta(pattern=SECRET_PATTERN, extra=typed_as(_PASSPHRASE))]
Key = Annotated[str, Meta(pattern=SECRET_PATTERN, extra=typed_as(_KEY))]
