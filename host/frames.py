"""What travels through the helper's socket: one request, one answer, then the connection ends.

A frame is a length of four bytes, big-endian, and as many bytes of JSON. The request is a command
(`host.commands.encode`), the answer one of the values below.
"""

from __future__ import annotations

import select
import socket
import struct
from typing import Literal

import msgspec

from host import typed
from host.base import Result

REQUEST_LIMIT_BYTES = 2 << 20  # a snapshot of 2 000 datasets has half of it
ANSWER_LIMIT_BYTES = 512 << 20  # two streams at their limit, with the worst of escapes
_LENGTH = struct.Struct("!I")


class Finished(msgspec.Struct, frozen=True, kw_only=True, tag="finished"):
    """The command ran to its end, whatever its status."""

    result: Result


class TimedOut(msgspec.Struct, frozen=True, kw_only=True, tag="timed-out"):
    """The command was stopped because it took too long."""

    result: Result


class Refused(msgspec.Struct, frozen=True, kw_only=True, tag="refused"):
    """Nothing was run: `user` may not ask, the `request` is not a command, the `secret` that it needs is
    gone, or the helper is `broken`."""

    reason: Literal["user", "request", "secret", "broken"]
    message: str


Answer = Finished | TimedOut | Refused
_answers: msgspec.json.Decoder[Answer] = msgspec.json.Decoder(Answer)


class FrameError(Exception):
    """What came is no frame: cut short, empty, or too long."""


def send(connection: socket.socket, payload: bytes) -> None:
    """Write one frame. Raises `OSError`."""
    connection.sendall(_LENGTH.pack(len(payload)) + payload)


def receive(connection: socket.socket, *, limit_bytes: int) -> bytes:
    """Read one frame. Raises `FrameError`, and `TimeoutError` after the socket's time limit."""
    (length,) = _LENGTH.unpack(_read(connection, _LENGTH.size))
    if not 0 < length <= limit_bytes:
        raise FrameError(f"A frame has 1 to {limit_bytes} bytes, not {length}.")
    return _read(connection, length)


def ended(connection: socket.socket) -> bool:
    """True where the other end has closed, or closed its direction, and nothing is left to read."""
    readable, _, _ = select.select([connection], [], [], 0)
    return bool(readable) and not connection.recv(1, socket.MSG_PEEK)


def encode_answer(answer: Answer) -> bytes:
    """An answer as tagged JSON."""
    return msgspec.json.encode(answer)


def decode_answer(payload: bytes) -> Answer:
    """The answer in `payload`. Raises `msgspec.DecodeError`."""
    return typed.decode_by(_answers, payload)


def _read(connection: socket.socket, count: int) -> bytes:
    parts: list[bytes] = []
    while count:
        part = connection.recv(min(count, 1 << 20))
        if not part:
            raise FrameError("The connection ended in the middle of a frame.")
        parts.append(part)
        count -= len(part)
    return b"".join(parts)
