"""The ways to lay out the picked disks, side by side: mirrors, and RAIDZ in one or several vdevs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from frontend.units import counted, roughly
from host.commands.zpool import Layout
from pools.capacity import CapacityAnswer, answer
from pools.layouts import PARITY

_WIDEST = 12  # disks in one vdev of a split; wider ones rebuild slowly
_WIDEST_ALONE = 24
_RAIDZ: tuple[Layout, ...] = ("raidz1", "raidz2", "raidz3")


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """A layout of all picked data disks: `vdevs` of `width` disks each. `key` is its form value."""

    key: str
    name: str
    detail: str
    answer: CapacityAnswer | None = None
    why_not: str = ""

    @property
    def survives(self) -> str:
        """How many failures are survived, in words."""
        if self.answer is None:
            return ""
        count = self.answer.survives
        return "nothing" if not count else f"any {count}"

    @property
    def next_one(self) -> str:
        """The chance of surviving one failure more, never rounded up to certainty or down to none."""
        chance = self.answer.chance_of_surviving_next if self.answer else 0.0
        if 99 < chance < 100:
            return "> 99 %"
        return "< 1 %" if 0 < chance < 1 else f"{chance:.0f} %"

    @property
    def rebuild(self) -> str:
        """How long one disk takes to rebuild, in words."""
        return roughly(self.answer.rebuild_seconds) if self.answer and self.answer.survives else "–"


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """What a key stands for."""

    layout: Layout
    vdevs: int

    def deal(self, disks: Sequence[str]) -> tuple[tuple[str, ...], ...]:
        """The disks of each vdev, in their order; a remainder goes to the last, for the plan to judge."""
        if self.layout == "stripe":
            return (tuple(disks),)
        width = max(1, len(disks) // self.vdevs)
        ends = [width * n for n in range(1, self.vdevs)] + [len(disks)]
        starts = [0, *ends[:-1]]
        return tuple(tuple(disks[a:b]) for a, b in zip(starts, ends, strict=True) if a < b)


def choices(sizes: Sequence[int], *, ashift: int = 12) -> tuple[Choice, ...]:
    """All sensible layouts of disks of these sizes in bytes, and the simple ones that are not possible."""
    count = len(sizes)
    if not count:
        return ()
    found: list[Choice] = []
    for layout, vdevs in _candidates(count):
        shape = Shape(layout=layout, vdevs=vdevs)
        groups = tuple(tuple(int(size) for size in part) for part in _split(sizes, shape))
        result = answer([(layout, group) for group in groups], ashift=ashift)
        found.append(_choice(shape, count // vdevs, result))
    return (*found, *_impossible(count))


def shape_of(key: str) -> Shape | None:
    """`raidz2:3` → three raidz2; None for anything else."""
    name, _, number = key.partition(":")
    layout: Layout | None = next((known for known in ("stripe", "mirror", *_RAIDZ) if known == name), None)
    if layout is None or not number.isdecimal() or not 0 < int(number[:4]) <= 255:
        return None
    return Shape(layout=layout, vdevs=int(number[:4]))


def key_of(layout: str, vdevs: int) -> str:
    """The form value of a layout."""
    return f"{layout}:{1 if layout == 'stripe' else vdevs}"


def _candidates(count: int) -> Iterator[tuple[Layout, int]]:
    if count >= 2 and count % 2 == 0:
        yield "mirror", count // 2
    if count >= 3 and count % 3 == 0:
        yield "mirror", count // 3
    for layout in _RAIDZ:
        narrowest = PARITY[layout] + 2
        splits = [n for n in range(2, count) if count % n == 0 and narrowest <= count // n <= _WIDEST]
        if count >= narrowest and (count <= _WIDEST_ALONE or not splits):
            yield layout, 1
        yield from ((layout, n) for n in splits[:2])
    yield "stripe", 1


def _split(sizes: Sequence[int], shape: Shape) -> Iterator[Sequence[int]]:
    numbered = shape.deal([str(place) for place in range(len(sizes))])
    return ([sizes[int(place)] for place in part] for part in numbered)


def _choice(shape: Shape, width: int, result: CapacityAnswer) -> Choice:
    if shape.layout == "stripe":
        name, detail = "stripe", "no redundancy"
    elif shape.vdevs == 1:
        name, detail = shape.layout, counted(width, "disk")
    else:
        name = f"{shape.vdevs} × {shape.layout}"
        detail = f"of {counted(width, 'disk')} each"
    return Choice(key=key_of(shape.layout, shape.vdevs), name=name, detail=detail, answer=result)


def _impossible(count: int) -> Iterator[Choice]:
    if count % 2 and count % 3:
        yield Choice(key="", name="mirrors", detail="", why_not="Needs an even number of disks.")
    for layout in _RAIDZ:
        if count < PARITY[layout] + 2:
            yield Choice(key="", name=layout, detail="", why_not=f"Needs {PARITY[layout] + 2} disks or more.")
