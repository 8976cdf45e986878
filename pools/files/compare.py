"""files.compare: how a text differs between two snapshots, or a snapshot and now."""

from __future__ import annotations

import msgspec

from host.base import Host
from host.commands.files import CompareTexts
from host.files.answers import TextDiff
from pools.files.answers import ask
from pools.files.reach import PathText, Text


class CompareFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Compare `path` in `before` with `then`; a snapshot's name behind the @, or null for now."""

    dataset: Text
    path: PathText
    before: Text | None = None
    then: Text | None = None


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """A unified diff, line by line; no lines where both are equal. `cut`: there is more than is shown."""

    lines: tuple[str, ...]
    cut: bool


def answer(request: CompareFile, host: Host) -> Difference:
    """Raises `Refused` for what is no text, too large or not there; `HostError`."""
    command = CompareTexts(
        dataset=request.dataset, path=request.path, before=request.before, after=request.then
    )
    found = ask(host, command, TextDiff)
    return Difference(lines=found.lines, cut=found.cut)
