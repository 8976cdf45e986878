"""The file in which a burn-in says how far it is, and at its end its verdict."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import msgspec

from host.inventory import BurnIn
from host.programs.report import Report


class BurnInReport(Report[BurnIn]):
    """Follows every few seconds, and at each new phase."""

    every_s = 5.0

    def __init__(
        self, path: Path, *, serial: str, size_bytes: int, clock: Callable[[], float], **more: Any
    ) -> None:
        def begin(moment: str) -> BurnIn:
            return BurnIn(
                serial=serial,
                phase="self-test",
                percent=0.0,
                started_at=moment,
                updated_at=moment,
                size_bytes=size_bytes,
            )

        super().__init__(path, begin, clock=clock, **more)

    def note(self, **changes: Any) -> None:
        """Change fields of what is told."""
        if changes.get("phase", self.told.phase) == self.told.phase:
            super().note(**changes)
        else:
            self.told = msgspec.structs.replace(self.told, **changes)
            self._write()

    def end(self, verdict: Literal["passed", "failed", "stopped"], words: str) -> None:
        """The last word."""
        self.close(verdict, words)
