"""All that is known of pools that are not imported: from the last look at the labels, and from what the
disks' claims say without one."""

from __future__ import annotations

import msgspec

from host.inventory import ImportablePool, ImportLoss, Inventory
from pools.travel.arriving import disk_ids


class UnimportedPool(msgspec.Struct, frozen=True, kw_only=True):
    """A pool that is not imported. `probed` is None where only its name and disks are known."""

    name: str
    guid: str | None
    disks: tuple[str, ...]  # ids of those that are here
    probed: ImportablePool | None = None
    loss: ImportLoss | None = None  # of a rewind, where somebody asked for it


def unimported_pools(inventory: Inventory) -> tuple[UnimportedPool, ...]:
    """Pools that are not imported, those that can be used before destroyed ones, by name."""
    imported = {pool.guid for pool in inventory.pools}
    importable = inventory.importable
    found = [
        UnimportedPool(
            name=pool.name, guid=pool.guid, disks=disk_ids(pool, inventory), probed=pool,
            loss=None if pool.destroyed or importable is None else importable.losses.get(pool.guid),
        )
        for pool in (importable.pools if importable else ())
        if pool.guid not in imported
    ]  # fmt: skip
    known = {unimported.guid for unimported in found} | imported
    found += [unimported for unimported in _by_claims(inventory) if unimported.guid not in known]
    return tuple(sorted(found, key=lambda pool: (_destroyed(pool), pool.name, pool.guid or "")))


def _by_claims(inventory: Inventory) -> list[UnimportedPool]:
    disks: dict[tuple[str, str | None], list[str]] = {}
    for disk in inventory.disks:
        for claim in disk.claims:
            if claim.kind == "exported-pool" and claim.pool:
                disks.setdefault((claim.pool, claim.pool_guid), []).append(disk.id)
    return [UnimportedPool(name=name, guid=guid, disks=tuple(ids)) for (name, guid), ids in disks.items()]


def _destroyed(unimported: UnimportedPool) -> bool:
    return unimported.probed is not None and unimported.probed.destroyed
