"""One round of collection: the kernel's counters now, beside those of the round before.

Which points come of two rounds is said by each room's collectors, which `nasweb` puts together.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from threading import Lock
from typing import cast

from django.conf import settings
from django.utils.module_loading import import_string

from host.inventory import Inventory
from host.kernel.counters import Counters, read_counters
from host.kernel.files import KernelFiles
from jobs.series import counted
from jobs.series.values import Point
from jobs.series.writing import record

# Two rounds, the later one second, and the machine as it was probed last; `round.seconds` lie between them.
Collector = Callable[["Round", Inventory], Iterable[Point]]
_LONGEST_S = 60.0  # what was between is said of the whole time: longer than that, it says nothing of now


class Round:
    """Counters of two moments."""

    def __init__(self, before: Counters, now: Counters) -> None:
        self.before, self.now = before, now
        self.seconds = now.uptime - before.uptime

    def rate(self, earlier: float, later: float) -> float | None:
        """What was counted a second; None for a counter that went back, since it belongs to something new."""
        return (later - earlier) / self.seconds if later >= earlier else None

    def point(self, name: str, value: float | None) -> Iterable[Point]:
        """`value` as a point of this round; nothing where there is none."""
        return () if value is None else (Point(name, int(self.now.time), value),)


class Collection:
    """What the last round counted, in the one worker."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._last: Counters | None = None

    def collect(self, inventory: Inventory | None) -> None:
        """Read everything once and record what came of it. A long round is not joined by the next."""
        if not self._lock.acquire(blocking=False):
            return
        try:
            now = read_counters(kernel_files(), time.time())
            before, self._last = self._last, now
            counted.keep(now)
            if before is None or inventory is None or not 0 < now.uptime - before.uptime <= _LONGEST_S:
                return
            of_both = Round(before, now)
            record(point for collector in _collectors() for point in collector(of_both, inventory))
        finally:
            self._lock.release()


def kernel_files() -> KernelFiles:
    """Those of the machine that is looked after."""
    return cast("KernelFiles", import_string(settings.NASWEB_KERNEL_FILES_FACTORY)())


def _collectors() -> tuple[Collector, ...]:
    return cast("tuple[Collector, ...]", import_string(settings.NASWEB_COLLECTORS))
