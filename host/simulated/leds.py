"""Lights of simulated PCIe slots: what ledctl 1.0 says of them."""

from __future__ import annotations

from host.base import Result
from host.commands.disks.leds import LedLight, LedSlots
from host.simulated.blocks.devices import devices
from host.simulated.handlers import on
from host.simulated.refusal import Refusal, done
from host.simulated.state import Machine

_INVALID_PATH, _NOT_SUPPORTED = 8, 33  # led_status_t


def list_slots(machine: Machine, command: LedSlots) -> str:
    """ledctl --list-slots: nothing on a machine without such controllers."""
    paths = {disk.hctl: disk.path for disk in machine.present()}
    return "".join(
        f"slot: {led.slot:<15} led state: {'LOCATE' if led.lit else 'NORMAL':<15} "
        f"device: {paths.get(led.hctl, '(empty)'):<15}\n"
        for led in machine.leds
        if led.controller == command.controller
    )


def light(machine: Machine, command: LedLight) -> Result:
    """ledctl --listed-only."""
    device = devices(machine).get(command.disk)
    if device is None:
        raise Refusal("", exit_status=_INVALID_PATH)
    for led in machine.leds:
        if led.hctl == device.disk.hctl:
            led.lit = command.on
            return done()
    raise Refusal(f"ledctl: {command.disk}: device not supported\n", exit_status=_NOT_SUPPORTED)


HANDLERS = on(LedSlots, list_slots) | on(LedLight, light)
