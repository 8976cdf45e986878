"""The host behind the helper's socket."""

from __future__ import annotations

import socket
from pathlib import Path

import msgspec

from host import frames
from host.base import CommandFailed, CommandTimedOut, HostUnavailable, Result, check
from host.commands import Command, encode

_SLACK_S = 30.0  # beyond the command's own time limit: the helper stops it and says so
_decoder = msgspec.json.Decoder(frames.Answer)


class HelperHost:
    """Sends each command to the helper over a connection of its own."""

    kind = "local"

    def __init__(self, socket_path: Path) -> None:
        self._socket_path = socket_path

    def run(self, command: Command) -> Result:
        """Raises `CommandFailed`, `CommandTimedOut`, or `HostUnavailable` where no answer can be had."""
        try:
            answer = _decoder.decode(self._ask(command))
        except (OSError, frames.BrokenFrame, msgspec.DecodeError) as error:
            raise HostUnavailable(f"The helper at {self._socket_path} does not answer: {error}") from error
        if answer.result is None:
            raise HostUnavailable(f"The helper refused: {answer.detail}")
        if answer.fault == "timed-out":
            raise CommandTimedOut(command, answer.result)
        if answer.fault == "failed":
            raise CommandFailed(command, answer.result)
        return check(command, answer.result)

    def _ask(self, command: Command) -> bytes:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(command.timeout_s + _SLACK_S)
            connection.connect(str(self._socket_path))
            frames.send(connection, encode(command))
            answer = frames.receive(connection, most_bytes=frames.MOST_ANSWER_BYTES)
        if answer is None:
            raise frames.BrokenFrame("it closed the connection without an answer")
        return answer
