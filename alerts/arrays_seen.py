"""Which disks were members of each md array when it was whole: the kernel forgets those that leave."""

from __future__ import annotations

import msgspec

from alerts.evidence import SeenMember
from alerts.models import ArraySeen
from host import typed
from host.inventory import Inventory, MdArray


def keep(inventory: Inventory) -> None:
    """Remember the members of arrays that are whole. Writes nothing while nothing changes."""
    known = {row.uuid: row for row in ArraySeen.objects.all()}
    for array in inventory.arrays:
        if array.state == "inactive" or array.degraded or not array.uuid:
            continue
        found = msgspec.to_builtins(_members(array, inventory))
        row = known.get(array.uuid)
        if row is None or row.members != found or row.name != array.name:
            ArraySeen.objects.update_or_create(
                uuid=array.uuid, defaults={"name": array.name, "members": found}
            )


def stored() -> dict[str, tuple[SeenMember, ...]]:
    """Members by the array's UUID."""
    return {row.uuid: typed.convert(row.members, tuple[SeenMember, ...]) for row in ArraySeen.objects.all()}


def _members(array: MdArray, inventory: Inventory) -> list[SeenMember]:
    found = []
    for member in array.members:
        disk = inventory.disk(member.disk) if member.disk else None
        if disk is not None and member.slot is not None:
            found.append(
                SeenMember(disk=disk.id, serial=disk.serial, model=disk.model, bay=disk.bay, port=disk.port)
            )
    return found
