"""What a pool does now, per vdev and disk, as values for the eye."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from alerts.live.watching import History, Sample
from frontend.bays.vdevs import absent_leaves, leaf_name, vdev_title
from frontend.curve import Curve, sparkline
from frontend.units import rate
from host.inventory import Activity, Inventory, Pool, Vdev

_SLOW_NS = 100_000_000  # a disk that takes a tenth of a second is one to look at, unless it does a scan


class LiveRow(msgspec.Struct, frozen=True, kw_only=True):
    """A vdev or disk, with what it did in the last second. Latencies are empty where nothing was done."""

    title: str
    depth: int
    bay: str | None
    disk_id: str | None
    reads: int
    writes: int
    read: str
    write: str
    read_wait: str
    write_wait: str
    disk_wait: str
    slow: bool
    share: float  # of the busiest row of its depth, 0 to 100
    curve: Curve | None


class LiveCurve(msgspec.Struct, frozen=True, kw_only=True):
    """A figure of the whole pool over the last minutes."""

    title: str
    now: str
    most: str
    curve: Curve | None


def live_rows(pool: Pool, inventory: Inventory, sample: Sample) -> tuple[LiveRow, ...]:
    """The pool's tree with what each node did in the last second."""
    newest = {one.guid: one for one in sample.activity if one.guid}
    rows = [row for vdev in pool.vdevs for row in _rows(vdev, inventory, newest, sample.history, 0)]
    most: dict[int, int] = {}
    for row, total in rows:
        most[row.depth] = max(most.get(row.depth, 0), total)
    return tuple(
        msgspec.structs.replace(row, share=100 * total / most[row.depth] if most[row.depth] else 0.0)
        for row, total in rows
    )


def live_curves(history: History) -> tuple[LiveCurve, ...]:
    """Bytes read and written, and how long requests took, of the pool as a whole."""
    times = history.times
    return (
        _curve("Read", times, history.read_bytes_per_s, rate),
        _curve("Written", times, history.write_bytes_per_s, rate),
        _curve("Wait of a read", times, history.read_ns, _ms),
        _curve("Wait of a write", times, history.write_ns, _ms),
    )


def _curve(
    title: str, times: Sequence[float], values: Sequence[int | None], say: Callable[[float], str]
) -> LiveCurve:
    known = [value for value in values if value is not None]
    latest = values[-1] if values else None
    return LiveCurve(
        title=title,
        now=say(latest) if latest is not None else "–",
        most=say(max(known)) if known else "–",
        curve=sparkline(times, values, floor=0.0),
    )


def _rows(
    vdev: Vdev, inventory: Inventory, newest: Mapping[str, Activity], history: History, depth: int
) -> Iterator[tuple[LiveRow, int]]:
    found = newest.get(vdev.guid)
    if found is not None:
        disk = next((one for one in inventory.disks if one.id == vdev.disk), None)
        gone = absent_leaves(inventory).get(vdev.guid) if vdev.disk is None and not vdev.children else None
        name = vdev_title(vdev) if depth == 0 else vdev.name
        waits = [ns for ns in (found.disk_read_ns, found.disk_write_ns) if ns is not None]
        worst = max(waits, default=None)
        row = LiveRow(
            title=name if vdev.children else leaf_name(vdev, disk or gone), depth=depth,
            bay=disk.bay if disk else None, disk_id=disk.id if disk else None,
            reads=found.reads_per_s, writes=found.writes_per_s,
            read=rate(found.read_bytes_per_s), write=rate(found.write_bytes_per_s),
            read_wait=_ms(found.read_ns), write_wait=_ms(found.write_ns), disk_wait=_ms(worst),
            slow=not vdev.children and worst is not None and worst > _SLOW_NS, share=0.0,
            curve=sparkline(history.times, history.members.get(vdev.guid, ()), floor=0.0),
        )  # fmt: skip
        yield row, found.read_bytes_per_s + found.write_bytes_per_s
    for child in vdev.children:
        yield from _rows(child, inventory, newest, history, depth + 1)


def _ms(nanoseconds: float | None) -> str:
    if nanoseconds is None:
        return ""
    ms = nanoseconds / 1e6
    return f"{ms:.0f} ms" if ms >= 10 else f"{ms:.1f} ms" if ms >= 0.1 else f"{1000 * ms:.0f} µs"
