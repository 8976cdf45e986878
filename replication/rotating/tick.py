"""Twice a minute: sees pools that were plugged in, and does what follows as ordinary jobs."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import msgspec
import structlog

from host.base import Host
from host.inventory import Inventory
from host.replication.values import Target
from jobs import cache, submission
from jobs.models import Job, State
from jobs.plan import Refused
from jobs.planning import labels
from jobs.rights import Clockwork
from pools.travel.known import unimported_pools
from replication.models import TargetRow, TaskRow
from replication.replications import proofs
from replication.replications.times import OPERATION
from replication.rotating.rules import UNDER_WAY, Act, Copying, Visit, next_act
from replication.rotating.stored import visits
from replication.stored import target_of

_log = structlog.get_logger("rotating")
_USER = Clockwork("rotating disks", "pools:write")
_LONGEST = 300


def under_way() -> set[int]:
    """Which targets are plugged in for a while now, by the numbers of their rows."""
    return {row.pk for row, visit in visits() if visit.stage in UNDER_WAY}


def tick(now: datetime, host: Host) -> None:
    """Look at all targets that rotate."""
    rotating = [(row, target_of(row), _with_failure(visit)) for row, visit in visits()]
    inventory = cache.current()
    if inventory is None or not rotating:
        return
    plugged = {unimported.guid for unimported in unimported_pools(inventory)}
    for row, target, visit in rotating:
        imported = any(pool.guid == target.pool_guid for pool in inventory.pools)
        act = next_act(
            visit, plugged=target.pool_guid in plugged, imported=imported, tasks=_tasks(row, now), now=now
        )
        if act.job == "import":
            labels.search(host)  # what an import is planned on
        _carry_out(row, target, act, inventory, now)


def _tasks(row: TargetRow, now: datetime) -> list[Copying]:
    found = []
    for task in TaskRow.objects.filter(target=row):
        if task.value.get("enabled", True):
            last = task.runs.order_by("-pk").values_list("pk", "verdict").first() or (0, "")
            copying = Copying(
                name=task.name, running=task.running, last_run=last[0], failed=last[1] == "failed",
                proving=task.proving, proof_due=proofs.due(task, now),
            )  # fmt: skip
            found.append(copying)
    return found


def _with_failure(visit: Visit) -> Visit:
    """With why one of its last jobs failed; it is tried again all the same."""
    job = Job.objects.filter(pk__in=visit.jobs, state=State.FAILED).first()
    if job is None:
        return visit
    said = f"Job {job.pk} failed. {(job.error or {}).get('detail', '')}"
    return msgspec.structs.replace(visit, said=said[:_LONGEST], blocked=True)


def _carry_out(row: TargetRow, target: Target, act: Act, inventory: Inventory, now: datetime) -> None:
    visit = act.visit
    if visit.stage != row.visit.get("stage"):
        visit = msgspec.structs.replace(visit, jobs=(), said="", blocked=False)
    try:
        begun = [_submit(name, request, target, now) for name, request in _wanted(target, act, inventory)]
        if begun:
            said = " ".join(dict.fromkeys(why for _, why in begun if why))
            jobs = tuple(job for job, _ in begun if job)
            visit = msgspec.structs.replace(visit, jobs=jobs, said=said[:_LONGEST], blocked=bool(said))
    except submission.Busy as busy:
        # Nothing failed, so the next tick tries again.
        said = f"Job {busy.job.pk} holds it."
        visit = msgspec.structs.replace(visit, said=said, blocked=False, tried=None)
    kept = msgspec.to_builtins(visit)
    if kept != row.visit:
        TargetRow.objects.filter(pk=row.pk).update(visit=kept)


def _wanted(target: Target, act: Act, inventory: Inventory) -> Iterator[tuple[str, dict[str, object]]]:
    """What is to be submitted: operations with their requests."""
    if act.job == "import":
        yield "pool.import", {"guid": target.pool_guid, "unmounted": True}
    elif act.job == "export":
        name = next(pool.name for pool in inventory.pools if pool.guid == target.pool_guid)
        yield "pool.export", {"name": name}
    for name in act.run:
        yield OPERATION, {"name": name}
    for name in act.prove:
        yield proofs.OPERATION, {"name": name}


def _submit(operation: str, request: dict[str, object], target: Target, now: datetime) -> tuple[int, str]:
    """The number of the job, or 0 and why it was refused. Raises `Busy`."""
    key = f"rotating-{target.id}-{operation}-{request.get('name', '')}-{now:%Y%m%dT%H%MZ}"[:200]
    try:
        job = submission.submit(operation, request, _USER, idempotency_key=key)
    except Refused as refused:
        errors = [finding.message for finding in refused.findings if finding.level == "error"]
        _log.info("refused", target=target.name, operation=operation, why=" ".join(errors))
        return 0, " ".join(errors)
    _log.info("submitted", target=target.name, operation=operation, job=job.pk)
    return job.pk, ""
