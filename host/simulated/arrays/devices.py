"""Which array a path leads to, and which device is a member of it."""

from __future__ import annotations

from host.simulated.arrays.array import Array, Member
from host.simulated.blocks.devices import Device, devices
from host.simulated.refusal import Refusal
from host.simulated.state import Machine


def find(machine: Machine, path: str) -> Array:
    """By /dev/md127 or a link under /dev/disk/by-id. Refuses as mdadm does."""
    name = path.removeprefix("/dev/disk/by-id/").removeprefix("/dev/")
    for array in machine.arrays.values():
        if name in {array.kname, *array.ids}:
            return array
    raise Refusal(f"mdadm: error opening {path}: No such file or directory\n")


def device(machine: Machine, path: str) -> Device:
    """The partition or disk behind a link. Refuses as mdadm does."""
    found = devices(machine).get(path)
    if found is None:
        raise Refusal(f"mdadm: Cannot find {path}: No such file or directory\n")
    return found


def member(array: Array, found: Device) -> Member | None:
    """What the array knows of that device."""
    number = 0 if found.partition is None else found.partition.number
    serial = found.disk.serial
    return next((one for one in array.members if (one.serial, one.partition) == (serial, number)), None)


def device_of(machine: Machine, one: Member) -> Device | None:
    """The device of a member, where its disk is in the machine."""
    for disk in machine.present():
        if disk.serial == one.serial:
            part = disk.partition(one.partition) if one.partition else None
            return Device(disk, part) if part or not one.partition else None
    return None
