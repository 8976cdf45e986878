"""What hands do to the disks of a simulated machine, and what time does."""

from __future__ import annotations

from typing import Any

import msgspec

from host.simulated.blocks.devices import kernel_names, name_all
from host.simulated.hardware import COUNTERS, Smart
from host.simulated.state import Disk, Machine


class Impossible(ValueError):
    """Not with this disk, or not now; the message says why."""


def find_disk(machine: Machine, name: str, *, pulled: bool) -> Disk:
    """By a link under /dev/disk/by-id, a serial or the kernel's name. Raises KeyError."""
    link = name.removeprefix("/dev/disk/by-id/").removeprefix("/dev/")
    for disk in machine.disks:
        if disk.pulled is pulled and link in {disk.serial, disk.kname, *disk.ids}:
            return disk
    raise KeyError(name)


def plug(machine: Machine, disk: Disk) -> None:
    """The kernel sees `disk` come: it gets the first free name. Raises `Impossible`."""
    present = machine.present()
    if any(other.hctl == disk.hctl for other in present):
        raise Impossible(f"Another disk sits where {disk.serial} was.")
    taken = {other.kname for other in present}
    disk.kname = next(name for name in kernel_names(disk.transport) if name not in taken)
    disk.pulled = False
    disk.sequence = machine.next_sequence()


def trade_places(one: Disk, other: Disk) -> None:
    """Each goes where the other was."""
    one.hctl, other.hctl = other.hctl, one.hctl
    one.ports, other.ports = other.ports, one.ports


def unbox(machine: Machine, old: Disk, serial: str) -> Disk:
    """A new disk of the model of `old`, blank and never used, for the place where that one was."""
    wwn = f"{old.wwn[:9]}{machine.number() & 0xFFFFFFFFF:09x}" if old.wwn else None
    names = [name.replace(old.serial, serial) for name in old.ids]
    if old.wwn and wwn:
        names = [name.replace(old.wwn.removeprefix("0x"), wwn.removeprefix("0x")) for name in names]
    smart = old.smart and Smart(
        protocol=old.smart.protocol, rpm=old.smart.rpm, temperature=old.smart.temperature,
        long_minutes=old.smart.long_minutes, power_cycles=1, crc=old.smart.crc and 0,
    )  # fmt: skip
    blank: dict[str, Any] = {"table": None, "content": None, "partitions": [], "remains": {}, "held": []}
    disk = msgspec.structs.replace(old, serial=serial, wwn=wwn, ids=names, smart=smart, pulled=True, **blank)
    machine.disks.append(disk)
    return disk


def set_counters(disk: Disk, counters: dict[str, int]) -> None:
    """Make a disk count otherwise. Raises `Impossible` for a counter that it has not."""
    smart = smart_of(disk)
    for name, value in counters.items():
        if name not in COUNTERS:
            raise Impossible(f"Disks do not count {name}.")
        setattr(smart, name, value)


def smart_of(disk: Disk) -> Smart:
    """What a disk counts. Raises `Impossible` where it has no SMART."""
    if disk.smart is None:
        raise Impossible(f"{disk.serial} has no SMART.")
    return disk.smart


def shuffle(machine: Machine) -> None:
    """Start the machine with its disks found in the opposite order, so that nearly every name differs."""
    present = sorted(machine.present(), key=lambda disk: (len(disk.kname), disk.kname), reverse=True)
    name_all(present)
    machine.sequences = len(present)
