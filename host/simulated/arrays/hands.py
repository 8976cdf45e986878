"""Pulled disks and other faults of simulated arrays."""

from __future__ import annotations

from host.simulated.arrays import clock, events
from host.simulated.arrays.array import Array
from host.simulated.arrays.mdadm import give_up, let_go
from host.simulated.state import Disk, Machine


def pulled(machine: Machine, disk: Disk) -> None:
    """udev lets mdadm take a disk that is gone out of its arrays. The last copy of something stays a member:
    md cannot do without it, whether it answers or not."""
    for array in machine.arrays.values():
        for one in [one for one in array.members if one.serial == disk.serial]:
            if one.state != "in_sync" or array.whole > array.wanted - array.redundancy:
                give_up(machine, array, one)
                let_go(machine, array, one)
    clock.settle(machine)


def failed(machine: Machine, disk: Disk) -> None:
    """A disk that no longer answers is marked as faulty by md."""
    for array in machine.arrays.values():
        for one in [one for one in array.members if one.serial == disk.serial]:
            if array.whole > array.wanted - array.redundancy:
                give_up(machine, array, one)


def differ(machine: Machine, name: str, sectors: int) -> None:
    """Let so many sectors of an array differ; the next check finds them. Raises KeyError."""
    _named(machine, name).differing += sectors


def halt(machine: Machine, name: str) -> None:
    """Let an array wait for members, as after a start without one of them. Raises KeyError."""
    array = _named(machine, name)
    array.running, array.work = False, None
    machine.holders[array.kname].ids = []
    events.record(machine, array, "DeviceDisappeared")


def _named(machine: Machine, name: str) -> Array:
    for array in machine.arrays.values():
        if name in {array.kname, array.name.rpartition(":")[2]}:
            return array
    raise KeyError(name)
