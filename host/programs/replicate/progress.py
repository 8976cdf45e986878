"""The file in which a run reports how far it is and, at its end, what it left."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from host.programs.report import Report
from host.replication.values import Replica, Replicated, Verdict

_RATE_S = 20.0  # over which the rate is a mean
_SAY_S = 0.5
_LONGEST, _MOST = 4096, 100  # another machine may say anything; what it says is stored and shown


class Progress:
    """What is known of each dataset so far. Without a `report` nothing is written: a run is only planned."""

    def __init__(self, task: str, clock: Callable[[], float], report: Report[Replicated] | None) -> None:
        self._clock, self._report = clock, report
        self._plan = Replicated(task=task, started_at="", updated_at="")
        self._sending: str | None = None
        self._passed = deque[tuple[float, int]]()
        self._unsaid, self._said_at = 0, clock()

    @property
    def content(self) -> Replicated:
        """All of it."""
        return self._plan if self._report is None else self._report.content

    @property
    def datasets(self) -> tuple[Replica, ...]:
        """One for each dataset, by name."""
        return self.content.datasets

    def begin(self, datasets: tuple[Replica, ...], **changes: Any) -> None:
        """The datasets that belong to it."""
        self._change(datasets=datasets, **changes)

    def note(self, source: str, **changes: Any) -> Replica:
        """Change what is known of one dataset."""
        self._say()
        self._sending = source if changes.get("state") == "sending" else None
        found = self._find(source)
        changed = msgspec.structs.replace(found, **{name: _bounded(one) for name, one in changes.items()})
        self._replace(found, changed)
        return changed

    def _find(self, source: str) -> Replica:
        return next(one for one in self.datasets if one.source == source)

    def _replace(self, found: Replica, changed: Replica) -> None:
        self._change(datasets=tuple(changed if one is found else one for one in self.datasets))

    def passed(self, size_bytes: int) -> None:
        """So many bytes of the dataset that is being sent have passed."""
        self._unsaid += size_bytes
        if self._clock() - self._said_at >= _SAY_S:  # there may be thousands of pieces a second
            self._say()

    def _say(self) -> None:
        size, self._unsaid, self._said_at = self._unsaid, 0, self._clock()
        if not size or self._sending is None:
            return
        self._passed.append((self._said_at, size))
        while self._said_at - self._passed[0][0] > _RATE_S:
            self._passed.popleft()
        since = max(self._said_at - self._passed[0][0], 1.0)
        found = self._find(self._sending)
        self._replace(found, msgspec.structs.replace(found, done_bytes=found.done_bytes + size))
        self._change(bytes_per_s=round(sum(passed for _, passed in self._passed) / since))

    def end(self, verdict: Verdict, words: str = "", code: str = "") -> None:
        """Write what it came to."""
        self._say()
        if self._report is not None:
            self._report.note(code=code, bytes_per_s=0)
            self._report.close(verdict, words[:_LONGEST])

    def _change(self, **changes: Any) -> None:
        changes = {name: _bounded(value) for name, value in changes.items()}
        if self._report is None:
            self._plan = msgspec.structs.replace(self._plan, **changes)
        else:
            self._report.note(**changes)


def _bounded(value: Any) -> Any:
    """Texts, and lists of names."""
    if isinstance(value, str):
        return value[:_LONGEST]
    if isinstance(value, tuple) and value and isinstance(value[0], str):
        return tuple(one[:_LONGEST] for one in value[:_MOST])
    return value


def begin_report(folder: Path, task: str, clock: Callable[[], float]) -> Report[Replicated]:
    """The file of a task's run; that of the run before it is replaced."""

    def begun(moment: str) -> Replicated:
        return Replicated(task=task, started_at=moment, updated_at=moment)

    return Report(folder / f"{task}.json", begun, clock=clock)
