"""What is wrong with the pools, in words: which disk, in which bay, and what can still fail."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from frontend.pool_view import scan_words
from frontend.states import Tone, pool_state, vdev_state
from frontend.units import counted
from frontend.vdevs import leaf_name
from host.inventory import Inventory, Pool, Vdev, leaves
from pools.layouts import PARITY


class Trouble(msgspec.Struct, frozen=True, kw_only=True):
    """A pool that needs attention; `lines` say what is wrong and what that means."""

    pool: str
    tone: Tone
    title: str
    lines: tuple[str, ...]


def troubles(inventory: Inventory) -> tuple[Trouble, ...]:
    """All pools that are not healthy, worst first."""
    found = [_trouble(pool, inventory) for pool in inventory.pools if pool.health != "healthy"]
    return tuple(sorted(found, key=lambda trouble: trouble.tone != "bad"))


def _trouble(pool: Pool, inventory: Inventory) -> Trouble:
    state = pool_state(pool)
    lines = [line for vdev in pool.vdevs for line in _of_vdev(vdev, inventory)]
    if pool.data_errors:
        lines.append(f"{counted(pool.data_errors, 'file')} could not be repaired.")
    if pool.scan is not None and pool.scan.state == "SCANNING":
        lines.append(f"Now: {scan_words(pool)}.")
    return Trouble(
        pool=pool.name,
        tone=state.tone,
        title=f"{pool.name} is {state.word}",
        lines=tuple(lines) or ((pool.status,) if pool.status else ()),
    )


def _of_vdev(top: Vdev, inventory: Inventory) -> Iterator[str]:
    bays = {disk.id: disk for disk in inventory.disks}
    gone = 0
    for leaf in leaves(top):
        errors = leaf.read_errors + leaf.write_errors + leaf.checksum_errors
        if leaf.state in {"ONLINE", "AVAIL", "INUSE"} and not errors:
            continue
        disk = bays.get(leaf.disk or "")
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
