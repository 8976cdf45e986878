"""Datasets to choose a folder from; one that cannot be shared is shown with the reason."""

from __future__ import annotations

import msgspec

from host.contents.places import place_fault
from host.inventory import Dataset, Inventory


class PlaceChoice(msgspec.Struct, frozen=True, kw_only=True):
    """A dataset; `why_not` in few words, empty where it can be chosen. `more` says the whole."""

    name: str
    words: str
    why_not: str = ""
    more: str = ""


def to_share(inventory: Inventory, *, exported: bool = False) -> tuple[PlaceChoice, ...]:
    """All datasets; with `exported` those that have an export already cannot be chosen."""
    taken = {one.guid for one in inventory.sharing.nfs} if exported else set()
    return tuple(_choice(one, taken) for one in inventory.datasets)


def to_make_in(inventory: Inventory) -> tuple[str, ...]:
    """File systems in which a new one can be made."""
    return tuple(one.name for one in inventory.datasets if one.kind == "filesystem")


def _choice(dataset: Dataset, taken: set[str]) -> PlaceChoice:
    name = dataset.name
    if dataset.kind == "volume":
        return PlaceChoice(name=name, words=f"{name} – a volume has no files", why_not="volume")
    if dataset.guid in taken:
        return PlaceChoice(name=name, words=f"{name} – exported already", why_not="exported")
    if fault := place_fault(dataset.value("mountpoint") or ""):
        short = "has no folder" if fault.startswith("It has no folder") else "its folder cannot be shared"
        return PlaceChoice(name=name, words=f"{name} – {short}", why_not=short, more=fault)
    if dataset.value("keystatus") == "unavailable":
        return PlaceChoice(name=name, words=f"{name} – locked, the share would not be available yet")
    if not dataset.mounted:
        return PlaceChoice(name=name, words=f"{name} – not mounted, the share would not be available yet")
    return PlaceChoice(name=name, words=name)
