"""Has zdb(8) read a pool in the background, until it ends, somebody stops it, or the pool resilvers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from host.measuring.pausing import Asked, Writing
from host.system.following import Follow

STOPPED = "It was stopped."
RESILVERS = "It was stopped, as the pool began to resilver. Start it again when that has finished."
_KILLED = {-9, 137}
_BUSY_EVERY_S = 10.0
_PROGRESS = "estimated time remaining"


class ReadingPool:
    """Once. `clock` is monotonic; `busy` says whether the pool resilvers. `too_large` is said where it needs
    more memory than it may have.
    """

    def __init__(
        self,
        report: Writing[Any],
        *,
        follow: Follow,
        clock: Callable[[], float],
        stop: Asked,
        busy: Callable[[], bool],
        too_large: str,
    ) -> None:
        self._report, self._follow, self._clock, self._stop, self._busy = report, follow, clock, stop, busy
        self._too_large = too_large
        self._begun_at = self._asked_at = clock()
        self._resilvers = False

    def carry_out(
        self,
        argv: tuple[str, ...],
        line: Callable[[bytes], None],
        said: Callable[[bytes], None] | None = None,
    ) -> bool:
        """Whether it came to its end: the report is closed where it did not. `line` takes each line of its
        stdout, `said` what it writes to its stderr.
        """
        result = self._follow(argv, environment={}, line=line, asked=self._ended, said=said)
        self._report.note(phase="done", left_s=None)
        if self._stop.asked():
            self._report.close("stopped", STOPPED)
        elif self._resilvers:
            self._report.close("stopped", RESILVERS)
        elif result.exit in _KILLED:
            self._report.close("failed", self._too_large)
        elif result.exit != 0:
            self._report.close("failed", f"zdb says: {_last(result.stderr)}")
        else:
            return True
        return False

    def passed_s(self) -> float:
        """Seconds since it began."""
        return self._clock() - self._begun_at

    def _ended(self) -> bool:
        now = self._clock()
        if now - self._asked_at >= _BUSY_EVERY_S:
            self._asked_at = now
            self._resilvers = self._busy()
        return self._stop.asked() or self._resilvers


def _last(said: str) -> str:
    lines = [line for line in said.splitlines() if line.strip() and _PROGRESS not in line]
    return lines[-1][:300] if lines else "nothing"
