"""The file in which a run reports its progress and, at its end, the outcome."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from host.programs.report import Report
from host.repositories.answers import Action, Code, RunReport, Verdict

_KEPT_S = 90 * 86_400.0


class BackupReport(Report[RunReport]):
    """Removes reports that are older than 90 days: the console has what it needs of them."""

    def __init__(
        self, folder: Path, *, run: str, action: Action, clock: Callable[[], float], **more: Any
    ) -> None:
        def begin(moment: str) -> RunReport:
            return RunReport(run=run, action=action, started_at=moment, updated_at=moment)

        for path in folder.glob("*.json"):
            with suppress(OSError):
                if time.time() - path.stat().st_mtime > _KEPT_S:
                    path.unlink()
        super().__init__(folder / f"{run}.json", begin, clock=clock, **more)

    def end(self, verdict: Verdict, words: str, code: Code = "") -> None:
        """Write the outcome."""
        self.note(phase="", remaining_s=None, code=code)
        self.close(verdict, words)
