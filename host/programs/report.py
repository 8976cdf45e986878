"""The file in which a program reports its progress and, at its end, the outcome."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec


def _utc() -> datetime:
    return datetime.now(UTC)


class Report[T: msgspec.Struct]:
    """Written in full and renamed, so that nobody reads half of it and a power cut leaves the previous one.

    `begin` makes the first `content` from the time of the start, ISO 8601 in UTC.
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
        self.content: T = begin(self._moment())
        self._write()

    def note(self, **changes: Any) -> None:
        """Change fields of the content; the file is written every few seconds."""
        self.content = msgspec.structs.replace(self.content, **changes)
        if self._clock() - self._written >= self.every_s:
            self._write()

    def close(self, verdict: str, words: str) -> None:
        """Write the outcome."""
        self.content = msgspec.structs.replace(
            self.content, verdict=verdict, words=words, finished_at=self._moment()
        )
        self._write()

    def _write(self) -> None:
        self._written = self._clock()
        self.content = msgspec.structs.replace(self.content, updated_at=self._moment())
        fresh = self._path.with_name(f"{self._path.name}.new")
        with fresh.open("wb") as file:
            file.write(msgspec.json.encode(self.content))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self._path)

    def _moment(self) -> str:
        return self._now().isoformat(timespec="seconds")
