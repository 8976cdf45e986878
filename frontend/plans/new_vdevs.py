"""What a plan makes, in bays: the shape of a new pool before the commands that make it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from host.inventory import Inventory
from jobs.wording import counted

_LAYOUT_GOES_WITHOUT_SAYING = {"spare", "cache"}


class VdevGist(msgspec.Struct, frozen=True, kw_only=True):
    """A vdev to be made, and the bays of its disks (ids where a disk is in no bay)."""

    title: str
    width: str
    bays: tuple[str, ...]


def vdevs_to_make(data: Mapping[str, Any], inventory: Inventory | None) -> tuple[VdevGist, ...]:
    """The vdevs of a `pool.create` request that has a plan, so that its shape is known to be right."""
    disks = inventory.disks if inventory else ()
    bays = {link: disk.bay or disk.id for disk in disks for link in disk.links}
    return tuple(
        VdevGist(
            title=_title(vdev.get("role", "data"), vdev["layout"]),
            width=counted(len(vdev["disks"]), "disk"),
            bays=tuple(bays.get(disk, disk) for disk in vdev["disks"]),
        )
        for vdev in data["vdevs"]
    )


def _title(role: str, layout: str) -> str:
    if role == "data":
        return layout
    return role if role in _LAYOUT_GOES_WITHOUT_SAYING else f"{role}, {layout}"
