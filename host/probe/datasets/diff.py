"""Parser of `zfs diff -FHt` (tab-separated, odd bytes as `\\0ooo`)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

_CHANGES: dict[str, Literal["added", "removed", "modified", "renamed"]] = {
    "+": "added", "-": "removed", "M": "modified", "R": "renamed",
}  # fmt: skip
_KINDS = {
    "F": "file", "/": "folder", "@": "symlink", "B": "block device", "C": "character device",
    "|": "pipe", "=": "socket", ">": "door", "P": "event port",
}  # fmt: skip
_ESCAPE = re.compile(rb"\\0([0-7]{3})")


class Change(NamedTuple):
    """One line. Paths are absolute; `changed_at` in seconds since 1970."""

    change: Literal["added", "removed", "modified", "renamed"]
    kind: str
    path: str
    new_path: str | None
    changed_at: float | None


def parse_diff(text: str, *, cut: bool = False) -> Iterator[Change]:
    """The changes in their order; of a text that was `cut` off, the last line is left out."""
    start = 0
    while (end := text.find("\n", start)) >= 0:
        yield _change(text[start:end].split("\t"))
        start = end + 1
    if start < len(text) and not cut:
        yield _change(text[start:].split("\t"))


def _change(columns: list[str]) -> Change:
    at, change, kind, path, *more = columns
    # A modified file whose number of names changed has that behind it: (+1).
    renamed = change == "R" and bool(more)
    return Change(
        change=_CHANGES[change],
        kind=_KINDS.get(kind, kind),
        path=readable(path),
        new_path=readable(more[0]) if renamed else None,
        changed_at=float(at) if at else None,
    )


def readable(escaped: str) -> str:
    """A path as text: UTF-8 where its bytes are, what is none or controls the screen as `\\xNN`."""
    raw = _ESCAPE.sub(lambda found: bytes((int(found[1], 8) & 0xFF,)), escaped.encode("utf-8"))
    text = raw.decode("utf-8", "backslashreplace")
    return "".join(one if one.isprintable() else f"\\x{ord(one):02x}" for one in text)
