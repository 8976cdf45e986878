"""Reads the network, and changes what systemd-networkd makes of one interface.

A change is a file of our own, staged and put in place like those of shares. Before that a timer is started,
and a mark is written that holds the file as it was: a program of root's puts it back when the minute is over
(ansible/roles/network), or at the next start of the machine. Neither needs the console, which may be out of
reach by then. To confirm is to remove the mark: whoever removes it, the console or the program, decides.
All lies in one folder of the system's own disk, which is there before the network is.
"""

from __future__ import annotations

import hashlib
from typing import Annotated, Literal

from msgspec import Meta

from host.commands.base import Command
from host.commands.logs import UNIT as LOG_UNIT
from host.commands.naming import CERTIFICATE, HOSTS
from host.contents import logs
from host.contents import network as contents

FOLDER = "/etc/systemd/network"
PREFIX = "05-nasweb-"  # the first file that matches counts: ours goes before those of netplan and of images
PENDING = f"{FOLDER}/nasweb.pending"
UNDONE = f"{FOLDER}/nasweb.undone"
CONFIRM_S = 60  # as the timer has it: ansible/roles/network/files/units/nasweb-network-rollback.timer
TIMER, ROLLBACK = "nasweb-network-rollback.timer", "nasweb-network-rollback.service"
LINKS = "/run/systemd/netif/links"  # what networkd makes of each interface, by its number
NM_DEVICES = "/run/NetworkManager/devices"
IFSTATE = "/run/network/ifstate"  # what ifupdown brought up
RESOLV_CONF = "/etc/resolv.conf"
HOSTNAME_NOW, HOSTNAME_KEPT = "/proc/sys/kernel/hostname", "/etc/hostname"
BOOT_ID = "/proc/sys/kernel/random/boot_id"  # another one at each start
LOCALTIME = "/etc/localtime"
UNITS = ("systemd-networkd.service", "systemd-resolved.service", TIMER, LOG_UNIT)

MacAddress = Annotated[str, Meta(pattern=r"\A[0-9a-f]{2}(?::[0-9a-f]{2}){5}\Z")]
InterfaceName = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9][A-Za-z0-9_.\-]{0,14}\Z")]
NetworkText = Annotated[str, Meta(pattern=r"\A[^\x00]*\Z", max_length=1 << 16)]


def network_file(mac: str) -> str:
    """Our file for the interface with that address, whatever its name will be after the next start."""
    return f"{FOLDER}/{PREFIX}{mac.replace(':', '')}.network"


class MachineFiles(Command, frozen=True, kw_only=True):
    """Every line, behind its path and NUL, of the files that hold the machine's names, network and start.

    grep ends with 1 where all are empty and with 2 where one is missing: neither is a fault.
    """

    reads = True
    good_exits = (0, 1, 2)

    def argv(self) -> tuple[str, ...]:
        names = ("certificate.pem", "hosts", "hostname", "boot_id", "resolv.conf", "ifstate",
                 "nasweb.pending", "nasweb.undone", "log-target.conf", "log-target.pem",
                 f"{PREFIX}*.network", "[0-9]", "[0-9][0-9]",
                 "[0-9][0-9][0-9]")  # fmt: skip
        files = (HOSTS, CERTIFICATE, HOSTNAME_KEPT, HOSTNAME_NOW, BOOT_ID, RESOLV_CONF, IFSTATE,
                 logs.FILE, logs.AUTHORITY)  # fmt: skip
        return (
            "grep", "--recursive", "--no-messages", "--text", "--null", "--with-filename",
            *(f"--include={name}" for name in names), "--regexp=", *files, FOLDER, LINKS, NM_DEVICES,
        )  # fmt: skip


class MachineMarks(Command, frozen=True, kw_only=True):
    """Where /etc/localtime leads, and when the last change was taken back: path, target, seconds, by tabs.

    find ends with 1 where one is missing.
    """

    reads = True
    good_exits = (0, 1)

    def argv(self) -> tuple[str, ...]:
        return ("find", LOCALTIME, UNDONE, "-maxdepth", "0", "-printf", r"%p\t%l\t%C@\n")


class NetworkUnits(Command, frozen=True, kw_only=True):
    """Whether the services of the network and of logs run, and since when the timer: a block of NAME=value
    for each."""

    reads = True

    def argv(self) -> tuple[str, ...]:
        names = ("Id", "ActiveState", "SubState", "ActiveEnterTimestamp")
        return ("systemctl", "show", "--timestamp=unix", *(f"--property={name}" for name in names), *UNITS)


class Addresses(Command, frozen=True, kw_only=True):
    """All interfaces with their addresses, as JSON."""

    reads = True

    def argv(self) -> tuple[str, ...]:
        return ("ip", "-json", "-details", "address", "show")


