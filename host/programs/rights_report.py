"""The file in which a run over a folder's rights says how far it is, and at its end how it ended."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from host.files.answers import Applied, Unset
from host.programs.report import Report

_MOST_TOLD = 20  # of those that refused
_ALL_SET = "All rights are set."
_STOPPED = "It was stopped. What had been set by then stays so, and the rest is as it was."


class RightsReport(Report[Applied]):
    """Counts what was set, what was left out, and what refused."""

    def __init__(
        self,
        folder: Path,
        *,
        run: str,
        dataset: str,
        path: str,
        access: str,
        clock: Callable[[], float],
        **more: Any,
    ) -> None:
        def begin(moment: str) -> Applied:
            return Applied(
                run=run, dataset=dataset, path=path, access=access, started_at=moment, updated_at=moment
            )

        super().__init__(folder / f"{run}.json", begin, clock=clock, **more)

    def count(self, *, files: int = 0, folders: int = 0, skipped: int = 0) -> None:
        """So many more."""
        self.note(
            files=self.told.files + files,
            folders=self.told.folders + folders,
            skipped=self.told.skipped + skipped,
        )

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
        self.close("stopped" if stopped else ("failed" if self.told.unset else "done"), words)
