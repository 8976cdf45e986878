"""Scrubs, resilvers and the like on simulated pools: their progress follows from the time, without a process.

What has less than a second to do is done at once, as on an empty pool.
"""

from __future__ import annotations

import errno
import time
from collections.abc import Iterator

from host.simulated.datasets.space import sizes
from host.simulated.pools import events
from host.simulated.pools.tree import Place, find, swap, unlabel
from host.simulated.state import Filling, Machine, Move, Pool, Scan, Vdev
from host.simulated.vdevs import all_leaves, leaves, of_role

LEAF_BYTES_PER_S = 150_000_000


def speed(pool: Pool) -> int:
    """Bytes a second at which the pool can be read through."""
    return LEAF_BYTES_PER_S * max(1, sum(1 for top in of_role(pool, "data") for _ in leaves(top)))


def scanned(pool: Pool, scan: Scan, now: float) -> int:
    """Bytes of the scan that are done by `now`, a Unix time."""
    if scan.state != "SCANNING" or scan.paused:
        return scan.done
    return min(scan.total, scan.done + int((now - scan.since) * speed(pool)))


def moved(pool: Pool, move: Move, now: float) -> int:
    """Bytes of a removal or expansion that are done by `now`."""
    if move.state != "SCANNING":
        return move.done
    return min(move.total, int((now - move.started) * speed(pool)))


def filled(leaf: Vdev, filling: Filling, now: float) -> int:
    """Bytes of a trim or initialization that are done by `now`."""
    if filling.state != "ACTIVE":
        return filling.done
    return min(leaf.size, filling.done + int((now - filling.since) * LEAF_BYTES_PER_S * 10))


def start_scan(machine: Machine, pool: Pool, function: str) -> None:
    """Begin a scrub or a resilver from the start, instead of what ran."""
    now = time.time()
    total = sizes(pool).allocated
    if function == "RESILVER":
        pool.scan = Scan(function="RESILVER", state="SCANNING", started=now, since=now, total=total)
    else:
        pool.scan = Scan(function="SCRUB", state="SCANNING", started=now, since=now, total=total)
    events.change(machine, pool, f"{function.lower()}_start")
    settle(machine)


def pass_time(machine: Machine, seconds: float) -> None:
    """Let all that is under way, or over, lie so much further back."""
    for pool in machine.pools.values():
        for moment in (pool.scan, pool.removal, pool.expansion):
            if moment is not None:
                moment.started -= seconds
                moment.finished -= seconds if moment.finished else 0
        if pool.scan:
            pool.scan.since -= seconds
            pool.scan.paused -= seconds if pool.scan.paused else 0
        for filling in (one for leaf in all_leaves(pool) for one in (leaf.trim, leaf.initialize) if one):
            filling.since -= seconds
        if pool.checkpoint:
            pool.checkpoint.taken -= seconds
    settle(machine)


def due(machine: Machine) -> bool:
    """Whether something has ended since it was last settled."""
    now = time.time()
    return any(
        (pool.scan and _over(pool, pool.scan, now))
        or any(move.state == "SCANNING" and _left(pool, move, now) < 1 for move in _moves(pool))
        or any(filled(leaf, one, now) >= leaf.size for leaf, one in _running(pool))
        for pool in machine.pools.values()
        if not pool.suspended
    )


def settle(machine: Machine) -> None:
    """End what is over."""
    now = time.time()
    for pool in machine.pools.values():
        if pool.suspended:
            continue
        if pool.scan and _over(pool, pool.scan, now):
            _end_scan(machine, pool, pool.scan, now)
        for move in _moves(pool):
            if move.state == "SCANNING" and _left(pool, move, now) < 1:
                move.state, move.finished, move.done = (
                    "FINISHED",
                    _end(now, _left(pool, move, now)),
                    move.total,
                )
                (_removed if move is pool.removal else _expanded)(machine, pool, move)
        for leaf, filling in list(_running(pool)):
            if filled(leaf, filling, now) >= leaf.size:
                filling.state, filling.done, filling.since = "COMPLETE", leaf.size, now


def _over(pool: Pool, scan: Scan, now: float) -> bool:
    if scan.state != "SCANNING" or scan.paused:
        return False
    left = scan.total - scan.done - (now - scan.since) * speed(pool)
    short = scan.total < speed(pool)  # less than a second from its start to its end
    return left <= 0 or short


