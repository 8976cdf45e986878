"""Pools that are not imported, as values for the eye."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from frontend.bays.lights import Spot
from frontend.states import StateView, tone_view
from host.inventory import ImportableVdev, ImportLoss, Inventory
from pools.travel.known import UnimportedPool, unimported_pools

_TONES = {"ONLINE": ("good", "complete"), "DEGRADED": ("warn", "disks missing")}


class DiskView(msgspec.Struct, frozen=True, kw_only=True):
    """A disk of such a pool; `spot` is None where it is missing."""

    spot: Spot | None
    name: str
    state: str


class UnimportedView(msgspec.Struct, frozen=True, kw_only=True):
    """A pool that is not imported."""

    name: str
    guid: str
    state: StateView
    probed: bool
    destroyed: bool
    words: str  # what ZFS says of it
    elsewhere: str  # which machine used it last, and when; empty if this one
    name_taken: bool
    read_only: bool
    log_missing: bool
    torn: bool
    loss: ImportLoss | None
    disks: tuple[DiskView, ...]


def unimported_views(inventory: Inventory) -> tuple[UnimportedView, ...]:
    """All that are known."""
    return tuple(_view(unimported, inventory) for unimported in unimported_pools(inventory))


def _view(unimported: UnimportedPool, inventory: Inventory) -> UnimportedView:
    pool = unimported.probed
    leaves = [leaf for vdev in (pool.vdevs if pool else ()) for leaf in _leaves(vdev)]
    return UnimportedView(
        name=unimported.name,
        guid=unimported.guid or "",
        state=_state(unimported),
        probed=pool is not None,
        destroyed=bool(pool and pool.destroyed),
        words=" ".join(filter(None, [pool.status, pool.action])) if pool and pool.status else "",
        elsewhere=_elsewhere(unimported),
        name_taken=inventory.pool(unimported.name) is not None,
        read_only=bool(pool and pool.read_only_here),
        log_missing=any(leaf.role == "log" and leaf.state == "UNAVAIL" for leaf in leaves),
        torn=bool(pool and pool.state == "FAULTED"),
        loss=unimported.loss,
        disks=tuple(_disk(leaf.disk, leaf.name, leaf.state or "", inventory) for leaf in leaves)
        or tuple(_disk(disk, disk, "", inventory) for disk in unimported.disks),
    )


def _state(unimported: UnimportedPool) -> StateView:
    if unimported.probed is None:
        return tone_view("idle", "not scanned")
    if unimported.probed.destroyed:
        return tone_view("idle", "destroyed")
    tone, word = _TONES.get(unimported.probed.state, ("bad", unimported.probed.state.lower()))
    return tone_view(tone, word)  # type: ignore[arg-type]


def _elsewhere(unimported: UnimportedPool) -> str:
    pool = unimported.probed
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
