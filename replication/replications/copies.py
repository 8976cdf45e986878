"""Which datasets have copies elsewhere, and how old those are."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import msgspec

from host.commands.replication.task import within
from host.inventory import DatasetCopy, Inventory
from host.replication.values import Replication, Target
from replication.models import TaskRow
from replication.replications.direction import receives_here, written


class Copy(msgspec.Struct, frozen=True, kw_only=True):
    """A copy of one dataset: `replication` by its number. `copied_at` is None before the first."""

    replication: int
    name: str
    target: str
    dataset: str
    copied_at: datetime | None
    late: bool
    enabled: bool
    running: bool


class Copies(msgspec.Struct, frozen=True, kw_only=True):
    """All replications of this machine's datasets, with the newest copy of each dataset by its name."""

    found: tuple[tuple[Replication, str, TaskRow, dict[str, int]], ...] = ()
    now: datetime = datetime.min.replace(tzinfo=UTC)

    def of(self, dataset: str) -> tuple[Copy, ...]:
        """Its copies, the newest first."""
        copies = [self._copy(dataset, *one) for one in self.found if wants(one[0], dataset)]
        oldest = datetime.min.replace(tzinfo=UTC)
        return tuple(sorted(copies, key=lambda copy: copy.copied_at or oldest, reverse=True))

    def _copy(
        self, dataset: str, task: Replication, target: str, row: TaskRow, times: dict[str, int]
    ) -> Copy:
        made = times.get(dataset)
        copied_at = None if made is None else datetime.fromtimestamp(made, UTC)
        since = copied_at or row.made_at
        return Copy(
            replication=task.id, name=task.name, target=target,
            dataset=f"{task.target}{dataset.removeprefix(task.source)}", copied_at=copied_at,
            late=task.enabled and self.now - since > timedelta(hours=task.aim_hours), enabled=task.enabled,
            running=row.running,
        )  # fmt: skip


def copies(inventory: Inventory, now: datetime) -> Copies:
    """One query, whatever the number of datasets. What is pulled here, or comes back, is no copy of ours."""
    rows = {row.pk: row for row in TaskRow.objects.all()}
    found = []
    for task in inventory.replicating.tasks:
        row, target = rows.get(task.id), inventory.replicating.target(task.target_id)
        if row is not None and not (task.pull or task.back):
            found.append((task, "" if target is None else target.name, row, _times(row)))
    return Copies(found=tuple(found), now=now)


def replica_of(dataset: str, inventory: Inventory) -> Replication | None:
    """The replication whose replica lies at that dataset of this machine, or above it."""
    for task in inventory.replicating.tasks:
        target = inventory.replicating.target(task.target_id)
        if receives_here(task, target) and within(dataset, written(task)):
            return task
    return None


def wants(task: Replication, dataset: str) -> bool:
    """Whether it replicates that dataset."""
    if dataset != task.source and not (task.recursive and within(dataset, task.source)):
        return False
    return not any(within(dataset, one) for one in task.excluded)


def _times(row: TaskRow) -> dict[str, int]:
    """Seconds since 1970 by the dataset's name, as the last run had them."""
    datasets = (row.report or {}).get("datasets", ())
    return {one["source"]: one["newest_at"] for one in datasets if one.get("newest_at") is not None}


def elsewhere(inventory: Inventory, now: datetime) -> Iterator[DatasetCopy]:
    """The copies that do not lie in their dataset's pool, for who judges whether a pool may be lost.

    What counts as proven are `_proven_at` and `_unread`.
    """
    for task, target, row, times in copies(inventory, now).found:
        place = inventory.replicating.target(task.target_id)
        if place is None or not task.enabled:
            continue
        if place.kind == "pool" and task.target.partition("/")[0] == task.source.partition("/")[0]:
            continue
        proven, unread = _proven_at(row, place), _unread(row)
        for dataset in inventory.datasets:
            if wants(task, dataset.name):
                made = times.get(dataset.name)
                yield DatasetCopy(
                    guid=dataset.guid, where=f"on {target}",
                    made_at=None if made is None else datetime.fromtimestamp(made, UTC).isoformat(),
                    longest_age_h=task.aim_hours,
                    proven_at=None if proven is None or dataset.name in unread else proven.isoformat(),
                )  # fmt: skip


def _proven_at(row: TaskRow, place: Target) -> datetime | None:
    """When it was last seen that the replica is the same as its source; None where it differs.

    Where files can be compared, that counts. By the guids that each run compares counts what lies where
    nothing else can be asked: on a server that is no Nasweb, and on a paired one of which no file could be
    compared yet, as it is too old or has no key of what it keeps.
    """
    if (row.proof or {}).get("verdict") == "different":
        return None
    if place.kind == "ssh" or (place.kind == "nasweb" and row.proven_at is None):
        return row.copied_at
    return row.proven_at


def _unread(row: TaskRow) -> set[str]:
    """The sources whose replicas the last comparison could not read although it should have been able to.
    A replica without its key can never be read, and counts by the guids."""
    datasets = (row.proof or {}).get("datasets", ())
    return {one["source"] for one in datasets if one["result"] == "unreachable"}
