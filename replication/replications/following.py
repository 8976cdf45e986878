"""Twice a minute: what became of runs that were started, and what follows from snapshots that were taken."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

import msgspec
import structlog
from django.db import transaction

from host import typed
from host.base import Host, HostError
from host.probe.replication import read_run
from host.replication.values import Replica, Replicated
from jobs import cache, submission
from jobs.models import State
from jobs.plan import Refused
from jobs.rights import Clockwork
from pools.models import PolicyRun
from replication.models import RunRow, TaskRow
from replication.replications.kept import kept_of
from replication.replications.times import OPERATION
from replication.replications.words import run_words
from replication.stored import by_current_names, complete, names_of, task_of, value_of

_log = structlog.get_logger("replication")
_KEPT = 500  # runs of each task
_WRONG_CLOCK = timedelta(minutes=5)
_USER = Clockwork("snapshot policies", "pools:write")


def follow(host: Host) -> bool:
    """Write down which runs have ended, and say whether one has. Nothing is asked while none is under way."""
    ended = False
    for row, report in reports(host, "running", read_run):
        if report is not None:
            keep(row, report)
        ended = ended or report is None or report.verdict is not None
    return ended


def reports[R](
    host: Host, what: Literal["running", "proving"], read: Callable[[Host, str], R | None]
) -> Iterator[tuple[TaskRow, R | None]]:
    """What the programs of all rows with this mark say; None, and the mark is gone, where nothing is left."""
    for row in TaskRow.objects.filter(**{what: True}):
        try:
            report = read(host, row.key)
        except HostError as error:
            _log.warning("no report", task=row.name, what=what, why=str(error))
            continue
        if report is None:
            _lost(row, what)
        yield row, report


def _lost(row: TaskRow, what: str) -> None:
    """Programs write a report before their start is over: where there is none, as on new flash drives with
    the old settings, nothing runs, and the next one can be started."""
    _log.warning("no report is left", task=row.name, what=what)
    TaskRow.objects.filter(pk=row.pk).update(**{what: False})
    cache.amend(complete)


def keep(row: TaskRow, report: Replicated) -> None:
    """Store what a run says of itself; once it has ended, in the history too."""
    before = None if row.report is None else typed.convert(row.report, Replicated)
    merged = msgspec.to_builtins(_merged(report, before))
    if report.verdict is None:
        TaskRow.objects.filter(pk=row.pk).update(report=merged)
        return
    with transaction.atomic():
        TaskRow.objects.filter(pk=row.pk).update(
            report=merged, running=False, copied_at=copied_at(_merged(report, before)),
            value=_with_kept(TaskRow.objects.get(pk=row.pk), report),  # it may have been changed meanwhile
        )  # fmt: skip
        RunRow.objects.update_or_create(
            task=row, started=datetime.fromisoformat(report.started_at),
            defaults={
                "finished": datetime.fromisoformat(report.finished_at or report.updated_at),
                "verdict": report.verdict,
                "words": run_words(report)[:500], "sent_bytes": report.done_bytes,
                "datasets": len(report.datasets),
            },
        )  # fmt: skip
        old = RunRow.objects.filter(task=row).values_list("pk", flat=True)[_KEPT:]
        RunRow.objects.filter(pk__in=list(old)).delete()
    cache.amend(complete)


def _with_kept(row: TaskRow, report: Replicated) -> dict[str, Any]:
    """What its replica does not take over of the source is written down, as long as the source is there."""
    task, inventory = task_of(row), cache.current()
    if inventory is not None:
        task = by_current_names(task, names_of(inventory))
    source = None if inventory is None else inventory.dataset(task.source)
    lost = source is None or source.guid != task.source_guid  # another one may have got its name
    value: dict[str, Any] = row.value
    if inventory is None or lost or task.pull or task.back or report.verdict not in {"done", "partly"}:
        return value
    return value_of(msgspec.structs.replace(task, kept=kept_of(task, inventory)))


def copied_at(report: Replicated) -> datetime | None:
    """When the oldest of the newest copies was made; None while a dataset has none.

    One without a snapshot has nothing that could be copied: it makes nothing older.
    """
    times = [one.newest_at for one in report.datasets if one.code != "nothing-to-send" or one.newest_at]
    known = [time for time in times if time is not None]
    return datetime.fromtimestamp(min(known), UTC) if known and len(known) == len(times) else None


def _merged(report: Replicated, before: Replicated | None) -> Replicated:
    """What this run does not say of a dataset, an earlier one said: its newest copy. A run notes when copies
    were made at its very end alone, and may be cut off before.

    One that has not come to its datasets, such as where the other machine is off, says nothing of any.
    """
    if before is None or before.task != report.task:
        return report
    if not report.datasets:
        last = tuple(_waits(one) for one in before.datasets)
        return msgspec.structs.replace(report, datasets=last)
    known = {one.source: one for one in before.datasets}
    datasets = []
    for one in report.datasets:
        old = known.get(one.source)
        if one.newest_at is None and old is not None and old.newest_at is not None:
            one = msgspec.structs.replace(
                one, newest=old.newest, newest_guid=old.newest_guid, newest_at=old.newest_at
            )
        datasets.append(one)
    return msgspec.structs.replace(report, datasets=tuple(datasets))


def _waits(one: Replica) -> Replica:
    """With its newest copy alone: nothing of it is sent, and nothing is expected."""
    return Replica(
        source=one.source, target=one.target, newest=one.newest, newest_guid=one.newest_guid,
        newest_at=one.newest_at,
    )  # fmt: skip


def start_after_snapshots() -> None:
    """Start the replications whose source has got snapshots since their last run began.

    A run that began in the future, by a clock that was wrong, is none of which anything could follow: each
    time that snapshots were taken is the key of one run at most.
    """
    now = datetime.now(UTC)
    inventory = cache.current()
    rows = [row for row in TaskRow.objects.filter(running=False) if row.value.get("after_snapshots")]
    if inventory is None or not rows:
        return
    taken = {
        run.pool_guid: run.last_job.finished_at
        for run in PolicyRun.objects.select_related("last_job")
        if run.last_job is not None and run.last_job.state == State.SUCCEEDED
    }
    pools = {pool.name: pool.guid for pool in inventory.pools}
    for row in rows:
        task = task_of(row)
        newest = taken.get(pools.get(task.source.partition("/")[0], ""))
        last = row.runs.filter(started__lte=now + _WRONG_CLOCK).values_list("started", flat=True).first()
        if task.enabled and not task.back and newest is not None and (last is None or newest > last):
            submit(row, OPERATION, f"replication-{row.pk}-{newest:%Y%m%dT%H%M%SZ}")


def submit(row: TaskRow, operation: str, key: str) -> None:
    """Start `operation` of this replication; what is refused or held by a job is left to a later tick."""
    try:
        job = submission.submit(operation, {"name": row.name}, _USER, idempotency_key=key)
    except (Refused, submission.Busy) as problem:
        _log.info("waits", task=row.name, operation=operation, why=str(problem))
        return
    _log.info("submitted", task=row.name, operation=operation, job=job.pk)
