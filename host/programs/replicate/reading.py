"""The files of a snapshot at one side: mounted here, or hashed by the paired Nasweb that has it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import msgspec

from host.base import CommandFailed, CommandTimedOut, HostError
from host.commands.replication.hashes import (
    MOST_FILES,
    MOST_PATH_BYTES,
    MOST_PATHS_BYTES,
    FileToHash,
    HashFiles,
)
from host.contents.peers import UNKNOWN_COMMAND
from host.programs.replicate.frozen import WHOLE_BYTES, answered, files_below
from host.programs.replicate.side import CONNECTION_LOST, Side
from host.replication.hashes import Digest, Trouble, read_hashed
from host.replication.proof import MOST_WALKED

MOST_BATCH_BYTES = 256 << 20  # so that an idle disk answers within the time of one request
_SAID = 200
_TOO_OLD = "The other Nasweb is too old to compare files. Update it."
_NONSENSE = "The other Nasweb answered something else."
Names = tuple[bytes, ...]


class NotRead(Exception):
    """The files of one snapshot cannot be read at all; the text says what the machine said."""

    def __init__(self, result: Trouble, said: str) -> None:
        super().__init__(said)
        self.result = result


class Unanswered(Exception):
    """The other machine answers nothing of this kind; the text is for people."""


class Wanted(msgspec.Struct, frozen=True):
    """A file that is to be read, and the seed of its hash."""

    names: Names
    seed: int


class Files(Protocol):
    """One snapshot."""

    def paths(self) -> Iterator[Names]:
        """Its regular files, of so many entries at most. Of a snapshot on this machine alone."""
        ...

    def takes(self, names: Names) -> bool:
        """Whether such a path can be asked for."""
        ...

    def is_enough(self, wanted: Sequence[Wanted], size_bytes: int) -> bool:
        """Whether these, of so many bytes in all, should be asked for before there are more."""
        ...

    def digests(self, wanted: Sequence[Wanted]) -> Sequence[Digest]:
        """One for each, in that order. Raises `NotRead`, `Unanswered`."""
        ...


class Here:
    """A snapshot that is mounted, by the descriptor of its folder."""

    def __init__(self, root: int) -> None:
        self._root = root

    def paths(self) -> Iterator[Names]:
        """See `Files`."""
        return files_below(self._root, MOST_WALKED)

    def takes(self, names: Names) -> bool:
        """All of them: they are opened name by name."""
        return bool(names)

    def is_enough(self, wanted: Sequence[Wanted], size_bytes: int) -> bool:
        """One at a time, so that somebody who asks for the end is heard between two files."""
        return bool(wanted)

    def digests(self, wanted: Sequence[Wanted]) -> Sequence[Digest]:
        """See `Files`."""
        return [answered(self._root, one.names, one.seed) for one in wanted]


class Whole(Here):
    """The same, with all of its files and each of them whole."""

    def __init__(self, root: int, asked_to_stop: Callable[[], bool]) -> None:
        super().__init__(root)
        self._asked = asked_to_stop

    def paths(self) -> Iterator[Names]:
        """However many they are."""
        return files_below(self._root, sys.maxsize)

    def digests(self, wanted: Sequence[Wanted]) -> Sequence[Digest]:
        """As far as they came, once somebody has asked for the end."""
        return [answered(self._root, one.names, one.seed, self._asked) for one in wanted]


class There:
    """A snapshot on a paired Nasweb, which may answer anything."""

    def __init__(self, side: Side, snapshot: str) -> None:
        self._side, self._snapshot, self._asked = side, snapshot, False

    def paths(self) -> Iterator[Names]:
        """Never asked for: it answers for files whose names are known."""
        raise TypeError("Another machine lists no files")

    def takes(self, names: Names) -> bool:
        """A path that has no more bytes than Linux takes in one."""
        return 0 < len(b"/".join(names)) <= MOST_PATH_BYTES

    def is_enough(self, wanted: Sequence[Wanted], size_bytes: int) -> bool:
        """As many as one request may have, or as can be read in its time."""
        paths_bytes = sum(len(b"/".join(one.names)) for one in wanted)
        room = MOST_PATHS_BYTES - MOST_PATH_BYTES
        return len(wanted) >= MOST_FILES or paths_bytes >= room or size_bytes >= MOST_BATCH_BYTES

    def digests(self, wanted: Sequence[Wanted]) -> Sequence[Digest]:
        """See `Files`. Without files it asks once whether the snapshot can be read there."""
        if not wanted and self._asked:
            return []
        self._asked = True
        files = tuple(FileToHash(path=b"/".join(one.names), seed=one.seed) for one in wanted)
        try:
            found = read_hashed(self._ask(HashFiles(snapshot=self._snapshot, files=files)))
        except msgspec.DecodeError:
            raise NotRead("unreachable", _NONSENSE) from None
        if found.trouble:
            raise NotRead(found.trouble, found.said)
        if len(found.files) != len(files):
            raise NotRead("unreachable", _NONSENSE)
        return found.files

    def _ask(self, command: HashFiles) -> str:
        try:
            return self._side.run(command)
        except CommandTimedOut:
            raise Unanswered("The other Nasweb did not answer in time.") from None
        except CommandFailed as error:
            said = error.result.stderr.strip()
            if error.result.exit == CONNECTION_LOST:
                raise Unanswered(f"The connection failed or was lost. {said[-_SAID:]}".strip()) from None
            if UNKNOWN_COMMAND in said:
                raise Unanswered(_TOO_OLD) from None
            raise NotRead("unreachable", said[:_SAID]) from None
        except (HostError, OSError) as error:
            raise NotRead("unreachable", str(error)[:_SAID]) from None


def read_bytes(size_bytes: int) -> int:
    """How many bytes of a file of that size are read at most."""
    return min(size_bytes, WHOLE_BYTES)
