"""Reads how runs of replications stand."""

from __future__ import annotations

import msgspec

from host import typed
from host.base import Host
from host.commands.replication.runs import (
    ListReplications,
    PlanReplication,
    ReadProof,
    ReadReplication,
    proof_unit,
    run_unit,
)
from host.commands.replication.task import Task
from host.replication.proof import Proof
from host.replication.values import Replicated

_ENDED_SILENTLY = "It ended without a word of its own, as at a power cut or a restart of the machine."
_RUNNING = {"active", "activating", "deactivating", "reloading"}


class _Row(msgspec.Struct, frozen=True):
    unit: str
    active: str


_rows = msgspec.json.Decoder(tuple[_Row, ...])
_proofs = msgspec.json.Decoder(Proof)
_reports = msgspec.json.Decoder(Replicated)


def read_running(host: Host) -> frozenset[str]:
    """The units of runs and proofs that are under way. Raises `HostError`."""
    rows = typed.decode_by(_rows, host.run(ListReplications()).stdout.encode())
    return frozenset(row.unit for row in rows if row.active in _RUNNING)


def read_report(host: Host, task: str) -> Replicated | None:
    """What the last run of a task wrote; None where there was none. Raises `HostError`."""
    text = host.run(ReadReplication(task=task)).stdout
    return typed.decode_by(_reports, text.encode()) if text else None


def read_run(host: Host, task: str) -> Replicated | None:
    """The same, and "failed" for one that goes on although its unit is gone: it was cut off. One that has
    written its verdict has ended once its unit is gone: before that no other one can be started."""
    running = run_unit(task) in read_running(host)
    report = read_report(host, task)
    if running and report is not None:
        return msgspec.structs.replace(report, verdict=None, finished_at=None)
    if report is None or report.verdict is not None:
        return report
    return msgspec.structs.replace(
        report, verdict="failed", finished_at=report.updated_at, code="interrupted", words=_ENDED_SILENTLY
    )


def read_proof(host: Host, task: str) -> Proof | None:
    """What the last proof of a task wrote, "failed" for one that was cut off; None where there was none. It
    has ended once its unit is gone, as in `read_run`."""
    running = proof_unit(task) in read_running(host)
    text = host.run(ReadProof(task=task)).stdout
    proof = typed.decode_by(_proofs, text.encode()) if text else None
    if running and proof is not None:
        return msgspec.structs.replace(proof, verdict=None, finished_at=None)
    if proof is None or proof.verdict is not None:
        return proof
    return msgspec.structs.replace(
        proof, verdict="failed", finished_at=proof.updated_at, words=_ENDED_SILENTLY
    )


def read_plan(host: Host, task: Task, key: str) -> Replicated:
    """What a run would send now; `key` is new each time. Raises `HostError`."""
    return typed.decode_by(_reports, host.run(PlanReplication(task=task, key=key)).stdout.encode())
