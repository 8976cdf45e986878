"""Measurements of datasets and pools on a simulated machine: how far one has come follows from the clock."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import msgspec

from host import mount_guard
from host.base import Result
from host.benchmark.values import Benchmark
from host.blocks.values import PoolBlocks
from host.commands.datasets.measuring import (
    ListMeasurements,
    MeasureCompression,
    MeasurementSaid,
    ReadMeasured,
    ScanFiles,
    StopMeasuring,
    What,
    unit_of,
)
from host.commands.datasets.zfs import ZfsDestroy
from host.commands.network_speed import ListenForSpeedTests, MeasureNetworkSpeed
from host.commands.pools.benchmark import RemoveBenchmarkDataset, StartBenchmark, dataset_of
from host.commands.pools.blocks import CountBlocks
from host.commands.pools.dedup import EstimateDedup, ReadDedupTable
from host.compression.values import Measured
from host.dedup.values import DedupEstimate
from host.files.opening import Unreachable
from host.measuring.pausing import STOPPED
from host.measuring.places import REPORTS
from host.network_speed.values import NetworkSpeed
from host.scan.values import Scanned
from host.simulated.datasets.file_tree import Tree, reached
from host.simulated.datasets.lifecycle import destroy, find
from host.simulated.handlers import always, on
from host.simulated.measuring import (
    benchmark_report,
    blocks_report,
    compression_report,
    dedup_report,
    network_report,
    scan_report,
)
from host.simulated.refusal import Refusal, done
from host.simulated.runs import MeasuringRun
from host.simulated.state import FileState, Machine, Snapshot
from host.system.own_datasets import MADE_BY_BENCHMARK

_LASTS_S: dict[What, float] = {
    "compression": compression_report.LASTS_S, "files": scan_report.LASTS_S, "dedup": dedup_report.LASTS_S,
    "blocks": blocks_report.LASTS_S, "benchmark": benchmark_report.LASTS_S,
}  # fmt: skip


def start(machine: Machine, command: MeasureCompression | ScanFiles) -> Result:
    """systemd-run: ends once the snapshot is mounted."""
    what: What = "compression" if isinstance(command, MeasureCompression) else "files"
    _is_idle(machine, what, command.run)
    if not any(one.tag == command.tag for one in _snapshots(machine, command.dataset)):
        raise _refused(machine, unit_of(what, command.run), "No such file or directory.")
    run = MeasuringRun(
        what=what, run=command.run, dataset=command.dataset, tag=command.tag, started=machine.now()
    )
    if isinstance(command, ScanFiles):
        run.compares = command.compare
    if isinstance(command, MeasureCompression):
        run.record_bytes, run.ashift, run.embeds = command.record_bytes, command.ashift, command.embeds
    return _begun(machine, run)


def estimate(machine: Machine, command: EstimateDedup) -> Result:
    """systemd-run: ends once the pool was found."""
    _is_idle(machine, "dedup", command.run)
    if command.pool not in machine.pools:
        why = f"cannot open '{command.pool}': dataset does not exist"
        raise _refused(machine, unit_of("dedup", command.run), why)
    run = MeasuringRun(what="dedup", run=command.run, dataset=command.pool, tag="", started=machine.now())
    return _begun(machine, run)


def count(machine: Machine, command: CountBlocks) -> Result:
    """systemd-run: ends once the pool was found."""
    _is_idle(machine, "blocks", command.run)
    if command.pool not in machine.pools:
        why = f"cannot open '{command.pool}': no such pool"
        raise _refused(machine, unit_of("blocks", command.run), why)
    run = MeasuringRun(what="blocks", run=command.run, dataset=command.pool, tag="", started=machine.now())
    return _begun(machine, run)


def benchmark(machine: Machine, command: StartBenchmark) -> Result:
    """systemd-run: ends once its dataset is mounted."""
    _is_idle(machine, "benchmark", command.run)
    if command.pool not in machine.pools:
        why = f"cannot create '{dataset_of(command.pool)}': no such pool '{command.pool}'"
        raise _refused(machine, unit_of("benchmark", command.run), why)
    run = MeasuringRun(
        what="benchmark", run=command.run, dataset=command.pool, tag="", started=machine.now(),
        benchmark=command,
    )  # fmt: skip
    return _begun(machine, run)


def network(machine: Machine, command: MeasureNetworkSpeed | ListenForSpeedTests) -> Result:
    """systemd-run: ends once the other machine was looked up."""
    _is_idle(machine, "network", command.run)
    run = MeasuringRun(
        what="network", run=command.run, dataset="network", tag="", started=machine.now(), network=command
    )
    return _begun(machine, run)


def remove(machine: Machine, command: RemoveBenchmarkDataset) -> Result:
    """zfs destroy, where the mark lets it: a simulated benchmark itself writes nothing."""
    name = dataset_of(command.pool)
    _, dataset = find(machine, name)
    marked = dataset.values.get(MADE_BY_BENCHMARK)
    if why := command.objection("-\t-\n" if marked is None else f"{marked}\tlocal\n"):
        raise Refusal(mount_guard.refused(command, why).result.stderr, exit_status=mount_guard.REFUSED)
    return destroy(machine, ZfsDestroy(name=name, recursive=True))


def _is_idle(machine: Machine, what: What, run: str) -> None:
    last = machine.measuring_runs.get(f"{what}-{run}")
    if last is not None and _ended(machine, last) is None:
        there = f"Unit {unit_of(what, run)} was already loaded or has a fragment file."
        raise Refusal(f"Failed to start transient service unit: {there}\n")


def _refused(machine: Machine, unit: str, why: str) -> Refusal:
    machine.refused[unit] = machine.now(), why
    hint = f'See "systemctl status {unit}" and "journalctl -xeu {unit}" for details.'
    return Refusal(f"Job for {unit} failed.\n{hint}\n")


def _begun(machine: Machine, run: MeasuringRun) -> Result:
    machine.measuring_runs[f"{run.what}-{run.run}"] = run
    return done(stderr=f"Running as unit: {unit_of(run.what, run.run)}\n")


def table(machine: Machine, command: ReadDedupTable) -> str:
    """zpool status -D: nothing is deduplicated here."""
    if command.pool not in machine.pools:
        raise Refusal(f"cannot open '{command.pool}': no such pool\n")
    return (
        f"  pool: {command.pool}\n state: ONLINE\n\nerrors: No known data errors\n\n dedup: no DDT entries\n"
    )


def stop(machine: Machine, command: StopMeasuring) -> Result:
    """systemctl stop."""
    run = machine.measuring_runs.get(f"{command.what}-{command.run}")
    if run is None or _ended(machine, run) is not None:
        unit = unit_of(command.what, command.run)
        raise Refusal(f"Failed to stop {unit}: Unit {unit} not loaded.\n", exit_status=5)
    run.stopped = machine.now()
    return done()


def read(machine: Machine, command: ReadMeasured) -> Result:
    """cat of the report."""
    name = f"{command.what}-{command.run}"
    run = machine.measuring_runs.get(name)
    if run is None:
        raise Refusal(f"cat: {REPORTS}/{name}.json: No such file or directory\n")
    return done(msgspec.json.encode(_report(machine, run)).decode())


def list_runs(machine: Machine) -> str:
    """`systemctl list-units --output=json`."""
    rows = [
        {
            "unit": unit_of(run.what, run.run), "load": "loaded", "active": "active", "sub": "running",
            "description": f"Nasweb measures {run.what} of {run.dataset}",
        }
        for _, run in sorted(machine.measuring_runs.items())
        if _ended(machine, run) is None
    ]  # fmt: skip
    return msgspec.json.encode(rows).decode() + "\n"


def said(machine: Machine, command: MeasurementSaid) -> str:
    """journalctl: the last line of the unit's program."""
    _, why = machine.refused.get(unit_of(command.what, command.run), (0.0, ""))
    return f"{why}\n" if why else ""


