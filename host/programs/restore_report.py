"""The file in which a restore says how far it is, and at its end how it ended."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import msgspec

from host.files.told import Restored

_EVERY_S = 2.0
_KEPT_S = 30 * 86_400.0


class RestoreReport:
    """Written whole and renamed, so that nobody reads half of it. Reports of a month ago are removed."""

    def __init__(
        self,
        folder: Path,
        *,
        restore: str,
        dataset: str,
        source: str,
        target: str,
        clock: Callable[[], float],
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._path, self._clock, self._now = folder / f"{restore}.json", clock, now
        self.temporary = f".nasweb-restore-{restore}".encode()
        moment = self._moment()
        self.told = Restored(
            restore=restore,
            dataset=dataset,
            source=source,
            target=target,
            started_at=moment,
            updated_at=moment,
        )
        _forget_old(folder)
        self._write()

    def note(self, **changes: Any) -> None:
        """Change fields of what is told; the file follows every few seconds."""
        self.told = msgspec.structs.replace(self.told, **changes)
        if self._clock() - self._written >= _EVERY_S:
            self._write()

    def end(self, verdict: Literal["restored", "failed", "stopped"], words: str) -> None:
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


def _forget_old(folder: Path) -> None:
    for path in folder.glob("*.json"):
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > _KEPT_S:
                path.unlink()
