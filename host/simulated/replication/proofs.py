"""Proofs of replicas on a simulated machine: its files are compared as the real program compares a sample."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec

from host.base import Result
from host.commands.replication.runs import ReadProof, StartProof, proof_unit
from host.commands.replication.task import Task
from host.replication.proof import MOST_FILES, Proof, Proven, Verdict, shown, verdict_of
from host.simulated.datasets.file_tree import Tree, tree
from host.simulated.datasets.locks import is_locked
from host.simulated.handlers import Handlers, on
from host.simulated.refusal import Refusal, done
from host.simulated.runs import ProofRun
from host.simulated.state import Dataset, Machine, Pool

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


def _compared(machine: Machine, run: ProofRun) -> Proof:
    moment = _iso(run.started + _TAKES_S)
    found = tuple(_of_task(machine, run.task))
    words, verdict = "", verdict_of(found)
    if run.task.connection is not None:
        verdict, words = _elsewhere()
    return Proof(
        task=run.task.id, started_at=_iso(run.started), updated_at=moment, finished_at=moment,
        verdict=verdict, words=words, datasets=found,
    )  # fmt: skip


def _elsewhere() -> tuple[Verdict, str]:
    return "failed", "Of a replica on another machine only the snapshots are compared, by guid."


def _of_task(machine: Machine, task: Task) -> list[Proven]:
    source_pool = machine.pools.get(task.source.partition("/")[0])
    target_pool = machine.pools.get(task.target.partition("/")[0])
    if source_pool is None or target_pool is None or task.connection is not None:
        return []
    return [
        _of_dataset(source_pool, dataset, target_pool, target_pool.datasets[name])
        for dataset in sorted(source_pool.datasets.values(), key=lambda one: one.name)
        if task.wants(dataset.name) and (name := task.replica_of(dataset.name)) in target_pool.datasets
    ]


def _of_dataset(source_pool: Pool, source: Dataset, target_pool: Pool, target: Dataset) -> Proven:
    here = {one.guid: one for one in source.snapshots}
    common = next((one for one in reversed(target.snapshots) if one.guid in here), None)
    proven = Proven(
        source=source.name, target=target.name, snapshot="" if common is None else common.tag,
        result="unreachable",
    )  # fmt: skip
    if source.kind == "volume":
        return msgspec.structs.replace(proven, result="volume")
    if common is None:
        return msgspec.structs.replace(proven, said="No snapshot is on both sides now.")
    if is_locked(source_pool, source) or is_locked(target_pool, target):
        return msgspec.structs.replace(proven, result="locked", said="Permission denied")
    frozen = _files(tree(source_pool, source, txg=here[common.guid].createtxg))
    copy = _files(tree(target_pool, target, txg=common.createtxg))
    chosen = sorted(frozen)[:MOST_FILES]
    different = [path for path in chosen if copy.get(path) != frozen[path]]
    return msgspec.structs.replace(
        proven, result="different" if different else "same" if chosen else "empty", files=len(chosen),
        size_bytes=sum(frozen[path][0] for path in chosen), different=shown(different),
    )  # fmt: skip


def _files(found: Tree) -> dict[str, tuple[int, bytes | None]]:
    return {path: (one.size, one.data) for path, one in found.states.items() if one.kind == "file"}


def _start(machine: Machine, command: StartProof) -> Result:
    last = machine.proofs.get(command.task.id)
    if last is not None and last.report is None:
        unit = proof_unit(command.task.id)
        there = f"Unit {unit} was already loaded or has a fragment file."
        raise Refusal(f"Failed to start transient service unit: {there}\n")
    machine.proofs[command.task.id] = ProofRun(task=command.task, started=machine.now())
    return done()


def _read(machine: Machine, command: ReadProof) -> Result:
    run = machine.proofs.get(command.task)
    if run is None:
        raise Refusal(f"cat: {command.task}.proof.json: No such file or directory\n")
    begun = Proof(task=command.task, started_at=_iso(run.started), updated_at=_iso(machine.now()))
    return done(msgspec.json.encode(run.report or begun).decode())


def _iso(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds")


HANDLERS: Handlers = on(StartProof, _start) | on(ReadProof, _read)
