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


def rows(text: str, columns: int) -> Iterator[list[str]]:
    """The lines with exactly so many columns, which tabs part.

    A property that was set elsewhere may hold line feeds and tabs, which zfs prints as they are. What is in
    pieces then is no row: a pool that is imported must not keep all others from being read.
    """
    for line in lines(text):
        found = line.split("\t")
        if len(found) == columns:
            yield found
