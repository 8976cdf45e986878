"""Pools that are not imported, as values for the eye."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from frontend.bays.lights import Spot
from frontend.states import StateView, tone_view
from host.inventory import ImportableVdev, ImportLoss, Inventory
from pools.travel.known import Away, known_away

_TONES = {"ONLINE": ("good", "complete"), "DEGRADED": ("warn", "disks missing")}


class DiskView(msgspec.Struct, frozen=True, kw_only=True):
    """A disk of such a pool; `spot` is None where it is missing."""

    spot: Spot | None
    name: str
    state: str


class AwayView(msgspec.Struct, frozen=True, kw_only=True):
    """A pool that is not imported."""

    name: str
    guid: str
    state: StateView
    looked: bool
    destroyed: bool
    words: str  # what ZFS says of it
    elsewhere: str  # which machine used it last, and when; empty if this one
    name_taken: bool
    read_only: bool
    log_missing: bool
    torn: bool
    loss: ImportLoss | None
    disks: tuple[DiskView, ...]


def away_views(inventory: Inventory) -> tuple[AwayView, ...]:
    """All that are known."""
    return tuple(_view(away, inventory) for away in known_away(inventory))


def _view(away: Away, inventory: Inventory) -> AwayView:
    pool = away.looked_at
    leaves = [leaf for vdev in (pool.vdevs if pool else ()) for leaf in _leaves(vdev)]
    return AwayView(
        name=away.name,
        guid=away.guid or "",
        state=_state(away),
        looked=pool is not None,
        destroyed=bool(pool and pool.destroyed),
        words=" ".join(filter(None, [pool.status, pool.action])) if pool and pool.status else "",
        elsewhere=_elsewhere(away),
        name_taken=inventory.pool(away.name) is not None,
        read_only=bool(pool and pool.read_only_here),
        log_missing=any(leaf.role == "log" and leaf.state == "UNAVAIL" for leaf in leaves),
        torn=bool(pool and pool.state == "FAULTED"),
        loss=away.loss,
        disks=tuple(_disk(leaf.disk, leaf.name, leaf.state or "", inventory) for leaf in leaves)
        or tuple(_disk(disk, disk, "", inventory) for disk in away.disks),
    )


def _state(away: Away) -> StateView:
    if away.looked_at is None:
        return tone_view("idle", "not looked at")
    if away.looked_at.destroyed:
        return tone_view("idle", "destroyed")
    tone, word = _TONES.get(away.looked_at.state, ("bad", away.looked_at.state.lower()))
    return tone_view(tone, word)  # type: ignore[arg-type]


def _elsewhere(away: Away) -> str:
    pool = away.looked_at
    if pool is None or pool.destroyed or not pool.last_used_elsewhere:
        return ""
    return f"{pool.last_use.host}, {pool.last_use.at}" if pool.last_use else "another machine"


def _disk(link: str | None, name: str, state: str, inventory: Inventory) -> DiskView:
    disk = inventory.disk(link) if link else None
    word = "" if state in {"ONLINE", ""} else state.lower()
    if disk is None:
        return DiskView(spot=None, name=name, state=word or "missing")
    return DiskView(spot=Spot(id=disk.id, bay=disk.bay), name=f"{disk.model} {disk.serial or ''}", state=word)


def _leaves(vdev: ImportableVdev) -> Iterator[ImportableVdev]:
    if not vdev.children:
        yield vdev
    for child in vdev.children:
        yield from _leaves(child)
