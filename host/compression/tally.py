"""Adds up what each compression makes of the blocks of a sample."""

from __future__ import annotations

import math
from collections.abc import Mapping

from host.compression.codecs import NAMES, Timed
from host.compression.stored import stored
from host.compression.values import CompressionFigures

_NORMAL = 1.96  # 95 % of a normal distribution lie within so many standard deviations


class _Sums:
    def __init__(self) -> None:
        self.stored, self.squares, self.products, self.raw = 0, 0, 0, 0
        self.in_s: float | None = 0.0
        self.out_s: float | None = 0.0


class Tally:
    """`ashift` and `embeds` as in `host.compression.stored`."""

    def __init__(self, *, ashift: int, embeds: bool) -> None:
        self._ashift, self._embeds = ashift, embeds
        self._of = {name: _Sums() for name in NAMES}
        self._logical_squares = 0
        self.blocks, self.logical_bytes = 0, 0

    def add(self, size: int, timed: Mapping[str, Timed]) -> None:
        """One block of `size` bytes that is no hole."""
        self.blocks, self.logical_bytes = self.blocks + 1, self.logical_bytes + size
        self._logical_squares += size * size
        for name, one in timed.items():
            sums = self._of[name]
            kept = stored(size, one.packed_bytes, ashift=self._ashift, embeds=self._embeds)
            sums.stored += kept
            sums.squares += kept * kept
            sums.products += kept * size
            sums.raw += kept >= size
            sums.in_s = None if sums.in_s is None or one.in_s is None else sums.in_s + one.in_s
            sums.out_s = None if sums.out_s is None or one.out_s is None else sums.out_s + one.out_s

    def choices(self) -> tuple[CompressionFigures, ...]:
        """One for each compression; none before the first block."""
        if not self.blocks:
            return ()
        return tuple(
            CompressionFigures(
                name=name, stored_bytes=sums.stored, raw_blocks=sums.raw, in_s=_seconds(sums.in_s),
                out_s=_seconds(sums.out_s), margin_percent=self._margin(sums),
            )
            for name, sums in self._of.items()
        )  # fmt: skip

    def _margin(self, sums: _Sums) -> float | None:
        """Of the ratio estimator (Cochran, Sampling Techniques, chapter 6)."""
        if self.blocks < 2 or not sums.stored:
            return None
        share = sums.stored / self.logical_bytes
        left = sums.squares - 2 * share * sums.products + share * share * self._logical_squares
        spread = math.sqrt(max(left, 0.0) * self.blocks / (self.blocks - 1))
        return round(100 * _NORMAL * spread / sums.stored, 2)


def _seconds(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
