"""Which device a link leads to, what is on it, and whether it is in use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count
from typing import NamedTuple

from host.simulated.state import Disk, Machine, Partition, Signature

SECTOR = 512
MIB = 1 << 20
ZFS_TYPE = "6a898cc3-1dd2-11b2-99a6-080020736631"
RAID_TYPE = "a19d880f-05fc-4d3b-a006-743f0f84911e"
_BY_ID = "/dev/disk/by-id/"


class Device(NamedTuple):
    """A disk, or one partition of it."""

    disk: Disk
    partition: Partition | None

    @property
    def size(self) -> int:
        """Bytes."""
        return self.disk.size if self.partition is None else self.partition.size

    @property
    def content(self) -> Signature | None:
        """What is recognised on it."""
        return self.disk.content if self.partition is None else self.partition.content

    @property
    def kname(self) -> str:
        """The kernel's name now."""
        if self.partition is None:
            return self.disk.kname
        return self.disk.partition_name(self.partition.number)

    @property
    def path(self) -> str:
        """The kernel's path now."""
        return f"/dev/{self.kname}"

    def put(self, content: Signature | None) -> None:
        """Change what is on it."""
        if self.partition is None:
            self.disk.content = content
        else:
            self.partition.content = content


def devices(machine: Machine) -> dict[str, Device]:
    """Every device that is there, by each of its links under /dev/disk/by-id."""
    found: dict[str, Device] = {}
    for disk in machine.present():
        for name in disk.ids:
            found[_BY_ID + name] = Device(disk, None)
            for part in disk.partitions:
                found[f"{_BY_ID}{name}-part{part.number}"] = Device(disk, part)
    return found


def each(machine: Machine) -> Iterator[Device]:
    """Every disk and partition, pulled ones too."""
    for disk in machine.disks:
        yield Device(disk, None)
        for part in disk.partitions:
            yield Device(disk, part)


def busy(device: Device) -> bool:
    """True while nobody else can have it: mounted, swap, in md or LVM, mapped, in an imported pool."""
    if any(not name.startswith("loop") for name in device.disk.held):
        return True
    contents = [device.content]
    if device.partition is None:
        contents += [part.content for part in device.disk.partitions]
    return any(_in_use(content) for content in contents)


def _in_use(content: Signature | None) -> bool:
    if content is None:
        return False
    used = bool(content.mountpoints) or content.holder is not None or content.busy
    return used or content.pool_state == "active"


def kernel_name(index: int) -> str:
    """0 → sda, 25 → sdz, 26 → sdaa, as the kernel counts SCSI disks."""
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(ord("a") + rest) + letters
    return f"sd{letters}"


def kernel_names(transport: str) -> Iterator[str]:
    """The names that the kernel gives to disks of that kind, in their order, without end."""
    for index in count():
        yield f"nvme{index}n1" if transport == "nvme" else kernel_name(index)


def name_all(disks: Iterable[Disk]) -> None:
    """Name disks in the order in which the kernel finds them, as at its start."""
    names = {"nvme": kernel_names("nvme"), "": kernel_names("")}
    for index, disk in enumerate(disks):
        disk.kname = next(names["nvme" if disk.transport == "nvme" else ""])
        disk.sequence = index + 1


def owner(machine: Machine, device: Device) -> str | None:
    """The imported pool that has this device among its leaves."""
    for pool in machine.pools.values():
        waiting = list(pool.vdevs)
        while waiting:
            vdev = waiting.pop()
            waiting += vdev.children
            if vdev.serial == device.disk.serial and not vdev.children:
                return pool.name
    return None
