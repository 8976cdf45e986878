"""Replications for the eye: cards of the list, and how a run stands dataset by dataset."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec

from frontend.replication.turning import stage
from frontend.states import StateView, Tone, tone_view
from frontend.units import binary, moment, rate, span
from host.inventory import Inventory
from host.replication.proof import BY_GUID_ALONE
from host.replication.values import Replication, Target
from jobs.schedules import cron
from jobs.schedules.sentence import on_the_wall, sentence
from jobs.wording import Link, capital, counted
from replication.links import replication_href
from replication.models import RunRow, TaskRow
from replication.replications import ways_out
from replication.replications.create import said_source
from replication.replications.progress import RunProgress
from replication.replications.standing import report_of, standing_of
from replication.replications.times import schedule_of
from replication.replications.words import aim_words

_MOST_DATASETS = 100
_STATES: dict[str, tuple[Tone, str]] = {
    "running": ("busy", "running"),
    "paused": ("idle", "paused"),
    "late": ("warn", "late"),
    "failed": ("bad", "last run failed"),
    "partly": ("warn", "partly behind"),
    "stopped": ("idle", "stopped"),
    "first": ("idle", "no copy yet"),
    "current": ("good", "up to date"),
    "back": ("warn", "copies back"),
}
_DATASET: dict[str, tuple[Tone, str]] = {
    "waiting": ("idle", "waiting"),
    "sending": ("busy", "sending"),
    "current": ("good", "up to date"),
    "conflict": ("warn", "cannot go on"),
    "failed": ("bad", "failed"),
}
_VERDICTS: dict[str, tuple[Tone, str]] = {
    "done": ("good", "done"),
    "partly": ("warn", "partly"),
    "failed": ("bad", "failed"),
    "stopped": ("idle", "stopped"),
}
_URGENCY: tuple[Tone, ...] = ("bad", "warn", "busy", "good", "idle")
_FIRST_SHOWN = ("conflict", "failed", "sending", "waiting", "current")


class ProgressView(msgspec.Struct, frozen=True, kw_only=True):
    """How far a run is: `figures` and `left` are empty while nothing has been sent."""

    sent_bytes: int
    expected_bytes: int
    figures: str
    left: str


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """A replication in a few lines. `aim` is how old its copy may become, in words."""

    number: int
    name: str
    href: str
    source: str
    place: str
    target: str
    state: StateView
    copied_at: datetime | None
    aim: str
    late: bool
    last: str
    last_at: datetime | None
    when: str
    enabled: bool
    running: bool
    progress: ProgressView | None
    proven_at: datetime | None
    proof: str
    proof_bad: bool
    proving: bool
    provable: bool
    by_guid: str  # why files cannot be compared, where they cannot


class DatasetRow(msgspec.Struct, frozen=True, kw_only=True):
    """One dataset of a run, with what stands in its way and where to resolve that."""

    source: str
    target: str
    state: StateView
    newest: str
    newest_at: datetime | None
    sent: str
    sent_bytes: int
    expected_bytes: int
    words: str
    way_out: Link | None
    droppable: bool  # what has arrived of a broken stream is of no use any more


class RunView(msgspec.Struct, frozen=True, kw_only=True):
    """A run that has ended."""

    started: datetime
    took: str
    state: StateView
    sent_bytes: int
    words: str


def card(task: Replication, row: TaskRow, run: RunProgress | None, inventory: Inventory) -> Card:
    """`run` is how its last run stands, for what is under way."""
    target = inventory.replicating.target(task.target_id)
    now = standing_of(task, row, datetime.now(UTC))
    under_way = row.running
    lost = not task.pull and stage(task, inventory) == "lost"
    return Card(
        number=task.id,
        name=task.name,
        href=replication_href(task.id),
        source=said_source(task),
        place=task.target,
        target=target_name(task, target),
        state=tone_view("bad", "source is missing") if lost else tone_view(*_STATES[now.state]),
        copied_at=now.copied_at,
        aim=aim_words(task.aim_hours),
        late=now.late,
        last="" if under_way else now.words,
        last_at=None if under_way else _finished(row),
        when=when_words(task, inventory),
        enabled=task.enabled,
        running=under_way,
        progress=progress_view(run) if under_way and run is not None else None,
        proven_at=now.proven_at,
        proof=now.proof_words,
        proof_bad=now.proof_verdict in {"different", "failed"},
        proving=row.proving,
        provable=target is not None and target.kind != "ssh" and row.copied_at is not None,
        by_guid=BY_GUID_ALONE if target is not None and target.kind == "ssh" else "",
    )


def urgency(state: StateView) -> int:
    """What somebody has to look at comes first, then what is under way."""
    return _URGENCY.index(state.tone)


def target_name(task: Replication, target: Target | None) -> str:
    """Where the replica lies, in words."""
    if target is None:
        return "a target that was removed"
    return f"this machine, from {target.name}" if task.pull else target.name


def when_words(task: Replication, inventory: Inventory) -> str:
    """When it runs by itself, and when next."""
    if not task.enabled:
        return "Paused until you resume it."
    schedule = schedule_of(task, inventory)
    if schedule is not None:
        coming = cron.first(1, schedule.cron, schedule.time_zone, datetime.now(UTC))
        then = f", next {on_the_wall(coming[0], schedule.time_zone)}" if coming else ""
        return f"{capital(sentence(schedule.cron))}{then}."
    if task.after_snapshots:
        return "After each run of the snapshot policies."
    return "Only when somebody starts it."


def progress_view(run: RunProgress) -> ProgressView:
    """How far it is, with its rate and what is left."""
    if not run.expected_bytes:
        return ProgressView(sent_bytes=run.sent_bytes, expected_bytes=0, figures="", left="")
    figures = f"{binary(run.sent_bytes)} of about {binary(run.expected_bytes)}"
    if run.bytes_per_s:
        figures = f"{figures}, {rate(run.bytes_per_s)}"
    left = f"About {span(run.eta_s)} left." if run.eta_s else ""
    return ProgressView(
        sent_bytes=run.sent_bytes, expected_bytes=run.expected_bytes, figures=figures, left=left
    )


def dataset_rows(
    run: RunProgress, task: Replication, row: TaskRow, inventory: Inventory
) -> tuple[DatasetRow, ...]:
    """What stands in the way first, then what is being sent; of many the first hundred."""
    replicas = {} if (report := report_of(row)) is None else {one.source: one for one in report.datasets}
    rows = []
    for one in sorted(run.datasets, key=lambda one: _FIRST_SHOWN.index(one.state))[:_MOST_DATASETS]:
        replica = replicas.get(one.source)
        expected = one.expected_bytes or 0
        rows.append(
            DatasetRow(
                source=one.source,
                target=one.target,
                state=tone_view(*_DATASET[one.state]),
                newest=one.newest or "",
                newest_at=None if one.newest_at is None else datetime.fromtimestamp(one.newest_at, UTC),
                sent=_sent(one.sent_bytes, expected),
                sent_bytes=one.sent_bytes,
                expected_bytes=expected if one.state == "sending" else 0,
                words=one.words,
                way_out=None if replica is None else ways_out.of_replica(replica, task, inventory),
                droppable=replica is not None and replica.code == "stale-token",
            )
        )
    return tuple(rows)


def run_views(rows: list[RunRow]) -> tuple[RunView, ...]:
    """Runs that have ended."""
    return tuple(
        RunView(
            started=row.started,
            took=span((row.finished - row.started).total_seconds()),
            state=tone_view(*_VERDICTS.get(row.verdict, ("idle", row.verdict))),
            sent_bytes=row.sent_bytes,
            words=row.words,
        )
        for row in rows
    )


def hidden(run: RunProgress) -> str:
    """What of it is not shown."""
    more = len(run.datasets) - _MOST_DATASETS
    return f"And {counted(more, 'more dataset')}." if more > 0 else ""


def _sent(sent: int, expected: int) -> str:
    if not expected:
        return binary(sent) if sent else "–"
    return f"{binary(sent)} of {binary(expected)}" if sent < expected else binary(sent)


def _finished(row: TaskRow) -> datetime | None:
    report = report_of(row)
    return moment(report.finished_at) if report else None
