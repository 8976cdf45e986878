"""Sets what the machine is called, and its time zone."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from host.commands.base import Command
from host.contents.network import hosts_fault

HOSTS = "/etc/hosts"
CERTIFICATE = "/etc/nasweb/certificate.pem"
# Names that were set elsewhere may have dots and capitals: going back to one must be possible.
HostName = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9](?:[A-Za-z0-9.\-]{0,62}[A-Za-z0-9])?\Z", max_length=64)]
TimeZone = Annotated[
    str, Meta(pattern=r"\A[A-Za-z0-9][A-Za-z0-9_+\-]*(?:/[A-Za-z0-9_+\-]+){0,2}\Z", max_length=64)
]
HostsText = Annotated[str, Meta(pattern=r"\A[^\x00]*\Z", max_length=1 << 18)]


class SetHostname(Command, frozen=True, kw_only=True):
    """Set the name, now and for each start."""

    name: HostName

    def argv(self) -> tuple[str, ...]:
        return ("hostnamectl", "set-hostname", "--static", self.name)


class SetTimeZone(Command, frozen=True, kw_only=True):
    """Set the time zone of the machine's own clock display, logs and timers."""

    zone: TimeZone

    def argv(self) -> tuple[str, ...]:
        return ("timedatectl", "set-timezone", self.zone)


class StageHosts(Command, frozen=True, kw_only=True):
    """Write the names that the machine knows by itself beside their file."""

    text: HostsText

    def __post_init__(self) -> None:
        if fault := hosts_fault(self.text):
            raise ValueError(fault)

    def argv(self) -> tuple[str, ...]:
        return ("tee", f"{HOSTS}.nasweb")

    def input(self) -> str:
        return self.text


class PlaceHosts(Command, frozen=True, kw_only=True):
    """Put the staged names in place."""

    def argv(self) -> tuple[str, ...]:
        return ("mv", "--no-target-directory", f"{HOSTS}.nasweb", HOSTS)


class MakeCertificate(Command, frozen=True, kw_only=True):
    """Make the console a certificate for another name, and have nginx show it.

    Refused with status 3 where the one that is there was not made by this machine.
    """

    timeout_s = 120.0
    name: HostName

    def argv(self) -> tuple[str, ...]:
        return ("/usr/local/libexec/nasweb-keys", "certificate", self.name)


class ClockState(Command, frozen=True, kw_only=True):
    """Whether the clock follows others, as NAME=yes lines."""

    reads = True
    timeout_s = 20.0

    def argv(self) -> tuple[str, ...]:
        return ("timedatectl", "show", "--property=NTP", "--property=NTPSynchronized")


Commands = SetHostname | SetTimeZone | StageHosts | PlaceHosts | MakeCertificate | ClockState
