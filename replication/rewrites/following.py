"""Twice a minute: what became of copying and comparing. Once all is copied, it is compared by itself."""

from __future__ import annotations

import msgspec
import structlog

from host.base import Host, HostError
from host.probe.replication import read_proof, read_run
from jobs import cache, submission
from jobs.plan import Refused
from replication.models import RewriteRow
from replication.replications.following import Clockwork
from replication.stored import complete

_log = structlog.get_logger("replication")
COMPARE = "dataset.compare-rewrite"


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
    done = False
    if row.running:
        report = read_run(host, row.key)
        ended = report is None or report.verdict is not None
        done = report is not None and report.verdict == "done"
        kept = None if report is None else msgspec.to_builtins(report)
        RewriteRow.objects.filter(pk=row.pk).update(running=not ended, report=kept)
    elif row.comparing:
        proof = read_proof(host, row.key)
        ended = proof is None or proof.verdict is not None
        kept = None if proof is None else msgspec.to_builtins(proof)
        RewriteRow.objects.filter(pk=row.pk).update(comparing=not ended, proof=kept)
    else:
        return False
    if ended:
        cache.amend(complete)
    if done:
        _compare(row)
    return ended


def _compare(row: RewriteRow) -> None:
    try:
        submission.submit(COMPARE, {"dataset": row.dataset}, Clockwork("rewriting"))
    except (Refused, submission.Busy) as problem:
        _log.info("waits", rewrite=row.dataset, operation=COMPARE, why=str(problem))
