"""Twice a minute: sees pools that were plugged in, and does what follows as ordinary jobs."""

from __future__ import annotations

from datetime import datetime

import msgspec
import structlog

from host import typed
from host.base import Host
from host.inventory import Inventory
from host.replication.values import Target
from jobs import cache, submission
from jobs.plan import Refused
from jobs.planning import labels
from jobs.rights import Clockwork
from pools.travel.known import unimported_pools
from replication.models import TargetRow, TaskRow
from replication.replications import proofs
from replication.replications.times import OPERATION
from replication.rotating.rules import UNDER_WAY, Act, Copying, Visit, next_act
from replication.stored import target_of

_log = structlog.get_logger("rotating")
_USER = Clockwork("rotating disks", "pools:write")


def visits() -> set[int]:
    """Which targets are plugged in for a while now, by the numbers of their rows."""
    return {row.pk for row in TargetRow.objects.all() if row.visit.get("stage") in UNDER_WAY}


def tick(now: datetime, host: Host) -> None:
    """Look at all targets that rotate."""
    rows = [(row, target_of(row)) for row in TargetRow.objects.all()]
    rotating = [(row, target) for row, target in rows if target.rotating and target.kind == "pool"]
    inventory = cache.current()
    if inventory is None or not rotating:
        return
    plugged = {unimported.guid for unimported in unimported_pools(inventory)}
    for row, target in rotating:
        visit = typed.convert(row.visit, Visit)
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
            last = task.runs.order_by("-pk").values_list("pk", flat=True).first()
            copying = Copying(
                name=task.name, running=task.running, last_run=last or 0,
                proving=task.proving, proof_due=proofs.due(task, now),
            )  # fmt: skip
            found.append(copying)
    return found


def _carry_out(row: TargetRow, target: Target, act: Act, inventory: Inventory, now: datetime) -> None:
    said, tried = act.visit.said, act.visit.tried
    try:
        said = _submit_all(target, act, inventory, now)
    except submission.Busy as busy:
        # Nothing failed, so the next tick tries again.
        said, tried = f"Job {busy.job.pk} holds it.", None
    visit = msgspec.to_builtins(msgspec.structs.replace(act.visit, said=said[:300], tried=tried))
    if visit != row.visit:
        TargetRow.objects.filter(pk=row.pk).update(visit=visit)


def _submit_all(target: Target, act: Act, inventory: Inventory, now: datetime) -> str:
    """What was said of it last, by this act or an earlier one. Raises `Busy`."""
    said = act.visit.said
    if act.job == "import":
        said = _submit("pool.import", {"guid": target.pool_guid, "unmounted": True}, target, now)
    elif act.job == "export":
        name = next(pool.name for pool in inventory.pools if pool.guid == target.pool_guid)
        said = _submit("pool.export", {"name": name}, target, now)
    for name in act.run:
        said = _submit(OPERATION, {"name": name}, target, now)
    for name in act.prove:
        said = _submit(proofs.OPERATION, {"name": name}, target, now)
    return said


def _submit(operation: str, request: dict[str, object], target: Target, now: datetime) -> str:
    """Why it was refused; empty where it was not. Raises `Busy`."""
    key = f"rotating-{target.id}-{operation}-{request.get('name', '')}-{now:%Y%m%dT%H%MZ}"[:200]
    try:
        job = submission.submit(operation, request, _USER, idempotency_key=key)
    except Refused as refused:
        errors = [finding.message for finding in refused.findings if finding.level == "error"]
        _log.info("refused", target=target.name, operation=operation, why=" ".join(errors))
        return " ".join(errors)
    _log.info("submitted", target=target.name, operation=operation, job=job.pk)
    return ""