def _snapshots(machine: Machine, name: str) -> list[Snapshot]:
    pool = machine.pools.get(name.partition("/")[0])
    dataset = pool.datasets.get(name) if pool else None
    return [] if dataset is None else list(dataset.snapshots)


def _ended(machine: Machine, run: MeasuringRun) -> float | None:
    """When it ended; None while it goes on."""
    lasts_s = _LASTS_S[run.what] if run.network is None else network_report.lasts_s(run.network)
    ends = (run.stopped, run.cut_off, run.started + lasts_s)
    first = min(end for end in ends if end is not None)
    return first if machine.now() >= first else None


def _report(
    machine: Machine, run: MeasuringRun
) -> Measured | Scanned | DedupEstimate | PoolBlocks | Benchmark | NetworkSpeed:
    ended = _ended(machine, run)
    at = machine.now() if ended is None else ended
    over, stopped = ended is not None and run.cut_off != ended, run.stopped == ended
    passed_s = at - run.started
    found: Measured | Scanned | DedupEstimate | PoolBlocks | Benchmark | NetworkSpeed
    if run.network is not None:
        found = network_report.report(machine, run.network, passed_s, ended=over, stopped=stopped)
    elif run.benchmark is not None:
        found = benchmark_report.report(run.benchmark, passed_s, ended=over, stopped=stopped)
    elif run.what == "dedup":
        found = dedup_report.report(machine, run.dataset, passed_s, ended=over, stopped=stopped)
    elif run.what == "blocks":
        found = blocks_report.report(machine, run.dataset, passed_s, ended=over, stopped=stopped)
    else:
        found = _of_files(machine, run, passed_s, over=over, stopped=stopped)
    times: dict[str, Any] = {"run": run.run, "started_at": _iso(run.started), "updated_at": _iso(at)}
    times["finished_at"] = None if found.verdict is None else _iso(at)
    return msgspec.structs.replace(found, **times)


