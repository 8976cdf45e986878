"""Asks root's service for the hashes of files: the account of paired machines cannot mount a snapshot."""

from __future__ import annotations

import socket
import time
from pathlib import Path

import msgspec

from host.commands.replication.hashes import HashFiles
from host.contents.peers import PeerId

SOCKET = Path("/run/nasweb-peer-files/socket")
MOST_ANSWER_BYTES = HashFiles.most_bytes
_PIECE_BYTES = 1 << 16


class Asked(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What goes through the socket, as JSON: for whom, and what."""

    peer: PeerId
    command: HashFiles


def hashed(peer: str, command: HashFiles, path: Path = SOCKET) -> bytes:
    """The answer as JSON. Raises `OSError` where nobody answers, as while too many are asking."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(command.timeout_s)
        connection.connect(str(path))
        connection.sendall(msgspec.json.encode(Asked(peer=peer, command=command)))
        connection.shutdown(socket.SHUT_WR)
        answer = received(connection, MOST_ANSWER_BYTES, command.timeout_s)
    if not answer:
        raise ConnectionResetError("It ended without an answer")
    return answer


def received(connection: socket.socket, most_bytes: int, within_s: float) -> bytes:
    """All that comes until the other side ends. Raises `OSError`, also where it is more or takes longer."""
    until, found = time.monotonic() + within_s, bytearray()
    while True:
        left_s = until - time.monotonic()
        if left_s <= 0:
            raise TimeoutError("It took too long")
        connection.settimeout(left_s)
        piece = connection.recv(_PIECE_BYTES)
        if not piece:
            return bytes(found)
        found += piece
        if len(found) > most_bytes:
            raise OSError("It was too much")
