"""The file in which a run over a folder's rights reports its progress and, at its end, the outcome."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from host.files.answers import Applied, Unset
from host.programs.report import Report

_MOST_NAMED = 20  # of those whose rights could not be set
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
        """Add to the counters."""
        self.note(
            files=self.content.files + files,
            folders=self.content.folders + folders,
            skipped=self.content.skipped + skipped,
        )

    def fail(self, path: str, why: str) -> None:
        """Record a file or folder whose rights could not be set."""
        first = self.content.first_unset
        if len(first) < _MOST_NAMED:
            first = (*first, Unset(path=path, why=why))
        self.content = msgspec.structs.replace(self.content, unset=self.content.unset + 1, first_unset=first)

    def end(self, *, stopped: bool) -> None:
        """Write the outcome."""
        words = _STOPPED if stopped else _ALL_SET
        if self.content.unset and not stopped:
            words = f"{self.content.unset} could not be set; all others are."
        self.close("stopped" if stopped else ("failed" if self.content.unset else "done"), words)
