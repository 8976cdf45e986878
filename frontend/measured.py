"""How a measurement of a dataset's files stands, in words."""

from __future__ import annotations

import msgspec


class RunView(msgspec.Struct, frozen=True, kw_only=True):
    """The last one, or the one that goes on: `well` where it came to its end by itself."""

    goes_on: bool
    well: bool
    state: str
    words: str
    since: str
    counts: str
