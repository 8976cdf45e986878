"""What hardly moves of a machine, asked anew after five minutes."""

from __future__ import annotations

import time

import msgspec

from host.base import Host
from host.inventory import BootImport, HostFacts, Pool
from host.probe.facts import probe_facts
from host.probe.network import read_clock
from host.probe.system.boot import read_boot_import

LASTS_S = 300.0


class Lasting:
    """Remembers the facts of one machine, and whether its clock follows others."""

    def __init__(self) -> None:
        self._facts: tuple[float, str, HostFacts] | None = None
        self._boot: tuple[set[tuple[str, str | None]], BootImport | None] | None = None
        self._clock: tuple[float, bool | None] | None = None

    def facts(self, host: Host, pools: tuple[Pool, ...], boot: str) -> HostFacts:
        """The facts of `host`, asked anew when they are old or of another start than `boot`; how pools come
        back at the start also when `pools` are others than they were. Raises `HostError`."""
        known = self._facts
        if known is None or known[1] != boot or time.monotonic() - known[0] > LASTS_S:
            known = self._facts = (time.monotonic(), boot, probe_facts(host))
            self._boot = None
        here = {(pool.guid, pool.cachefile) for pool in pools}
        if self._boot is None or self._boot[0] != here:
            self._boot = (here, read_boot_import(host))
        return msgspec.structs.replace(known[2], boot_import=self._boot[1])

    def clock(self, host: Host) -> bool | None:
        """Whether the clock of `host` follows others, asked anew when that is old. Raises `HostError`."""
        if self._clock is None or time.monotonic() - self._clock[0] > LASTS_S:
            self._clock = (time.monotonic(), read_clock(host))
        return self._clock[1]
