"""Compares files of each replica with the snapshot that it was made from: a sample, or all of a copy that was
written anew and is to take the place of its source.

Which files are compared is chosen on the side that lies on this machine, of two the source's. So of a replica
that is pulled, a file that it does not have at all is not found: the other machine lists nothing. It has what
a stream brought, whose checksums cover all of it; what is looked for is what became of it since.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

import msgspec

from host.base import CommandFailed, HostError
from host.commands.replication.task import Task
from host.files.names import shown as as_text
from host.programs.replicate.frozen import trouble_of
from host.programs.replicate.reading import Files, Names, NotRead, Unanswered, Wanted, read_bytes
from host.programs.replicate.side import Side
from host.replication.hashes import FileDigest, Unreadable
from host.replication.proof import MOST_BYTES, MOST_FILES, UNREAD, Proof, Proven, sample, shown, verdict_of
from host.replication.sides import Member

_LEAST_FILES = 5  # of each dataset
_SAID = 500
_OTHER_FILES = "(files that the source does not have)"
Opened = Callable[[Side, str], AbstractContextManager[Files]]


class Writing(Protocol):
    """Where it is written down; see `host.programs.report.Report`."""

    content: Proof

    def note(self, **changes: object) -> None: ...

    def close(self, verdict: str, words: str) -> None: ...


class _Tally:
    """What has been compared of one dataset."""

    def __init__(self) -> None:
        self.files, self.size_bytes, self.different = 0, 0, list[str]()
        self.pending: list[tuple[Wanted, FileDigest]] = []

    def of(self, proven: Proven) -> Proven:
        """What it comes to."""
        result = "different" if self.different else "same" if self.files else "empty"
        return msgspec.structs.replace(
            proven, result=result, files=self.files, size_bytes=self.size_bytes,
            different=shown(self.different),
        )  # fmt: skip

    def count(self, wanted: Wanted, size_bytes: int, *, same: bool) -> None:
        self.files, self.size_bytes = self.files + 1, self.size_bytes + size_bytes
        if not same:
            self.different.append(as_text(b"/".join(wanted.names)))

    def compare(self, far: Files, *, far_is_source: bool) -> None:
        """What is pending, with the other side. Raises `NotRead`, `Unanswered`."""
        found = far.digests([wanted for wanted, _ in self.pending])
        for (wanted, near), one in zip(self.pending, found, strict=True):
            if far_is_source and isinstance(one, Unreadable):
                raise _not_read(one)
            # A replica that cannot be read is no copy.
            self.count(wanted, near.size_bytes, same=one == near)
        self.pending = []

    @property
    def waiting_bytes(self) -> int:
        """What the other side has to read for it."""
        return sum(read_bytes(near.size_bytes) for _, near in self.pending)


class Proving:
    """One proof of a task, dataset after dataset. `asked_to_stop` is looked at between two files."""

    def __init__(
        self, task: Task, source: Side, target: Side, report: Writing, *, opened: Opened,
        asked_to_stop: Callable[[], bool], chance: random.Random, in_time: Callable[[], bool] = lambda: True,
    ) -> None:  # fmt: skip
        self._task, self._source, self._target, self._report = task, source, target, report
        self._opened, self._asked, self._chance, self._in_time = opened, asked_to_stop, chance, in_time
        self._left_bytes = MOST_BYTES

    def carry_out(self) -> None:
        """To the verdict in the report."""
        try:
            sources = self._source.tree(self._task.source)
            replicas = self._target.tree(self._task.target)
        except HostError as error:
            said = error.result.stderr if isinstance(error, CommandFailed) else str(error)
            self._report.close("failed", said.strip()[:_SAID])
            return
        pairs = [
            (member, replicas[name])
            for member in sources.values()
            if self._task.wants(member.name) and (name := self._task.replica_of(member.name)) in replicas
        ]
        share = max(_LEAST_FILES, MOST_FILES // max(1, len(pairs)))
        found: list[Proven] = []
        for member, replica in pairs:
            try:
                found.append(self._prove(member, replica, share, found))
            except Unanswered as error:
                self._give_up(found, str(error))
                return
            self._report.note(datasets=tuple(found))
            if self._asked():
                self._report.close("stopped", "")
                return
            if not self._in_time():
                self._give_up(found, "The other machine took too long to answer.")
                return
        unread = next((one for one in found if one.result in UNREAD), None)
        if self._task.anew and unread is not None:
            # It is to take the place of its source: what was not read counts as not compared.
            self._give_up(found, f"{unread.target} could not be compared. {unread.said}".strip())
            return
        self._report.close(verdict_of(found), "")

    def _give_up(self, found: list[Proven], words: str) -> None:
        """A difference that was found counts, whatever became of the rest."""
        if verdict_of(found) == "different":
            self._report.close("different", "")
        else:
            self._report.close("failed", words)

    def _prove(self, member: Member, replica: Member, share: int, before: Sequence[Proven]) -> Proven:
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
                self._opened(self._source, f"{member.name}@{here[common.guid]}") as frozen,
                self._opened(self._target, f"{replica.name}@{common.name}") as copy,
            ):
                if self._task.anew:
                    return self._compare_all(proven, frozen, copy, before)
                return self._compare(proven, frozen, copy, share)
        except NotRead as error:
            return msgspec.structs.replace(proven, result=error.result, said=str(error))
        except OSError as error:
            return msgspec.structs.replace(proven, result=trouble_of(error), said=error.strerror or "")

    def _compare(self, proven: Proven, source: Files, replica: Files, share: int) -> Proven:
        pulled, tally = self._source.elsewhere, _Tally()
        near, far = (replica, source) if pulled else (source, replica)
        chosen = sample(filter(far.takes, near.paths()), share, self._chance)
        for path in self._affordable(chosen):
            wanted = Wanted(path, self._chance.getrandbits(63))
            (one,) = near.digests([wanted])
            if isinstance(one, Unreadable):
                if not pulled:
                    raise _not_read(one)
                tally.count(wanted, 0, same=False)
            elif one is not None:
                self._left_bytes -= one.size_bytes
                tally.pending.append((wanted, one))
            if far.is_enough([wanted for wanted, _ in tally.pending], tally.waiting_bytes):
                tally.compare(far, far_is_source=pulled)
        tally.compare(far, far_is_source=pulled)  # of none, too: whether it can be read there at all
        return tally.of(proven)

    def _compare_all(self, proven: Proven, source: Files, copy: Files, before: Sequence[Proven]) -> Proven:
        """Both ways: a file that only the copy has is a difference, too."""
        tally = _Tally()
        for path in source.paths():
            wanted = Wanted(path, self._chance.getrandbits(63))
            (one,), (other,) = source.digests([wanted]), copy.digests([wanted])
            if self._asked():  # they may not have been read to their ends
                return tally.of(proven)
            if isinstance(one, Unreadable):
                raise _not_read(one)
            tally.count(wanted, 0 if one is None else one.size_bytes, same=one == other)
            self._report.note(datasets=(*before, tally.of(proven)))
        if tally.files != sum(1 for _ in copy.paths()):
            tally.different.append(_OTHER_FILES)
        return tally.of(proven)

    def _affordable(self, chosen: Iterable[Names]) -> Iterator[Names]:
        for path in chosen:
            if self._left_bytes <= 0 or self._asked() or not self._in_time():
                return
            yield path


def _not_read(one: Unreadable) -> NotRead:
    return NotRead(one.trouble, one.said)
