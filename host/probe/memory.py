"""What one probe may leave to the next."""

from __future__ import annotations

import time
from datetime import datetime

from host.base import Host
from host.inventory import Disk, HostFacts
from host.probe.facts import probe_facts
from host.probe.labels import Labels
from host.probe.leds import Leds, could_have_led, read_leds

_LASTS_S = 300.0


class Memory:
    """Remembers label states (reading one wakes a disk) and, for five minutes, what hardly moves: facts of
    the machine, and which disks have a light that ledctl switches."""

    def __init__(self) -> None:
        self.labels = Labels()
        self._facts: tuple[float, HostFacts] | None = None
        self._leds: tuple[float, set[tuple[str, str]], Leds] | None = None

    def facts(self, host: Host, now: datetime) -> HostFacts:
        """The facts of `host`, asked anew when they are old. Raises `HostError`."""
        if self._facts is None or time.monotonic() - self._facts[0] > _LASTS_S:
            self._facts = (time.monotonic(), probe_facts(host, now))
        return self._facts[1]

    def leds(self, host: Host, disks: tuple[Disk, ...]) -> Leds:
        """The lights of `disks`, asked anew when that is old or when one of these disks came or went.

        Where no disk could have one, nothing is asked. Raises `HostError`.
        """
        able = {(disk.path, disk.id) for disk in disks if could_have_led(disk)}
        if not able:
            return {}
        if self._leds is None or self._leds[1] != able or time.monotonic() - self._leds[0] > _LASTS_S:
            self._leds = (time.monotonic(), able, read_leds(host))
        return self._leds[2]
