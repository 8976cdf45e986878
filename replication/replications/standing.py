"""How old the copies of a replication are, and what became of its last run."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Literal

import msgspec

from host import typed
from host.replication.proof import Proof
from host.replication.proof import Verdict as ProofVerdict
from host.replication.values import Replicated, Replication, Verdict
from replication.models import TaskRow
from replication.replications.words import proof_words, run_words

type State = Literal[
    "running", "paused", "late", "failed", "partly", "stopped", "first", "current", "back"
]  # fmt: skip


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """`copied_at`: when the oldest of its newest copies was made. `verdict` is that of the last run.

    `state` is the one thing to say of it: `first` while it has no copy, `partly` where some datasets are
    behind, `back` while it leads back to its source. What comes back is never late.
    """

    state: State
    copied_at: datetime | None
    late: bool
    verdict: Verdict | None
    words: str
    proven_at: datetime | None = None  # when files were found to be the same last
    proof_verdict: ProofVerdict | None = None  # of the last proof
    proof_words: str = ""


def standing_of(task: Replication, row: TaskRow, now: datetime) -> Standing:
    """By what its runs said. One without a copy is late once it is older than its aim."""
    report = report_of(row)
    proof = None if row.proof is None else typed.convert(row.proof, Proof)
    since = row.copied_at or row.made_at
    late = task.enabled and not task.back and now - since > timedelta(hours=task.aim_hours)
    verdict = None if report is None else report.verdict
    return Standing(
        state=_state(task, row, verdict, late=late),
        copied_at=row.copied_at,
        late=late,
        verdict=verdict,
        words="" if report is None else run_words(report),
        proven_at=row.proven_at,
        proof_verdict=None if proof is None else proof.verdict,
        proof_words="" if proof is None else proof_words(proof),
    )


def report_of(row: TaskRow) -> Replicated | None:
    """What its last run said of itself."""
    return None if row.report is None else typed.convert(row.report, Replicated)


def _state(task: Replication, row: TaskRow, verdict: Verdict | None, *, late: bool) -> State:
    """A run that failed says more than that the copy is late: it says why."""
    if row.running:
        return "running"
    if not task.enabled:
        return "paused"
    if verdict in {"failed", "partly"}:
        return verdict
    if task.back:
        return "back"
    if late:
        return "late"
    if verdict == "stopped":
        return "stopped"
    return "first" if row.copied_at is None else "current"
