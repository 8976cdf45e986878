"""Who takes how much of a simulated pool. Fresh datasets take what real ones were measured to take."""

from __future__ import annotations

from typing import NamedTuple

from host.capacity import deflate, space_of, usable_bytes
from host.simulated.state import Dataset, Pool, Vdev
from host.simulated.vdevs import ALLOCATING, copies, of_role, shape, space

# Sectors of metadata, before RAIDZ adds parity: measured on OpenZFS 2.3.9 (tests/transcripts).
_POOL_SECTORS = 90
_SECTORS = {"filesystem": 24, "volume": 14}
_LOGICAL = {"filesystem": 43_008, "volume": 28_672}
_COUNTS = ("quota", "reservation", "refquota", "refreservation")


class Usage(NamedTuple):
    """What one dataset and all below it take, in bytes."""

    used: int
    by_dataset: int
    by_snapshots: int
    by_children: int
    by_refreservation: int
    available: int
    logical: int
    logical_referenced: int


class Sizes(NamedTuple):
    """A pool's raw bytes, parity included."""

    size: int
    allocated: int


def metadata_vdev(pool: Pool) -> Vdev:
    """The vdev whose geometry decides what metadata takes."""
    return next(iter([*of_role(pool, "special"), *of_role(pool, "data")]))


def bytes_of_sectors(pool: Pool, sectors: int) -> int:
    """Sectors of metadata as `used` counts them."""
    vdev = metadata_vdev(pool)
    return deflate((sectors << pool.ashift) * copies(vdev), shape(vdev), ashift=pool.ashift)


def referenced(pool: Pool, dataset: Dataset) -> int:
    """Bytes of the dataset's current state, without its snapshots."""
    return bytes_of_sectors(pool, _SECTORS[dataset.kind]) + dataset.data


def number(dataset: Dataset, name: str) -> int:
    """A local value in bytes; none is 0."""
    return int(dataset.values.get(name, "0"))


def usages(pool: Pool) -> dict[str, Usage]:
    """Of every dataset of the pool, by name."""
    children: dict[str, list[Dataset]] = {name: [] for name in pool.datasets}
    for dataset in pool.datasets.values():
        parent = dataset.name.rpartition("/")[0]
        if parent:
            children[parent].append(dataset)
    found: dict[str, Usage] = {}
    _measure(pool, pool.datasets[pool.name], children, found)
    _offer(pool, pool.datasets[pool.name], None, children, found)
    return found


def _measure(
    pool: Pool, dataset: Dataset, children: dict[str, list[Dataset]], found: dict[str, Usage]
) -> None:
    is_root = dataset.name == pool.name
    by_children = bytes_of_sectors(pool, _POOL_SECTORS) if is_root else 0
    logical = 100_352 if is_root else 0
    for child in children[dataset.name]:
        _measure(pool, child, children, found)
        by_children += max(found[child.name].used, number(child, "reservation"))
        logical += found[child.name].logical
    by_dataset = referenced(pool, dataset)
    by_snapshots = sum(snapshot.unique for snapshot in dataset.snapshots)
    by_refreservation = max(0, number(dataset, "refreservation") - by_dataset)
    own = _LOGICAL[dataset.kind] + dataset.data
    found[dataset.name] = Usage(
        used=by_dataset + by_snapshots + by_children + by_refreservation,
        by_dataset=by_dataset,
        by_snapshots=by_snapshots,
        by_children=by_children,
        by_refreservation=by_refreservation,
        available=0,
        logical=logical + own,
        logical_referenced=own,
    )


def _offer(
    pool: Pool,
    dataset: Dataset,
    above: int | None,
    children: dict[str, list[Dataset]],
    found: dict[str, Usage],
) -> None:
    usage = found[dataset.name]
    if above is None:
        # Metadata on a special vdev takes nothing from the data vdevs, whose space alone is offered.
        taken = usage.used if not of_role(pool, "special") else _data(pool)
        left = pool_bytes(pool) - taken
    else:
        left = above + max(0, number(dataset, "reservation") - usage.used)
    if quota := number(dataset, "quota"):
        left = min(left, quota - usage.used)
    left = max(0, left)
    for child in children[dataset.name]:
        _offer(pool, child, left, children, found)
    shown = left + usage.by_refreservation
    if refquota := number(dataset, "refquota"):
        shown = min(shown, max(0, refquota - usage.by_dataset))
    found[dataset.name] = usage._replace(available=shown)


def _data(pool: Pool) -> int:
    return sum(
        dataset.data + sum(snapshot.unique for snapshot in dataset.snapshots)
        for dataset in pool.datasets.values()
    )


def pool_bytes(pool: Pool) -> int:
    """What the data vdevs offer to datasets, used or not."""
    vdevs = of_role(pool, "data")
    found = usable_bytes([shape(vdev) for vdev in vdevs], ashift=pool.ashift)
    if any(vdev.born for vdev in vdevs):
        # Near enough: what is kept back is a share of the whole.
        fresh = sum(space_of(shape(vdev), ashift=pool.ashift).usable for vdev in vdevs)
        found = found * sum(space(vdev, pool).usable for vdev in vdevs) // fresh
    return found


def sizes(pool: Pool) -> Sizes:
    """The pool's raw size and what of it is taken."""
    size = sum(space(vdev, pool).raw for vdev in of_role(pool, *ALLOCATING))
    return Sizes(size=size, allocated=sum(allocated(pool).values()))


def allocated(pool: Pool) -> dict[int, int]:
    """Raw bytes taken of each top-level vdev, by guid: metadata on one, file data spread evenly."""
    home = metadata_vdev(pool)
    sectors = _POOL_SECTORS + sum(_SECTORS[dataset.kind] for dataset in pool.datasets.values())
    found = {home.guid: (sectors << pool.ashift) * copies(home)}
    data_vdevs = of_role(pool, "data")
    for vdev in data_vdevs:
        whole = space(vdev, pool)
        share = _data(pool) // len(data_vdevs)
        found[vdev.guid] = found.get(vdev.guid, 0) + share * whole.raw // max(whole.usable, 1)
    return found
