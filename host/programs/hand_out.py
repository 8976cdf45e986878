"""Opens one file, or a folder as an archive, and hands the open descriptor once to the console.

`python -m host.programs.hand_out --socket PATH --dataset NAME [--snapshot TAG] --path … [--archive]` says
READY=1 once the file is open and the socket is there. It ends with 3 when there is nothing to hand out, and
with 0 when it was handed out or nobody came within a minute. The kernel says who came (SO_PEERCRED): only
the console's account is given anything. The descriptor is for reading this one file and nothing else.
"""

from __future__ import annotations

import argparse
import os
import pwd
import secrets
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

from host.files import archive, entries, opening
from host.files.handover import END_BYTES, Handed, send
from host.files.names import BadPath, components, shown
from host.files.opening import Root, Unreachable
from host.programs.signals import ready
from host.system.peer import peer_uid

REFUSED = 3
_TIMEOUT_S = 60.0
CONSOLE = "nasweb"
Opened = Callable[[str, str | None], AbstractContextManager[Root]]


def hand_out(
    root: Root, names: tuple[bytes, ...], listener: socket.socket, *, uid: int, as_archive: bool
) -> bool:
    """Wait for the console and hand it over; whether it came. Raises `Unreachable` before, `OSError`."""
    if as_archive:
        with opening.folder(root, names):
            return _archive(root, names, listener, uid)
    with opening.file(root, names) as descriptor:
        entry = entries.describe(names[-1], os.fstat(descriptor), root.device)
        ready()
        with caller(listener, uid) as found:
            if found is None:
                return False
            send(found, Handed(name=entry.name, size_bytes=entry.size_bytes, entry=entry), descriptor)
            return True


def _archive(root: Root, names: tuple[bytes, ...], listener: socket.socket, uid: int) -> bool:
    name = shown(names[-1]) if names else "files"
    reading, writing = os.pipe2(os.O_CLOEXEC)
    try:
        ready()
        with caller(listener, uid) as found:
            if found is None:
                return False
            end = secrets.token_hex(END_BYTES)
            send(found, Handed(name=f"{name}.tar", end=end), reading)
    finally:
        os.close(reading)
    # Whoever reads it may leave before the end.
    with suppress(BrokenPipeError), os.fdopen(writing, "wb") as out:
        archive.write(root, names, out)
        # Without this end an archive is incomplete, for whatever reason.
        out.write(bytes.fromhex(end))
    return True


@contextmanager
def caller(listener: socket.socket, uid: int) -> Iterator[socket.socket | None]:
    """The first caller that may have it; None where none came in time. Others are refused."""
    listener.settimeout(_TIMEOUT_S)
    while True:
        try:
            connection, _ = listener.accept()
        except TimeoutError:
            yield None
            return
        with connection:
            if peer_uid(connection) == uid:
                yield connection
                return


def main(arguments: list[str] | None = None, *, root: Opened = opening.dataset_root) -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(prog="python -m host.programs.hand_out", description=__doc__)
    parser.add_argument("--socket", type=Path, required=True, help="where the console asks for it")
    parser.add_argument("--dataset", required=True)
    parser.add_argument("--snapshot", help="its name behind the @; now if left out")
    parser.add_argument("--path", required=True, help="from the dataset's own folder")
    parser.add_argument("--archive", action="store_true", help="a folder, as a tar archive")
    parser.add_argument("--for-user", default=CONSOLE, help="whom it is handed to")
    asked = parser.parse_args(arguments)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    try:
        names = components(asked.path)
        uid = pwd.getpwnam(asked.for_user).pw_uid
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
            listen(listener, asked.socket)
            with root(asked.dataset, asked.snapshot) as opened:
                hand_out(opened, names, listener, uid=uid, as_archive=asked.archive)
    except (Unreachable, BadPath, KeyError) as error:
        sys.stderr.write(f"{error}\n")
        return REFUSED
    return 0


def listen(listener: socket.socket, path: Path, *, waiting: int = 1) -> None:
    """Make the socket at `path`, for whoever may enter its folder; so many may wait to be answered."""
    mask = os.umask(0o117)
    try:
        listener.bind(str(path))
    finally:
        os.umask(mask)
    listener.listen(waiting)


if __name__ == "__main__":
    raise SystemExit(main())
