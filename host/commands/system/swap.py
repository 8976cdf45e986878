"""Swap: compressed memory (zram), or space on both halves of the boot pair, as md RAID0.

What is on the sticks is started by a unit of systemd that nothing waits for: a machine without one of the
sticks starts all the same. Neither fstab nor an initramfs knows of it.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from host.commands.base import Command, DiskLink
from host.commands.datasets.mounting import UNITS
from host.commands.disks.md import array_link

ARRAY = "swap"
DEVICE = array_link(ARRAY)
LABEL = "nasweb-swap"
SWAP_UNIT = r"dev-disk-by\x2did-md\x2dname\x2dany:swap.swap"  # systemd-escape --path of DEVICE
ZRAM_UNIT, ZRAM_SETUP = "dev-zram0.swap", "systemd-zram-setup@zram0.service"
ZRAM_CONF = "/etc/systemd/zram-generator.conf"
ZRAM_PROGRAM = "/usr/lib/systemd/system-generators/zram-generator"
FSTAB, PROC_SWAPS = "/etc/fstab", "/proc/swaps"
PROGRAM = "/usr/local/libexec/nasweb-boot-swap"
# As the image has it: ansible/roles/boot/files/flash/zram-generator.conf.
_ZRAM = (
    "# Swap in compressed memory; none on the flash drives.\n"
    "[zram0]\nzram-size = min(ram / 2, 4096)\ncompression-algorithm = zstd\n"
)
_NO_ZRAM = "# No swap in compressed memory: the owner chose so in the console.\n"
_UNIT = (
    "[Unit]\nDescription=Swap on both halves of the boot pair, made by Nasweb\n"
    # Nothing waits for it, so that the machine starts with one half.
    "DefaultDependencies=no\nConflicts=umount.target\nBefore=umount.target\n\n"
    f"[Swap]\nWhat={DEVICE}\nOptions=nofail\n\n"
    "[Install]\nWantedBy=multi-user.target\n"
)

PairOfMembers = Annotated[tuple[DiskLink, ...], Meta(min_length=2, max_length=2)]


class SwapFiles(Command, frozen=True, kw_only=True):
    """Every line, behind its path and NUL, of the files that show which swap is used and will be.

    grep ends with 2 where one is missing.
    """

    reads = True
    good_exits = (0, 1, 2)

    def argv(self) -> tuple[str, ...]:
        how = ("--no-messages", "--text", "--null", "--with-filename", "--regexp=")
        return ("grep", *how, PROC_SWAPS, ZRAM_CONF, FSTAB, f"{UNITS}/{SWAP_UNIT}")


class ZramProgram(Command, frozen=True, kw_only=True):
    """The path of what makes swap in compressed memory; find ends with 1 where it is not installed."""

    reads = True
    good_exits = (0, 1)

    def argv(self) -> tuple[str, ...]:
        return ("find", ZRAM_PROGRAM, "-maxdepth", "0")


class SetZram(Command, frozen=True, kw_only=True):
    """Say whether there is swap in compressed memory from the next start on."""

    on: bool

    def argv(self) -> tuple[str, ...]:
        return ("tee", ZRAM_CONF)

    def input(self) -> str:
        return _ZRAM if self.on else _NO_ZRAM


class StartZram(Command, frozen=True, kw_only=True):
    """Use it now. systemd must have read its units again."""

    timeout_s = 120.0

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", "start", ZRAM_UNIT)


class StopZram(Command, frozen=True, kw_only=True):
    """Fetch back what is in it, and give the memory free. Status 5: there is none."""

    timeout_s = 600.0
    good_exits = (0, 5)

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", "stop", ZRAM_UNIT, ZRAM_SETUP)


class AddSwapPartition(Command, frozen=True, kw_only=True):
    """A partition behind the last one, of `size_mib` MiB. The others stay as they are and in use."""

    shares_disks = True
    timeout_s = 180.0
    disk: DiskLink
    number: Annotated[int, Meta(ge=2, le=128)]
    size_mib: Annotated[int, Meta(ge=64, le=65_536)]

    def exclusive_disks(self) -> tuple[str, ...]:
        return (self.disk,)

    def argv(self) -> tuple[str, ...]:
        return (PROGRAM, self.disk, str(self.number), str(self.size_mib))


class MakeSwapArray(Command, frozen=True, kw_only=True):
    """A RAID0 of two partitions: what is swapped out is gone when either goes."""

    timeout_s = 120.0
    members: PairOfMembers

    def exclusive_disks(self) -> tuple[str, ...]:
        return self.members

    def argv(self) -> tuple[str, ...]:
        lasting = ("--metadata=1.2", "--homehost=any", "--level=0", "--raid-devices=2")
        return ("mdadm", "--create", f"/dev/md/{ARRAY}", "--run", *lasting, *self.members)


class MakeSwap(Command, frozen=True, kw_only=True):
    """Make swap space of that array."""

    timeout_s = 120.0

    def exclusive_disks(self) -> tuple[str, ...]:
        return (DEVICE,)

    def argv(self) -> tuple[str, ...]:
        return ("mkswap", "--label", LABEL, DEVICE)


class WriteSwapUnit(Command, frozen=True, kw_only=True):
    """Write the unit that uses it."""

    def argv(self) -> tuple[str, ...]:
        return ("tee", f"{UNITS}/{SWAP_UNIT}")

    def input(self) -> str:
        return _UNIT


class StartSwap(Command, frozen=True, kw_only=True):
    """Use it now, and at each start of the machine."""

    timeout_s = 120.0

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", "enable", "--now", SWAP_UNIT)


class StopSwap(Command, frozen=True, kw_only=True):
    """Fetch back what is in it. Status 5: there is no such unit."""

    timeout_s = 900.0  # what was swapped out is read from cheap flash drives
    good_exits = (0, 5)

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", "stop", SWAP_UNIT)


class RemoveSwapUnit(Command, frozen=True, kw_only=True):
    """Delete the unit and the link that starts it, where they are there."""

    def argv(self) -> tuple[str, ...]:
        return ("rm", "--force", f"{UNITS}/multi-user.target.wants/{SWAP_UNIT}", f"{UNITS}/{SWAP_UNIT}")


Commands = (
    SwapFiles
    | ZramProgram
    | SetZram
    | StartZram
    | StopZram
    | AddSwapPartition
    | MakeSwapArray
    | MakeSwap
    | WriteSwapUnit
    | StartSwap
    | StopSwap
    | RemoveSwapUnit
)
