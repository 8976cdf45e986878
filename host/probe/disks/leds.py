"""Which disks have a light that ledctl can switch."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import get_args

import msgspec

from host.base import Host
from host.commands.disks.leds import Controller, LedSlots
from host.inventory import Disk

Leds = dict[str, bool]  # the kernel's path of a disk → whether its light is on

_SLOT = re.compile(r"^slot: .*?\s+led state: (?P<state>\S+)\s+device: (?P<device>/dev/\S+)\s*$", re.MULTILINE)
_ON = re.compile(r"LOCATE(?!_OFF)")


def read_leds(host: Host) -> Leds:
    """The lights of all types of controllers, off where there is no ledctl. Raises `HostError`."""
    found: Leds = {}
    for controller in get_args(Controller):
        answer = host.run(LedSlots(controller=controller))
        if answer.exit == 0:
            found |= parse_led_slots(answer.stdout)
    return found


def parse_led_slots(text: str) -> Leds:
    """From lines of `ledctl --list-slots`; empty slots and lines of another form are left out."""
    return {line["device"]: bool(_ON.match(line["state"])) for line in _SLOT.finditer(text)}


def could_have_led(disk: Disk) -> bool:
    """Only PCIe bays have such lights: where there is no NVMe disk, nobody need ask."""
    return disk.transport == "nvme"


def with_leds(disks: Iterable[Disk], leds: Leds) -> tuple[Disk, ...]:
    """`disks` with their lights."""
    return tuple(
        msgspec.structs.replace(disk, led=leds[disk.path]) if disk.path in leds else disk for disk in disks
    )
