"""Which shares can be served now. One whose file system is not there waits: the folder beneath is not it."""

from __future__ import annotations

from typing import Literal

import msgspec

from host.contents.places import place_fault
from host.inventory import Dataset, Inventory, NfsShare, Sharing, SmbShare
from shares.written import share_fault

Why = Literal["off", "gone", "locked", "not-mounted", "bad-place", "bad-value"]


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """Where a share is served from; None where it is not, with `why` as a code and in `words`."""

    place: str | None = None
    why: Why | None = None
    words: str = ""


def dataset_of(share: SmbShare | NfsShare, inventory: Inventory) -> Dataset | None:
    """The file system that is shared, under whatever name it has now."""
    if not share.guid:  # it is made in the same job
        return inventory.dataset(share.dataset)
    return next((one for one in inventory.datasets if one.guid == share.guid), None)


def standing(share: SmbShare | NfsShare, inventory: Inventory) -> Standing:
    """Whether a share can be served, and what it waits for."""
    found = dataset_of(share, inventory)
    if not share.enabled:
        return Standing(why="off", words="It is turned off.")
    if found is None:
        words = f"{share.dataset} is in no imported pool. Import its pool, or delete the share."
        return Standing(why="gone", words=words)
    if fault := share_fault(share):
        words = f"Its stored settings cannot be served: {fault} Change the share, or delete it."
        return Standing(why="bad-value", words=words)
    place = found.value("mountpoint") or ""
    if found.mounted and (fault := place_fault(place)):
        return Standing(why="bad-place", words=fault)
    if found.mounted:
        return Standing(place=place)
    if found.value("keystatus") == "unavailable":
        return Standing(
            why="locked", words=f"{found.name} is locked. The share comes back once it is unlocked."
        )
    return Standing(
        why="not-mounted",
        words=f"{found.name} is not mounted. The share comes back once it is mounted.",
    )


def below(share: NfsShare, inventory: Inventory) -> tuple[str, ...]:
    """Where the file systems below an export are mounted, those that are inside of its folder."""
    root = dataset_of(share, inventory)
    place = root.value("mountpoint") if root else None
    if root is None or not share.below:
        return ()
    places = (one.value("mountpoint") or "" for one in inventory.below(root.name) if one.mounted)
    return tuple(sorted(path for path in places if path.startswith(f"{place}/") and not place_fault(path)))


def heir(share: NfsShare, sharing: Sharing, inventory: Inventory) -> NfsShare | None:
    """The export of `sharing` that includes the folder of `share` where that has no export of its own, once
    all is mounted; None where none does."""
    above = [one for one in sharing.nfs if one.below and _reaches(one, share, inventory)]
    nearest = max(above, key=lambda one: len(_name(one, inventory)), default=None)
    return nearest if nearest is not None and nearest.enabled else None


def _reaches(outer: NfsShare, inner: NfsShare, inventory: Inventory) -> bool:
    """By the names alone where one of them is in no imported pool: its place is not known then."""
    if not _name(inner, inventory).startswith(f"{_name(outer, inventory)}/"):
        return False
    here, there = dataset_of(outer, inventory), dataset_of(inner, inventory)
    if here is None or there is None:
        return True
    return (there.value("mountpoint") or "").startswith(f"{here.value('mountpoint')}/")


def _name(share: NfsShare, inventory: Inventory) -> str:
    found = dataset_of(share, inventory)
    return found.name if found else share.dataset
