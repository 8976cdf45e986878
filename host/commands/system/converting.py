"""A system on one stick or disk moves onto a boot pair: the second half's partitions, the copy, the restart.

What copies, and what restarts, is one program (`host.programs.boot_convert`) in a unit of its own: never two
at once. Its report lies in a file, beside the marks of the disks that the boot loader was written to.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal

from msgspec import Meta

from host.commands.base import Command, DiskLink
from host.commands.disks.md import array_link
from host.commands.starting import START_S, begun, explained, last_line, python

ARRAY = "root"  # what the image's array is called, too
COPY = array_link(ARRAY)
UNIT = "nasweb-boot-convert.service"
NOTES = "/var/lib/nasweb-boot"  # StateDirectory= of the drop-in; it is not copied
REPORT = f"{NOTES}/convert.json"
LOADERS = f"{NOTES}/loaders"  # one empty file for each disk that has GRUB, named by its serial
ROOT_START_MIB = 130  # behind the table, the BIOS boot partition and the ESP
_BIOS = "21686148-6449-6E6F-744E-656564454649"
_ESP = "C12A7328-F81F-11D2-BA4B-00A0C93EC93B"
_RAID = "A19D880F-05FC-4D3B-A006-743F0F84911E"


def loader_mark(serial: str | None) -> str:
    """The name of the file that says of a disk that it has GRUB; empty for one without a serial."""
    return re.sub(r"[^A-Za-z0-9_.:-]", "", serial or "")


class WriteBootTable(Command, frozen=True, kw_only=True):
    """Give a disk the partitions of a half, as the image has them: BIOS boot, ESP, and `root_mib` for md.

    sfdisk refuses a disk that is in use. What was on it is not found again.
    """

    timeout_s = 180.0
    disk: DiskLink
    root_mib: Annotated[int, Meta(ge=1024)]

    def exclusive_disks(self) -> tuple[str, ...]:
        return (self.disk,)

    def argv(self) -> tuple[str, ...]:
        wipe = ("--wipe=always", "--wipe-partitions=always")
        return ("udevadm", "lock", f"--device={self.disk}", "sfdisk", "--quiet", *wipe, self.disk)

    def input(self) -> str:
        return (
            "label: gpt\n"
            f"start=1MiB, size=1MiB, type={_BIOS}, name=bios\n"
            f"start=2MiB, size=128MiB, type={_ESP}, name=esp\n"
            f"start={ROOT_START_MIB}MiB, size={self.root_mib}MiB, type={_RAID}, name=root\n"
        )


class _Convert(Command, frozen=True, kw_only=True):
    """The unit. The command succeeds once the program has checked everything; the unit goes on running."""

    shares_disks = True
    timeout_s = START_S
    disk: DiskLink  # the second half

    def exclusive_disks(self) -> tuple[str, ...]:
        return (self.disk,)

    def _argv(self, what: Literal["copy", "restart"]) -> tuple[str, ...]:
        return (
            *begun(UNIT, f"Nasweb: {what} of the system"),
            *python("boot_convert"), what, COPY, self.disk,
        )  # fmt: skip

    def explained_by(self, said: str) -> Command | None:
        return explained(said, by=ConvertSaid())


class StartConverting(_Convert, frozen=True, kw_only=True):
    """Copy the running system to the array of the second half, and let that start a machine by itself."""

    def argv(self) -> tuple[str, ...]:
        return self._argv("copy")


class RestartIntoCopy(_Convert, frozen=True, kw_only=True):
    """Stop what writes, copy the difference, and start the machine again, once, from the copy."""

    def argv(self) -> tuple[str, ...]:
        return self._argv("restart")


class StopConverting(Command, frozen=True, kw_only=True):
    """End it, and wait for that; no failure where it has ended."""

    timeout_s = 180.0
    good_exits = (0, 5)

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", "stop", UNIT)


class ForgetConverting(Command, frozen=True, kw_only=True):
    """Delete the program's report."""

    def argv(self) -> tuple[str, ...]:
        return ("rm", "--force", REPORT)


class ConvertSaid(Command, frozen=True, kw_only=True):
    """The last line that the program wrote: why it refuses."""

    reads = True
    timeout_s = 20.0

    def argv(self) -> tuple[str, ...]:
        return last_line(UNIT)


class ConvertRuns(Command, frozen=True, kw_only=True):
    """The unit, as JSON, while it is there."""

    reads = True

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", "list-units", "--all", "--type=service", "--output=json", UNIT)


class ReadBootNotes(Command, frozen=True, kw_only=True):
    """Every file of `NOTES`, each by a line of its path, NUL and its content.

    grep ends with 1 or 2 where there is none.
    """

    reads = True
    good_exits = (0, 1, 2)

    def argv(self) -> tuple[str, ...]:
        how = ("--no-messages", "--null", "--with-filename", "--regexp=")
        return ("grep", "-r", *how, NOTES)


Commands = (
    WriteBootTable
    | StartConverting
    | RestartIntoCopy
    | StopConverting
    | ForgetConverting
    | ConvertSaid
    | ConvertRuns
    | ReadBootNotes
)
