"""The Host that asks the root helper."""

from __future__ import annotations

import socket
from pathlib import Path

import msgspec

from host import frames
from host.base import CommandTimedOut, HostUnavailable, Result, check
from host.commands.base import Command
from host.commands.closed import encode
from host.secrets import SecretGone

_CONNECT_S = 5.0
_GRACE_S = 30.0  # the helper keeps the command's own time limit; this one is for a helper that hangs


class HelperHost:
    """This machine through the helper's socket. One connection a command: nothing is ever sent twice."""

    kind = "local"

    def __init__(self, socket_path: Path) -> None:
        self._path = socket_path

    def run(self, command: Command) -> Result:
        """What `command` left.

        Raises `CommandFailed`, `CommandTimedOut`, `SecretGone` or `HostUnavailable`.
        """
        match self._ask(command):
            case frames.Finished(result=result):
                return check(command, result)
            case frames.TimedOut(result=result):
                raise CommandTimedOut(command, result)
            case frames.Refused(reason="secret"):
                raise SecretGone
            case frames.Refused(message=message):
                raise HostUnavailable(f"The helper refused: {message}")

    def _ask(self, command: Command) -> frames.Answer:
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
                connection.settimeout(_CONNECT_S)
                connection.connect(str(self._path))
                _send(connection, encode(command))
                connection.settimeout(command.timeout_s + _GRACE_S)
                payload = frames.receive(connection, limit_bytes=frames.ANSWER_LIMIT_BYTES)
        except (OSError, frames.FrameError) as error:
            raise HostUnavailable(f"The helper at {self._path} does not answer: {error}") from error
        try:
            return frames.decode_answer(payload)
        except msgspec.DecodeError as error:
            raise HostUnavailable(f"The helper at {self._path} answers in another format: {error}") from error


def _send(connection: socket.socket, payload: bytes) -> None:
    try:
        frames.send(connection, payload)
    except BrokenPipeError:
        # It refused before it read everything; its answer says why.
        return
