"""What changes by itself with time, the same in every reading at the same moment."""

from __future__ import annotations

from hashlib import sha256
from math import pi, sin

from host.simulated.hardware import Smart
from host.simulated.state import Disk, Machine

_DAY_S, _HALF_HOUR_S = 86_400, 1_800


def temperature(disk: Disk, smart: Smart, machine: Machine) -> int:
    """Degrees Celsius: warmer by day, and a little up and down every half hour."""
    phase = int.from_bytes(sha256(disk.serial.encode()).digest()[:2]) / 65_536
    now = machine.now()
    slow, quick = sin(2 * pi * now / _DAY_S), sin(2 * pi * (now / _HALF_HOUR_S + phase))
    return round(smart.temperature + 1.2 * slow + 0.9 * quick)


def limited(now: int, smart: Smart) -> dict[str, int]:
    """The temperature as smartctl has it, with the most that the maker allows where the disk says so."""
    return {"current": now} | ({"op_limit_max": smart.hottest} if smart.hottest is not None else {})


def hours(smart: Smart, machine: Machine) -> int:
    """Hours switched on."""
    return smart.hours + int(machine.now() - machine.booted) // 3600


def hours_at(smart: Smart, machine: Machine, moment: float) -> int:
    """Hours switched on at an earlier moment."""
    return smart.hours + int(moment - machine.booted) // 3600
