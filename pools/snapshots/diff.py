"""What changed in a file system between a snapshot and a later one, or now."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from host.base import CommandFailed, Host
from host.commands.base import SnapshotName
from host.commands.datasets.snapshots import ZfsDiff
from host.probe.datasets.diff import Change, parse_diff
from jobs.planning.findings import Findings

_MOST_CHANGES = 10_000


class AskDiff(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """From `older` to `newer`, a snapshot of the same file system; to what is there now where left out."""

    older: SnapshotName
    newer: SnapshotName | None = None
    most: Annotated[int, Meta(ge=1, le=_MOST_CHANGES)] = _MOST_CHANGES


class ChangeAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A file or folder that changed. Bytes of its path that are no UTF-8 text are shown as `\\xNN`."""

    change: Literal["added", "removed", "modified", "renamed"]
    kind: str  # file, folder, symlink, …
    path: str
    new_path: str | None
    changed_at: float | None  # seconds since 1970


class DiffAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The changes in ZFS's order. `cut`: there are more than the answer holds."""

    older: str
    newer: str | None
    changes: tuple[ChangeAnswer, ...]
    cut: bool


def answer(request: AskDiff, host: Host) -> DiffAnswer:
    """Raises `Refused` with what ZFS says where it cannot compare them, `HostError`."""
    findings = Findings()
    older, newer = request.older, request.newer
    if newer is not None and newer.partition("@")[0] != older.partition("@")[0]:
        findings.refuse("other-dataset", "newer", "Compare two snapshots of the same dataset.")
    try:
        result = host.run(ZfsDiff(older=older, newer=newer))
    except CommandFailed as error:
        said = " ".join(error.result.stderr.split())
        findings.refuse("cannot-compare", "older", said or str(error))
    changes: list[ChangeAnswer] = []
    for change in parse_diff(result.stdout, cut=result.cut):
        if len(changes) == request.most:
            return DiffAnswer(older=older, newer=newer, changes=tuple(changes), cut=True)
        changes.append(_answer(change))
    return DiffAnswer(older=older, newer=newer, changes=tuple(changes), cut=result.cut)


def _answer(change: Change) -> ChangeAnswer:
    return ChangeAnswer(
        change=change.change,
        kind=change.kind,
        path=change.path,
        new_path=change.new_path,
        changed_at=change.changed_at,
    )
