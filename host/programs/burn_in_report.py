"""The file in which a burn-in reports its progress and, at its end, its verdict."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import msgspec

from host.inventory import BurnIn
from host.programs.report import Report


class BurnInReport(Report[BurnIn]):
    """Written every few seconds, and at each new phase."""

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
        """Change fields of the content; the file is written at once where the phase changes."""
        if changes.get("phase", self.content.phase) == self.content.phase:
            super().note(**changes)
        else:
            self.content = msgspec.structs.replace(self.content, **changes)
            self._write()

    def end(self, verdict: Literal["passed", "failed", "stopped"], words: str) -> None:
        """Write the verdict."""
        self.close(verdict, words)
