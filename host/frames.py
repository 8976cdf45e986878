"""How the helper and its clients talk: a length of four bytes, then that many bytes of JSON."""

from __future__ import annotations

import socket
import struct
from typing import Literal

import msgspec

from host.base import Result

_LENGTH = struct.Struct("!I")
MOST_REQUEST_BYTES = 4 << 20
MOST_ANSWER_BYTES = 512 << 20


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What the helper says: the result of the command, or why there is none."""

    result: Result | None = None
    fault: Literal["", "refused", "invalid", "failed", "timed-out"] = ""
    detail: str = ""


class BrokenFrame(Exception):
    """The other side closed in the middle of a frame, or announced one that is too long."""


def send(connection: socket.socket, data: bytes) -> None:
    """Send one frame."""
    connection.sendall(_LENGTH.pack(len(data)) + data)


def receive(connection: socket.socket, *, most_bytes: int) -> bytes | None:
    """The next frame, or None where the other side has closed between frames. Raises `BrokenFrame`."""
    head = _exactly(connection, _LENGTH.size)
    if head is None:
        return None
    (length,) = _LENGTH.unpack(head)
    if length > most_bytes:
        raise BrokenFrame(f"a frame of {length} bytes is longer than {most_bytes}")
    body = _exactly(connection, length)
    if body is None:
        raise BrokenFrame("closed before the frame's body")
    return body


def _exactly(connection: socket.socket, length: int) -> bytes | None:
    parts: list[bytes] = []
    missing = length
    while missing:
        part = connection.recv(min(missing, 1 << 20))
        if not part:
            if missing == length:
                return None
            raise BrokenFrame("closed in the middle of a frame")
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)
