"""Commands that prepare a disk: each holds udev's lock, so that nothing probes it half written."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from host.commands.base import Command, DiskLink

Use = Literal["zfs", "md"]
_TYPES: dict[Use, str] = {"zfs": "BF01", "md": "FD00"}


def _locked(disk: str, *words: str) -> tuple[str, ...]:
    return ("udevadm", "lock", f"--device={disk}", *words)


class WipeSignatures(Command, frozen=True, kw_only=True):
    """Erase the signatures of a disk and of its partitions. wipefs refuses a device that is in use."""

    disk: DiskLink
    partitions: tuple[Annotated[int, Meta(ge=1, le=128)], ...] = ()

    def exclusive_disks(self) -> tuple[str, ...]:
        return (self.disk,)

    def argv(self) -> tuple[str, ...]:
        parts = (f"{self.disk}-part{number}" for number in self.partitions)
        return _locked(self.disk, "wipefs", "--all", "--quiet", *parts, self.disk)


class WritePartition(Command, frozen=True, kw_only=True):
    """A new GPT with one partition for ZFS (type BF01) or md (FD00) from 1 MiB on, `size_mib` MiB long."""

    disk: DiskLink
    size_mib: Annotated[int, Meta(ge=64)]
    use: Use = "zfs"

    def exclusive_disks(self) -> tuple[str, ...]:
        return (self.disk,)

    def argv(self) -> tuple[str, ...]:
        partition = (f"--new=1:1M:+{self.size_mib}M", f"--typecode=1:{_TYPES[self.use]}")
        return _locked(self.disk, "sgdisk", "--clear", *partition, self.disk)


class UdevWait(Command, frozen=True, kw_only=True):
    """Wait until these links exist and udev has handled all events; status 1 when they do not come.

    Settling alone is not enough before a link is used: udev may not have heard of the new partition yet.
    """

    timeout_s = 130.0
    links: Annotated[tuple[DiskLink, ...], Meta(min_length=1, max_length=255)]
    seconds: Annotated[int, Meta(ge=1, le=120)] = 60

    def argv(self) -> tuple[str, ...]:
        return ("udevadm", "wait", f"--timeout={self.seconds}", "--settle", *self.links)


class UdevSettle(Command, frozen=True, kw_only=True):
    """Wait until udev has handled all events: afterwards what was erased is known to be empty."""

    timeout_s = 130.0

    def argv(self) -> tuple[str, ...]:
        return ("udevadm", "settle", "--timeout=120")


Commands = WipeSignatures | WritePartition | UdevWait | UdevSettle
