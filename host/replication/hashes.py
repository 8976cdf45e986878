"""What a paired Nasweb answers about files of a snapshot: size and hash, and nothing that is in them."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from host.typed import decode_by

Trouble = Literal["locked", "unreachable"]
Said = Annotated[str, Meta(max_length=200)]


class FileDigest(msgspec.Struct, frozen=True, kw_only=True, tag="read"):
    """A file that was read. The hash is salted, and of a large file over pieces of it."""

    size_bytes: Annotated[int, Meta(ge=0, le=(1 << 63) - 1)]
    sha256: Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]


class Unreadable(msgspec.Struct, frozen=True, kw_only=True, tag="unreadable"):
    """A file that is there, and that cannot be read."""

    said: Said
    trouble: Trouble = "unreachable"


Digest = FileDigest | Unreadable | None  # None: there is no regular file of that path


class HashedFiles(msgspec.Struct, frozen=True, kw_only=True):
    """One for each file that was asked for, in that order; none where `trouble` says why there are none."""

    files: tuple[Digest, ...] = ()
    trouble: Trouble | None = None
    said: Said = ""


_decoder: msgspec.json.Decoder[HashedFiles] = msgspec.json.Decoder(HashedFiles)


def read_hashed(text: str | bytes) -> HashedFiles:
    """Raises `msgspec.DecodeError`."""
    return decode_by(_decoder, text)
