"""The file in which a program says how far it is, and at its end how it ended."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from host.files.answers import Applied, Restored
from host.inventory import BurnIn


def _utc() -> datetime:
    return datetime.now(UTC)


class Report[T: (BurnIn, Restored, Applied)]:
    """Written whole and renamed, so that nobody reads half of it and a power cut leaves the last one.

    `begin` makes what is `told` at first from the moment that it begins, ISO 8601 in UTC.
    """

    every_s = 2.0

    def __init__(
        self,
        path: Path,
        begin: Callable[[str], T],
        *,
        clock: Callable[[], float],
        now: Callable[[], datetime] = _utc,
    ) -> None:
        self._path, self._clock, self._now = path, clock, now
        self.told: T = begin(self._moment())
        self._write()

    def note(self, **changes: Any) -> None:
        """Change fields of what is told; the file follows every few seconds."""
        self.told = msgspec.structs.replace(self.told, **changes)
        if self._clock() - self._written >= self.every_s:
            self._write()

    def close(self, verdict: str, words: str) -> None:
        """The last word."""
        self.told = msgspec.structs.replace(
            self.told, verdict=verdict, words=words, finished_at=self._moment()
        )
        self._write()

    def _write(self) -> None:
        self._written = self._clock()
        self.told = msgspec.structs.replace(self.told, updated_at=self._moment())
        fresh = self._path.with_name(f"{self._path.name}.new")
        with fresh.open("wb") as file:
            file.write(msgspec.json.encode(self.told))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self._path)

    def _moment(self) -> str:
        return self._now().isoformat(timespec="seconds")
