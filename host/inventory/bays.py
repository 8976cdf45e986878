"""Bays of the chassis, and what sits in them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

KnownBy = Literal["enclosure", "path", "taught", "order"]


class Absent(msgspec.Struct, frozen=True, kw_only=True):
    """The disk that a bay held when it was last seen."""

    id: str
    serial: str | None
    model: str
    since: str  # ISO 8601, UTC: when it was missed first
    bay: str | None = None  # where it sat last
    events: int | None = None  # entries of its history, where they were counted
    noted: bool = False  # a person wrote a note on it, or dates


class Bay(msgspec.Struct, frozen=True, kw_only=True):
    """A bay; row and column count from 0 at the top left of its group, as drawn.

    `known_by` says how it is known that the disk sits here: by its enclosure's slot, by the port that was
    taught for this bay, by the serial that was taught, or only guessed from the order of ports.
    It is None when the bay is empty. `fresh` marks a disk that was never seen in this bay before.
    """

    label: str
    group: str
    row: int
    column: int
    disk: str | None = None  # Disk.id
    known_by: KnownBy | None = None
    missing: Absent | None = None
    fresh: bool = False
    taught: bool = False  # a port, slot or serial was taught for this bay
    doubt: str | None = None  # evidence that says otherwise, in words


def guessed(bays: Iterable[Bay], chassis: str | None) -> frozenset[str]:
    """The labels of bays whose disk, here or missing, is only guessed from the order of the ports."""
    return frozenset(
        bay.label for bay in bays if bay.known_by == "order" or (chassis is None and bay.missing is not None)
    )