def _left(pool: Pool, move: Move, now: float) -> float:
    return move.total / speed(pool) - (now - move.started)


def _end(now: float, left_s: float) -> float:
    return now + min(0.0, left_s)


def _moves(pool: Pool) -> Iterator[Move]:
    yield from (move for move in (pool.removal, pool.expansion) if move)


def _running(pool: Pool) -> Iterator[tuple[Vdev, Filling]]:
    for leaf in all_leaves(pool):
        for filling in (leaf.trim, leaf.initialize):
            if filling and filling.state == "ACTIVE":
                yield leaf, filling


def _end_scan(machine: Machine, pool: Pool, scan: Scan, now: float) -> None:
    took = (scan.total - scan.done) / speed(pool)
    scan.state, scan.done, scan.finished = "FINISHED", scan.total, min(now, scan.since + took)
    for leaf in all_leaves(pool):
        if leaf.state == "ONLINE" and leaf.corrupt and not leaf.stale:
            wrong = -(-leaf.corrupt // (128 << 10))
            leaf.checksum_errors += wrong
            events.fault(machine, pool, "checksum", leaf, times=wrong, error=errno.EBADE)
            scan.repaired += leaf.corrupt
            leaf.corrupt = 0
    if scan.function == "RESILVER":
        behind = [leaf for leaf in all_leaves(pool) if leaf.state == "ONLINE" and leaf.stale]
        for leaf in behind:
            leaf.stale, leaf.corrupt = False, 0
            scan.repaired += scan.total // max(1, sum(1 for _ in all_leaves(pool)))
        for top in [vdev for vdev in pool.vdevs if vdev.children]:
            _tidy(machine, pool, top, {leaf.guid for leaf in behind})
    events.change(machine, pool, f"{scan.function.lower()}_finish")


def _tidy(machine: Machine, pool: Pool, top: Vdev, caught_up: set[int]) -> None:
    """Replacements that are complete lose the old leaf; spares whose leaf has caught up step back. One that
    stands in for a leaf that was whole all the time stays until it is detached."""
    for child in [node for node in _inner(top) if node.kind in {"replacing", "spare"}]:
        place = find(pool, str(child.guid), "")
        first, last = child.children[0], child.children[-1]
        if child.kind == "replacing" and _whole(last):
            _promote(machine, pool, place, last)
        elif child.kind == "spare" and _whole(first) and first.guid in caught_up:
            _promote(machine, pool, place, first)
    if pool.values.get("autoexpand") == "on":
        for leaf in leaves(top):
            expand(leaf)


def expand(leaf: Vdev) -> None:
    """Use all of its device."""
    leaf.size, leaf.grown = leaf.size + leaf.grown, 0


def _inner(vdev: Vdev) -> Iterator[Vdev]:
    """Those below `vdev` that have children, deepest first."""
    for child in vdev.children:
        if child.children:
            yield from _inner(child)
            yield child


def _whole(vdev: Vdev) -> bool:
    return not vdev.children and vdev.state == "ONLINE" and not vdev.stale


def _promote(machine: Machine, pool: Pool, place: Place, kept: Vdev) -> None:
    gone = [leaf for leaf in leaves(place.vdev) if leaf is not kept]
    # The vdev keeps its size until it is expanded.
    size, offered = next(leaves(place.vdev)).size, kept.size + kept.grown
    kept.size, kept.grown = min(size, offered), max(0, offered - size)
    swap(pool, place, kept)
    for leaf in gone:
        unlabel(machine, pool, leaf)


def _removed(machine: Machine, pool: Pool, move: Move) -> None:
    place = find(pool, str(move.guid), "")
    ghost = Vdev(guid=place.vdev.guid, kind="indirect", role=place.vdev.role)
    pool.vdevs[pool.vdevs.index(place.vdev)] = ghost
    for leaf in leaves(place.vdev):
        unlabel(machine, pool, leaf)
    pool.used = sorted({*pool.used, "device_removal", "obsolete_counts"})


def _expanded(machine: Machine, pool: Pool, move: Move) -> None:
    find(pool, str(move.guid), "").vdev.expanding = False
    start_scan(machine, pool, "SCRUB")
