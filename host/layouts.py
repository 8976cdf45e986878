"""What the names of layouts say: `mirror`, `raidz2`, `draid2:4d:12c:1s` (man zpoolconcepts)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta

_DRAID = r"draid[123]?(?::[1-9][0-9]{0,2}d)?(?::[1-9][0-9]{0,2}c)?(?::[0-9]{1,3}s)?"
Layout = Annotated[
    str,
    Meta(
        pattern=rf"^(?:stripe|mirror|raidz[123]|{_DRAID})$",
        description="stripe, mirror, raidz1, raidz2, raidz3, or draid1 to draid3 with data disks per group, "
        "children and distributed spares: draid2:4d:12c:1s",
        examples=["raidz2", "draid2:4d:12c:1s"],
    ),
]
Kind = Literal["stripe", "mirror", "raidz", "draid"]

MOST_DISKS = 255  # in one RAIDZ or dRAID
_USUAL_DRAID_DATA = 8  # data disks of a group where zpool is given no number
_MOST_DRAID_SPARES = 100


class Draid(NamedTuple):
    """The geometry of a dRAID vdev; a group is `data` + `parity` disks wide."""

    parity: int
    data: int
    children: int
    spares: int  # distributed over all children: no disk of their own

    @property
    def name(self) -> Layout:
        """As zpool spells it in full."""
        return f"draid{self.parity}:{self.data}d:{self.children}c:{self.spares}s"

    @property
    def width(self) -> int:
        """Disks that a block is spread over."""
        return self.data + self.parity

    @property
    def disks(self) -> int:
        """As many as the space of the children without the spares' share makes."""
        return self.children - self.spares


class ImpossibleLayout(ValueError):
    """A layout that these disks cannot have; the message names the rule."""


@lru_cache(maxsize=512)
def kind(layout: Layout) -> Kind:
    """The family of a layout."""
    if layout.startswith("raidz"):
        return "raidz"
    if layout.startswith("draid"):
        return "draid"
    return "mirror" if layout == "mirror" else "stripe"


def parity(layout: Layout) -> int:
    """Parity sectors in each row: 0 for stripes and mirrors."""
    if kind(layout) not in {"raidz", "draid"}:
        return 0
    digit = layout[5:6]
    return int(digit) if digit.isdecimal() else 1


def survives(layout: Layout, disks: int) -> int:
    """How many of a vdev's disks may fail at once, in any combination, without loss."""
    return disks - 1 if layout == "mirror" else parity(layout)


def fewest_disks(layout: Layout) -> int:
    """Without which zpool makes no such vdev."""
    match kind(layout):
        case "stripe":
            return 1
        case "mirror":
            return 2
        case "raidz":
            return parity(layout) + 1
        case "draid":
            asked = {mark: number for number, mark in re.findall(r":(\d+)([dcs])", layout)}
            least = parity(layout) + int(asked.get("d", 1)) + int(asked.get("s", 0))
            return int(asked.get("c", least))


def draid(layout: Layout, disks: int) -> Draid:
    """The geometry that zpool gives `disks` disks, with what the name leaves out filled in as zpool does.

    Source: draid_config_by_type() in OpenZFS 2.3's zpool_vdev.c. Raises `ImpossibleLayout`.
    """
    asked = {mark: int(number) for number, mark in re.findall(r":(\d+)([dcs])", layout)}
    spares, pars = asked.get("s", 0), parity(layout)
    if asked.get("c", disks) != disks:
        raise ImpossibleLayout(f"{layout} is for {asked['c']} disks; here are {disks}.")
    if disks > MOST_DISKS:
        raise ImpossibleLayout(f"A dRAID has at most {MOST_DISKS} disks; here are {disks}.")
    left = disks - spares - pars
    data = asked.get("d", min(left, _USUAL_DRAID_DATA))
    if spares > _MOST_DRAID_SPARES:
        raise ImpossibleLayout(f"A dRAID has at most {_MOST_DRAID_SPARES} distributed spares.")
    if data < 1 or data > left:
        room = f"{max(left, 0)} of {disks} disks are left for data"
        raise ImpossibleLayout(f"With parity {pars} and {spares} distributed spares, {room}.")
    return Draid(parity=pars, data=data, children=disks, spares=spares)
