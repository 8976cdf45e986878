"""What the page shows of a measurement: its state, a row for each choice, and the picture of speed against
space.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from frontend.measured import RunView
from frontend.units import decimal
from host.compression.values import Measured
from jobs.wording import grouped
from pools.compression.recommend import NETWORK_BYTES_PER_S, Option

WIDTH, HEIGHT = 600, 264
_LEFT, _RIGHT, _TOP, _BOTTOM = 48, 76, 16, 36
_SPEEDS = tuple(10.0**power for power in range(5, 11))  # ticks: 0.1 MB/s to 10 GB/s
_PERCENT_STEPS = (1, 2, 5, 10, 20)
_MOST_LINES = 5
_PHASES = {
    "listing": "Listing files", "waiting": "Waiting until the pool has resilvered",
    "compressing": "Compressing", "done": "Done",
}  # fmt: skip
_ENDED = {
    "done": "Measured", "stopped": "Stopped", "failed": "It did not finish", "empty": "Nothing to measure",
}  # fmt: skip


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One choice; dashes where nothing was measured."""

    name: str
    ratio: str
    saved: str
    margin: str
    writing: str
    reading: str
    gained: str
    on_front: bool
    note: str  # "in use, recommended"


class Dot(msgspec.Struct, frozen=True, kw_only=True):
    """One choice in the picture."""

    name: str
    x: float
    y: float
    on_front: bool


class Tick(msgspec.Struct, frozen=True, kw_only=True):
    """A mark on an axis, `at` along it."""

    at: float
    label: str


class Picture(msgspec.Struct, frozen=True, kw_only=True):
    """In a box of WIDTH × HEIGHT: faster is further right, on a logarithmic scale; smaller is higher."""

    dots: tuple[Dot, ...]
    network_x: float
    disks_x: float | None
    speeds: tuple[Tick, ...]
    savings: tuple[Tick, ...]
    words: str


def run_view(run: Measured) -> RunView:
    """Of the last measurement."""
    counts = f"{run.measured_blocks} of {run.blocks} blocks"
    if run.blocks == 0:
        counts = f"{run.files} files found so far"
    elif run.empty_blocks:
        counts += f", {run.empty_blocks} of them empty"
    if run.unread:
        counts += f"; {run.unread} could not be read"
    if not run.whole:
        counts += f"; taken from the first {run.files} files"
    left = f", about {_minutes(run.left_s)} left" if run.left_s is not None and run.verdict is None else ""
    return RunView(
        goes_on=run.verdict is None, well=run.verdict == "done",
        state=_PHASES[run.phase] + left if run.verdict is None else _ENDED[run.verdict], words=run.words,
        since=run.started_at, counts=counts,
    )  # fmt: skip


def rows(found: Sequence[Option], *, current: str | None, recommended: str | None) -> tuple[Row, ...]:
    """In the order of the report."""
    return tuple(
        Row(
            name=one.name, ratio="–" if one.ratio is None else f"{one.ratio:.2f}",
            saved=f"{one.saved_percent:.1f} %",
            margin="–" if one.margin_percent is None else f"± {one.margin_percent:.1f} %",
            writing=_speed(one.in_bytes_per_s), reading=_speed(one.out_bytes_per_s),
            gained=_speed(one.saved_bytes_per_cpu_s), on_front=one.on_front,
            note=", ".join(
                word for word, true in (
                    ("in use", _same(one.name, current)), ("recommended", one.name == recommended)
                ) if true
            ),
        )
        for one in found
    )  # fmt: skip


def tables(found: Sequence[Row]) -> tuple[tuple[str, tuple[Row, ...]], ...]:
    """First what is worth a choice, then the others: one above is both faster and smaller."""
    first = tuple(row for row in found if row.on_front or row.note or row.name == "off")
    rest = tuple(row for row in found if row not in first)
    return (("", first), (f"Others: {len(rest)}", rest)) if rest else (("", first),)


def picture(found: Sequence[Option], disks_bytes_per_s: float | None = None) -> Picture | None:
    """None where fewer than two choices can be drawn. `disks_bytes_per_s`: how fast the pool writes."""
    known = [(one, one.in_bytes_per_s) for one in found if one.in_bytes_per_s]
    if len(known) < 2:
        return None
    lines = [NETWORK_BYTES_PER_S] + ([disks_bytes_per_s] if disks_bytes_per_s else [])
    speeds = [math.log10(speed) for speed in (*(speed for _, speed in known), *lines)]
    least, most = min(speeds), max(speeds)
    top = max(max(one.saved_percent for one, _ in known), 1.0)

    def across(speed: float) -> float:
        return round(_LEFT + (math.log10(speed) - least) / (most - least) * (WIDTH - _LEFT - _RIGHT), 1)

    def down(percent: float) -> float:
        return round(HEIGHT - _BOTTOM - max(percent, 0.0) / top * (HEIGHT - _TOP - _BOTTOM), 1)

    dots = tuple(
        Dot(name=one.name, x=across(speed), y=down(one.saved_percent), on_front=one.on_front)
        for one, speed in known
    )
    front = ", ".join(f"{one.name} {one.saved_percent:.0f} %" for one, _ in known if one.on_front)
    words = f"Space saved against speed. None is both faster and smaller than these: {front}."
    return Picture(
        dots=dots, network_x=across(NETWORK_BYTES_PER_S), words=words,
        disks_x=across(disks_bytes_per_s) if disks_bytes_per_s else None,
        speeds=tuple(
            Tick(at=across(speed), label=_round(speed))
            for speed in _SPEEDS
            if least <= math.log10(speed) <= most
        ),
        savings=tuple(Tick(at=down(percent), label=f"{percent} %") for percent in _percents(top)),
    )  # fmt: skip


def _round(speed: float) -> str:
    return f"{decimal(int(speed)).replace('.00', '').replace('.0 ', ' ')}/s"


def _percents(top: float) -> range:
    """From 0 to `top`, in steps that leave room for their labels."""
    step = next((step for step in _PERCENT_STEPS if top / step <= _MOST_LINES), _PERCENT_STEPS[-1])
    return range(0, int(top) + 1, step)


def _same(name: str, current: str | None) -> bool:
    """`on` and `zstd` are names for levels (zfsprops(7))."""
    return name == {"on": "lz4", "zstd": "zstd-3", "gzip": "gzip-6", "zstd-fast": "zstd-fast-1"}.get(
        current or "", current
    )


def _speed(value: float | None) -> str:
    return "–" if value is None else f"{grouped(round(value / 1e6))} MB/s"


def _minutes(seconds: int) -> str:
    return f"{seconds} s" if seconds < 90 else f"{round(seconds / 60)} min"
