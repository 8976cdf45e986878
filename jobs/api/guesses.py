"""How often a code may be guessed: the one on the machine's screen, or one that pairs two machines.

An address (of IPv6: its /64) has ten guesses a minute. All together have 600; after these only whoever has
not guessed in this minute is heard, another 600 times. So a neighbour who floods the console from all 254
addresses of a home network never shuts out the owner, who has an address of their own and types once; from
larger networks it holds for a minute at a time. What is refused is not checked, right or wrong.

The counts live in this process's memory, and the console is one process: a start of it forgets at most a
minute. They are not in Django's cache, which drops entries when somebody fills it with others.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address
from threading import Lock

OF_ONE, OF_ALL, OF_NEWCOMERS = 10, 600, 600
WINDOW_S = 60
MOST_A_DAY = (OF_ALL + OF_NEWCOMERS) * 86_400 // WINDOW_S


class Guesses:
    """Counts by the minute of `clock`, in seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self.forget()

    def forget(self) -> None:
        """Forget all counts."""
        self._window = -1
        self._by: Counter[str] = Counter()
        self._all = self._newcomers = 0

    def allow(self, address: str) -> bool:
        """Whether a guess from `address` may be checked; it counts if so."""
        origin = _origin(address)
        with self._lock:
            window = int(self._clock() // WINDOW_S)
            if window != self._window:
                self.forget()
                self._window = window
            if self._by[origin] >= OF_ONE:
                return False
            if self._all - self._newcomers >= OF_ALL:
                if self._by[origin] or self._newcomers >= OF_NEWCOMERS:
                    return False
                self._newcomers += 1
            self._by[origin] += 1
            self._all += 1
            return True


def _origin(address: str) -> str:
    """Whoever has one address of IPv6 has all of its /64."""
    try:
        found = ip_address(address)
    except ValueError:
        return "unknown"
    if not isinstance(found, IPv6Address):
        return str(found)
    return str(found.ipv4_mapped or int(found) >> 64)
