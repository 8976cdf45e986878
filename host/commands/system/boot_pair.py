"""What makes a disk the half of a boot pair. The programs are the ansible role `boot`'s."""

from __future__ import annotations

from host.commands.base import Command, DiskLink

PROGRAMS = "/usr/local/libexec"


class CopyTable(Command, frozen=True, kw_only=True):
    """Give a disk the partitions of another one: the same places and sizes, identities of its own.

    Refused for a disk that is too small or in use. What was on it is not found again.
    """

    timeout_s = 180.0
    source: DiskLink
    target: DiskLink

    def exclusive_disks(self) -> tuple[str, ...]:
        return (self.target,)

    def argv(self) -> tuple[str, ...]:
        return (f"{PROGRAMS}/nasweb-boot-table", self.source, self.target)


class BootCopy(Command, frozen=True, kw_only=True):
    """Write GRUB to a half of the boot pair: to its boot sector and to its ESP, as far as it has them."""

    shares_disks = True
    timeout_s = 600.0  # a cheap flash drive under load
    disk: DiskLink

    def exclusive_disks(self) -> tuple[str, ...]:
        return (self.disk,)

    def argv(self) -> tuple[str, ...]:
        return (f"{PROGRAMS}/nasweb-boot-copy", self.disk)


Commands = CopyTable | BootCopy
