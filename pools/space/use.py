"""Which dataset takes how much of its pool, and with what: files, snapshots or reservations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import msgspec

from host.inventory import Dataset, Inventory


class DatasetSpace(msgspec.Struct, frozen=True, kw_only=True):
    """Bytes that a dataset takes by itself: `data_bytes` by its files or blocks, `snapshots_bytes` what
    destroying all its snapshots would free, `reserved_bytes` what a reservation keeps from others and nothing
    uses. What is below it is not in these, but in `used_bytes`."""

    dataset: str
    kind: str  # filesystem or volume
    data_bytes: int
    snapshots_bytes: int
    reserved_bytes: int
    used_bytes: int

    @property
    def own_bytes(self) -> int:
        """All of its own."""
        return self.data_bytes + self.snapshots_bytes + self.reserved_bytes


def space_of(inventory: Inventory, pool: str) -> tuple[DatasetSpace, ...]:
    """Of every dataset of the pool, those that take most first. Their own bytes add up to what the pool's
    root says is used (zfsprops(7), "used").
    """
    below: defaultdict[str, int] = defaultdict(int)
    found = [one for one in inventory.datasets if one.pool == pool]
    for one in found:
        below[one.name.rpartition("/")[0]] += one.number("used")
    return tuple(sorted(_each(found, below), key=lambda one: (-one.own_bytes, one.dataset)))


def _each(datasets: list[Dataset], below: dict[str, int]) -> Iterator[DatasetSpace]:
    for one in datasets:
        # A child's reservation counts above it, where the child does not use it up.
        kept_for_children = max(one.number("usedbychildren") - below.get(one.name, 0), 0)
        yield DatasetSpace(
            dataset=one.name, kind=one.kind, data_bytes=one.number("usedbydataset"),
            snapshots_bytes=one.number("usedbysnapshots"),
            reserved_bytes=one.number("usedbyrefreservation") + kept_for_children,
            used_bytes=one.number("used"),
        )  # fmt: skip
