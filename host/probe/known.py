"""The last reading of each family of facts, for probes that need not read it again."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from datetime import UTC, datetime
from threading import Lock
from typing import Any, NamedTuple

from host.base import CommandFailed, Host
from host.commands.base import Command
from host.families import EVERYTHING, Families, Family, widened
from host.probe.together import together

# What a probe uses again is never older. The clock reads everything more often, on a slow machine once a
# minute: this is for one that fails. Earlier, a job would read the whole machine in its place.
YOUNG_S = 90.0
_AT_ONCE = 16  # reads side by side


class _Read(NamedTuple):
    """A family as it was read."""

    begun_s: float
    as_of: datetime
    answers: dict[Hashable, Future[Any]]


class Known:
    """Remembers each family until it is touched or read again, or is older than `young_s`.

    A reading that was overtaken (another one began, or a command touched the family meanwhile) is not stored:
    what it read may be out of date.
    """

    def __init__(self, young_s: float = YOUNG_S) -> None:
        self._young_s = young_s
        self._lock = Lock()
        self._reads: dict[Family, _Read] = {}
        self._overtaken = dict.fromkeys(Family, 0)

    def forget(self, families: Families) -> dict[Family, int]:
        """Drop what is known of `families`. Returns the count of each, for `_keep`."""
        with self._lock:
            for family in families:
                self._reads.pop(family, None)
                self._overtaken[family] += 1
            return {family: self._overtaken[family] for family in families}

    @contextmanager
    def reading(self, host: Host, fresh: Families) -> Iterator[Reading]:
        """Read `fresh`, what belongs to it, and what is missing or too old. The rest is reused."""
        fresh = widened(fresh)
        oldest = time.monotonic() - self._young_s
        with self._lock:
            reused = {
                family: read
                for family, read in self._reads.items()
                if family not in fresh and read.begun_s >= oldest
            }
        counts = self.forget(EVERYTHING - reused.keys())
        with together(host, _AT_ONCE) as executor:
            reading = Reading(host, executor, reused, frozenset(counts))
            yield reading
        self._keep(reading, counts)

    def _keep(self, reading: Reading, counts: dict[Family, int]) -> None:
        with self._lock:
            for family, count in counts.items():
                read = reading.reads[family]
                if self._overtaken[family] == count and all(
                    answer.exception() is None for answer in read.answers.values()
                ):
                    self._reads[family] = read


class Reading:
    """One probe: reads what has to be read, in parallel."""

    def __init__(self, host: Host, executor: Executor, reused: dict[Family, _Read], anew: Families) -> None:
        self._host, self._executor = host, executor
        self.anew = anew
        now, at = time.monotonic(), datetime.now(UTC)
        self.reads = reused | {family: _Read(now, at, {}) for family in anew}

    @property
    def as_of(self) -> datetime:
        """When the oldest of its families was read."""
        return min(read.as_of for read in self.reads.values())

    def ask[T](self, family: Family, read: Callable[[Host], T]) -> Future[T]:
        """What `read` returns, which belongs to `family`."""
        return self._answer(family, read, lambda: read(self._host))

    def parsed[T](self, family: Family, command: Command, parse: Callable[[str], T]) -> Future[T]:
        """What `command` prints, as `parse` understands it."""
        return self._answer(family, command, lambda: parse(self._host.run(command).stdout))

    def said(self, family: Family, command: Command) -> Future[str]:
        """What `command` prints; nothing where it fails, as where the machine has no such thing."""
        return self._answer(family, command, lambda: _said(self._host, command))

    def _answer[T](self, family: Family, key: Hashable, work: Callable[[], T]) -> Future[T]:
        answers = self.reads[family].answers
        if family in self.anew:
            answers[key] = self._executor.submit(work)
        return answers[key]


def _said(host: Host, command: Command) -> str:
    try:
        return host.run(command).stdout
    except CommandFailed:
        return ""
