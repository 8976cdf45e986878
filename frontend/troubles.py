"""What is wrong with the pools, in words: which disk, in which bay, and what can still fail."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from frontend.lights import Spot
from frontend.plan_words import Place, disk_href, pool_href
from frontend.pool_view import scan_words
from frontend.states import Tone, pool_state, vdev_state
from frontend.units import counted
from frontend.vdevs import absent_leaves, leaf_name
from host.inventory import Disk, Inventory, Pool, Vdev, leaves
from pools.layouts import PARITY

_WELL = {"ONLINE", "AVAIL", "INUSE"}


class Trouble(msgspec.Struct, frozen=True, kw_only=True):
    """A pool or a disk that needs attention; `lines` say what is wrong and what that means."""

    pool: str  # empty where a disk outside of any trouble of its pool is meant
    place: Place
    spots: tuple[Spot, ...] = ()  # the disks that it is about
    tone: Tone
    title: str
    lines: tuple[str, ...]


def troubles(inventory: Inventory) -> tuple[Trouble, ...]:
    """All pools that are not healthy, worst first."""
    found = [_trouble(pool, inventory) for pool in inventory.pools if pool.health != "healthy"]
    return tuple(sorted(found, key=lambda trouble: trouble.tone != "bad"))


def disk_troubles(inventory: Inventory) -> tuple[Trouble, ...]:
    """The disks that fail by what they tell of themselves, whether or not a pool has noticed."""
    return tuple(
        Trouble(
            pool="",
            place=Place(title="the disk", href=disk_href(disk.id)),
            spots=(Spot(id=disk.id, bay=disk.bay),),
            tone="bad",
            title=f"{f'Bay {disk.bay}' if disk.bay else disk.id}: the disk is failing",
            lines=(f"{disk.model}, serial {disk.serial or 'unknown'}. {_consequence(disk)}",),
        )
        for disk in inventory.disks
        if disk.health == "failing"
    )


def _consequence(disk: Disk) -> str:
    pool = next((claim.pool for claim in disk.claims if claim.kind == "pool"), None)
    return f"Replace it while {pool} still has redundancy." if pool else "Do not trust it with anything."


def _trouble(pool: Pool, inventory: Inventory) -> Trouble:
    state = pool_state(pool)
    lines = [line for vdev in pool.vdevs for line in _of_vdev(vdev, inventory)]
    if pool.data_errors:
        lines.append(f"{counted(pool.data_errors, 'file')} could not be repaired.")
    if pool.scan is not None and pool.scan.state == "SCANNING":
        lines.append(f"Now: {scan_words(pool)}.")
    return Trouble(
        pool=pool.name,
        place=Place(title=pool.name, href=pool_href(pool.name)),
        spots=tuple(_spots(pool, inventory)),
        tone=state.tone,
        title=f"{pool.name} is {state.word}",
        lines=tuple(lines) or ((pool.status,) if pool.status else ()),
    )


def _spots(pool: Pool, inventory: Inventory) -> Iterator[Spot]:
    disks = {disk.id: disk for disk in inventory.disks}
    for vdev in pool.vdevs:
        for leaf in leaves(vdev):
            errors = leaf.read_errors + leaf.write_errors + leaf.checksum_errors
            if (errors or leaf.state not in _WELL) and (disk := disks.get(leaf.disk or "")):
                yield Spot(id=disk.id, bay=disk.bay)


def _of_vdev(top: Vdev, inventory: Inventory) -> Iterator[str]:
    bays = {disk.id: disk for disk in inventory.disks}
    absent = absent_leaves(inventory)
    gone = 0
    for leaf in leaves(top):
        errors = leaf.read_errors + leaf.write_errors + leaf.checksum_errors
        if leaf.state in _WELL and not errors:
            continue
        disk = bays.get(leaf.disk or "") or absent.get(leaf.guid)
        where = f"Bay {disk.bay} ({leaf_name(leaf, disk)})" if disk and disk.bay else leaf_name(leaf, disk)
        state = vdev_state(leaf)
        counts = f": {counted(errors, 'error')} counted" if errors else ""
        gone += state.tone == "bad" or leaf.state == "OFFLINE"
        yield f"{where} is {state.word}{counts}."
    spare = _tolerance(top)
    if gone and spare is not None:
        left = spare - gone
        yield (
            f"{top.name} survives {counted(left, 'more failure')}."
            if left > 0
            else f"{top.name} survives no further failure."
            if left == 0
            else f"{top.name} has lost more disks than it survives."
        )


def _tolerance(top: Vdev) -> int | None:
    if top.kind == "mirror":
        return len(top.children) - 1
    return next(
        (PARITY[name] for name in PARITY if name.startswith("raidz") and top.name.startswith(name)), None
    )
