"""Curves that the server draws: a sparkline of a series, the speed of a burn-in along the disk."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import msgspec

from host.inventory import Throughput

WIDTH, HEIGHT = 600, 120
_PAD = 4


class Curve(msgspec.Struct, frozen=True, kw_only=True):
    """The `d` of an SVG path in a box of WIDTH × HEIGHT, and what its ends say."""

    path: str
    least: float
    most: float
    first: float  # the abscissa of the left edge, such as seconds since 1970
    last: float
    latest: float


def sparkline(
    times: Sequence[float], values: Sequence[float | None], *, floor: float | None = None
) -> Curve | None:
    """A line over time, broken where nothing was measured; None where there is nothing to draw.

    Its foot is the least value, or `floor` where that is lower.
    """
    known = [(at, value) for at, value in zip(times, values, strict=True) if value is not None]
    if len(known) < 2:
        return None
    gap = 3 * _usual_gap([at for at, _ in known])
    least, most = min(value for _, value in known), max(value for _, value in known)
    foot = least if floor is None else min(least, floor)
    return Curve(
        path=_path(known, left=known[0][0], right=known[-1][0], least=foot, most=most, gap=gap),
        least=least, most=most, first=known[0][0], last=known[-1][0], latest=known[-1][1],
    )  # fmt: skip


def throughput(
    points: Sequence[Throughput], *, size_bytes: int, fastest: int, slowest: int = 0
) -> Curve | None:
    """The speed of a pass from the disk's start to its end; None before the first point.

    `fastest` is the top of the box, in bytes per second, so that two passes share one scale.
    """
    if not points or not size_bytes or not fastest:
        return None
    known = [(float(point.offset_bytes), float(point.bytes_per_second)) for point in points]
    speeds = [speed for _, speed in known]
    return Curve(
        path=_path(known, left=0, right=size_bytes, least=slowest, most=fastest, gap=float(size_bytes)),
        least=min(speeds), most=max(speeds), first=0, last=known[-1][0], latest=known[-1][1],
    )  # fmt: skip


def _path(
    points: Sequence[tuple[float, float]],
    *,
    left: float,
    right: float,
    least: float,
    most: float,
    gap: float,
) -> str:
    across, up = (right - left) or 1, (most - least) or 1
    words: list[str] = []
    before: float | None = None
    for at, value in points:
        x = WIDTH * (at - left) / across
        y = _PAD + (HEIGHT - 2 * _PAD) * (1 - (value - least) / up) if most > least else HEIGHT / 2
        letter = "M" if before is None or at - before > gap else "L"
        words.append(f"{letter}{x:.1f} {y:.1f}")
        before = at
    return "".join(words)


def _usual_gap(times: Sequence[float]) -> float:
    steps = sorted(later - earlier for earlier, later in pairwise(times))
    return steps[len(steps) // 2]
