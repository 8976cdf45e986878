"""replication.progress and replication.estimate: how a run stands, and what one would send now."""

from __future__ import annotations

import secrets
from typing import Annotated, NoReturn

import msgspec
from msgspec import Meta

from host.base import Host
from host.probe.replication import read_plan, read_run
from host.replication.values import Replica, Replicated, State, Verdict
from jobs import cache, engine
from jobs.planning.findings import Findings
from replication.models import TaskRow
from replication.replications.following import keep
from replication.replications.wanted import NameText, task_of
from replication.replications.words import replica_words, run_words
from replication.stored import complete


class AskRun(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Of which replication. `after`: the end of the run before, so that each run makes a question of its own:
    what was answered before it is no answer any more."""

    name: NameText
    after: Annotated[str, Meta(max_length=40)] = ""


class DatasetProgress(msgspec.Struct, frozen=True, kw_only=True):
    """One dataset of a run. `newest_at` is when the newest snapshot that both sides have was made."""

    source: str
    target: str
    state: State
    code: str
    words: str
    first: bool
    expected_bytes: int | None
    sent_bytes: int
    newest: str | None
    newest_at: int | None  # seconds since 1970


class RunProgress(msgspec.Struct, frozen=True, kw_only=True):
    """How a run stands. Without a verdict it is under way; `eta_s` is when it will be done at this rate."""

    started_at: str
    finished_at: str | None
    verdict: Verdict | None
    code: str
    words: str
    sent_bytes: int
    expected_bytes: int
    bytes_per_s: int
    eta_s: int | None
    available_bytes: int | None
    left_behind: tuple[str, ...]
    datasets: tuple[DatasetProgress, ...]


class ReplicationRun(msgspec.Struct, frozen=True, kw_only=True):
    """`run` is null before the first one."""

    run: RunProgress | None


def answer(request: AskRun, host: Host) -> ReplicationRun:
    """What the run's program says at this moment. Raises `Refused`, `HostError`."""
    row = _row(request.name)
    report = read_run(host, row.key)
    if report is not None and row.running:
        keep(row, report)
        if report.verdict is not None:
            engine.refresh(host)  # as the clock does: it may run again, and there may be new datasets
    return ReplicationRun(run=None if report is None else shown(report))


def estimate(request: AskRun, host: Host) -> ReplicationRun:
    """What a run would send now, with its bytes. Raises `Refused`, `HostError`."""
    row = _row(request.name)
    inventory = cache.current()
    replicating = None if inventory is None else complete(inventory).replicating
    task = None if replicating is None else replicating.task(row.name)
    target = None if replicating is None or task is None else replicating.target(task.target_id)
    if task is None or target is None:
        _unknown()
    return ReplicationRun(run=shown(read_plan(host, task_of(task, target), secrets.token_hex(8))))


def shown(report: Replicated) -> RunProgress:
    """The report with what people read."""
    left = report.expected_bytes - report.done_bytes
    rate = report.bytes_per_s if report.verdict is None else 0
    return RunProgress(
        started_at=report.started_at, finished_at=report.finished_at, verdict=report.verdict,
        code=report.code, words=run_words(report), sent_bytes=report.done_bytes,
        expected_bytes=report.expected_bytes, bytes_per_s=rate,
        eta_s=round(left / rate) if rate and left > 0 else None, available_bytes=report.available_bytes,
        left_behind=report.left_behind, datasets=tuple(_dataset(one) for one in report.datasets),
    )  # fmt: skip


def _dataset(one: Replica) -> DatasetProgress:
    return DatasetProgress(
        source=one.source, target=one.target, state=one.state, code=one.code, words=replica_words(one),
        first=one.first, expected_bytes=one.expected_bytes, sent_bytes=one.done_bytes, newest=one.newest,
        newest_at=one.newest_at,
    )  # fmt: skip


def _row(name: str) -> TaskRow:
    row = TaskRow.objects.filter(name=name).first()
    if row is None:
        _unknown()
    return row


def _unknown() -> NoReturn:
    Findings().refuse("unknown-replication", "name", "There is no replication of that name.")
