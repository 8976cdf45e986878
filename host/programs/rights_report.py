"""The file in which a run over a folder's rights says how far it is, and at its end how it ended."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from host.files.told import Applied, Unset

_EVERY_S = 2.0
_MOST_TOLD = 20  # of those that refused
_ALL_SET = "All rights are set."
_STOPPED = "It was stopped. What had been set by then stays so, and the rest is as it was."


class RightsReport:
    """Written whole and renamed, so that nobody reads half of it."""

    def __init__(
        self,
        folder: Path,
        *,
        run: str,
        dataset: str,
        path: str,
        access: str,
        clock: Callable[[], float],
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._path, self._clock, self._now = folder / f"{run}.json", clock, now
        moment = self._moment()
        self.told = Applied(
            run=run, dataset=dataset, path=path, access=access, started_at=moment, updated_at=moment
        )
        self._write()

    def count(self, *, files: int = 0, folders: int = 0, skipped: int = 0) -> None:
        """So many more; the file follows every few seconds."""
        self.told = msgspec.structs.replace(
            self.told,
            files=self.told.files + files,
            folders=self.told.folders + folders,
            skipped=self.told.skipped + skipped,
        )
        if self._clock() - self._written >= _EVERY_S:
            self._write()

    def fail(self, path: str, why: str) -> None:
        """One whose rights could not be set."""
        first = self.told.first_unset
        if len(first) < _MOST_TOLD:
            first = (*first, Unset(path=path, why=why))
        self.told = msgspec.structs.replace(self.told, unset=self.told.unset + 1, first_unset=first)

    def end(self, *, stopped: bool) -> None:
        """The last word."""
        words = _STOPPED if stopped else _ALL_SET
        if self.told.unset and not stopped:
            words = f"{self.told.unset} could not be set; all others are."
        verdict = "stopped" if stopped else ("failed" if self.told.unset else "done")
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
