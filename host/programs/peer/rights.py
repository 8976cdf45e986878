"""What a paired machine may do, as root wrote it down (`host.contents.peers`)."""

from __future__ import annotations

import msgspec

from host.commands.base import DatasetName
from host.typed import decode_by


class Rights(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`root`: below it lie the other machine's replicas, which it makes, reads and thins out. `shared`: what
    it may read besides, each with all below."""

    root: DatasetName
    shared: tuple[DatasetName, ...] = ()


_decoder: msgspec.json.Decoder[Rights] = msgspec.json.Decoder(Rights)


def read_rights(text: str | bytes) -> Rights:
    """Raises `msgspec.DecodeError`."""
    return decode_by(_decoder, text)
