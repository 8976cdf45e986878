"""`replications/`: what is replicated where, when, and how old the copies are."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from host.commands.replication.task import ReplicaRetention
from host.inventory import Inventory
from host.replication.proof import Verdict as ProofVerdict
from host.replication.values import Replication, Verdict
from jobs.api import paging
from jobs.api.document import PAGING, PREFER, describe
from jobs.api.operations import writes
from jobs.api.questions import StillAsking, answered
from jobs.api.schedules import ScheduleAnswer
from jobs.api.schedules import answer as schedule_answer
from jobs.api.shapes import Moment
from jobs.api.views import View, found, inventory_now
from replication.models import RunRow, TaskRow
from replication.replications.change import ChangeReplication
from replication.replications.create import CreateReplication
from replication.replications.delete import DeleteReplication
from replication.replications.drop_partial import DropPartialCopy
from replication.replications.progress import ReplicationRun
from replication.replications.prove import ProveReplica
from replication.replications.run import RunReplication, StopReplicationRun
from replication.replications.standing import Standing, standing_of
from replication.replications.times import schedule_of


class LimitAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """No more than so many bytes a second, between two times of the day such as 08:00."""

    bytes_per_s: int
    start: str
    end: str


class ReplicationAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A replication. `copied_at` is when the oldest of its newest copies was made, null while a dataset has
    none; `late` once that is longer ago than `aim_hours`. `proven_at` is when files were compared last and
    found to be the same. `leads_back`: it copies `dataset` back to `source` for now."""

    id: int
    name: str
    source: str
    target: str
    dataset: str
    pull: bool
    recursive: bool
    excluded: tuple[str, ...]
    raw: bool
    properties: bool
    own_snapshots: bool
    after_snapshots: bool
    limits: tuple[LimitAnswer, ...]
    keep: ReplicaRetention | None
    schedule: ScheduleAnswer | None
    aim_hours: int
    enabled: bool
    leads_back: bool
    running: bool
    copied_at: Moment | None
    late: bool
    last_verdict: Verdict | None
    last_words: str
    proving: bool
    proven_at: Moment | None
    proof_verdict: ProofVerdict | None
    proof_words: str


class ReplicationPage(msgspec.Struct, frozen=True, kw_only=True):
    """Replications by their names."""

    results: tuple[ReplicationAnswer, ...]
    next: str | None
    as_of: Moment


class RunAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A run that has ended."""

    started: Moment
    finished: Moment
    verdict: str
    words: str
    sent_bytes: int
    datasets: int


class RunPage(msgspec.Struct, frozen=True, kw_only=True):
    """Runs of a replication, newest first."""

    results: tuple[RunAnswer, ...]
    next: str | None


class Replications(View):
    """All of them."""

    area = "pools"

    @describe("list_replications", {200: ReplicationPage}, parameters=PAGING)
    def get(self, request: Request) -> Response:
        """A page of replications with the age of their copies."""
        inventory = inventory_now()
        rows = {row.pk: row for row in TaskRow.objects.all()}
        tasks = tuple(task for task in inventory.replicating.tasks if task.id in rows)
        return paging.of_values(
            request, tasks, key=lambda task: task.name,
            show=lambda task: _answer(task, rows[task.id], inventory), as_of=inventory.as_of,
        )  # fmt: skip

    @writes("replication.create", CreateReplication)
    def post(self, request: Request) -> Mapping[str, Any]:
        """Replicate a dataset to a target. Nothing is sent before its first run."""
        return {}


class OneReplication(View):
    """One of them."""

    area = "pools"

    @describe("get_replication", {200: ReplicationAnswer})
    def get(self, request: Request, number: int) -> Response:
        """The replication, and how its last run ended."""
        inventory = inventory_now()
        row = found(TaskRow.objects.filter(pk=number).first(), "replication")  # deleted a moment ago
        return Response(_answer(task_by(number, inventory), row, inventory))

    @writes("replication.change", ChangeReplication, by_path=("id",))
    def patch(self, request: Request, number: int) -> Mapping[str, Any]:
        """Other times, limits or exclusions; `enabled` pauses it and lets it go on."""
        return {"id": task_by(number, inventory_now()).id}

    @writes("replication.delete", DeleteReplication, by_path=("id",))
    def delete(self, request: Request, number: int) -> Mapping[str, Any]:
        """Delete it. The replica stays."""
        return {"id": task_by(number, inventory_now()).id}


class Run(View):
    """Its next run."""

    area = "pools"

    @writes("replication.run", RunReplication, by_path=("name",))
    def post(self, request: Request, number: int) -> Mapping[str, Any]:
        """Bring the replica up to date now. The job ends when the run has begun."""
        return {"name": task_by(number, inventory_now()).name}


class Stop(View):
    """The run that is under way."""

    area = "pools"

    @writes("replication.stop", StopReplicationRun, by_path=("name",))
    def post(self, request: Request, number: int) -> Mapping[str, Any]:
        """End it. What has arrived stays."""
        return {"name": task_by(number, inventory_now()).name}


class Prove(View):
    """Whether the copy can be read, and is one."""

    area = "pools"

    @writes("replication.prove", ProveReplica, by_path=("name",))
    def post(self, request: Request, number: int) -> Mapping[str, Any]:
        """Compare some hundred files by hash. The job ends when the proof has begun."""
        return {"name": task_by(number, inventory_now()).name}


class DropPartialStream(View):
    """A stream that was broken off and cannot go on."""

    area = "pools"

    @writes("replication.drop-partial", DropPartialCopy, by_path=("name",))
    def post(self, request: Request, number: int) -> Mapping[str, Any]:
        """Drop what has arrived of it. Finished snapshots stay."""
        return {"name": task_by(number, inventory_now()).name}


class RunProgressView(View):
    """How the last run stands."""

    area = "pools"

    @describe("get_replication_progress", {200: ReplicationRun, 202: StillAsking}, parameters=[PREFER])
    def get(self, request: Request, number: int) -> Response:
        """Dataset by dataset: what was sent, what is left, and what stands in the way."""
        return answered(request, "replication.progress", {"name": task_by(number, inventory_now()).name})


class Estimate(View):
    """What a run would send."""

    area = "pools"

    @describe("estimate_replication", {200: ReplicationRun, 202: StillAsking}, parameters=[PREFER])
    def get(self, request: Request, number: int) -> Response:
        """Dataset by dataset, with the bytes that zfs expects. Nothing is sent."""
        return answered(request, "replication.estimate", {"name": task_by(number, inventory_now()).name})


class Runs(View):
    """What became of earlier runs."""

    area = "pools"

    @describe("list_replication_runs", {200: RunPage}, parameters=PAGING)
    def get(self, request: Request, number: int) -> Response:
        """A page of runs that have ended, newest first."""
        rows = RunRow.objects.filter(task_id=task_by(number, inventory_now()).id)
        return paging.of_rows(request, rows, show=_run)


def task_by(number: int, inventory: Inventory) -> Replication:
    return found(next((one for one in inventory.replicating.tasks if one.id == number), None), "replication")


def _answer(task: Replication, row: TaskRow, inventory: Inventory) -> ReplicationAnswer:
    target = inventory.replicating.target(task.target_id)
    schedule = schedule_of(task, inventory)
    now: Standing = standing_of(task, row, datetime.now(UTC))
    return ReplicationAnswer(
        id=task.id, name=task.name, source=task.source, target="" if target is None else target.name,
        dataset=task.target, pull=task.pull, recursive=task.recursive, excluded=task.excluded, raw=task.raw,
        properties=task.properties, own_snapshots=task.own_snapshots, after_snapshots=task.after_snapshots,
        limits=tuple(
            LimitAnswer(bytes_per_s=one.bytes_per_s, start=_clock(one.start_min), end=_clock(one.end_min))
            for one in task.limits
        ),
        keep=task.retention,
        schedule=None if schedule is None else schedule_answer(schedule, inventory),
        aim_hours=task.aim_hours, enabled=task.enabled, leads_back=task.back, running=row.running,
        copied_at=None if now.copied_at is None else now.copied_at.isoformat(timespec="seconds"),
        late=now.late, last_verdict=now.verdict, last_words=now.words,
        proving=row.proving,
        proven_at=None if now.proven_at is None else now.proven_at.isoformat(timespec="seconds"),
        proof_verdict=now.proof_verdict, proof_words=now.proof_words,
    )  # fmt: skip


def _clock(minute: int) -> str:
    return f"{minute // 60:02}:{minute % 60:02}"


def _run(row: RunRow) -> RunAnswer:
    return RunAnswer(
        started=row.started.isoformat(timespec="seconds"),
        finished=row.finished.isoformat(timespec="seconds"),
        verdict=row.verdict, words=row.words, sent_bytes=row.sent_bytes, datasets=row.datasets,
    )  # fmt: skip