def _of_files(
    machine: Machine, run: MeasuringRun, passed_s: float, *, over: bool, stopped: bool
) -> Measured | Scanned:
    try:
        tree = reached(machine, run.dataset, run.tag)[2]
    except Unreachable:  # the dataset has gone since
        found = _found([], Tree({}), run, passed_s, over=False)
        found = msgspec.structs.replace(found, verdict="failed", phase="done")
    else:
        files = [one for one in tree.below("") if one.kind == "file"]
        found = _found(files, tree, run, passed_s, over=over)
        if over:
            verdict, words = ("stopped", STOPPED) if stopped else ("done", "")
            if found.verdict == "empty" and verdict == "done":
                verdict, words = "empty", found.words
            found = msgspec.structs.replace(found, verdict=verdict, words=words, phase="done", left_s=None)
    return msgspec.structs.replace(found, dataset=run.dataset, snapshot=run.tag)


def _found(
    files: list[FileState], tree: Tree, run: MeasuringRun, passed_s: float, *, over: bool
) -> Measured | Scanned:
    if run.what == "compression":
        return compression_report.report(
            [one for one in files if one.size], passed_s, over=over, record_bytes=run.record_bytes,
            ashift=run.ashift, embeds=run.embeds,
        )  # fmt: skip
    return scan_report.report(files, tree, run, passed_s, over=over)


def _iso(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds")


HANDLERS = (
    on(MeasureCompression, start)
    | on(ScanFiles, start)
    | on(EstimateDedup, estimate)
    | on(CountBlocks, count)
    | on(StartBenchmark, benchmark)
    | on(RemoveBenchmarkDataset, remove)
    | on(MeasureNetworkSpeed, network)
    | on(ListenForSpeedTests, network)
    | on(ReadDedupTable, table)
    | on(StopMeasuring, stop)
    | on(ReadMeasured, read)
    | always(ListMeasurements, list_runs)
    | on(MeasurementSaid, said)
)
