"""Folds what lay at a path in snapshot after snapshot into the versions that there were. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import Literal, NamedTuple

from host.files.answers import FileEntry, ProblemCode

Change = Literal["content", "attributes", "appeared", "gone"]


class Sight(NamedTuple):
    """What lay there at one moment. `tag` None is now."""

    tag: str | None
    at: int  # seconds since 1970
    entry: FileEntry | None
    problem: ProblemCode | None = None


class Stretch(NamedTuple):
    """Looks in a row that saw the same. `change`: what set it apart from the one before in time, where
    that is known; `like`: the index of a newer stretch with the same content as far as size and time tell."""

    sights: tuple[Sight, ...]  # newest first
    change: Change | None
    like: int | None

    @property
    def entry(self) -> FileEntry | None:
        """What lay there."""
        return self.sights[0].entry


def fold(sights: Sequence[Sight]) -> tuple[Stretch, ...]:
    """`sights`, newest first, as stretches, newest first. Those that could not look join no other."""
    runs = [tuple(run) for _, run in groupby(sights, key=_same)]
    changes = [_change(newer[0], older[0]) for newer, older in pairwise(runs)]
    contents = [run[0].entry.content if run[0].entry else None for run in runs]
    return tuple(
        Stretch(run, change, contents.index(content) if content and content in contents[:index] else None)
        for index, (run, change, content) in enumerate(zip(runs, [*changes, None], contents, strict=False))
    )


def _same(one: Sight) -> tuple[object, ...]:
    return (one.problem, one.tag if one.problem else None, one.entry.mark if one.entry else None)


def _change(newer: Sight, older: Sight) -> Change | None:
    if newer.problem or older.problem:
        return None
    if newer.entry is None or older.entry is None:
        return "gone" if newer.entry is None else "appeared"
    return "attributes" if newer.entry.content == older.entry.content else "content"
