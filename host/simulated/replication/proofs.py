"""Proofs of replicas on a simulated machine: its files are compared by the real program's own code."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import msgspec

from host.base import Result
from host.commands.replication.runs import ReadProof, StartProof, StopProof, proof_unit
from host.programs.replicate.prove import Proving
from host.programs.replicate.reading import Files, There
from host.programs.replicate.side import Side
from host.replication.proof import BY_GUID_ALONE, Proof
from host.simulated.handlers import Handlers, on
from host.simulated.refusal import Refusal, done
from host.simulated.replication.hashes import frozen
from host.simulated.replication.points import sides
from host.simulated.runs import ProofRun
from host.simulated.state import Machine

_TAKES_S = 5.0


def due(machine: Machine) -> bool:
    """Whether one has come to its end."""
    return any(_is_over(machine, run) for run in machine.proofs.values())


def settle(machine: Machine) -> None:
    """Compare where the time is over."""
    for run in machine.proofs.values():
        if _is_over(machine, run):
            run.report = _compared(machine, run)


def _is_over(machine: Machine, run: ProofRun) -> bool:
    return run.report is None and machine.now() >= run.started + _TAKES_S


class _Report:
    """What the program writes down, ended at a moment."""

    def __init__(self, task: str, started_at: str, ended_at: str) -> None:
        self.content = Proof(task=task, started_at=started_at, updated_at=ended_at)

    def note(self, **changes: object) -> None:
        """Change fields of the content."""
        self.content = msgspec.structs.replace(self.content, **changes)

    def close(self, verdict: str, words: str) -> None:
        """The outcome."""
        self.note(verdict=verdict, words=words, finished_at=self.content.updated_at)


def _compared(machine: Machine, run: ProofRun) -> Proof:
    report = _Report(run.task.id, _iso(run.started), _iso(run.started + _TAKES_S))
    if run.task.connection is not None and run.task.connection.kind == "ssh":
        report.close("failed", BY_GUID_ALONE)
        return report.content

    @contextmanager
    def opened(side: Side, snapshot: str) -> Iterator[Files]:
        yield There(side, snapshot) if side.elsewhere else frozen(machine, snapshot)

    Proving(
        run.task, *sides(machine, run.task), report, opened=opened, asked_to_stop=lambda: False,
        chance=random.Random(0),  # noqa: S311 - the same files each time
    ).carry_out()  # fmt: skip
    return report.content


def _start(machine: Machine, command: StartProof) -> Result:
    last = machine.proofs.get(command.task.id)
    unit = proof_unit(command.task.id)
    if last is not None and last.report is None:
        there = f"Unit {unit} was already loaded or has a fragment file."
        raise Refusal(f"Failed to start transient service unit: {there}\n")
    machine.proofs[command.task.id] = ProofRun(task=command.task, started=machine.now())
    return done(stderr=f"Running as unit: {unit}\n")


def _stop(machine: Machine, command: StopProof) -> Result:
    run, unit = machine.proofs.get(command.task), proof_unit(command.task)
    if run is None or run.report is not None:
        raise Refusal(f"Failed to stop {unit}: Unit {unit} not loaded.\n", exit_status=5)
    report = _Report(command.task, _iso(run.started), _iso(machine.now()))
    report.close("stopped", "")
    run.report = report.content
    return done()


def _read(machine: Machine, command: ReadProof) -> Result:
    run = machine.proofs.get(command.task)
    if run is None:
        raise Refusal(f"cat: {command.task}.proof.json: No such file or directory\n")
    begun = Proof(task=command.task, started_at=_iso(run.started), updated_at=_iso(machine.now()))
    return done(msgspec.json.encode(run.report or begun).decode())


def _iso(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds")


HANDLERS: Handlers = on(StartProof, _start) | on(StopProof, _stop) | on(ReadProof, _read)
