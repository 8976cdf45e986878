"""Measurements of compression on a simulated machine: sizes are those that the real compressions make of the
beginning of some of its files, speeds are those of a small processor.
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from itertools import islice

import msgspec

from host.base import Result
from host.commands.datasets.compression import (
    CompressionUnitSaid,
    ListCompressionRuns,
    MeasureCompression,
    ReadMeasuredCompression,
    StopMeasuringCompression,
    run_unit,
)
from host.compression.codecs import NAMES, Codecs, Timed
from host.compression.measuring import EMPTY, STOPPED, begun
from host.compression.places import REPORTS
from host.compression.stored import block_bytes
from host.compression.tally import Tally
from host.compression.values import Measured
from host.files.opening import Unreachable
from host.simulated.datasets.file_tree import content, reached
from host.simulated.handlers import always, on
from host.simulated.refusal import Refusal, done
from host.simulated.runs import CompressionRun
from host.simulated.state import Machine, Snapshot

LASTS_S = 60.0
_LISTING_S = 5.0
_CORES = 4
_MOST_FILES, _MOST_BYTES = 3, 16 << 10  # that are compressed
_FAST_MB, _OUT_MB = {"lz4": 620.0, "zstd-fast-1": 480.0}, {"lz4": 2400.0, "gzip": 330.0, "zstd": 950.0}


def start(machine: Machine, command: MeasureCompression) -> Result:
    """systemd-run: ends once the snapshot is mounted."""
    unit, last = run_unit(command.run), machine.compression_runs.get(command.run)
    if last is not None and _ended(machine, last) is None:
        there = f"Unit {unit} was already loaded or has a fragment file."
        raise Refusal(f"Failed to start transient service unit: {there}\n")
    if not any(one.tag == command.tag for one in _snapshots(machine, command.dataset)):
        machine.refused[unit] = machine.now(), "No such file or directory."
        hint = f'See "systemctl status {unit}" and "journalctl -xeu {unit}" for details.'
        raise Refusal(f"Job for {unit} failed.\n{hint}\n")
    machine.compression_runs[command.run] = CompressionRun(
        dataset=command.dataset, tag=command.tag, record_bytes=command.record_bytes, ashift=command.ashift,
        embeds=command.embeds, started=machine.now(),
    )  # fmt: skip
    return done(stderr=f"Running as unit: {unit}\n")


def stop(machine: Machine, command: StopMeasuringCompression) -> Result:
    """systemctl stop."""
    run = machine.compression_runs.get(command.run)
    if run is None or _ended(machine, run) is not None:
        unit = run_unit(command.run)
        raise Refusal(f"Failed to stop {unit}: Unit {unit} not loaded.\n", exit_status=5)
    run.stopped = machine.now()
    return done()


def read(machine: Machine, command: ReadMeasuredCompression) -> Result:
    """cat of the report."""
    run = machine.compression_runs.get(command.run)
    if run is None:
        path = f"{REPORTS}/{command.run}.json"
        raise Refusal(f"cat: {path}: No such file or directory\n")
    return done(msgspec.json.encode(_report(machine, command.run, run)).decode())


def list_runs(machine: Machine) -> str:
    """`systemctl list-units --output=json`."""
    rows = [
        {
            "unit": run_unit(name), "load": "loaded", "active": "active", "sub": "running",
            "description": f"Nasweb compression of {run.dataset}",
        }
        for name, run in sorted(machine.compression_runs.items())
        if _ended(machine, run) is None
    ]  # fmt: skip
    return msgspec.json.encode(rows).decode() + "\n"


def said(machine: Machine, command: CompressionUnitSaid) -> str:
    """journalctl: the last line of the unit's program."""
    _, why = machine.refused.get(run_unit(command.run), (0.0, ""))
    return f"{why}\n" if why else ""


def _snapshots(machine: Machine, name: str) -> list[Snapshot]:
    pool = machine.pools.get(name.partition("/")[0])
    dataset = pool.datasets.get(name) if pool else None
    return [] if dataset is None else list(dataset.snapshots)


def _ended(machine: Machine, run: CompressionRun) -> float | None:
    """When it ended; None while it goes on."""
    ends = (run.stopped, run.cut_off, run.started + LASTS_S)
    first = min(end for end in ends if end is not None)
    return first if machine.now() >= first else None


def _report(machine: Machine, name: str, run: CompressionRun) -> Measured:
    ended = _ended(machine, run)
    at = machine.now() if ended is None else ended
    report = begun(
        _iso(run.started), run=name, dataset=run.dataset, snapshot=run.tag, record_bytes=run.record_bytes,
        ashift=run.ashift, cores=_CORES, updated_at=_iso(at),
    )  # fmt: skip
    try:
        tree = reached(machine, run.dataset, run.tag)[2]
    except Unreachable:  # the dataset has gone since
        return msgspec.structs.replace(report, verdict="failed", finished_at=_iso(at), phase="done")
    files = [one for one in tree.below("") if one.kind == "file" and one.size]
    passed = at - run.started
    if passed < _LISTING_S and ended is None:
        return report
    sample = min(len(files), _MOST_FILES)
    share = min(1.0, max(0.0, (passed - _LISTING_S) / (LASTS_S - _LISTING_S)))
    report = msgspec.structs.replace(
        report, files=len(files), blocks=sample, phase="compressing",
        left_s=round(LASTS_S - passed),
    )  # fmt: skip
    tally = Tally(ashift=run.ashift, embeds=run.embeds)
    if share:
        for one in islice(files, _MOST_FILES):
            size = min(_MOST_BYTES, block_bytes(one.size, run.record_bytes))
            tally.add(size, _timed(content(one)[:size].ljust(size, b"\0")))
    report = msgspec.structs.replace(
        report, logical_bytes=tally.logical_bytes, choices=tally.choices(), measured_blocks=tally.blocks
    )
    if ended is None or run.cut_off == ended:
        return report
    verdict, words = ("stopped", STOPPED) if run.stopped == ended else ("done", "")
    if verdict == "done" and not tally.blocks:
        verdict, words = "empty", EMPTY
    return msgspec.structs.replace(
        report, verdict=verdict, words=words, phase="done", left_s=None, finished_at=_iso(ended)
    )


@cache
def _timed(block: bytes) -> dict[str, Timed]:
    """By the real compressions, with the speeds of the simulated processor."""
    found = Codecs(lambda: 0.0).each(block, lambda: False) or {}
    return {name: _at_speed(name, len(block), found[name]) for name in NAMES}


def _at_speed(name: str, size: int, one: Timed) -> Timed:
    if one.in_s is None or name == "off":
        return one
    kind, _, level = name.rpartition("-")
    packing = _FAST_MB.get(name) or (90.0 if kind == "gzip" else 420.0) / int(level) ** 1.6
    reading = _OUT_MB[(kind or name).partition("-")[0]]
    out_s = 0.0 if one.packed_bytes is None else size / (reading * 1e6)
    return Timed(packed_bytes=one.packed_bytes, in_s=size / (packing * 1e6), out_s=out_s)


def _iso(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds")


HANDLERS = (
    on(MeasureCompression, start)
    | on(StopMeasuringCompression, stop)
    | on(ReadMeasuredCompression, read)
    | always(ListCompressionRuns, list_runs)
    | on(CompressionUnitSaid, said)
)
