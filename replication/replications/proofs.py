"""Twice a minute: what became of proofs that were started, and which are due."""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec

from host import typed
from host.base import Host
from host.probe.replication import read_proof
from host.replication.proof import Proof
from jobs import cache
from replication.models import TaskRow
from replication.replications.following import reports, submit
from replication.replications.prove import here_of
from replication.stored import complete, target_of, task_of

_PROVEN_EVERY, _AGAIN_AFTER = timedelta(days=7), timedelta(days=1)
OPERATION = "replication.prove"
_COMPARED = {"same", "different", "partly"}


def follow(host: Host) -> None:
    """Write down which proofs have ended."""
    for row, proof in reports(host, "proving", read_proof):
        if proof is not None:
            keep(row, proof)


def keep(row: TaskRow, proof: Proof) -> None:
    """Store what a proof says of itself. What one found to differ stays until files are compared again."""
    changes: dict[str, object] = {"proving": proof.verdict is None}
    if proof.verdict in _COMPARED or (row.proof or {}).get("verdict") != "different":
        changes["proof"] = msgspec.to_builtins(proof)
    if proof.verdict in {"same", "partly"}:
        changes["proven_at"] = datetime.fromisoformat(proof.finished_at or proof.updated_at)
    TaskRow.objects.filter(pk=row.pk).update(**changes)
    if proof.verdict is not None:
        cache.amend(complete)


def start(now: datetime, visits: set[int]) -> None:
    """Prove what is due. `visits`: the targets that are plugged in for a while, by their rows' numbers, which
    are proven before they go (`replication.rotating`)."""
    inventory = cache.current()
    if inventory is None:
        return
    here = {pool.guid for pool in inventory.pools}
    for row in TaskRow.objects.filter(running=False).exclude(target__in=visits):
        target = target_of(row.target)
        if target.kind == "nasweb":
            there = inventory.dataset(here_of(task_of(row))) is not None
        else:
            there = target.kind == "pool" and target.pool_guid in here
        if there and due(row, now):
            submit(row, OPERATION, f"proof-{row.pk}-{now:%Y%m%d}")


def due(row: TaskRow, now: datetime) -> bool:
    """Once a week each replica is proven whose files can be read, after a run that brought it up to date. A
    proof that failed is tried again the day after: another machine may just have been off."""
    task = task_of(row)
    if row.copied_at is None or row.proving or task.back or not task.enabled:
        return False
    if row.proof is None:
        return True
    proof = typed.convert(row.proof, Proof)
    last = datetime.fromisoformat(proof.started_at)
    again = _AGAIN_AFTER if proof.verdict == "failed" else _PROVEN_EVERY
    return now - last > again or last > now
