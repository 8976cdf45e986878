"""The file in which a burn-in says how far it is, and at its end its verdict."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import msgspec

from host.inventory import BurnIn

_EVERY_S = 5.0


class Report:
    """Written whole and renamed, so that nobody reads half of it and a power cut leaves the last one."""

    def __init__(
        self,
        path: Path,
        *,
        serial: str,
        size_bytes: int,
        clock: Callable[[], float],
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._path, self._clock, self._now = path, clock, now
        moment = self._moment()
        self.burn_in = BurnIn(
            serial=serial,
            phase="self-test",
            percent=0.0,
            started_at=moment,
            updated_at=moment,
            size_bytes=size_bytes,
        )
        self._write()

    def note(self, **changes: Any) -> None:
        """Change fields of `burn_in`. The file follows every few seconds, and at each new phase."""
        entered = changes.get("phase", self.burn_in.phase) != self.burn_in.phase
        self.burn_in = msgspec.structs.replace(self.burn_in, **changes)
        if entered or self._clock() - self._written >= _EVERY_S:
            self._write()

    def end(self, verdict: Literal["passed", "failed", "stopped"], words: str) -> None:
        """The last word."""
        self.burn_in = msgspec.structs.replace(
            self.burn_in, verdict=verdict, words=words, finished_at=self._moment()
        )
        self._write()

    def _write(self) -> None:
        self._written = self._clock()
        self.burn_in = msgspec.structs.replace(self.burn_in, updated_at=self._moment())
        fresh = self._path.with_name(f"{self._path.name}.new")
        with fresh.open("wb") as file:
            file.write(msgspec.json.encode(self.burn_in))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self._path)

    def _moment(self) -> str:
        return self._now().isoformat(timespec="seconds")
