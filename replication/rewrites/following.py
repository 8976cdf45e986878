"""Twice a minute: what became of copying and comparing. What was copied is compared by itself."""

from __future__ import annotations

import msgspec
import structlog

from host.base import Host, HostError
from host.probe.replication import read_proof, read_run
from jobs import cache, submission
from jobs.plan import Refused
from jobs.rights import Clockwork
from replication.models import RewriteRow
from replication.stored import complete

_log = structlog.get_logger("replication")
COMPARE = "dataset.compare-rewrite"
_USER = Clockwork("rewriting", "pools:write")


def follow(host: Host) -> bool:
    """Whether something has ended. Nothing is asked while none is under way."""
    ended = False
    for row in RewriteRow.objects.all():
        try:
            ended = read(row, host) or ended
        except HostError as error:
            _log.warning("no report", rewrite=row.dataset, why=str(error))
    return ended


def read(row: RewriteRow, host: Host) -> bool:
    """Write down what its program says, and say whether that has ended. Raises `HostError`."""
    if row.running:
        report = read_run(host, row.key)
        row.running = report is not None and report.verdict is None
        row.report = None if report is None else msgspec.to_builtins(report)
        changes: dict[str, object] = {"running": row.running, "report": row.report}
    elif row.comparing:
        proof = read_proof(host, row.key)
        row.comparing = proof is not None and proof.verdict is None
        row.proof = None if proof is None else msgspec.to_builtins(proof)
        changes = {"comparing": row.comparing, "proof": row.proof}
    else:
        _compare(row)  # another job may have held it before
        return False
    RewriteRow.objects.filter(pk=row.pk).update(**changes)  # it may have been ended meanwhile
    ended = not row.running and not row.comparing
    if ended:
        cache.amend(complete)
        _compare(row)
    return ended


def _compare(row: RewriteRow) -> None:
    """Once for each run that has copied all."""
    report = row.report or {}
    if row.comparing or row.live or row.proof is not None or report.get("verdict") != "done":
        return
    key = f"compare-{row.pk}-{report['started_at']}"
    try:
        submission.submit(COMPARE, {"dataset": row.dataset}, _USER, idempotency_key=key)
    except (Refused, submission.Busy) as problem:
        _log.info("waits", rewrite=row.dataset, operation=COMPARE, why=str(problem))
