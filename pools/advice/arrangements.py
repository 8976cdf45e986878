"""The sensible ways to lay out some disks: mirrors, RAIDZ in one or several vdevs, dRAID, with spares."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from host.layouts import Draid, Kind, Layout, fewest_disks, kind, parity

FEWEST_FOR_DRAID = 12
_WIDEST = 12  # disks in one RAIDZ of several; wider ones rebuild slowly
_WIDEST_ALONE = 24
_ALIKE_BYTES = 16 << 20  # ZPOOL_FUZZ: zpool calls members alike whose sizes differ by less
_RAIDZ: tuple[Layout, ...] = ("raidz1", "raidz2", "raidz3")
_KEY = re.compile(
    r"(?P<layout>[a-z]+[0-9]?(?::[0-9]+[dcs])*):(?P<vdevs>[0-9]{1,3})(?:\+(?P<spares>[0-9]{1,2}))?"
)
_LAYOUT = re.compile(r"stripe|mirror|raidz[123]|draid[123]:[1-9][0-9]{0,2}d:[1-9][0-9]{0,2}c:[0-9]{1,2}s")


class Deal(msgspec.Struct, frozen=True, kw_only=True):
    """Which disks make which vdev, and which stand by."""

    groups: tuple[tuple[str, ...], ...]
    spares: tuple[str, ...]


class Arrangement(msgspec.Struct, frozen=True, kw_only=True):
    """So many vdevs of one layout, and hot spares."""

    layout: Layout
    vdevs: int = 1
    spares: int = 0

    @property
    def key(self) -> str:
        """What stands for it in a form: `raidz2:2+1`."""
        return f"{self.layout}:{self.vdevs}" + (f"+{self.spares}" if self.spares else "")

    @property
    def kind(self) -> Kind:
        """Its family."""
        return kind(self.layout)

    def width(self, disks: int) -> int:
        """The disks of one vdev, of so many in all."""
        return 1 if self.layout == "stripe" else (disks - self.spares) // self.vdevs

    def deal(self, disks: Sequence[str], sizes: Mapping[str, int]) -> Deal:
        """The disks of each vdev. They keep their order, unless their sizes differ: then those alike come
        together, and the largest stand by, so that they fit anywhere. A remainder goes to the last vdev, for
        the plan to judge."""
        known = [sizes[disk] for disk in disks if disk in sizes]
        if known and max(known) - min(known) > _ALIKE_BYTES:
            disks = sorted(disks, key=lambda disk: sizes.get(disk, 0))
        cut = max(0, len(disks) - self.spares)
        members, spares = disks[:cut], disks[cut:]
        if self.layout == "stripe":
            return Deal(groups=(tuple(members),), spares=tuple(spares))
        width = max(1, len(members) // self.vdevs)
        ends = [width * number for number in range(1, self.vdevs)] + [len(members)]
        starts = [0, *ends[:-1]]
        groups = tuple(tuple(members[a:b]) for a, b in zip(starts, ends, strict=True) if a < b)
        return Deal(groups=groups, spares=tuple(spares))


def from_key(key: str) -> Arrangement | None:
    """`raidz2:3` → three raidz2; None for anything else than a key."""
    found = _KEY.fullmatch(key[:40])
    if found is None or not _LAYOUT.fullmatch(found["layout"]) or not 0 < int(found["vdevs"]) <= 255:
        return None
    return Arrangement(
        layout=found["layout"], vdevs=int(found["vdevs"]), spares=int(found["spares"] or 0)
    )  # fmt: skip


def arrangements(disks: int) -> tuple[Arrangement, ...]:
    """All that `disks` disks can sensibly become: every disk is used, as a member or as a spare."""
    found: list[Arrangement] = []
    for spares in range(_most_spares(disks) + 1):
        found += _mirrors(disks - spares, spares)
        found += _raidz(disks - spares, spares)
    found += _draids(disks)
    if disks:
        found.append(Arrangement(layout="stripe"))
    return tuple(found)


def mirrors_of(disks: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """How disks for the log or for metadata are dealt: two or three are one mirror, more are several of two
    or, where they do not pair, of three."""
    width = len(disks)
    if width > 3:
        width = next((each for each in (2, 3) if width % each == 0), width)
    return tuple(tuple(disks[start : start + width]) for start in range(0, len(disks), max(1, width)))


def narrowest(layout: Layout) -> int:
    """From as many disks on a RAIDZ holds more than a mirror would."""
    return max(fewest_disks(layout), parity(layout) + 2)


def _most_spares(disks: int) -> int:
    if disks < 3:
        return 0
    return 1 if disks < 12 else 2 if disks < 20 else 3


def _mirrors(members: int, spares: int) -> Iterator[Arrangement]:
    for width in (2, 3):
        if members >= width and members % width == 0:
            yield Arrangement(layout="mirror", vdevs=members // width, spares=spares)


def _raidz(members: int, spares: int) -> Iterator[Arrangement]:
    for layout in _RAIDZ:
        least = narrowest(layout)
        splits = [n for n in range(2, members) if members % n == 0 and least <= members // n <= _WIDEST]
        if members >= least and (members <= _WIDEST_ALONE or (not splits and not spares)):
            yield Arrangement(layout=layout, spares=spares)
        yield from (Arrangement(layout=layout, vdevs=n, spares=spares) for n in splits[:3])


def _draids(disks: int) -> Iterator[Arrangement]:
    """From 12 disks on, in groups of 4 or 8 data disks, with distributed spares or without."""
    if not FEWEST_FOR_DRAID <= disks <= 255:
        return
    for layout_parity, data in ((1, 4), (1, 8), (2, 4), (2, 8), (3, 8)):
        for spares in (0, 1) if disks < 24 else (0, 1, 2):
            geometry = Draid(parity=layout_parity, data=data, children=disks, spares=spares)
            if geometry.width <= geometry.disks:
                yield Arrangement(layout=geometry.name)
