"""What a measurement says: figures of each choice, the best of them, and one recommendation. Pure."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from host.compression.values import CompressionFigures, Measured
from jobs.wording import grouped

DEFAULT = "lz4"
NETWORK_BYTES_PER_S = 125e6  # gigabit Ethernet
_WORTH = 1.0  # percent of the space: what is less is not worth a slower compression
_SHARE = 0.75  # of the cores: OpenZFS compresses with no more (zio_taskq_batch_pct)


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """One choice. Savings are against what the same blocks take uncompressed, in whole sectors: small files
    take more than their size. Speeds are of uncompressed bytes with all cores that OpenZFS takes; None where
    nothing was measured. `on_front`: none of the others is both faster and smaller.
    """

    name: str
    ratio: float | None  # None where it would take no space at all
    saved_percent: float
    margin_percent: float | None
    raw_percent: float  # of the blocks: stored as they are
    in_bytes_per_s: float | None
    out_bytes_per_s: float | None
    saved_bytes_per_cpu_s: float | None
    on_front: bool = False


class Recommendation(msgspec.Struct, frozen=True, kw_only=True):
    """What to set `compression` to, and why."""

    compression: str
    reason: str


def options(measured: Measured) -> tuple[Option, ...]:
    """All choices in the order of the report; none before the first block."""
    if not measured.logical_bytes or not measured.measured_blocks:
        return ()
    plain = next((one.stored_bytes for one in measured.choices if one.name == "off"), measured.logical_bytes)
    found = [_option(choice, measured, plain) for choice in measured.choices]
    return tuple(msgspec.structs.replace(one, on_front=_on_front(one, found)) for one in found)


def recommend(found: Sequence[Option], *, disks_bytes_per_s: float | None = None) -> Recommendation | None:
    """The fastest that saves nearly as much as the best that keeps up; None without figures."""
    known = {one.name: one for one in found}
    if DEFAULT not in known:
        return None
    needed, what = _needed(disks_bytes_per_s)
    enough = [one for one in found if _slowest(one) >= needed]
    quick = known[DEFAULT]
    best = max([*enough, quick], key=lambda one: one.saved_percent)
    if best.saved_percent < _WORTH:
        reason = (
            f"These files can hardly be compressed: the best that keeps up saves {best.saved_percent:.1f} %. "
            f"{DEFAULT} gives up on such data quickly, and saves space where other files come."
        )
        return Recommendation(compression=DEFAULT, reason=reason)
    near = [one for one in [*enough, quick] if one.saved_percent >= best.saved_percent - _WORTH]
    chosen = max(near, key=_slowest)
    if chosen.name == DEFAULT:
        return Recommendation(compression=DEFAULT, reason=_of_default(quick, found, needed, what))
    reason = (
        f"It saves {chosen.saved_percent:.0f} % of the space, {DEFAULT} {quick.saved_percent:.0f} %, and "
        f"compresses {_speed(chosen.in_bytes_per_s)}, which is more than {what}."
    )
    return Recommendation(compression=chosen.name, reason=reason)


def _of_default(quick: Option, found: Sequence[Option], needed: float, what: str) -> str:
    speed = "" if quick.in_bytes_per_s is None else f" at {_speed(quick.in_bytes_per_s)}"
    words = f"It saves {quick.saved_percent:.0f} % of the space{speed}."
    best = max(found, key=lambda one: one.saved_percent)
    if best.saved_percent < quick.saved_percent + _WORTH:
        return f"{words} Nothing else saves noticeably more."
    if _slowest(best) < needed:
        return f"{words} What saves noticeably more, such as {best.name}, is slower than {what}."
    return words


def _needed(disks_bytes_per_s: float | None) -> tuple[float, str]:
    if disks_bytes_per_s is None:
        return NETWORK_BYTES_PER_S, f"a gigabit network brings ({_speed(NETWORK_BYTES_PER_S)})"
    return disks_bytes_per_s, f"the disks write ({_speed(disks_bytes_per_s)})"


def _slowest(one: Option) -> float:
    """Of compressing and reading; 0 where that was not measured."""
    if one.in_bytes_per_s is None:
        return 0.0
    return min(one.in_bytes_per_s, one.out_bytes_per_s or one.in_bytes_per_s)


def _speed(value: float | None) -> str:
    return f"{grouped(round((value or 0.0) / 1e6))} MB/s"


def _option(choice: CompressionFigures, measured: Measured, plain_bytes: int) -> Option:
    logical, cores = measured.logical_bytes, max(1.0, measured.cores * _SHARE)
    saved = plain_bytes - choice.stored_bytes
    in_s = choice.in_s or None
    return Option(
        name=choice.name,
        ratio=logical / choice.stored_bytes if choice.stored_bytes else None,
        saved_percent=100 * saved / plain_bytes if plain_bytes else 0.0,
        margin_percent=choice.margin_percent,
        raw_percent=100 * choice.raw_blocks / measured.measured_blocks,
        in_bytes_per_s=logical / in_s * cores if in_s else None,
        out_bytes_per_s=logical / choice.out_s * cores if choice.out_s else None,
        saved_bytes_per_cpu_s=saved / in_s if in_s else None,
    )


def _on_front(one: Option, found: Sequence[Option]) -> bool:
    if one.in_bytes_per_s is None:
        return False
    return not any(
        (other.in_bytes_per_s or 0.0) >= one.in_bytes_per_s
        and other.saved_percent >= one.saved_percent
        and (other.in_bytes_per_s, other.saved_percent) != (one.in_bytes_per_s, one.saved_percent)
        for other in found
    )
