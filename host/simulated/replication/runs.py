"""Runs of replications on a simulated machine: planned at once, carried out when their time is over."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import msgspec

from host.base import HostError, Result
from host.commands.replication.runs import (
    DropPartial,
    FinishReplication,
    ForgetReplication,
    ListReplications,
    PlanReplication,
    ReadReplication,
    ReplicationSaid,
    StartReplication,
    StopReplication,
    proof_unit,
    run_unit,
)
from host.commands.replication.streams import ReceiveStream, SendRest, SendStream
from host.commands.replication.task import Task
from host.pipeline import Carried
from host.programs.replicate.progress import Progress
from host.programs.replicate.run import Broken, Carrying, Run, forget
from host.replication.values import Replica, Replicated
from host.simulated.datasets.lifecycle import find
from host.simulated.handlers import always, on
from host.simulated.refusal import Refusal, done
from host.simulated.replication import proofs
from host.simulated.replication.points import sides
from host.simulated.replication.streams import transfer
from host.simulated.runs import ReplicationRun
from host.simulated.state import Machine

_BYTES_PER_S = 250_000_000
_LEAST_S, _MOST_S = 3.0, 100.0


def due(machine: Machine) -> bool:
    """Whether a run has come to its end."""
    return any(_is_over(machine, run) for run in machine.replications.values()) or proofs.due(machine)


def settle(machine: Machine) -> None:
    """Carry out what has come to its end."""
    for run in machine.replications.values():
        if _is_over(machine, run):
            run.report = _carried_out(machine, run)
    proofs.settle(machine)


def _is_over(machine: Machine, run: ReplicationRun) -> bool:
    return run.report is None and machine.now() >= run.started + run.seconds


def _planned(machine: Machine, task: Task) -> Replicated:
    progress = Progress(task.id, machine.now, None)
    try:
        Run(task, *sides(machine, task), progress).plan()
    except Broken as error:
        return msgspec.structs.replace(progress.content, verdict="failed", words=str(error), code=error.code)
    return progress.content


def _carried_out(machine: Machine, run: ReplicationRun) -> Replicated:
    progress = Progress(run.task.id, machine.now, None)

    def carry(stream: SendStream | SendRest, receive: ReceiveStream) -> Carried:
        if isinstance(stream, SendRest):
            raise TypeError("Nothing is ever broken off here")
        carried = transfer(machine, stream, receive)
        progress.passed(carried.size_bytes)
        return carried

    words, code = "", ""
    try:
        verdict = _run(machine, run.task, progress, carry).carry_out()
    except Broken as error:
        verdict, words, code = "failed", str(error), error.code
    except HostError as error:
        verdict, words = "failed", str(error)
    ended = _iso(run.started + run.seconds)
    return msgspec.structs.replace(
        progress.content, started_at=_iso(run.started), updated_at=ended, finished_at=ended,
        verdict=verdict, words=words, code=code, bytes_per_s=0,
    )  # fmt: skip


def _run(machine: Machine, task: Task, progress: Progress, carry: Carrying) -> Run:
    def now() -> datetime:
        return datetime.fromtimestamp(machine.now(), UTC)

    return Run(task, *sides(machine, task), progress, carry, now=now)


def _plan(machine: Machine, command: PlanReplication) -> str:
    return msgspec.json.encode(_planned(machine, command.task)).decode()


def _start(machine: Machine, command: StartReplication) -> Result:
    task = command.task
    last = machine.replications.get(task.id)
    unit = run_unit(task.id)
    if last is not None and last.report is None:
        there = f"Unit {unit} was already loaded or has a fragment file."
        raise Refusal(f"Failed to start transient service unit: {there}\n")
    planned = _planned(machine, task)
    seconds = min(_MOST_S, max(_LEAST_S, planned.expected_bytes / _BYTES_PER_S))
    machine.replications[task.id] = ReplicationRun(
        task=task, planned=planned, started=machine.now(), seconds=seconds
    )
    return done(stderr=f"Running as unit: {unit}\n")


def _finish(machine: Machine, command: FinishReplication) -> Result:
    _start(machine, StartReplication(task=command.task))
    run = machine.replications[command.task.id]
    run.seconds = 0.0
    run.report = report = _carried_out(machine, run)
    if report.verdict != "done":
        why = report.words or next(
            (one.said or one.code for one in report.datasets if one.said or one.code), ""
        )
        raise Refusal(f"Not all of it arrived. {why}\n", exit_status=3)
    return done()


def _stop(machine: Machine, command: StopReplication) -> Result:
    run = machine.replications.get(command.task)
    unit = run_unit(command.task)
    if run is None or run.report is not None:
        raise Refusal(f"Failed to stop {unit}: Unit {unit} not loaded.\n", exit_status=5)
    run.report = msgspec.structs.replace(
        _report(machine, run), verdict="stopped", finished_at=_iso(machine.now()), bytes_per_s=0
    )
    return done()


def _drop(machine: Machine, command: DropPartial) -> Result:
    find(machine, command.replica)
    why = "dataset does not have any resumable receive state to abort"
    raise Refusal(f"cannot abort receive of '{command.replica}': {why}\n")


def _forget(machine: Machine, command: ForgetReplication) -> Result:
    forget(command.task, *sides(machine, command.task), here_only=command.here_only)
    return done()


def _read(machine: Machine, command: ReadReplication) -> Result:
    run = machine.replications.get(command.task)
    if run is None:
        raise Refusal(f"cat: {command.task}.json: No such file or directory\n")
    return done(msgspec.json.encode(_report(machine, run)).decode())


def _report(machine: Machine, run: ReplicationRun) -> Replicated:
    if run.report is not None:
        return run.report
    share = min(1.0, max(0.0, (machine.now() - run.started) / run.seconds))
    return msgspec.structs.replace(
        run.planned, started_at=_iso(run.started), updated_at=_iso(machine.now()),
        bytes_per_s=round(run.planned.expected_bytes / run.seconds),
        datasets=tuple(_partly(one, share) for one in run.planned.datasets),
    )  # fmt: skip


def _partly(one: Replica, share: float) -> Replica:
    if one.state != "waiting":
        return one
    return msgspec.structs.replace(one, state="sending", done_bytes=round((one.expected_bytes or 0) * share))


def _list(machine: Machine) -> str:
    rows = [
        {"unit": run_unit(task), "load": "loaded", "active": "active", "sub": "running", "description": ""}
        for task, run in sorted(machine.replications.items())
        if run.report is None
    ]
    rows += [
        {"unit": proof_unit(task), "load": "loaded", "active": "active", "sub": "running", "description": ""}
        for task, proof in sorted(machine.proofs.items())
        if proof.report is None
    ]
    return json.dumps(rows)


def _said(_: Machine) -> str:
    return ""


def _iso(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds")


HANDLERS = (
    on(PlanReplication, _plan)
    | on(StartReplication, _start)
    | on(FinishReplication, _finish)
    | on(StopReplication, _stop)
    | on(ForgetReplication, _forget)
    | on(DropPartial, _drop)
    | on(ReadReplication, _read)
    | always(ListReplications, _list)
    | always(ReplicationSaid, _said)
    | proofs.HANDLERS
)
