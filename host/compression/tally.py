"""Adds up what each compression makes of the blocks of a sample."""

from __future__ import annotations

import math
from collections import defaultdict
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


class _Stratum:
    """Blocks of one kind: `tried` of `offered` were read, holes among them; 0 are offered where their number
    is not known."""

    def __init__(self) -> None:
        self.offered, self.tried, self.blocks = 0, 0, 0
        self.logical, self.squares = 0, 0
        self.of = {name: _Sums() for name in NAMES}

    @property
    def weight(self) -> float:
        """How many blocks of the dataset each of these stands for."""
        return max(1.0, self.offered / self.tried)

    def spread(self, sums: _Sums, share: float) -> float | None:
        """The variance of what all of them take, where `share` is the whole dataset's; None if unknown."""
        n, all_of_them = self.tried, max(self.tried, self.offered)
        if not n or n == self.offered:
            return 0.0
        if n < 2:
            return None
        left = sums.stored - share * self.logical
        squares = sums.squares - 2 * share * sums.products + share * share * self.squares
        seen = n / all_of_them if self.offered else 0.0
        return all_of_them**2 * (1 - seen) * max(0.0, squares - left * left / n) / (n - 1) / n


class Tally:
    """`ashift` and `embeds` as in `host.compression.stored`. What is added of a kind of block is a sample of
    those that were offered of it, and counts by the share that the kind has of all.
    """

    def __init__(self, *, ashift: int, embeds: bool) -> None:
        self._ashift, self._embeds = ashift, embeds
        self._strata: defaultdict[str, _Stratum] = defaultdict(_Stratum)

    @property
    def blocks(self) -> int:
        """That are no holes."""
        return sum(one.blocks for one in self._strata.values())

    @property
    def logical_bytes(self) -> int:
        """Of those blocks, before compression."""
        return sum(one.logical for one in self._strata.values())

    def offer(self, blocks: int, kind: str) -> None:
        """There are so many more blocks of that kind."""
        self._strata[kind].offered += blocks

    def add_hole(self, kind: str = "") -> None:
        """One block that takes no space."""
        self._strata[kind].tried += 1

    def add(self, size: int, timed: Mapping[str, Timed], kind: str = "") -> None:
        """One block of `size` bytes that is no hole."""
        stratum = self._strata[kind]
        stratum.tried, stratum.blocks = stratum.tried + 1, stratum.blocks + 1
        stratum.logical, stratum.squares = stratum.logical + size, stratum.squares + size * size
        for name, one in timed.items():
            sums = stratum.of[name]
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
        weighed = [(one.weight, one) for one in self._strata.values() if one.blocks]
        logical = sum(weight * one.logical for weight, one in weighed)
        # To as many bytes and blocks as were measured, in the shares that they have of the whole dataset.
        scale = self.logical_bytes / logical
        of_blocks = self.blocks / sum(weight * one.blocks for weight, one in weighed)
        found = []
        for name in NAMES:
            sums = [(weight, one.of[name]) for weight, one in weighed]
            kept = sum(weight * one.stored for weight, one in sums)
            raw = sum(weight * one.raw for weight, one in sums)
            found.append(CompressionFigures(
                name=name, stored_bytes=round(scale * kept), raw_blocks=round(of_blocks * raw),
                in_s=_seconds(scale, [(weight, one.in_s) for weight, one in sums]),
                out_s=_seconds(scale, [(weight, one.out_s) for weight, one in sums]),
                margin_percent=self._margin(name, kept, kept / logical),
            ))  # fmt: skip
        return tuple(found)

    def _margin(self, name: str, kept: float, share: float) -> float | None:
        """Of the ratio estimator in strata (Cochran, Sampling Techniques, chapter 6)."""
        spreads = [one.spread(one.of[name], share) for one in self._strata.values()]
        if not kept or None in spreads:
            return None
        return round(100 * _NORMAL * math.sqrt(sum(one or 0.0 for one in spreads)) / kept, 2)


def _seconds(scale: float, weighed: list[tuple[float, float | None]]) -> float | None:
    if any(value is None for _, value in weighed):
        return None
    return round(scale * sum(weight * (value or 0.0) for weight, value in weighed), 6)
