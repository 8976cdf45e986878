"""What the processors and the disks had to do meanwhile, from the kernel's counters."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from host.benchmark.values import BusyDisk
from host.kernel.disks import read_disks
from host.kernel.files import KernelFiles
from host.kernel.system import read_cpu_times


class Load(msgspec.Struct, frozen=True, kw_only=True):
    """Shares from 0 to 1."""

    processor: float
    busy: tuple[BusyDisk, ...]


class LoadMeter:
    """Between `begin` and `end`. `devices` are the kernel's names of disks or partitions by their links."""

    def __init__(self, files: KernelFiles, devices: Mapping[str, str]) -> None:
        self._files, self._devices = files, devices
        self._busy: dict[str, int] = {}
        self._idle = self._total = 0

    def begin(self) -> None:
        """Read the counters."""
        self._busy = self._disks()
        self._idle, self._total = self._processors()

    def end(self, seconds: float) -> Load:
        """What came since `begin`, `seconds` ago."""
        idle, total = self._processors()
        passed = total - self._total
        now, whole_ms = self._disks(), max(1.0, seconds * 1000)
        return Load(
            processor=1 - (idle - self._idle) / passed if passed > 0 else 0.0,
            busy=tuple(
                BusyDisk(disk=link, share=min(1.0, max(0, now[name] - self._busy.get(name, 0)) / whole_ms))
                for link, name in self._devices.items()
                if name in now
            ),
        )

    def _disks(self) -> dict[str, int]:
        return {name: one.busy_ms for name, one in read_disks(self._files).items()}

    def _processors(self) -> tuple[int, int]:
        times = read_cpu_times(self._files)
        if times is None:
            return 0, 0
        return times.total - times.user - times.system - times.steal, times.total
