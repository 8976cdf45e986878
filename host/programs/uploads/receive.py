"""Makes files and folders in one dataset for one person, as the console sends them.

`python -m host.programs.uploads.receive --socket PATH --dataset NAME --person NAME` opens the dataset and the
socket as root, gives all rights but those of the person up, and says READY=1. It ends with 3 where it cannot,
and with 0 once nobody has sent anything for a while: what has not arrived whole stays for the next one. The
kernel says who connects (SO_PEERCRED): only the console's account is answered.
"""

from __future__ import annotations

import argparse
import pwd
import socket
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from pathlib import Path

import msgspec

from host.files import opening
from host.files.arriving import carry_out
from host.files.opening import Root, Unreachable
from host.files.receiving import TIMEOUT_S, Declined, Received, UploadRefused, read_message, written
from host.programs.hand_out import CONSOLE, listen
from host.programs.signals import ready
from host.programs.uploads.acting import Identity, NotAPerson, become, identity
from host.system.peer import peer_uid

REFUSED = 3
_IDLE_S = 5.0  # the dataset cannot be unmounted meanwhile; to start again takes a second
_MOST_WAITING = 64  # twice the threads of the web server: the kernel turns away whoever comes then
_LONGEST_S = 600.0  # then the person's groups are read anew
Opened = Callable[[str, str | None], AbstractContextManager[Root]]


def serve(
    root: Root, listener: socket.socket, *, uid: int, clock: Callable[[], float] = time.monotonic
) -> None:
    """Answer the console until it is silent, one connection after the other."""
    end = clock() + _LONGEST_S
    listener.settimeout(_IDLE_S)
    while clock() < end:
        try:
            connection, _ = listener.accept()
        except TimeoutError:
            return
        # Whoever leaves in the middle has had nothing done: a message counts once it is there whole.
        with connection, suppress(OSError, EOFError):
            if peer_uid(connection) == uid:
                connection.settimeout(TIMEOUT_S)
                connection.sendall(written(_answer(root, connection)))


def _answer(root: Root, connection: socket.socket) -> Received | Declined:
    try:
        with connection.makefile("rb") as file:
            message, data = read_message(file)
        return carry_out(root, message, data)
    except UploadRefused as error:
        return error.why
    except msgspec.DecodeError as error:
        return Declined(code="bad-message", field="", message=f"This is no message: {error}")


def main(
    arguments: list[str] | None = None,
    *,
    root: Opened = opening.dataset_root,
    turn_into: Callable[[Identity], None] = become,
) -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(prog="python -m host.programs.uploads.receive", description=__doc__)
    parser.add_argument("--socket", type=Path, required=True, help="where the console sends to")
    parser.add_argument("--dataset", required=True)
    parser.add_argument("--person", required=True, help="whose rights count, and who owns what is made")
    asked = parser.parse_args(arguments)
    try:
        who = identity(asked.person)
        uid = pwd.getpwnam(CONSOLE).pw_uid
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        with listener, root(asked.dataset, None) as opened:
            listen(listener, asked.socket, waiting=_MOST_WAITING)
            turn_into(who)
            ready()
            serve(opened, listener, uid=uid)
    except (NotAPerson, Unreachable, KeyError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return REFUSED
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
