"""How much room a dataset takes that is written anew."""

from __future__ import annotations

from collections.abc import Sequence

from host.inventory import Dataset


def needed_bytes(tree: Sequence[Dataset]) -> int:
    """For the first of them with all below it. Deduplicated blocks count in full in `used`, as they will lie
    there. What another algorithm of compression makes of them is not known; nor is it counted.
    """
    return tree[0].number("used") + sum(_more(one, tree) for one in tree)


def _more(one: Dataset, tree: Sequence[Dataset]) -> int:
    """What it takes beyond its part of `used`: of a clone that is only what its origin has not, and where
    compression is off now, or each block is stored more often, blocks that were written before grow."""
    clone = (one.value("origin") or "-") != "-"
    shared = max(0, one.number("referenced") - one.number("usedbydataset")) if clone else 0
    copies, compressed = max(1, one.number("copies")), one.value("compression") != "off"
    if compressed and copies == 1:
        return shared
    ratio = _ratio(one)
    read = _own(one, tree, "logicalused") + shared * ratio
    there = one.number("usedbydataset") + one.number("usedbysnapshots")
    return max(shared, round(copies * (read / ratio if compressed else read)) - there)


def _own(one: Dataset, tree: Sequence[Dataset], figure: str) -> int:
    """Without what is below it."""
    return one.number(figure) - sum(child.number(figure) for child in tree if child.parent == one.name)


def _ratio(one: Dataset) -> float:
    try:
        return max(1.0, float((one.value("refcompressratio") or "1").removesuffix("x")))
    except ValueError:
        return 1.0
