"""Hashes files of snapshots for paired machines: `python -m host.programs.peer_files`, by its socket alone.

systemd starts it as root for each connection to nasweb-peer-files.socket, which the account of paired
machines may open and nobody else. That account cannot mount; this program can, and believes nothing of what
it is sent: it holds the request to its type, and the snapshot to root's file of the rights of that machine,
as `host.programs.peer` did before. All paired machines share the account, so whoever got hold of it may give
the number of another one; it could have that one's snapshots sent as well.

It answers sizes and hashes of files whose names are known to who asks, never names or contents. The bounds:
so many files of at most `WHOLE_BYTES` each (of larger ones pieces are read), within `WITHIN_S`.
"""

from __future__ import annotations

import os
import socket
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from host.commands.replication.hashes import HashFiles
from host.contents.peers import FOLDER
from host.programs.peer.files import Asked, received
from host.programs.peer.rights import read_rights
from host.programs.peer.rules import Forbidden, check
from host.programs.replicate.frozen import answered, frozen, trouble_of
from host.replication.hashes import Digest, HashedFiles
from host.system.mounts import leave_alone
from host.typed import decode_by

WITHIN_S = 240.0  # looked at between two files; the unit's own limit is for what hangs
_LONGEST_BYTES = 1 << 17  # of a request
_ASKED_WITHIN_S = 10.0
_decoder: msgspec.json.Decoder[Asked] = msgspec.json.Decoder(Asked)
Opened = Callable[[str, Path], AbstractContextManager[int]]


def decided(text: bytes, folder: Path) -> HashFiles:
    """What may be read for whom. Raises `Forbidden`."""
    try:
        asked = decode_by(_decoder, text)
    except msgspec.DecodeError:
        raise Forbidden("This is no request.") from None
    try:
        rights = read_rights((folder / f"{asked.peer}.json").read_bytes())
    except (OSError, msgspec.DecodeError):
        raise Forbidden("This machine is not paired any more.") from None
    check(asked.command, rights)
    return asked.command


def answer(
    text: bytes, *, folder: Path, mounts: Path, opened: Opened = frozen,
    clock: Callable[[], float] = time.monotonic,
) -> HashedFiles:  # fmt: skip
    """The hashes, or why there are none. `mounts`: a folder to mount the snapshot in."""
    try:
        command = decided(text, folder)
    except Forbidden as error:
        return HashedFiles(trouble="unreachable", said=str(error)[:200])
    until, found = clock() + WITHIN_S, list[Digest]()
    try:
        with opened(command.snapshot, mounts / "snapshot") as root:
            for file in command.files:
                if clock() > until:
                    return HashedFiles(trouble="unreachable", said="Its disks were too slow.")
                found.append(answered(root, file.names, file.seed))
    except OSError as error:
        return HashedFiles(trouble=trouble_of(error), said=error.strerror or "")
    return HashedFiles(files=tuple(found))


def main(descriptor: int = 0, folder: Path = Path(FOLDER)) -> int:
    """The exit status: 1 for who asked nothing in time, or did not wait for the answer."""
    with socket.socket(fileno=os.dup(descriptor)) as connection, TemporaryDirectory() as mounts:
        try:
            text = received(connection, _LONGEST_BYTES, _ASKED_WITHIN_S)
            leave_alone()
            said = answer(text, folder=folder, mounts=Path(mounts))
            connection.settimeout(_ASKED_WITHIN_S)
            connection.sendall(msgspec.json.encode(said) + b"\n")
        except OSError as error:
            sys.stderr.write(f"Nobody was answered: {error}\n")
            return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
