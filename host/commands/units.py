"""Work of our own that outlives the worker: transient systemd units, one for a disk and a kind of work.

Each is started with the disk's link *and* its serial; the program checks again that they belong together
before it says that it is ready, and systemd-run waits for that, so a refused start is a failed command.
What confines such a unit, beside the one device it may open, is a drop-in that ansible installs.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal

from msgspec import Meta

from host.commands.base import Command, DiskLink
from host.commands.starting import START_S, begun, explained, last_line, python

Kind = Literal["blink", "burn-in"]

_SERIAL = r"\A[A-Za-z0-9_.:\-]{1,80}\Z"
UnitSerial = Annotated[str, Meta(pattern=_SERIAL)]  # what the name of a unit and of a file can hold as it is

REPORTS = "/var/lib/nasweb-burn-in"  # StateDirectory= of the drop-in
PREFIXES: dict[Kind, str] = {"blink": "nasweb-disk-blink-", "burn-in": "nasweb-disk-burn-in-"}
_NOT_LOADED = 5  # LSB: the unit is not there, so it has ended


def unit_serial(serial: str | None) -> str | None:
    """`serial` where a unit can be named after it. None for disks without one, or with an odd one: plans
    refuse these, as the helper would."""
    return serial if serial and re.search(_SERIAL, serial) else None


def unit_name(kind: Kind, serial: str) -> str:
    """The name of the unit of that kind on the disk with that serial."""
    return f"{PREFIXES[kind]}{serial}.service"


def _start(kind: Kind, disk: str, serial: str, access: str, *limits: str) -> tuple[str, ...]:
    allowed = ("DevicePolicy=closed", f"DeviceAllow={disk} {access}", *limits)
    return (
        *begun(
            unit_name(kind, serial), f"Nasweb {kind} of {serial}", *(f"--property={one}" for one in allowed)
        ),
        *python(kind.replace("-", "_")), f"--disk={disk}", f"--serial={serial}",
    )  # fmt: skip


class UnitSaid(Command, frozen=True, kw_only=True):
    """The last line that the unit's program wrote in the last minutes; nothing where it wrote none.

    Before it is ready, a program writes one line: why it refuses.
    """

    reads = True
    timeout_s = 20.0
    kind: Kind
    serial: UnitSerial

    def argv(self) -> tuple[str, ...]:
        return last_line(unit_name(self.kind, self.serial))


class StartBlink(Command, frozen=True, kw_only=True):
    """Let the disk's activity light flicker for so many seconds, by reading alone."""

    timeout_s = START_S
    disk: DiskLink
    serial: UnitSerial
    seconds: Annotated[int, Meta(ge=1, le=600)]

    def argv(self) -> tuple[str, ...]:
        # It ends by itself; the limit is for a disk that does not let it go.
        limit = f"RuntimeMaxSec={self.seconds + 30}"
        return (*_start("blink", self.disk, self.serial, "r", limit), f"--seconds={self.seconds}")

    def explained_by(self, said: str) -> Command | None:
        return explained(said, by=UnitSaid(kind="blink", serial=self.serial))


class StartBurnIn(Command, frozen=True, kw_only=True):
    """Test a disk by overwriting all of it. The program refuses a disk that is not blank or is in use."""

    timeout_s = START_S
    disk: DiskLink
    serial: UnitSerial

    def exclusive_disks(self) -> tuple[str, ...]:
        return (self.disk,)

    def argv(self) -> tuple[str, ...]:
        return _start("burn-in", self.disk, self.serial, "rw")

    def explained_by(self, said: str) -> Command | None:
        return explained(said, by=UnitSaid(kind="burn-in", serial=self.serial))


class StopUnit(Command, frozen=True, kw_only=True):
    """Stop it and wait until it has; nothing to do, and no failure, where it has ended."""

    timeout_s = 120.0
    good_exits = (0, _NOT_LOADED)
    kind: Kind
    serial: UnitSerial

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", "stop", unit_name(self.kind, self.serial))


class ListUnits(Command, frozen=True, kw_only=True):
    """Our units that are loaded now, as JSON. One that ended is not listed."""

    reads = True
    timeout_s = 30.0

    def argv(self) -> tuple[str, ...]:
        names = (f"{prefix}*" for prefix in PREFIXES.values())
        return ("systemctl", "list-units", "--all", "--type=service", "--output=json", *names)


class ReadBurnIn(Command, frozen=True, kw_only=True):
    """The report of the last burn-in of a disk, as JSON; status 1 where there is none."""

    reads = True
    good_exits = (0, 1)
    serial: UnitSerial

    def argv(self) -> tuple[str, ...]:
        return ("cat", f"{REPORTS}/{self.serial}.json")


Commands = UnitSaid | StartBlink | StartBurnIn | StopUnit | ListUnits | ReadBurnIn
