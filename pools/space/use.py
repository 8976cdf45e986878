"""Which dataset takes how much of its pool, and with what: files, snapshots, reservations or ZFS itself."""

from __future__ import annotations

from collections import defaultdict
from typing import Literal

import msgspec

from host.inventory import Dataset, Inventory
from host.system.own_datasets import is_ours


class DatasetSpace(msgspec.Struct, frozen=True, kw_only=True):
    """Bytes that a dataset takes by itself: `data_bytes` by its files or blocks, `snapshots_bytes` what
    destroying all its snapshots would free, `reserved_bytes` what a reservation keeps from others and nothing
    uses, `internal_bytes` what ZFS keeps below it under no name: at a pool's root its metadata with the
    tables of deduplication, elsewhere a replica that is half received. What else is below it is not in these,
    but in `used_bytes`."""

    dataset: str
    kind: Literal["filesystem", "volume", "system"]  # the last: the console's own, and /var and /home
    data_bytes: int
    snapshots_bytes: int
    reserved_bytes: int
    internal_bytes: int
    used_bytes: int

    @property
    def own_bytes(self) -> int:
        """All of its own."""
        return self.data_bytes + self.snapshots_bytes + self.reserved_bytes + self.internal_bytes


def space_of(inventory: Inventory, pool: str) -> tuple[DatasetSpace, ...]:
    """Of every dataset of the pool, those that take most first. Their own bytes add up to what the pool's
    root says is used (zfsprops(7), "used").
    """
    below: defaultdict[str, list[Dataset]] = defaultdict(list)
    found = [one for one in (*inventory.datasets, *inventory.keeping) if one.pool == pool]
    for one in found:
        below[one.name.rpartition("/")[0]].append(one)
    return tuple(
        sorted((_space(one, below[one.name]) for one in found), key=lambda one: (-one.own_bytes, one.dataset))
    )


def _space(one: Dataset, children: list[Dataset]) -> DatasetSpace:
    # A child's reservation counts above it, where the child does not use it up.
    kept = sum(max(child.number("reservation") - child.number("used"), 0) for child in children)
    known = sum(child.number("used") for child in children) + kept
    return DatasetSpace(
        dataset=one.name, kind="system" if is_ours(one.name) else one.kind,
        data_bytes=one.number("usedbydataset"),
        snapshots_bytes=one.number("usedbysnapshots"),
        reserved_bytes=one.number("usedbyrefreservation") + kept,
        internal_bytes=max(one.number("usedbychildren") - known, 0), used_bytes=one.number("used"),
    )  # fmt: skip
