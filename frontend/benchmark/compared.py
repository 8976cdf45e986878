"""Benchmarks of one kind side by side: a bar for each, and what changed on the machine before it."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime

import msgspec

from frontend.benchmark.view import part_name, profile_name, stored
from frontend.units import moment, rate, stamp
from pools.benchmark.answers import PartFigures, PastBenchmark, kind

WIDTH, HEIGHT = 300, 96  # of the picture in pixels, without the line of marks below it
_MOST = 24
_WIDEST = 28.0
_GAP = 3.0


class Bar(msgspec.Struct, frozen=True, kw_only=True):
    """One result; `mark` is the number of a change before it."""

    x: str
    y: str
    width: str
    height: str
    middle: str
    label: str
    mark: int | None


class PartBars(msgspec.Struct, frozen=True, kw_only=True):
    """One part over time. `limit_y` is where the layout's limit lies, of large files alone."""

    name: str
    latest: str
    words: str
    bars: tuple[Bar, ...]
    limit_y: str | None
    limit: str


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """What changed between two results; `at` is when the later one ended."""

    mark: int
    at: datetime | None
    words: str


class Compared(msgspec.Struct, frozen=True, kw_only=True):
    """All results of one kind, the oldest first."""

    title: str
    parts: tuple[PartBars, ...]
    changes: tuple[Change, ...]


def compared(results: tuple[PastBenchmark, ...]) -> tuple[Compared, ...]:
    """Of each kind with two or more `results`, which come newest first; the last measured kind is first."""
    kinds: dict[object, list[PastBenchmark]] = defaultdict(list)
    for one in results:
        kinds[kind(one.benchmark)].append(one)
    return tuple(_compared(found[:_MOST][::-1]) for found in kinds.values() if len(found) > 1)


def _compared(found: list[PastBenchmark]) -> Compared:
    changed = [one for one in found[1:] if one.since_before]
    marks = {one.id: number for number, one in enumerate(changed, 1)}
    last = found[-1].benchmark
    return Compared(
        title=f"{profile_name(last.profile)} {stored(last)}",
        parts=tuple(_bars(part, found, marks) for part in found[-1].parts),
        changes=tuple(
            Change(mark=marks[one.id], at=moment(one.benchmark.finished_at), words=" ".join(one.since_before))
            for one in changed
        ),
    )


def _bars(part: PartFigures, found: list[PastBenchmark], marks: dict[int, int]) -> PartBars:
    rates = [_rate(one, part) for one in found]
    known = [one for one in rates if one is not None]
    limit = part.result.bytes_per_s / part.of_expected if part.of_expected else None
    top = max(*known, limit or 0.0, 1.0)
    step = min(WIDTH / len(found), _WIDEST + _GAP)
    limit_y = None if limit is None else f"{HEIGHT * (1 - limit / top):.1f}"
    return PartBars(
        name=part_name(part.result), latest=rate(part.result.bytes_per_s),
        words=f"{part_name(part.result)}: {', '.join('–' if one is None else rate(one) for one in rates)}",
        limit_y=limit_y, limit="" if limit is None else rate(limit),
        bars=tuple(
            _bar(one, value, place * step, step - _GAP, top, marks.get(one.id))
            for place, (one, value) in enumerate(zip(found, rates, strict=True))
            if value is not None
        ),
    )  # fmt: skip


def _rate(one: PastBenchmark, part: PartFigures) -> float | None:
    of = part.result
    same = (p.result.bytes_per_s for p in one.parts if (p.result.part, p.result.kind) == (of.part, of.kind))
    return next(same, None)


def _bar(one: PastBenchmark, value: float, left: float, width: float, top: float, mark: int | None) -> Bar:
    height = HEIGHT * value / top
    at = moment(one.benchmark.finished_at)
    when = "" if at is None else f"{stamp(at, '%Y-%m-%d %H:%M')}: "
    return Bar(
        x=f"{left:.1f}", y=f"{HEIGHT - height:.1f}", width=f"{width:.1f}", height=f"{height:.1f}",
        middle=f"{left + width / 2:.1f}", label=f"{when}{rate(value)}", mark=mark,
    )  # fmt: skip
