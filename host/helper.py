"""The root daemon: takes commands over a unix socket, checks who asks and what, runs them, and logs each.

Started by systemd's socket (LISTEN_FDS), or with --socket for tests. Speaks `host.frames`.
"""

from __future__ import annotations

import argparse
import json
import os
import pwd
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from host import frames
from host.base import CommandFailed, CommandTimedOut, Host
from host.commands import AnyCommand, decode
from host.local import LocalHost

_MOST_CONNECTIONS = 32
_PEER = struct.Struct("3i")  # struct ucred: pid, uid, gid
_LISTEN_FD = 3  # SD_LISTEN_FDS_START
_IDLE_S = 60.0

Log = Callable[[dict[str, object]], None]


class Helper:
    """Serves `listener` with the commands of `host`, for root and the users in `allowed_uids`."""

    def __init__(self, listener: socket.socket, host: Host, allowed_uids: frozenset[int], log: Log) -> None:
        self._listener = listener
        self._host = host
        self._allowed = allowed_uids | {0}
        self._log = log
        self._places = threading.BoundedSemaphore(_MOST_CONNECTIONS)

    def serve(self) -> None:
        """Accept connections until the listener is closed."""
        while True:
            self._places.acquire()
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._converse, args=(connection,), daemon=True).start()

    def _converse(self, connection: socket.socket) -> None:
        try:
            with connection:
                connection.settimeout(_IDLE_S)
                self._answer_all(connection)
        except (OSError, frames.BrokenFrame) as error:
            self._log({"event": "connection lost", "detail": str(error)})
        finally:
            self._places.release()

    def _answer_all(self, connection: socket.socket) -> None:
        pid, uid, _ = _PEER.unpack(connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _PEER.size))
        if uid not in self._allowed:
            self._log({"event": "refused", "uid": uid, "pid": pid})
            refusal = frames.Answer(fault="refused", detail="this user may not use the helper")
            frames.send(connection, msgspec.json.encode(refusal))
            return
        while (data := frames.receive(connection, most_bytes=frames.MOST_REQUEST_BYTES)) is not None:
            frames.send(connection, msgspec.json.encode(self._answer(data, uid=uid, pid=pid)))

    def _answer(self, data: bytes, *, uid: int, pid: int) -> frames.Answer:
        try:
            command = decode(data)
        except (msgspec.DecodeError, msgspec.ValidationError) as error:
            self._log({"event": "invalid", "uid": uid, "pid": pid, "detail": str(error)[:200]})
            return frames.Answer(fault="invalid", detail="not a command that the helper knows")
        started = time.monotonic()
        answer = self._run(command)
        self._log(
            {
                "event": "ran",
                "uid": uid,
                "pid": pid,
                "command": list(command.argv()),
                "exit": answer.result.exit if answer.result else None,
                "fault": answer.fault,
                "seconds": round(time.monotonic() - started, 3),
            }
        )
        return answer

    def _run(self, command: AnyCommand) -> frames.Answer:
        try:
            return frames.Answer(result=self._host.run(command))
        except CommandTimedOut as error:
            return frames.Answer(result=error.result, fault="timed-out", detail=str(error))
        except CommandFailed as error:
            return frames.Answer(result=error.result, fault="failed", detail=str(error))


def log_line(entry: dict[str, object]) -> None:
    """One line of JSON to the journal; control characters come out escaped."""
    sys.stdout.write(json.dumps(entry, ensure_ascii=True) + "\n")
    sys.stdout.flush()


def listen(path: Path | None) -> socket.socket:
    """The socket that systemd passed, or a new one at `path` that only its owner and group may use."""
    if path is None:
        if os.environ.get("LISTEN_PID") != str(os.getpid()) or os.environ.get("LISTEN_FDS") != "1":
            raise SystemExit("Start me through nasweb-helper.socket, or give --socket PATH.")
        return socket.socket(fileno=_LISTEN_FD)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o117)
    try:
        listener.bind(str(path))
    finally:
        os.umask(before)
    listener.listen(_MOST_CONNECTIONS)
    return listener


def main() -> None:
    """Parse the options and serve."""
    parser = argparse.ArgumentParser(prog="nasweb-helper", description=__doc__)
    parser.add_argument("--allow-user", action="append", default=[], metavar="NAME")
    parser.add_argument("--socket", type=Path, metavar="PATH")
    options = parser.parse_args()
    try:
        allowed = frozenset(pwd.getpwnam(name).pw_uid for name in options.allow_user)
    except KeyError as error:
        raise SystemExit(f"There is no user {error}.") from None
    Helper(listen(options.socket), LocalHost(), allowed, log_line).serve()


if __name__ == "__main__":
    main()