class DefaultRoutes(Command, frozen=True, kw_only=True):
    """The ways out of the network, as JSON."""

    reads = True
    family: Literal[4, 6] = 4

    def argv(self) -> tuple[str, ...]:
        return ("ip", f"-{self.family}", "-json", "route", "show", "default")


class StageNetwork(Command, frozen=True, kw_only=True):
    """Write what networkd shall make of an interface beside its place."""

    mac: MacAddress
    text: NetworkText

    def __post_init__(self) -> None:
        if fault := contents.interface_fault(self.text, self.mac):
            raise ValueError(fault)

    def argv(self) -> tuple[str, ...]:
        return ("tee", f"{network_file(self.mac)}.next")

    def input(self) -> str:
        return self.text

    def shown(self) -> tuple[str, ...]:
        """The plan shows the text itself as a difference, and holds it to its hash."""
        found = hashlib.sha256(self.text.encode()).hexdigest()
        return (*self.argv(), "<<<", f"(the file with SHA-256 {found})")


class StageWayBack(Command, frozen=True, kw_only=True):
    """Write the mark beside its place: the file, the interface, whether there was one, and what it said."""

    mac: MacAddress
    interface: InterfaceName
    before: NetworkText | None

    def __post_init__(self) -> None:
        if self.before is not None and (fault := contents.kept_fault(self.before)):
            raise ValueError(fault)

    def argv(self) -> tuple[str, ...]:
        return ("tee", f"{PENDING}.next")

    def input(self) -> str:
        name = network_file(self.mac).rpartition("/")[2]
        kept = "none\n" if self.before is None else f"kept\n{self.before}"
        return f"{name}\n{self.interface}\n{kept}"

    def shown(self) -> tuple[str, ...]:
        """The file as it is now is no news."""
        held = "there was none" if self.before is None else "the file as it is now"
        return (*self.argv(), "<<<", f"(the way back for {self.interface}: {held})")


class SyncNetwork(Command, frozen=True, kw_only=True):
    """Let both staged files be on the disk before anything changes: the power may be cut.

    Without `mac` the folder itself: that the mark is gone has to outlast that too.
    """

    mac: MacAddress | None = None

    def argv(self) -> tuple[str, ...]:
        if self.mac is None:
            return ("sync", FOLDER)
        return ("sync", f"{network_file(self.mac)}.next", f"{PENDING}.next")


class StartRollbackTimer(Command, frozen=True, kw_only=True):
    """From now on: a minute until the change is taken back."""

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", "restart", TIMER)


class StopRollbackTimer(Command, frozen=True, kw_only=True):
    """It is decided."""

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", "stop", TIMER)


class HoldWayBack(Command, frozen=True, kw_only=True):
    """Put the mark in place."""

    def argv(self) -> tuple[str, ...]:
        return ("mv", "--no-target-directory", f"{PENDING}.next", PENDING)


class PlaceNetwork(Command, frozen=True, kw_only=True):
    """Put the staged file in place."""

    mac: MacAddress

    def argv(self) -> tuple[str, ...]:
        path = network_file(self.mac)
        return ("mv", "--no-target-directory", f"{path}.next", path)


class ReloadNetworks(Command, frozen=True, kw_only=True):
    """Let networkd read its files again."""

    def argv(self) -> tuple[str, ...]:
        return ("networkctl", "reload")


class ReconfigureInterface(Command, frozen=True, kw_only=True):
    """Let networkd set an interface up anew, by whichever file is for it now."""

    interface: InterfaceName

    def argv(self) -> tuple[str, ...]:
        return ("networkctl", "reconfigure", self.interface)


class ConfirmNetwork(Command, frozen=True, kw_only=True):
    """Remove the mark. It fails where the change has been taken back already."""

    def argv(self) -> tuple[str, ...]:
        return ("rm", PENDING)


class RollBackNetwork(Command, frozen=True, kw_only=True):
    """Take the change back now, by the program that does it when nobody confirms."""

    timeout_s = 90.0

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", "start", ROLLBACK)


class ForgetUndone(Command, frozen=True, kw_only=True):
    """Forget that an earlier change was taken back."""

    def argv(self) -> tuple[str, ...]:
        return ("rm", "--force", UNDONE)


Commands = (
    MachineFiles
    | MachineMarks
    | NetworkUnits
    | Addresses
    | DefaultRoutes
    | StageNetwork
    | StageWayBack
    | SyncNetwork
    | StartRollbackTimer
    | StopRollbackTimer
    | HoldWayBack
    | PlaceNetwork
    | ReloadNetworks
    | ReconfigureInterface
    | ConfirmNetwork
    | RollBackNetwork
    | ForgetUndone
)
