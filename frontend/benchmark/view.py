"""What the page shows of benchmarks: how one stands, and a row for each part of those that have ended."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

import msgspec

from frontend.measured import RunView
from frontend.units import binary, moment, rate, span
from host.benchmark.values import Benchmark, DiskRead, PartResult, Profile
from host.inventory import Disk, Inventory, Pool
from jobs.wording import grouped
from pools.benchmark.answers import PartFigures, PastBenchmark, disk_behind

PROFILES = {
    "sequential": "Large files: one is written, then read",
    "small-files": "Small files: thousands of 16 KiB",
    "mixed": "Mixed: random reads and writes of 16 KiB, 70 to 30",
    "sync-writes": "Synchronous writes of 4 KiB, as of databases and NFS",
    "streams": "Streams: several large files at once, for as many clients",
}
_PARTS = {
    ("write", "write"): "Write", ("read", "read"): "Read", ("create", "write"): "Create",
    ("mixed", "read"): "Random reads", ("mixed", "write"): "Random writes",
    ("one-writer", "write"): "One writer", ("sixteen-writers", "write"): "16 writers",
}  # fmt: skip
_DOING = {"files": "making files", "one-writer": "one writer", "sixteen-writers": "16 writers"}
_ENDED = {"done": "Measured", "stopped": "Stopped", "failed": "It did not finish"}
_ALIKE = 0.03  # runs differ by so much by themselves


class PartRow(msgspec.Struct, frozen=True, kw_only=True):
    """One part. `share` is of the best of all results with the same name and kind, for the bar."""

    name: str
    rate: str
    operations: str
    latency: str
    bottleneck: str
    of_expected: str
    against: str
    share: float


class ResultView(msgspec.Struct, frozen=True, kw_only=True):
    """One that has ended."""

    title: str
    choices: str
    finished: datetime | None
    well: bool
    words: str
    parts: tuple[PartRow, ...]
    since: tuple[str, ...]
    command: str


class Latest(msgspec.Struct, frozen=True, kw_only=True):
    """The newest one with large files: what was reached, in one line, and when."""

    words: str
    finished: datetime | None


class DiskRow(msgspec.Struct, frozen=True, kw_only=True):
    """A disk alone: at its beginning, in its middle and at its end."""

    name: str
    bay: str
    rates: tuple[str, ...]
    slow: bool


def run_view(run: Benchmark) -> RunView:
    """Of the last one."""
    return RunView(
        goes_on=run.verdict is None, well=run.verdict == "done", state=_state(run), words=run.words,
        since=run.started_at, counts=_choices(run),
    )  # fmt: skip


def _state(run: Benchmark) -> str:
    if run.verdict is not None:
        return _ENDED[run.verdict]
    doing = run.doing.rpartition("/")[2]
    what = {
        "disks": f"Reading {doing or 'each disk'} alone",
        "files": f"Measuring: {_DOING.get(doing, doing)}",
        "removing": "Destroying its dataset",
        "done": "Done",
    }[run.phase]
    left = f", about {span(run.left_s)} left" if run.left_s is not None else ""
    return f"{what}, {run.share:.0%} done{left}"


def latest(one: PastBenchmark | None) -> Latest | None:
    """None without one."""
    if one is None:
        return None
    words = [
        f"{part_name(part.result).lower()} {rate(part.result.bytes_per_s)}"
        + (f" ({part.of_expected:.0%} of what the layout allows)" if part.of_expected is not None else "")
        for part in one.parts
    ]
    return Latest(words=", ".join(words), finished=moment(one.benchmark.finished_at))


def profile_name(profile: Profile) -> str:
    """`Large files`."""
    return PROFILES[profile].partition(":")[0]


def part_name(result: PartResult) -> str:
    """`Write`, `Random reads`."""
    return _PARTS[result.part, result.kind]


def results(found: tuple[PastBenchmark, ...]) -> tuple[ResultView, ...]:
    """Newest first."""
    best: dict[tuple[str, str, str], float] = {}
    for one in found:
        for part in one.parts:
            key = _key(one, part.result)
            best[key] = max(best.get(key, 0.0), part.result.bytes_per_s)
    return tuple(_result(one, best) for one in found)


def _key(one: PastBenchmark, result: PartResult) -> tuple[str, str, str]:
    return one.benchmark.profile, result.part, result.kind


def _result(one: PastBenchmark, best: Mapping[tuple[str, str, str], float]) -> ResultView:
    run = one.benchmark
    return ResultView(
        title=profile_name(run.profile), choices=_choices(run), words=run.words,
        finished=moment(run.finished_at), well=run.verdict == "done", since=one.since_before,
        parts=tuple(_part(part, best[_key(one, part.result)]) for part in one.parts),
        command="\n".join(" ".join(part.result.command) for part in one.parts),
    )  # fmt: skip


def _part(part: PartFigures, best: float) -> PartRow:
    result = part.result
    return PartRow(
        name=part_name(result), rate=rate(result.bytes_per_s),
        operations=f"{grouped(round(result.operations_per_s))} /s",
        latency=f"{_short(result.mean_s)}, 99 % within {_short(result.p99_s)}", bottleneck=part.bottleneck,
        of_expected="" if part.of_expected is None else f"{part.of_expected:.0%}",
        against=_against(part.against_before), share=result.bytes_per_s / best if best else 0.0,
    )  # fmt: skip


def _against(times: float | None) -> str:
    if times is None:
        return ""
    return "as before" if abs(times - 1) < _ALIKE else f"{times - 1:+.0%}"


def _short(seconds: float) -> str:
    for length, unit, digits in ((1.0, "s", 1), (1e-3, "ms", 1), (1e-6, "µs", 0)):
        if seconds >= length:
            return f"{seconds / length:.{digits}f} {unit}"
    return "0 µs"


def _choices(run: Benchmark) -> str:
    return f"{binary(run.size_bytes)} {stored(run)}"


def stored(run: Benchmark) -> str:
    """What two have in common that are held against each other, but for their profile."""
    clients = f", {run.clients} at once" if run.profile == "streams" else ""
    return f"in records of {binary(run.record_bytes)}, compression {run.compression}{clients}"


def disks(
    found: tuple[DiskRead, ...], slow: tuple[str, ...], pool: Pool, inventory: Inventory
) -> tuple[DiskRow, ...]:
    """In the pool's order."""
    return tuple(_disk(one, disk_behind(one.disk, pool, inventory), slow=one.disk in slow) for one in found)


def _disk(one: DiskRead, disk: Disk | None, *, slow: bool) -> DiskRow:
    rates = tuple(map(rate, one.bytes_per_s))
    if disk is None:
        return DiskRow(name=one.disk.rpartition("/")[2], bay="", rates=rates, slow=slow)
    name = f"{disk.model} {disk.serial or ''}".strip()
    return DiskRow(name=name, bay=disk.bay or "", rates=rates, slow=slow)
