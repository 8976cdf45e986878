"""How old the copies of a replication are, and what became of its last run."""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec

from host import typed
from host.replication.proof import Proof
from host.replication.proof import Verdict as ProofVerdict
from host.replication.values import Replicated, Replication, Verdict
from replication.models import TaskRow
from replication.replications.words import proof_words, run_words


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """`copied_at`: when the oldest of its newest copies was made. `verdict` is that of the last run."""

    copied_at: datetime | None
    late: bool
    verdict: Verdict | None
    words: str
    proven_at: datetime | None = None  # when files were found to be the same last
    proof_verdict: ProofVerdict | None = None  # of the last proof
    proof_words: str = ""


def standing_of(task: Replication, row: TaskRow, now: datetime) -> Standing:
    """By what its runs said. One without a copy is late once it is older than its aim."""
    report = None if row.report is None else typed.convert(row.report, Replicated)
    proof = None if row.proof is None else typed.convert(row.proof, Proof)
    since = row.copied_at or row.made_at
    return Standing(
        copied_at=row.copied_at,
        late=task.enabled and now - since > timedelta(hours=task.aim_hours),
        verdict=None if report is None else report.verdict,
        words="" if report is None else run_words(report),
        proven_at=row.proven_at,
        proof_verdict=None if proof is None else proof.verdict,
        proof_words="" if proof is None else proof_words(proof),
    )
