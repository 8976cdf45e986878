"""A command that another machine carries out, through a connection that was set up before.

For programs alone: the helper takes none of these. What reaches the other side is one word. Where our own
program answers there (`host.programs.peer`) that is the command as JSON, which it decodes and judges again;
any other host has a shell, and gets the command's words quoted for it.
"""

from __future__ import annotations

import shlex
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from host.base import Result
from host.commands.base import Command
from host.commands.replication.task import ConnectionId
from host.connections import folder

SOCKETS = "/run/nasweb-replication"  # RuntimeDirectory= of the units; each has a folder of its own below
SocketPath = Annotated[str, Meta(pattern=rf"\A{SOCKETS}/[a-z0-9\-]{{1,64}}/[a-z0-9]{{1,16}}\Z")]
Trouble = Literal["name-unknown", "unreachable", "host-key", "key-refused", "cut-off"]
_FAILED = 255  # ssh(1): the connection, not the command
# Fixed texts of OpenSSH, and of the C library in the locale that commands run with.
_TEXTS: tuple[tuple[str, Trouble], ...] = (
    ("Could not resolve hostname", "name-unknown"),
    ("Host key verification failed.", "host-key"),
    ("Permission denied (", "key-refused"),
    ("Too many authentication failures", "key-refused"),
    ("Connection refused", "unreachable"),
    ("No route to host", "unreachable"),
    ("Network is unreachable", "unreachable"),
    ("Connection timed out", "unreachable"),
    ("Operation not permitted", "unreachable"),  # the unit's own filter of addresses
)


class Over(Command, frozen=True, kw_only=True):
    """`command` at the other end of a connection; its streams, status and limits are those of `command`.

    `socket`: where one connection is shared by all commands that name it. It is made by the first, and lasts
    for a minute after the last, or until its unit ends.
    """

    connection: ConnectionId
    kind: Literal["nasweb", "ssh"]
    command: Command
    socket: SocketPath | None = None

    @property
    def timeout_s(self) -> float:  # type: ignore[override]
        """As of the command, with the time that it takes to connect."""
        return self.command.timeout_s + 60.0

    @property
    def good_exits(self) -> tuple[int, ...]:  # type: ignore[override]
        """As of the command."""
        return self.command.good_exits

    @property
    def most_bytes(self) -> int | None:  # type: ignore[override]
        """As of the command."""
        return self.command.most_bytes

    @property
    def reads(self) -> bool:  # type: ignore[override]
        """As of the command."""
        return self.command.reads

    def argv(self) -> tuple[str, ...]:
        if self.kind == "nasweb":
            word = msgspec.json.encode(self.command).decode()
        else:
            word = shlex.join(self.command.argv())
        return (*_ssh(self.connection, self.socket), "--", word)

    def input(self) -> str:
        return self.command.input()

    def fault(self, stdout: str, stderr: str) -> str | None:
        return self.command.fault(stdout, stderr)


class EndShared(Command, frozen=True, kw_only=True):
    """End a connection that commands share; status 255 where there is none any more."""

    good_exits = (0, _FAILED)
    connection: ConnectionId
    socket: SocketPath

    def argv(self) -> tuple[str, ...]:
        first, *rest = _ssh(self.connection, self.socket)
        return (first, "-O", "exit", *rest)


def _ssh(connection: str, socket: str | None) -> tuple[str, ...]:
    shared = () if socket is None else ("-S", socket)
    return ("ssh", "-F", f"{folder(connection)}/ssh_config", *shared, connection)


def trouble(result: Result) -> Trouble | None:
    """Why a connection failed, as far as ssh's own words say; None where the command ran.

    The other side may write such words itself and end with 255: this explains a failure and decides nothing.
    """
    if result.exit != _FAILED:
        return None
    lines = result.stderr.splitlines()
    return next((why for text, why in _TEXTS if any(text in line for line in lines)), "cut-off")
