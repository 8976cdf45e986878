"""What a plan must know beyond the inventory: snapshots, pools not imported, answers to questions."""

from __future__ import annotations

from typing import Any, Protocol

import msgspec

from host.inventory import Inventory


class SnapshotNeeds(msgspec.Struct, frozen=True, kw_only=True):
    """The snapshots of `datasets` and of all below, or only those called by one of `tags`."""

    datasets: tuple[str, ...] = ()
    everywhere_below: bool = True
    tags: tuple[str, ...] | None = None


class ImportableNeeds(msgspec.Struct, frozen=True, kw_only=True):
    """The pools that are not imported, by the labels of disks. Reading those wakes every disk."""

    losses_of: tuple[str, ...] = ()  # guids of those whose rewind is asked for


class AnswerNeeds(msgspec.Struct, frozen=True, kw_only=True):
    """A question to the machine (`jobs.questions`); its name is the key in `Inventory.answers`."""

    question: str
    data: dict[str, Any]


class Needs(msgspec.Struct, frozen=True, kw_only=True):
    """All that one plan must know beyond the inventory."""

    snapshots: SnapshotNeeds = SnapshotNeeds()
    importable: ImportableNeeds | None = None
    answers: tuple[AnswerNeeds, ...] = ()


class Source(Protocol):
    """Where it is taken from. Each returns the inventory with what was asked for."""

    def snapshots(self, inventory: Inventory, wanted: SnapshotNeeds) -> Inventory: ...

    def importable(self, inventory: Inventory, wanted: ImportableNeeds) -> Inventory: ...

    def answers(self, inventory: Inventory, wanted: tuple[AnswerNeeds, ...]) -> Inventory: ...


def complete(inventory: Inventory, needs: Needs, source: Source) -> Inventory:
    """`inventory` with all of `needs`. Raises what `source` raises."""
    inventory = source.snapshots(inventory, needs.snapshots)
    if needs.importable is not None:
        inventory = source.importable(inventory, needs.importable)
    return source.answers(inventory, needs.answers) if needs.answers else inventory
