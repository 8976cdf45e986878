"""Puts all families together, and makes the text of them at most once in a while."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from threading import Lock

from alerts.doctor.examine import examine
from alerts.gathering import gather_all
from alerts.report.copies import copies
from host.inventory import Inventory
from jobs import cache
from jobs.series import counted
from nasweb.metrics import console, disks, machine, pools
from nasweb.metrics.copies import of_copies
from nasweb.metrics.values import Family, Format, text
from pools.policies.standing import standings

# The worker counts every ten seconds, and the doctor reads weeks: asking more often shows nothing new.
FRESH_S, EXAMINED_S, COUNTED_S = 5.0, 300.0, 60.0


class Kept[T]:
    """A value that is made anew once it is `fresh_s` old; whoever comes meanwhile waits for it."""

    def __init__(self, fresh_s: float) -> None:
        self._fresh_s, self._lock = fresh_s, Lock()
        self._made: tuple[float, T] | None = None

    def get(self, make: Callable[[], T]) -> T:
        """The value, or a new one."""
        with self._lock:
            now = time.monotonic()
            if self._made is None or now - self._made[0] >= self._fresh_s:
                self._made = now, make()
            return self._made[1]

    def forget(self) -> None:
        """Make it anew for whoever asks next."""
        with self._lock:
            self._made = None


_texts: dict[Format, Kept[str]] = {"openmetrics": Kept(FRESH_S), "text": Kept(FRESH_S)}
_findings: Kept[Mapping[str, int]] = Kept(EXAMINED_S)


def exposition(how: Format) -> str:
    """All metrics as text, up to `FRESH_S` old."""
    return _texts[how].get(lambda: text(families(datetime.now(UTC)), how))


def forget() -> None:
    """Make everything anew."""
    _findings.forget()
    for kept in _texts.values():
        kept.forget()


def families(now: datetime) -> Iterator[Family]:
    """From the cached inventory and the counters of the last round; few before the first probe. Counters
    that are old are left out: a gap says that nothing was measured, a flat line would say that nothing was
    done."""
    inventory = cache.current()
    if inventory is None:
        yield from console.no_picture()
        return
    counters = counted.newest()
    findings = _findings.get(lambda: _examined(inventory))
    yield from console.of_console(inventory, findings, now, counters.time if counters else None)
    if counters is not None and abs(now.timestamp() - counters.time) <= COUNTED_S:
        yield from machine.of_machine(counters)
        yield from machine.of_ports(counters, inventory)
        yield from disks.of_traffic(inventory, counters)
    yield from disks.of_disks(inventory, disks.readings())
    yield from pools.of_pools(inventory)
    yield from pools.of_vdevs(inventory)
    yield from pools.of_datasets(inventory, standings(inventory, datetime.fromisoformat(inventory.as_of)))
    yield from pools.of_arrays(inventory)
    yield from of_copies(copies(inventory, now), now)


def _examined(inventory: Inventory) -> Mapping[str, int]:
    return Counter(one.severity for one in examine(inventory, gather_all(inventory)).findings)
