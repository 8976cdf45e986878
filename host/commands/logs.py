"""Sends the journal to a log server, or no longer.

rsyslog does it in a unit of our own (ansible/roles/services): without rights but to read the journal, and
only while there is the file that says where to. Debian's own configuration, which writes files, is not used.
"""

from __future__ import annotations

import hashlib
from typing import Annotated

from msgspec import Meta

from host.commands.base import Command
from host.connections.authority import MOST, authority_fault
from host.contents import logs
from host.families import Family
from host.inventory.network import LogProtocol

UNIT = "nasweb-log-forward.service"
LogHost = Annotated[str, Meta(pattern=r"\A[a-z0-9.:\-]+\Z", max_length=253)]
LogPort = Annotated[int, Meta(ge=1, le=65535)]
PemText = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9+/=\- \n]+\Z", max_length=MOST)]


class LogCommand(Command, frozen=True, kw_only=True):
    """One that is about the journal's way out, and nothing else."""

    touches = frozenset({Family.NETWORK, Family.NAMES})


class StageLogAuthority(LogCommand, frozen=True, kw_only=True):
    """Write who signs the server's certificate beside its place."""

    text: PemText

    def __post_init__(self) -> None:
        if fault := authority_fault(self.text):
            raise ValueError(fault)

    def argv(self) -> tuple[str, ...]:
        return ("tee", f"{logs.AUTHORITY}.next")

    def input(self) -> str:
        return self.text

    def shown(self) -> tuple[str, ...]:
        """Certificates are long and say nothing to a reader: their hash."""
        found = hashlib.sha256(self.text.encode()).hexdigest()
        return (*self.argv(), "<<<", f"(certificates with SHA-256 {found})")


class PlaceLogAuthority(LogCommand, frozen=True, kw_only=True):
    """Put the staged certificates in place."""

    def argv(self) -> tuple[str, ...]:
        return ("mv", "--no-target-directory", f"{logs.AUTHORITY}.next", logs.AUTHORITY)


class RemoveLogAuthority(LogCommand, frozen=True, kw_only=True):
    """From now on the system's own list of authorities counts."""

    def argv(self) -> tuple[str, ...]:
        return ("rm", "--force", logs.AUTHORITY)


class StageLogTarget(LogCommand, frozen=True, kw_only=True):
    """Write where the journal is sent beside its place; the text is made here, of these values alone."""

    protocol: LogProtocol
    host: LogHost
    port: LogPort
    own_authority: bool = False

    def __post_init__(self) -> None:
        if fault := logs.target_fault(self.protocol, self.host):
            raise ValueError(fault)
        if self.own_authority and self.protocol != "tls":
            raise ValueError("Only TLS has an authority.")

    def argv(self) -> tuple[str, ...]:
        return ("tee", f"{logs.FILE}.next")

    def input(self) -> str:
        return logs.render(self.protocol, self.host, self.port, own_authority=self.own_authority)


class CheckLogTarget(Command, frozen=True, kw_only=True):
    """Let rsyslog read the staged file. It starts nothing, and ends with 1 for what it does not know."""

    reads = True

    def argv(self) -> tuple[str, ...]:
        return ("rsyslogd", "-N1", "-f", f"{logs.FILE}.next")


class PlaceLogTarget(LogCommand, frozen=True, kw_only=True):
    """Put the staged file in place."""

    def argv(self) -> tuple[str, ...]:
        return ("mv", "--no-target-directory", f"{logs.FILE}.next", logs.FILE)


class RemoveLogTarget(LogCommand, frozen=True, kw_only=True):
    """The journal stays here: without the file the unit does not start."""

    def argv(self) -> tuple[str, ...]:
        return ("rm", "--force", logs.FILE, logs.AUTHORITY)


class RestartLogForwarding(LogCommand, frozen=True, kw_only=True):
    """Let the service follow the file, or its absence."""

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", "restart", UNIT)


class CheckLogForwarding(Command, frozen=True, kw_only=True):
    """Whether the service runs; it fails where it does not."""

    reads = True

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", "is-active", UNIT)


Commands = (
    StageLogAuthority
    | PlaceLogAuthority
    | RemoveLogAuthority
    | StageLogTarget
    | CheckLogTarget
    | PlaceLogTarget
    | RemoveLogTarget
    | RestartLogForwarding
    | CheckLogForwarding
)
