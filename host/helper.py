"""The root daemon: a unix socket in front of `LocalHost` for the closed set of commands.

`python -m host.helper` under systemd's socket activation; with `--socket PATH` it makes its own socket.
"""

from __future__ import annotations

import argparse
import os
import pwd
import selectors
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import msgspec

from host import frames
from host.base import CommandFailed, CommandTimedOut, Host, HostError
from host.commands.base import Command
from host.commands.closed import AnyCommand, decode
from host.local import LocalHost
from host.secrets import SecretGone
from host.system.malloc import return_large_blocks
from host.system.peer import peer_uid, user_name

_FIRST_PASSED = 3  # SD_LISTEN_FDS_START
_REQUEST_S = 10.0  # for a whole request to arrive
_MOST_CONNECTIONS = 16
_ROOT = 0
_SLOW_S = 5.0
_PREFIXES = {"debug": b"<7>", "info": b"<6>"}  # sd-daemon(3): the journal reads them and leaves them out

_NO_REQUEST = (frames.FrameError, TimeoutError, msgspec.DecodeError)
Journal = Callable[[dict[str, object]], None]


class Helper:
    """Answers connections, each in a thread, until it is stopped or nobody came for `idle_s` seconds."""

    def __init__(self, host: Host, *, allowed_uids: frozenset[int], journal: Journal) -> None:
        self._host = host
        self._allowed = allowed_uids | {_ROOT}
        self._journal = journal
        self._slots = threading.BoundedSemaphore(_MOST_CONNECTIONS)
        self._wake, self._woken = socket.socketpair()

    def stop(self) -> None:
        """Accept nothing more; what runs is carried to its end."""
        self._wake.send(b".")

    def serve(self, listener: socket.socket, *, idle_s: float | None = None) -> None:
        """Accept until stopped or idle, then wait for the last command."""
        threads: list[threading.Thread] = []
        with selectors.DefaultSelector() as selector:
            selector.register(listener, selectors.EVENT_READ)
            selector.register(self._woken, selectors.EVENT_READ)
            while True:
                ready = selector.select(idle_s)
                threads = [thread for thread in threads if thread.is_alive()]
                if any(key.fileobj is self._woken for key, _ in ready) or not (ready or threads):
                    break
                if ready:
                    self._slots.acquire()
                    connection, _ = listener.accept()
                    threads.append(threading.Thread(target=self._serve_one, args=(connection,)))
                    threads[-1].start()
        for thread in threads:
            thread.join()

    def _serve_one(self, connection: socket.socket) -> None:
        try:
            self.answer(connection)
        finally:
            self._slots.release()

    def answer(self, connection: socket.socket) -> None:
        """Read one request, carry it out, answer, and close."""
        try:
            with connection:
                connection.settimeout(_REQUEST_S)
                answer = self._answer_to(connection, peer_uid(connection))
                frames.send(connection, frames.encode_answer(answer))
        except OSError as error:
            self._journal({"event": "connection lost", "error": str(error)})

    def _answer_to(self, connection: socket.socket, uid: int) -> frames.Answer:
        who: dict[str, object] = {"uid": uid, "user": user_name(uid)}
        if uid not in self._allowed:
            message = f"{user_name(uid)} (uid {uid}) may not use this helper."
            self._journal({"event": "refused", **who, "error": message})
            return frames.Refused(reason="user", message=message)
        try:
            payload = frames.receive(connection, limit_bytes=frames.REQUEST_LIMIT_BYTES)
            command = decode(payload)
            if frames.ended(connection):
                # It waited for a free thread and gave up. What nobody waits for must not happen later.
                raise frames.FrameError("Whoever asked is gone.")
        except _NO_REQUEST as error:
            self._journal({"event": "refused", **who, "error": str(error)})
            return frames.Refused(reason="request", message=f"This is no command: {error}")
        return self._run(command, who)

    def _run(self, command: AnyCommand, who: dict[str, object]) -> frames.Answer:
        started = time.monotonic()
        succeeded = False
        end: dict[str, object]
        answer: frames.Answer
        try:
            result = self._host.run(command)
            answer, end, succeeded = frames.Finished(result=result), {"exit": result.exit}, True
        except CommandTimedOut as error:
            answer, end = frames.TimedOut(result=error.result), {"exit": error.result.exit, "timed_out": True}
        except CommandFailed as error:
            answer, end = frames.Finished(result=error.result), {"exit": error.result.exit}
        except SecretGone as error:
            answer, end = frames.Refused(reason="secret", message=str(error)), {"error": str(error)}
        except (HostError, OSError) as error:
            answer, end = frames.Refused(reason="broken", message=str(error)), {"error": str(error)}
        duration_s = round(time.monotonic() - started, 3)
        report = level(command, succeeded=succeeded, duration_s=duration_s)
        how = {**who, "argv": command.shown(), **end, "duration_s": duration_s}
        self._journal({"event": "command", "level": report, **how})
        return answer


def level(command: Command, *, succeeded: bool, duration_s: float) -> Literal["debug", "info"]:
    """The log level of a command: reads run every few seconds, so that only slow or failed ones are info."""
    return "debug" if command.reads and succeeded and duration_s < _SLOW_S else "info"


def write_line(entry: dict[str, object]) -> None:
    """One line of JSON to the journal, at its `level`; control characters are escaped by the format."""
    prefix = _PREFIXES[str(entry.get("level", "info"))]
    sys.stdout.buffer.write(prefix + msgspec.json.encode(entry) + b"\n")
    sys.stdout.flush()


def listening_socket(path: Path | None, environment: dict[str, str]) -> socket.socket:
    """The socket that systemd passed, or a new one at `path`. Raises `SystemExit` without either."""
    if environment.get("LISTEN_PID") == str(os.getpid()) and environment.get("LISTEN_FDS", "0") != "0":
        return socket.socket(fileno=_FIRST_PASSED)
    if path is None:
        raise SystemExit("host.helper: systemd passed no socket, and no --socket was given.")
    path.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    mask = os.umask(0o117)
    try:
        listener.bind(str(path))
    finally:
        os.umask(mask)
    listener.listen(_MOST_CONNECTIONS)
    return listener


def main() -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(prog="python -m host.helper", description=__doc__)
    parser.add_argument("--socket", type=Path, help="make a socket here instead of taking systemd's")
    parser.add_argument("--allow-user", action="append", default=[], help="who may ask, besides root")
    parser.add_argument("--idle-minutes", type=float, help="end when nobody came for so long")
    arguments = parser.parse_args()
    try:
        allowed = frozenset(pwd.getpwnam(name).pw_uid for name in arguments.allow_user)
    except KeyError as error:
        parser.error(str(error))
    return_large_blocks()
    helper = Helper(LocalHost(), allowed_uids=allowed, journal=write_line)
    listener = listening_socket(arguments.socket, dict(os.environ))
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: helper.stop())
    idle_s = arguments.idle_minutes * 60 if arguments.idle_minutes else None
    with listener:
        helper.serve(listener, idle_s=idle_s)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
