"""Phrases that the summaries of plans share: disks as their owner finds them, vdevs, what is erased."""

from __future__ import annotations

from collections.abc import Sequence

from host.capacity import shapes, usable_bytes
from host.inventory import Absent, Disk, Inventory, Pool
from jobs.wording import listed
from pools.preparation import MIB, partition_mib
from pools.quotas.limits import in_words
from pools.redundancy import Member
from pools.sentences import shares_of

_MOST_BAYS = 8  # more are not read


def disk_named(disk: Disk | Absent, noun: str = "the disk") -> str:
    """`the disk in bay A3 (WD-0003)`; its model where no bay is known."""
    serial = f" ({disk.serial})" if disk.serial else ""
    if not disk.bay:
        return f"{noun} {disk.model}{serial}"
    return f"{noun} {'from' if isinstance(disk, Absent) else 'in'} bay {disk.bay}{serial}"


def bays(disks: Sequence[Disk]) -> str:
    """`bays A1 and A2`; empty where one is in no known bay, or where they are too many."""
    labels = [disk.bay for disk in disks if disk.bay]
    if not labels or len(labels) < len(disks) or len(labels) > _MOST_BAYS:
        return ""
    return f"{'bay' if len(labels) == 1 else 'bays'} {listed(labels)}"


def erased(disks: Sequence[Disk], *, alone: str = "this disk") -> str:
    """What is lost on disks that a pool gets; empty where they are blank. `alone` is a single one."""
    held = [disk for disk in disks if not disk.free]
    if not held:
        return ""
    if len(held) == 1:
        return f"Everything on {alone if len(disks) == 1 else disk_named(held[0])} is erased."
    if len(held) == len(disks):
        return f"Everything on these {len(held)} disks is erased."
    where = bays(held)
    return f"Everything on {len(held)} of these disks{f' ({where})' if where else ''} is erased."


def vdevs_named(vdevs: Sequence[Member]) -> str:
    """`2 raidz2 vdevs of 6 disks each, a log mirror of 2 disks and a spare disk`."""
    numbers: dict[tuple[str, str, int], int] = {}
    for role, layout, disks in vdevs:
        width, number = (1, len(disks)) if layout == "stripe" else (len(disks), 1)
        numbers[role, layout, width] = numbers.get((role, layout, width), 0) + number
    return listed([_alike(*key, number) for key, number in numbers.items()])


def space(vdevs: Sequence[Member], *, ashift: int) -> str:
    """What data vdevs that are to be made offer for files; empty where there are none."""
    data = [
        shape
        for role, layout, disks in vdevs
        if role == "data"
        for shape in shapes(layout, [partition_mib(disk.size_bytes) * MIB for disk in disks])
    ]
    return in_words(usable_bytes(data, ashift=ashift)) if data else ""


def shares_on(pool: Pool, inventory: Inventory) -> str:
    """`the shares Photos and Media`; empty where nothing in the pool is shared."""
    return shares_of([one for one in inventory.datasets if one.pool == pool.name], inventory)


def _alike(role: str, layout: str, width: int, number: int) -> str:
    of = "" if role == "data" else f"{role} "
    if layout == "stripe":
        of = of or "single "
        return f"a {of}disk" if number == 1 else f"{number} {of}disks"
    if number == 1:
        return f"a {of}{layout} of {width} disks"
    many = "mirrors" if layout == "mirror" else f"{layout} vdevs"
    return f"{number} {of}{many} of {width} disks each"
