"""Second copies and their ages, of both kinds, for the report and the metrics."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from alerts.old_backups import troubles_of_backups
from alerts.report.value import CopyHealth
from disks.records import iso
from host.inventory import Inventory
from replication.models import TaskRow
from replication.replications.standing import standing_of
from replication.stored import task_of


def copies(inventory: Inventory, now: datetime) -> tuple[CopyHealth, ...]:
    """Late ones first, then by name. Without what is pulled here, which is no copy of this machine's data."""
    found = (*_replications(now), *_backups(inventory, now))
    return tuple(sorted(found, key=lambda one: (not one.late, one.name)))


def _replications(now: datetime) -> Iterator[CopyHealth]:
    for row in TaskRow.objects.select_related("target"):
        task = task_of(row)
        if task.pull:
            continue
        standing = standing_of(task, row, now)
        yield CopyHealth(
            kind="replication", name=task.name, source=task.source, target=row.target.name,
            copied_at=iso(row.copied_at) if row.copied_at else None, longest_age_s=task.aim_hours * 3600,
            late=standing.late, proven_at=iso(row.proven_at) if row.proven_at else None,
        )  # fmt: skip


def _backups(inventory: Inventory, now: datetime) -> Iterator[CopyHealth]:
    late = {one.name for one in troubles_of_backups(inventory, now) if one.what == "old"}
    for backup in inventory.backups.backups:
        repository = inventory.backups.repository(backup.repository)
        yield CopyHealth(
            kind="backup", name=backup.name, source=", ".join(one.name for one in backup.datasets),
            target=backup.repository, copied_at=backup.stored_at, longest_age_s=backup.aim_hours * 3600,
            late=backup.name in late, proven_at=repository.proven_at if repository else None,
        )  # fmt: skip
