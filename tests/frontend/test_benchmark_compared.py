"""Results of one kind as bars, and what changed between them."""

from __future__ import annotations

from typing import Literal

from frontend.benchmark.compared import HEIGHT, compared
from host.benchmark.values import Benchmark, PartResult, Profile
from pools.benchmark.answers import PartFigures, PastBenchmark
from pools.benchmark.state import MachineState


def result(
    number: int, *speeds: int, profile: Profile = "sequential", since: str = "", share: float | None = None
) -> PastBenchmark:
    """Of the day of that number; speeds in bytes a second of its writing and reading."""
    kinds: tuple[Literal["write", "read"], ...] = ("write", "read")
    parts = tuple(
        PartResult(
            part=kind, kind=kind, bytes_per_s=speed, operations_per_s=1, mean_s=1, p99_s=1, seconds=1,
            processor_share=0.1, command=(), busy=(),
        )
        for kind, speed in zip(kinds, speeds, strict=False)
    )  # fmt: skip
    run = Benchmark(
        run="0" * 16, pool="tank", profile=profile, record_bytes=131072, compression="lz4", clients=number,
        size_bytes=number << 30, started_at="2026-07-01T10:00:00Z", updated_at="2026-07-01T10:00:00Z",
        finished_at=f"2026-07-{number:02}T10:00:00Z", verdict="done", parts=parts,
    )  # fmt: skip
    figures = tuple(
        PartFigures(result=part, bottleneck="", of_expected=share, against_before=None) for part in parts
    )
    changes = (since,) if since else ()
    return PastBenchmark(id=number, benchmark=run, parts=figures, state=MachineState(), since_before=changes)


def test_results_of_one_kind_stand_side_by_side_the_oldest_left() -> None:
    added = "A log vdev (one disk) was added."
    newer = (result(4, 400, 800, since=added, share=0.5), result(3, 100, profile="mixed"))
    found = (*newer, result(2, 300), result(1, 200))
    (one,) = compared(found)
    assert one.title == "Large files in records of 128 KiB, compression lz4"
    assert [(change.mark, change.words) for change in one.changes] == [(1, added)]
    write, read = one.parts
    assert (write.name, write.latest, write.limit) == ("Write", "400 B/s", "800 B/s")
    heights = [float(bar.height) for bar in write.bars]
    assert heights == [HEIGHT / 4, HEIGHT * 3 / 8, HEIGHT / 2] and write.limit_y == "0.0"
    assert [bar.mark for bar in write.bars] == [None, None, 1]
    assert [float(bar.x) for bar in write.bars] == sorted(float(bar.x) for bar in write.bars)
    assert write.bars[0].label == "2026-07-01 10:00 UTC: 200 B/s"
    assert len(read.bars) == 1 and read.words == "Read: –, –, 800 B/s", "the older ones were cut off before"


def test_one_result_alone_is_not_compared() -> None:
    assert compared((result(1, 100), result(2, 100, profile="mixed"))) == ()


def test_of_many_the_newest_are_drawn() -> None:
    (one,) = compared(tuple(result(number, 100) for number in range(28, 0, -1)))
    bars = one.parts[0].bars
    assert len(bars) == 24 and bars[-1].label.startswith("2026-07-28")
    assert float(bars[-1].x) + float(bars[-1].width) <= 300
