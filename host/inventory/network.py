"""The machine's name, its clock and its network, as plans and pages see them."""

from __future__ import annotations

from typing import Literal

import msgspec

Manager = Literal["networkd", "NetworkManager", "ifupdown", "none"]
InterfaceKind = Literal["ethernet", "wireless", "virtual"]
Origin = Literal["fixed", "automatic", "link"]
LogProtocol = Literal["tcp", "udp", "tls"]


class Address(msgspec.Struct, frozen=True, kw_only=True):
    """An address of an interface; `link` is one that holds on its cable alone, such as fe80::1."""

    address: str
    prefix: int
    origin: Origin = "fixed"

    @property
    def family(self) -> Literal[4, 6]:
        """Of the Internet protocol."""
        return 6 if ":" in self.address else 4


class Interface(msgspec.Struct, frozen=True, kw_only=True):
    """A network interface. `manager` decides on it; only what networkd manages, or nobody, is changed here.

    `state` is networkd's own word (configured, configuring, unmanaged, failed…), `file` what it follows,
    `ours` the text of our file for this interface. `part_of` is the bridge or bond that it is a port of.
    """

    name: str
    mac: str = ""
    kind: InterfaceKind = "ethernet"
    carrier: bool = False
    mtu: int = 1500
    addresses: tuple[Address, ...] = ()
    gateways: tuple[str, ...] = ()
    dns: tuple[str, ...] = ()
    search: tuple[str, ...] = ()
    manager: Manager = "none"
    state: str | None = None
    file: str | None = None
    ours: str | None = None
    part_of: str = ""

    @property
    def leads_here(self) -> tuple[Address, ...]:
        """The addresses under which other machines reach this one."""
        return tuple(one for one in self.addresses if one.origin != "link")


class Certificate(msgspec.Struct, frozen=True, kw_only=True):
    """What the console shows browsers: for which names it is, and whether this machine made it for itself."""

    names: tuple[str, ...]
    ours: bool


class PendingChange(msgspec.Struct, frozen=True, kw_only=True):
    """A change of the network that nobody has confirmed yet.

    `until` is when it is taken back, in seconds since 1970; None where no timer runs: the next start does it.
    """

    interface: str
    until: float | None = None


class UndoneChange(msgspec.Struct, frozen=True, kw_only=True):
    """The last change, which was taken back at the time `at`, in seconds since 1970."""

    interface: str
    at: float


class LogTarget(msgspec.Struct, frozen=True, kw_only=True):
    """A log server that takes RFC 5424. `authority` is the PEM text of who signs its certificate; empty: one
    of those that the system trusts."""

    protocol: LogProtocol
    host: str
    port: int
    authority: str = ""


class LogForwarding(msgspec.Struct, frozen=True, kw_only=True):
    """What is set, and whether the service runs. `altered`: the file says what the console did not write."""

    target: LogTarget | None = None
    altered: bool = False
    active: bool = False


class Network(msgspec.Struct, frozen=True, kw_only=True):
    """All of it. `networkd` and `resolved` say whether these services run."""

    interfaces: tuple[Interface, ...] = ()
    networkd: bool = False
    resolved: bool = False
    pending: PendingChange | None = None
    undone: UndoneChange | None = None
    logs: LogForwarding = LogForwarding()

    def interface(self, name: str) -> Interface | None:
        """The interface of that name."""
        return next((one for one in self.interfaces if one.name == name), None)


class Naming(msgspec.Struct, frozen=True, kw_only=True):
    """What the machine and its start are called, and its clock.

    `name` is the one in use, `kept` the one that comes back after a start; `hosts` is /etc/hosts as it is.
    `synchronized` says whether the clock follows others; None where that could not be asked.
    """

    name: str = ""
    kept: str = ""
    boot: str = ""  # the kernel's own id of this start: another one after a restart
    hosts: str = ""
    time_zone: str | None = None
    synchronized: bool | None = None
    certificate: Certificate | None = None  # None: there is none, or it cannot be read
