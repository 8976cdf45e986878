"""Simulated enclosures in sysfs: what find and grep say of them, and their lights."""

from __future__ import annotations

from host.base import Result
from host.commands.disks.enclosure import EnclosureDevices, EnclosureFiles, ListEnclosures, SlotLight
from host.simulated.handlers import always, on
from host.simulated.refusal import Refusal, done
from host.simulated.state import Machine

_MISSING = "find: ‘/sys/class/enclosure’: No such file or directory\n"


def list_enclosures(machine: Machine) -> Result:
    """find /sys/class/enclosure: without one, the kernel has not even loaded the driver."""
    if not machine.enclosures:
        raise Refusal(_MISSING)
    paths = (one.path.removeprefix("/sys/") for one in machine.enclosures)
    return done("".join(f"../../{path}\n" for path in paths))


def files(machine: Machine, command: EnclosureFiles) -> Result:
    """grep -r --null over the enclosures' folders."""
    found: list[tuple[str, str]] = []
    for one in machine.enclosures:
        if one.path in command.paths:
            found.append((f"{one.path}/id", one.id))
            for slot in one.slots:
                values = {"fault": int(slot.faulty), "type": "array device", "slot": slot.number}
                values["locate"] = int(slot.lit)
                found += [(f"{one.path}/{slot.folder}/{name}", str(value)) for name, value in values.items()]
    return done("".join(f"{path}\0{value}\n" for path, value in found))


def devices(machine: Machine, command: EnclosureDevices) -> Result:
    """find -name device: the slots that hold a disk now."""
    present = {disk.hctl for disk in machine.present()}
    text = ""
    for one in machine.enclosures:
        for slot in one.slots:
            if one.path in command.paths and slot.hctl in present:
                host, _, target, _ = slot.hctl.split(":")
                target_name = f"port-{host}:0:{target}/end_device-{host}:0:{target}/target{host}:0:{target}"
                link = f"../../../../../../{target_name}/{slot.hctl}"
                text += f"{one.path}/{slot.folder}/device\0{link}\0d\0"
    return done(text)


def light(machine: Machine, command: SlotLight) -> Result:
    """tee writes to `locate`, and repeats what it wrote."""
    for one in machine.enclosures:
        for slot in one.slots:
            if command.path == f"{one.path}/{slot.folder}":
                slot.lit = command.on
                return done(command.input())
    raise Refusal(f"tee: {command.path}/locate: No such file or directory\n", stdout=command.input())


HANDLERS = (
    always(ListEnclosures, list_enclosures)
    | on(EnclosureFiles, files)
    | on(EnclosureDevices, devices)
    | on(SlotLight, light)
)
