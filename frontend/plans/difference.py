"""A unified difference, line by line, for the eye."""

from __future__ import annotations

import msgspec

_KINDS = {"+": "ins", "-": "del", "@": "at"}


class DiffLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line; `kind` is ins, del, at (where it is) or empty."""

    kind: str
    text: str


def diff_lines(difference: tuple[str, ...]) -> tuple[DiffLine, ...]:
    """A unified diff with the kind of each line; its two headings are left out."""
    return tuple(DiffLine(kind=_KINDS.get(line[:1], ""), text=line) for line in difference[2:])
