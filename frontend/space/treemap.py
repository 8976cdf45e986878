"""Rectangles whose areas are as the numbers they stand for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec


class Rect(msgspec.Struct, frozen=True):
    """Where it lies, from the top left; in the unit of the whole."""

    x: float
    y: float
    width: float
    height: float


def squarified(values: Sequence[float], whole: Rect) -> list[Rect]:
    """One rectangle for each value, in their order, best from the largest to the smallest; none is 0.

    Rows are filled along the shorter side as long as that makes their worst rectangle more like a square:
    Bruls, Huizing and van Wijk, "Squarified Treemaps" (2000).
    """
    found: list[Rect] = []
    scale = whole.width * whole.height / sum(values) if values else 0.0
    areas = [value * scale for value in values]
    rest = whole
    while areas:
        side = min(rest.width, rest.height)
        count = 1
        while count < len(areas) and _worst(areas[: count + 1], side) <= _worst(areas[:count], side):
            count += 1
        row, areas = areas[:count], areas[count:]
        found += _row(row, rest)
        rest = _without(sum(row), rest)
    return found


def _worst(row: Sequence[float], side: float) -> float:
    """How far from a square the worst of a row is; 1 is a square."""
    depth = sum(row) / side
    return max(max(depth * depth / area, area / (depth * depth)) for area in (max(row), min(row)))


def _row(row: Sequence[float], rest: Rect) -> Iterator[Rect]:
    upright = rest.width >= rest.height  # the row is a column at the left
    depth = sum(row) / (rest.height if upright else rest.width)
    at = 0.0
    for area in row:
        length = area / depth
        if upright:
            yield Rect(rest.x, rest.y + at, depth, length)
        else:
            yield Rect(rest.x + at, rest.y, length, depth)
        at += length


def _without(area: float, rest: Rect) -> Rect:
    if rest.width >= rest.height:
        depth = area / rest.height
        return Rect(rest.x + depth, rest.y, max(rest.width - depth, 0.0), rest.height)
    depth = area / rest.width
    return Rect(rest.x, rest.y + depth, rest.width, max(rest.height - depth, 0.0))
