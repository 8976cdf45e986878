"""How often periodic work is done that takes long on a slow machine."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock


class Pace:
    """Lets work begin only once it has rested `rest` times as long as its last round took, `most_s` at most.

    With a `rest` of 4 it so takes a fifth of the time, however slow the machine is. `clock` is monotonic, in
    seconds.
    """

    def __init__(self, clock: Callable[[], float], *, rest: float, most_s: float) -> None:
        self._clock, self._rest, self._most_s = clock, rest, most_s
        self._next = float("-inf")
        self._working = Lock()

    def run(self, work: Callable[[], object]) -> bool:
        """Do it now, or not where it is too early or somebody is at it; whether it was done."""
        if not self._working.acquire(blocking=False):
            return False
        try:
            begun = self._clock()
            if begun < self._next:
                return False
            try:
                work()
            finally:
                ended = self._clock()
                self._next = ended + min(self._rest * (ended - begun), self._most_s)
            return True
        finally:
            self._working.release()
