"""Systems on one stick, on a boot pair and with /var and /home on a pool, made by hand."""

from __future__ import annotations

from typing import Any

import msgspec

from host.commands.system.moved_state import dataset_of
from host.inventory import (
    ArrayMember,
    BootNotes,
    Conversion,
    Dataset,
    Disk,
    DiskClaim,
    FolderSpace,
    Inventory,
    MdArray,
    MovedState,
    Partition,
    Swap,
    SwapSpace,
)
from tests import made

_BIOS = Partition(
    number=1, path="/dev/sdx1", size_bytes=1 << 20, parttype="21686148-6449-6e6f-744e-656564454649"
)
_ESP = Partition(
    number=2, path="/dev/sdx2", size_bytes=128 << 20, parttype="c12a7328-f81f-11d2-ba4b-00a0c93ec93b",
    fstype="vfat",
)  # fmt: skip
_ROOT_BYTES = 12_800_000_000
_UUID = "0b56a844:7ebe6c17:64484b23:01aa8fd7"
SPACE = FolderSpace(mountpoint="/", used_bytes=3_100_000_000, free_bytes=9_000_000_000)


def stick(number: int, **changes: Any) -> Disk:
    """A blank stick of 16 GB in bay U<number>."""
    serial = f"4C53-{number:04}"
    name = f"usb-SanDisk_Ultra_Fit_{serial}-0:0"
    values: dict[str, Any] = {
        "id": name, "links": (name,), "serial": serial, "wwn": None, "model": "SanDisk Ultra Fit",
        "bay": f"U{number}", "size_bytes": 16_008_609_792, "medium": "flash", "transport": "usb",
        "physical_sector_bytes": 512,
    }  # fmt: skip
    return made.disk(number, **(values | changes))


def half(number: int) -> Disk:
    """A stick that carries a member of the system's array."""
    root = Partition(number=3, path="/dev/sdx3", size_bytes=_ROOT_BYTES, fstype="linux_raid_member")
    claim = DiskClaim(kind="md", words="md member of md0", active=True)
    return stick(number, partitions=(_BIOS, _ESP, root), claims=(claim,))


def root_array(*numbers: int, **changes: Any) -> MdArray:
    """The system's mirror on these sticks."""
    members = tuple(
        ArrayMember(path="/dev/sdx3", disk=stick(n).id, partition=3, slot=n - 1, state="in sync")
        for n in numbers
    )
    values: dict[str, Any] = {
        "name": "root", "kname": "md0", "path": "/dev/disk/by-id/md-name-any:root", "uuid": _UUID,
        "level": "raid1", "metadata": "1.2", "size_bytes": _ROOT_BYTES, "wanted": 2, "state": "clean",
        "members": members, "bitmap": True, "mismatches": 0, "fstype": "ext4", "mountpoints": ("/",),
    }  # fmt: skip
    return MdArray(**(values | changes))


def pair(*others: Disk, numbers: tuple[int, ...] = (1, 2), **root: Any) -> Inventory:
    """A machine on a boot pair of these sticks; `root` changes its array."""
    disks = (*(half(n) for n in numbers), *others)
    notes = BootNotes(loaders=tuple(stick(n).serial or "" for n in numbers))
    return msgspec.structs.replace(made.inventory(*disks), arrays=(root_array(*numbers, **root),), boot=notes)


def swapping(inventory: Inventory, kind: str, *others: str) -> Inventory:
    """The machine with the console's swap of that kind, and with swap that others set up."""
    spaces = tuple(SwapSpace(path=path, size_bytes=1 << 30) for path in others)
    zram = (SwapSpace(path="/dev/zram0", size_bytes=4 << 30),) if kind == "zram" else ()
    swap = Swap(
        spaces=(*zram, *spaces), zram_installed=True, zram_set=kind == "zram", raid0_set=kind == "raid0"
    )
    return msgspec.structs.replace(inventory, swap=swap)


def single(second: Disk, *, copied: bool = False) -> Inventory:
    """A machine on stick 1 alone; where it is `copied`, the copy is on stick 2, which is `second`."""
    root = Partition(
        number=3, path="/dev/sda3", size_bytes=_ROOT_BYTES, fstype="ext4", used_bytes=2_411_724_800,
        mountpoints=("/",),
    )  # fmt: skip
    claim = DiskClaim(kind="boot", words="the running system", active=True)
    first = stick(1, partitions=(_BIOS, _ESP, root), claims=(claim,))
    inventory = made.inventory(first, second)
    if not copied:
        return inventory
    report = Conversion(
        state="copied", array=_UUID, disk=second.id, done_bytes=2_411_724_800, total_bytes=2_411_724_800,
        started_at=inventory.as_of, updated_at=inventory.as_of,
    )  # fmt: skip
    copy = root_array(2, mountpoints=())
    return msgspec.structs.replace(inventory, arrays=(copy,), boot=BootNotes(conversion=report))


def with_pool(moved: MovedState, *left: str) -> Inventory:
    """A machine with the pool tank, and on it what a move of these folders left."""
    found = made.inventory(pools=(made.pool(),), datasets=(made.dataset("tank"),))
    names = [dataset_of("tank"), *(f"{dataset_of('tank')}/{folder}" for folder in left)] if left else []
    keeping = tuple(_of_state(name) for name in names)
    return msgspec.structs.replace(found, moved=moved, keeping=keeping)


def moved(**changes: Any) -> MovedState:
    """/var and /home on tank; they are used from there."""
    values: dict[str, Any] = {
        "phase": "moved", "pool": "tank", "guid": made.pool().guid, "folders": ("var", "home"), "here": False,
        "since": "2026-11-02T03:04:05Z", "spaces": (SPACE, SPACE, SPACE),
    }  # fmt: skip
    return MovedState(**(values | changes))


def _of_state(name: str) -> Dataset:
    return made.dataset(name, used=str(1_200_000_000), referenced=str(1_200_000_000))
