"""Hands an open file from the root program that opened it to the console, through a unix socket
(SCM_RIGHTS).
"""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Protocol

import msgspec

from host import typed
from host.files.answers import FileEntry

_LONGEST = 1 << 16
_TIMEOUT_S = 10.0
END_BYTES = 16


class Handed(msgspec.Struct, frozen=True, kw_only=True):
    """What is handed over. `size_bytes` is None for an archive that is made while it is read.

    The last bytes of such an archive are `end` (in hexadecimal digits), which is no part of it: where they
    are missing, whoever wrote it came to no good end.
    """

    name: str  # as `host.files.names` writes it
    size_bytes: int | None = None
    end: str = ""
    entry: FileEntry | None = None


class NotHanded(Exception):
    """Nothing is handed out for this ticket, or no longer."""


class Downloads(Protocol):
    """Where files that were opened for the console are collected."""

    def collect(self, ticket: str) -> tuple[Handed, int]:
        """What the ticket is for, and a descriptor that the caller closes. Raises `NotHanded`."""
        ...


class SocketDownloads:
    """A folder of sockets, one for each ticket (`host.programs.hand_out`)."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def collect(self, ticket: str) -> tuple[Handed, int]:
        """As `Downloads.collect`."""
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
                connection.settimeout(_TIMEOUT_S)
                connection.connect(str(self._folder / ticket / "socket"))
                return receive(connection)
        except OSError as error:
            raise NotHanded(f"The file was not handed over: {error}") from None


def send(connection: socket.socket, handed: Handed, descriptor: int) -> None:
    """Hand `descriptor` over. Raises `OSError`."""
    socket.send_fds(connection, [msgspec.json.encode(handed)], [descriptor])


def receive(connection: socket.socket) -> tuple[Handed, int]:
    """What was sent, and the descriptor. Raises `NotHanded`, `OSError`."""
    data, descriptors, _, _ = socket.recv_fds(connection, _LONGEST, 1)
    if not descriptors:
        raise NotHanded("Whoever has the file gives it to someone else.")
    descriptor = descriptors[0]
    os.set_inheritable(descriptor, False)
    try:
        return typed.decode(data, Handed), descriptor
    except msgspec.DecodeError as error:
        os.close(descriptor)
        raise NotHanded(f"It was handed over in another format: {error}") from None
