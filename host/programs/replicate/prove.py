"""Compares a sample of files of each replica with the snapshot that it was made from."""

from __future__ import annotations

import errno
import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

import msgspec

from host.base import CommandFailed
from host.commands.replication.task import Task
from host.files.names import shown as as_text
from host.programs.replicate.frozen import digest, files_below
from host.programs.replicate.side import Side
from host.replication.proof import (
    MOST_BYTES,
    MOST_FILES,
    MOST_WALKED,
    Proof,
    Proven,
    sample,
    shown,
    verdict_of,
)
from host.replication.sides import Member

_LEAST_FILES = 5  # of each dataset
Opened = Callable[[str, Path], AbstractContextManager[int]]


class Writing(Protocol):
    """Where it is written down; see `host.programs.report.Report`."""

    content: Proof

    def note(self, **changes: object) -> None: ...

    def close(self, verdict: str, words: str) -> None: ...


class Proving:
    """One proof of a task, dataset after dataset. `asked_to_stop` is looked at between two files."""

    def __init__(
        self, task: Task, source: Side, target: Side, report: Writing, *, folder: Path, opened: Opened,
        asked_to_stop: Callable[[], bool], chance: random.Random,
    ) -> None:  # fmt: skip
        self._task, self._source, self._target, self._report = task, source, target, report
        self._folder, self._opened, self._asked, self._chance = folder, opened, asked_to_stop, chance
        self._left_bytes = MOST_BYTES

    def carry_out(self) -> None:
        """To the verdict in the report. Raises `HostError` only where neither side can be asked."""
        try:
            sources = self._source.tree(self._task.source)
            replicas = self._target.tree(self._task.target)
        except CommandFailed as error:
            self._report.close("failed", error.result.stderr.strip())
            return
        pairs = [
            (member, replicas[name])
            for member in sources.values()
            if self._task.wants(member.name) and (name := self._task.replica_of(member.name)) in replicas
        ]
        share = max(_LEAST_FILES, MOST_FILES // max(1, len(pairs)))
        found: list[Proven] = []
        for member, replica in pairs:
            found.append(self._prove(member, replica, share))
            self._report.note(datasets=tuple(found))
            if self._asked():
                self._report.close("stopped", "")
                return
        self._report.close(verdict_of(found), "")

    def _prove(self, member: Member, replica: Member, share: int) -> Proven:
        here = {point.guid: point.name for point in member.snapshots}
        common = next((point for point in reversed(replica.snapshots) if point.guid in here), None)
        proven = Proven(
            source=member.name, target=replica.name, snapshot="" if common is None else common.name,
            result="unreachable",
        )  # fmt: skip
        if member.kind == "volume":
            return msgspec.structs.replace(proven, result="volume")
        if common is None:
            return msgspec.structs.replace(proven, said="No snapshot is on both sides now.")
        try:
            with (
                self._opened(f"{member.name}@{here[common.guid]}", self._folder / "source") as frozen,
                self._opened(f"{replica.name}@{common.name}", self._folder / "replica") as copy,
            ):
                return self._compare(proven, frozen, copy, share)
        except OSError as error:
            locked = error.errno in {errno.EACCES, errno.EPERM}
            result = "locked" if locked else "unreachable"
            return msgspec.structs.replace(proven, result=result, said=error.strerror or "")

    def _compare(self, proven: Proven, frozen: int, copy: int, share: int) -> Proven:
        chosen = sample(files_below(frozen, MOST_WALKED), share, self._chance)
        files = size = 0
        different: list[str] = []
        for path in self._affordable(chosen):
            seed = self._chance.getrandbits(32)
            one = digest(frozen, path, seed)
            if one is None:
                continue
            files, size = files + 1, size + one[0]
            self._left_bytes -= one[0]
            if self._same(copy, path, seed) != one:
                different.append(as_text(b"/".join(path)))
        result = "different" if different else "same" if files else "empty"
        return msgspec.structs.replace(
            proven, result=result, files=files, size_bytes=size, different=shown(different)
        )

    def _affordable(self, chosen: Iterable[tuple[bytes, ...]]) -> Iterator[tuple[bytes, ...]]:
        for path in chosen:
            if self._left_bytes <= 0 or self._asked():
                return
            yield path

    def _same(self, copy: int, path: tuple[bytes, ...], seed: int) -> tuple[int, str] | None:
        try:
            return digest(copy, path, seed)
        except OSError:
            return None  # a replica that cannot be read is no copy
