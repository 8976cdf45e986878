"""A measurement goes on while nobody asks for its end, and rests while its pool resilvers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import msgspec

_BUSY_EVERY_S = 10.0
STOPPED = "It was stopped. What had been measured by then is shown."


class Writing[T: msgspec.Struct](Protocol):
    """Where it is written down; see `host.programs.report.Report`."""

    content: T

    def note(self, **changes: Any) -> None: ...

    def close(self, verdict: str, words: str) -> None: ...


class Asked(Protocol):
    """Whether somebody asked for the end."""

    def asked(self) -> bool: ...

    def wait(self, seconds: float) -> bool: ...


class Pausing:
    """`busy` says whether the pool resilvers: as long as it does, nothing is read. `clock` is monotonic.

    The report has a field `phase`, which is "waiting" meanwhile, and `left_s`.
    """

    def __init__(
        self, report: Writing[Any], *, clock: Callable[[], float], stop: Asked, busy: Callable[[], bool]
    ) -> None:
        self._report, self._clock, self._busy, self.stop = report, clock, busy, stop
        self._looked_at: float | None = None
        self._waited_s = 0.0

    def working_s(self) -> float:
        """Seconds by the clock, without those that it waited."""
        return self._clock() - self._waited_s

    def ended(self) -> bool:
        """Wait while the pool resilvers; whether to end."""
        now = self._clock()
        if self._looked_at is not None and now - self._looked_at < _BUSY_EVERY_S:
            return self.stop.asked()
        before = self._report.content.phase
        while self._busy():
            self._report.note(phase="waiting", left_s=None)
            if self.stop.wait(_BUSY_EVERY_S):
                return True
        self._looked_at = self._clock()
        self._waited_s += self._looked_at - now
        self._report.note(phase=before)
        return self.stop.asked()
