"""dataset.rewriting: how far copying or comparing has come, at this moment."""

from __future__ import annotations

import msgspec

from host import typed
from host.base import Host
from host.replication.proof import Proof
from host.replication.rewriting import Rewrite, Stage
from host.replication.values import Replicated
from jobs import engine
from jobs.planning.findings import Findings
from replication.models import RewriteRow
from replication.replications.progress import RunProgress, shown
from replication.rewrites.following import read
from replication.rewrites.known import DatasetText
from replication.stored import rewrite_of

QUESTION = "dataset.rewriting"


class AskRewrite(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Of which dataset."""

    dataset: DatasetText


class Compared(msgspec.Struct, frozen=True, kw_only=True):
    """How many files and bytes were read on both sides. `different`: the datasets some of whose files differ;
    which files, only those may know who may read them."""

    files: int
    size_bytes: int
    different: tuple[str, ...]
    words: str


class RewriteState(msgspec.Struct, frozen=True, kw_only=True):
    """How it stands. `copy` is where it is written to, `before` what the dataset is called once the copy has
    taken its place. `run` is the last copying, `compared` the comparison after it; null before each.
    """

    dataset: str
    copy: str
    before: str
    stage: Stage
    run: RunProgress | None
    compared: Compared | None


def answer(request: AskRewrite, host: Host) -> RewriteState:
    """What its programs say. Raises `Refused`, `HostError`."""
    row = RewriteRow.objects.filter(dataset=request.dataset).first()
    if row is None:
        Findings().refuse("unknown-rewrite", "dataset", "It is not being written anew.")
    if read(row, host):
        engine.refresh(host)  # as the clock does: there are new datasets
    row.refresh_from_db()
    return state_of(row)


def state_of(row: RewriteRow) -> RewriteState:
    """As it was when its programs were asked last."""
    known: Rewrite = rewrite_of(row)
    report = None if row.report is None else typed.convert(row.report, Replicated)
    proof = None if row.proof is None else typed.convert(row.proof, Proof)
    return RewriteState(
        dataset=known.dataset, copy=known.copy, before=known.before, stage=known.stage,
        run=None if report is None else shown(report), compared=None if proof is None else _compared(proof),
    )  # fmt: skip


def _compared(proof: Proof) -> Compared:
    said = next((f"{one.target}: {one.said}" for one in proof.datasets if one.said), "")
    return Compared(
        files=sum(one.files for one in proof.datasets),
        size_bytes=sum(one.size_bytes for one in proof.datasets),
        different=tuple(one.source for one in proof.datasets if one.result == "different"),
        words=proof.words or said,
    )
