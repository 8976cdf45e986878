"""Snapshots as somebody names them: `tank/a@one`, lists `tank/a@one,two` and ranges `tank/a@one%two`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, NamedTuple

from msgspec import Meta

from host.inventory import Inventory, Snapshot
from jobs.needs import SnapshotNeeds
from jobs.planning.findings import Findings

Entry = Annotated[str, Meta(max_length=1024)]
Entries = Annotated[tuple[Entry, ...], Meta(min_length=1, max_length=10_000)]
MOST_NAMED = 200  # findings or losses of one kind; more are counted


def wanted(entries: Iterable[str], *, recursive: bool) -> SnapshotNeeds:
    """What a plan must know to find these snapshots."""
    datasets: dict[str, None] = {}
    tags: dict[str, None] | None = {}
    for entry in entries:
        dataset, _, rest = entry.partition("@")
        datasets[dataset] = None
        if "%" in rest:
            tags = None  # a range is known by what lies between its ends
        elif tags is not None:
            tags |= dict.fromkeys(rest.split(","))
    return SnapshotNeeds(
        datasets=tuple(datasets), everywhere_below=recursive, tags=None if tags is None else tuple(tags)
    )


def choose(entries: Sequence[str], inventory: Inventory, findings: Findings, field: str) -> list[Snapshot]:
    """The snapshots that are named, each once, by dataset, oldest first. Unknown ones are findings."""
    chosen: dict[str, Snapshot] = {}
    rows: dict[str, _Row] = {}
    for place, entry in enumerate(entries):
        dataset, at, rest = entry.partition("@")
        where = f"{field}[{place}]"
        if not at or not rest:
            findings.error("not-a-snapshot", where, f"“{entry[:80]}” is not a snapshot: give dataset@name.")
        elif inventory.dataset(dataset) is None:
            findings.error("unknown-dataset", where, f"There is no dataset {dataset[:80]}.")
        else:
            if dataset not in rows:
                rows[dataset] = _row(dataset, inventory)
            for part in rest.split(","):
                for snapshot in _part(part, rows[dataset], findings, where):
                    chosen[snapshot.name] = snapshot
    return sorted(chosen.values(), key=lambda s: (s.dataset.split("/"), s.createtxg))


class _Row(NamedTuple):
    """The snapshots of a dataset, oldest first, and the place of each by its tag."""

    dataset: str
    snapshots: list[Snapshot]
    places: dict[str, int]


def _row(dataset: str, inventory: Inventory) -> _Row:
    ordered = sorted(inventory.snapshots.get(dataset, ()), key=lambda snapshot: snapshot.createtxg)
    return _Row(dataset, ordered, {snapshot.tag: place for place, snapshot in enumerate(ordered)})


def _part(part: str, row: _Row, findings: Findings, field: str) -> Sequence[Snapshot]:
    """What one name or range stands for."""
    first, ranged, last = part.partition("%")
    if ranged and not row.snapshots:
        findings.error("unknown-snapshot", field, f"{row.dataset} has no snapshots.")
        return ()
    start = 0 if ranged and not first else row.places.get(first)
    end = start if not ranged else row.places.get(last) if last else len(row.snapshots) - 1
    if start is None or end is None:
        unknown = first if start is None else last
        findings.error("unknown-snapshot", field, f"{row.dataset} has no snapshot “{unknown[:80]}”.")
        return ()
    if start > end:
        findings.error("reversed-range", field, f"{first} is newer than {last}: give the older one first.")
    return row.snapshots[start : end + 1]


def by_dataset(snapshots: Iterable[Snapshot]) -> dict[str, list[Snapshot]]:
    """The same, sorted to their datasets."""
    found: dict[str, list[Snapshot]] = {}
    for snapshot in snapshots:
        found.setdefault(snapshot.dataset, []).append(snapshot)
    return found


def commanded(snapshots: Sequence[Snapshot], *, recursive: bool) -> list[Snapshot]:
    """Those that a command names: with `-r` not what it takes along with one above, for which it would find
    nothing left to do."""
    names = {snapshot.name for snapshot in snapshots} if recursive else set()
    return [
        one for one in snapshots if not any(f"{above}@{one.tag}" in names for above in _above(one.dataset))
    ]


def _above(dataset: str) -> Iterator[str]:
    while dataset := dataset.rpartition("/")[0]:
        yield dataset


def of_same_name_below(snapshots: Iterable[Snapshot], inventory: Inventory) -> list[Snapshot]:
    """What `-r` takes besides: the snapshots of those names of all datasets below."""
    seen = {snapshot.name for snapshot in snapshots}
    found: dict[str, Snapshot] = {}
    for dataset, chosen in by_dataset(snapshots).items():
        tags = {snapshot.tag for snapshot in chosen}
        for child in inventory.below(dataset):
            for snapshot in inventory.snapshots.get(child.name, ()):
                if snapshot.tag in tags and snapshot.name not in seen:
                    found[snapshot.name] = snapshot
    return list(found.values())
