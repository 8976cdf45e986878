"""What a benchmark reports on a simulated machine: figures of ordinary hard disks, whatever is measured."""

from __future__ import annotations

import msgspec

from host.benchmark.profiles import parts
from host.benchmark.running import PLACES
from host.benchmark.values import Benchmark, BusyDisk, DiskRead, PartResult
from host.commands.pools.benchmark import StartBenchmark
from host.measuring.pausing import STOPPED

LASTS_S = 60.0
_DISKS_SHARE = 0.25  # of the time
_DISK_BYTES_PER_S, _TOWARDS_THE_END = 220e6, 0.45
_PARTS: dict[tuple[str, str], tuple[float, float, float]] = {  # bytes/s, operations/s, seconds a request
    ("write", "write"): (310e6, 296.0, 0.0034),
    ("read", "read"): (420e6, 25.0, 0.04),
    ("create", "write"): (38e6, 2_320.0, 0.0004),
    ("mixed", "read"): (9.4e6, 574.0, 0.0068),
    ("mixed", "write"): (4.0e6, 246.0, 0.0003),
    ("one-writer", "write"): (0.44e6, 107.0, 0.0093),
    ("sixteen-writers", "write"): (3.1e6, 757.0, 0.021),
}
_SMALL_READ = (21e6, 1_280.0, 0.0008)


def report(asked: StartBenchmark, passed_s: float, *, ended: bool, stopped: bool) -> Benchmark:
    """So many seconds after its start, without its times."""
    share = min(1.0, passed_s / LASTS_S)
    found = Benchmark(
        run=asked.run, pool=asked.pool, profile=asked.profile, record_bytes=asked.record_bytes,
        compression=asked.compression, clients=asked.clients, size_bytes=asked.size_bytes, started_at="",
        updated_at="", share=share, left_s=LASTS_S * (1 - share),
    )  # fmt: skip
    at_disks = share < _DISKS_SHARE and asked.disks
    read = int(len(asked.disks) * min(1.0, share / _DISKS_SHARE))
    disks = tuple(
        DiskRead(
            disk=link, bytes_per_s=tuple(_DISK_BYTES_PER_S * (1 - _TOWARDS_THE_END * at) for at in PLACES)
        )
        for link in asked.disks[:read]
    )
    if at_disks and not ended:
        return msgspec.structs.replace(found, doing=asked.disks[read], disks=disks)
    results = _results(asked)
    done = round(len(results) * max(0.0, share - _DISKS_SHARE) / (1 - _DISKS_SHARE))
    found = msgspec.structs.replace(found, disks=disks, parts=results[:done], phase="files")
    if not ended:
        return msgspec.structs.replace(found, doing=results[min(done, len(results) - 1)].part)
    verdict, words = ("stopped", STOPPED) if stopped else ("done", "")
    return msgspec.structs.replace(found, verdict=verdict, words=words, phase="done", left_s=None)


def _results(asked: StartBenchmark) -> tuple[PartResult, ...]:
    shown = [part for part in parts(asked.profile, asked.size_bytes, asked.clients) if part.shown]
    found = []
    for part in shown:
        for (name, kind), figures in _PARTS.items():
            if name != part.name:
                continue
            small = asked.profile == "small-files" and name == "read"
            rate, operations, seconds = _SMALL_READ if small else figures
            found.append(
                PartResult(
                    part=name, kind="read" if kind == "read" else "write", bytes_per_s=rate,
                    operations_per_s=operations, mean_s=seconds, p99_s=seconds * 4, seconds=30.0,
                    processor_share=0.21,
                    busy=tuple(BusyDisk(disk=link, share=0.94) for link in asked.disks),
                    command=part.argv("/tmp/benchmark/files"),  # noqa: S108 - it is only shown
                )
            )  # fmt: skip
    return tuple(found)
