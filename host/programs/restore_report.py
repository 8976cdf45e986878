"""The file in which a restore reports its progress and, at its end, the outcome."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

from host.files.answers import Restored
from host.programs.report import Report

_KEPT_S = 30 * 86_400.0


class RestoreReport(Report[Restored]):
    """Removes reports that are older than 30 days."""

    def __init__(
        self,
        folder: Path,
        *,
        restore: str,
        dataset: str,
        source: str,
        target: str,
        clock: Callable[[], float],
        **more: Any,
    ) -> None:
        def begin(moment: str) -> Restored:
            return Restored(
                restore=restore,
                dataset=dataset,
                source=source,
                target=target,
                started_at=moment,
                updated_at=moment,
            )

        self.temporary = f".nasweb-restore-{restore}".encode()
        _forget_old(folder)
        super().__init__(folder / f"{restore}.json", begin, clock=clock, **more)

    def end(self, verdict: Literal["restored", "failed", "stopped"], words: str) -> None:
        """Write the outcome."""
        self.close(verdict, words)


def _forget_old(folder: Path) -> None:
    for path in folder.glob("*.json"):
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > _KEPT_S:
                path.unlink()
