"""Long answers line by line."""

from __future__ import annotations

from collections.abc import Iterator


def lines(text: str) -> Iterator[str]:
    """The lines of `text`, one after the other rather than all at once. A line feed alone ends one."""
    start = 0
    while (end := text.find("\n", start)) >= 0:
        yield text[start:end]
        start = end + 1
    if start < len(text):
        yield text[start:]
