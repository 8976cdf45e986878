"""How replications stand, and which disks that take turns have all that they should have."""

from __future__ import annotations

from datetime import datetime

from alerts.doctor.words import span
from alerts.evidence import ReplicationCare, UnpluggableDisk, WaitingDisk
from disks.records import iso
from host.inventory import Inventory
from jobs.wording import listed
from pools.travel.known import unimported_pools
from replication.models import TargetRow, TaskRow
from replication.replications.standing import report_of, standing_of
from replication.rotating.stored import visits
from replication.stored import target_of, task_of

_FAILING = {"failed", "partly"}


def care(now: datetime) -> tuple[ReplicationCare, ...]:
    """Of all that are not paused."""
    found = []
    for row in TaskRow.objects.select_related("target"):
        task = task_of(row)
        standing = standing_of(task, row, now)
        if not task.enabled:
            continue
        last = row.runs.first()
        age = None if standing.copied_at is None else (now - standing.copied_at).total_seconds()
        found.append(
            ReplicationCare(
                id=row.pk, name=row.name, source=task.source, target=row.target.name,
                aim=span(task.aim_hours * 3600.0), age=None if age is None else span(age),
                late=standing.late, failing=standing.verdict in _FAILING and not row.running,
                said="" if standing.verdict in {None, "done"} else standing.words,
                since=iso(last.finished) if last is not None else None,
                differs=standing.proof_words if standing.proof_verdict == "different" else "",
            )
        )  # fmt: skip
    return tuple(found)


def unpluggable(inventory: Inventory) -> tuple[UnpluggableDisk, ...]:
    """Those whose pool was let go again, as long as they are here."""
    done = [row for row, visit in visits() if visit.stage == "done"]
    if not done:
        return ()
    away = {pool.guid: pool for pool in unimported_pools(inventory)}
    found = []
    for row in done:
        pool = away.get(target_of(row).pool_guid)
        disk = inventory.disk(pool.disks[0]) if pool is not None and pool.disks else None
        if disk is not None:
            found.append(
                UnpluggableDisk(
                    id=row.pk,
                    target=row.name,
                    disk=disk.id,
                    bay=disk.bay,
                    said=_what_it_has(row),
                )
            )
    return tuple(found)


def _what_it_has(row: TargetRow) -> str:
    """By the last run of each: one that failed or was stopped brought no newest copy."""
    newest: list[str] = []
    behind: list[str] = []
    for task in row.tasks.all():
        if task.value.get("enabled", True):
            report = report_of(task)
            (newest if report is not None and report.verdict == "done" else behind).append(task.name)
    said = [f"It has the newest of {listed(newest)}."] if newest else []
    if behind:
        said.append(f"Not up to date: {listed(behind)}. Its last run says why.")
    return " ".join(said)


def waiting() -> tuple[WaitingDisk, ...]:
    """Those that are plugged in, and of which a step was refused or failed."""
    return tuple(
        WaitingDisk(id=row.pk, target=row.name, said=visit.said) for row, visit in visits() if visit.blocked
    )
