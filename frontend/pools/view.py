"""Pools as values for the eye."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from frontend.bays.lights import Spot
from frontend.bays.vdevs import HUES, VdevChip, absent_leaves, chips, leaf_name, shape, vdev_title
from frontend.pools.growth import Growth, growths
from frontend.states import StateView, pool_state, vdev_state
from frontend.units import binary, moment
from host.inventory import Absent, Disk, Inventory, Pool, Vdev
from jobs.wording import counted

_FULL, _NEARLY_FULL = 0.9, 0.8


class Space(msgspec.Struct, frozen=True, kw_only=True):
    """What a pool holds and can still take, in bytes as its root dataset counts them (without parity)."""

    used: int
    available: int

    @property
    def usable(self) -> int:
        """Both together."""
        return self.used + self.available

    @property
    def tone(self) -> Literal["", "warn", "bad"]:
        """Full pools are slow: from 80 % on it shows."""
        share = self.used / self.usable if self.usable else 0.0
        return "bad" if share >= _FULL else "warn" if share >= _NEARLY_FULL else ""


class PoolLine(msgspec.Struct, frozen=True, kw_only=True):
    """A pool in one line."""

    name: str
    state: StateView
    shape: str
    space: Space | None  # None: it cannot be told now
    chips: tuple[VdevChip, ...]
    scan: str | None
    growth: Growth | None


class VdevRow(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the vdev tree."""

    guid: str
    title: str
    role: str | None  # of a disk that is a vdev by itself, such as a spare
    depth: int
    state: StateView
    key: str
    hue: int
    bay: str | None
    disk_id: str | None
    spot: Spot | None
    size_bytes: int | None
    read: int
    write: int
    checksum: int
    note: str | None


def pool_lines(inventory: Inventory) -> tuple[PoolLine, ...]:
    """All imported pools."""
    of_pool, growing = chips(inventory), growths(inventory)
    return tuple(
        _line(pool, inventory, of_pool[pool.name], growing.get(pool.name)) for pool in inventory.pools
    )


def vdev_rows(pool: Pool, inventory: Inventory) -> tuple[VdevRow, ...]:
    """The vdev tree from top to bottom."""
    disks = {disk.id: disk for disk in inventory.disks}
    absent = absent_leaves(inventory)
    hues = {chip.key: chip.hue for chip in chips(inventory)[pool.name]}
    rows: list[VdevRow] = []
    for vdev in pool.vdevs:
        key = f"{pool.name}:{vdev.guid}"
        rows += _rows(vdev, disks, absent, key=key, hue=hues.get(key, 0) % HUES, depth=0)
    return tuple(rows)


def space(pool: Pool, inventory: Inventory) -> Space | None:
    """The pool's space by its root dataset; None where that does not answer, as in a suspended pool."""
    root = inventory.dataset(pool.name)
    if root is None or pool.suspended or root.value("used") is None:
        return None
    return Space(used=root.number("used"), available=root.number("available"))


def scan_words(pool: Pool) -> str | None:
    """What the kernel scans now, or scanned last."""
    scan = pool.scan
    if scan is None or scan.function == "UNKNOWN":
        return None
    name = {"SCRUB": "scrub", "RESILVER": "resilver"}.get(scan.function, scan.function.lower())
    if scan.state == "SCANNING":
        return f"{name} {scan.percent:.1f} %" if scan.percent is not None else f"{name} running"
    when = moment(scan.finished)
    day = f" on {when:%Y-%m-%d}" if when else ""
    if scan.state != "FINISHED":
        return f"last {name} was stopped"
    # A scrub that repaired something has found damage; what a resilver writes is its work.
    repaired = scan.repaired_bytes if scan.function == "SCRUB" else 0
    found = [counted(scan.errors, "error")] if scan.errors else []
    found += [f"{binary(repaired)} repaired"] if repaired else []
    return f"last {name}{day}, {', '.join(found) or 'no errors'}"


def _line(pool: Pool, inventory: Inventory, of_pool: tuple[VdevChip, ...], growth: Growth | None) -> PoolLine:
    return PoolLine(
        name=pool.name, state=pool_state(pool), shape=shape(pool), space=space(pool, inventory),
        chips=of_pool, scan=scan_words(pool), growth=growth,
    )  # fmt: skip


def _rows(
    vdev: Vdev, disks: dict[str, Disk], absent: dict[str, Absent], *, key: str, hue: int, depth: int
) -> Iterator[VdevRow]:
    disk = disks.get(vdev.disk or "")
    gone = absent.get(vdev.guid)
    name = vdev_title(vdev) if depth == 0 else vdev.name
    yield VdevRow(
        guid=vdev.guid,
        title=name if vdev.children else leaf_name(vdev, disk or gone),
        role=vdev.role if depth == 0 and not vdev.children and vdev.role != "data" else None,
        depth=depth, state=vdev_state(vdev), key=key, hue=hue,
        bay=disk.bay if disk else gone.bay if gone else None,
        disk_id=disk.id if disk else gone.id if gone else None,
        spot=Spot(id=disk.id, bay=disk.bay) if disk else None,
        size_bytes=disk.size_bytes if disk else None,
        read=vdev.read_errors, write=vdev.write_errors, checksum=vdev.checksum_errors, note=vdev.note,
    )  # fmt: skip
    for child in vdev.children:
        yield from _rows(child, disks, absent, key=key, hue=hue, depth=depth + 1)
