"""The disks of a request that are not well, for the page that asks whether they are to be used."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from frontend.bays.lights import Spot
from host.inventory import Disk, Inventory
from pools.members.places import disk_said
from pools.unwell import unwell_words


class UnwellDisk(msgspec.Struct, frozen=True, kw_only=True):
    """One of them: what it is, and what it counts."""

    id: str
    name: str
    words: str
    spot: Spot


def unwell_in(data: Mapping[str, Any], inventory: Inventory | None) -> tuple[UnwellDisk, ...]:
    """In the order in which the request names them."""
    named = dict.fromkeys(_named(data))
    disks = [disk for name in named if inventory and (disk := inventory.disk(name)) and disk.unwell]
    return tuple(map(_view, disks))


def _view(disk: Disk) -> UnwellDisk:
    spot = Spot(id=disk.id, bay=disk.bay)
    return UnwellDisk(id=disk.id, name=disk_said(disk), words=unwell_words(disk), spot=spot)


def _named(data: Mapping[str, Any]) -> Iterator[str]:
    yield from (name for name in [data.get("disk"), *(data.get("disks") or ())] if isinstance(name, str))
    for vdev in data.get("vdevs") or ():
        yield from (name for name in vdev.get("disks") or () if isinstance(name, str))
