"""The report of a measurement in memory; see `host.measuring.pausing.Writing`."""

from __future__ import annotations

from typing import Any

import msgspec


class Kept[T: msgspec.Struct]:
    """Begins with this content."""

    def __init__(self, content: T) -> None:
        self.content = content

    def note(self, **changes: Any) -> None:
        self.content = msgspec.structs.replace(self.content, **changes)

    def close(self, verdict: str, words: str) -> None:
        self.note(verdict=verdict, words=words)
