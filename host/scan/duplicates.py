"""Large files with the same content: first by size, then by their ends, then by a hash of all of it."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b

from host.files import opening
from host.files.names import shown
from host.files.opening import Root, Unreachable
from host.scan.values import Duplicate

LEAST_BYTES = 1 << 20
MOST_FILES = 200_000  # that are remembered
MOST_READ = 1 << 40  # bytes
_END = 64 << 10
_PIECE = 1 << 20
_SHOWN_PATHS = 10
Names = tuple[bytes, ...]


class Ended(Exception):
    """Somebody asked for the end, or the time is over."""


class Candidates:
    """Files by their sizes, as long as there is room."""

    def __init__(self) -> None:
        self._sizes: defaultdict[int, list[Names]] = defaultdict(list)
        self._files = 0
        self.whole = True

    def add(self, names: Names, size: int) -> None:
        """A file that was found."""
        if size < LEAST_BYTES:
            return
        if self._files < MOST_FILES:
            self._files += 1
            self._sizes[size].append(names)
        else:
            self.whole = False

    def groups(self) -> list[tuple[int, list[Names]]]:
        """Files of one size each; first those that may save most."""
        several = [(size, paths) for size, paths in self._sizes.items() if len(paths) > 1]
        return sorted(several, key=lambda one: -one[0] * (len(one[1]) - 1))


def duplicates(
    root: Root, size: int, paths: Iterable[Names], over: Callable[[int], bool], unread: Callable[[], None]
) -> Iterator[Duplicate]:
    """Those with the same content among files of one size. `over` is given the bytes that were read since,
    and says whether to end. Raises `Ended`.
    """

    def alike(files: Iterable[Names], stretches: list[tuple[int, int]]) -> Iterator[list[Names]]:
        found: defaultdict[bytes, list[Names]] = defaultdict(list)
        for names in files:
            try:
                found[_digest(root, names, stretches, over)].append(names)
            except (OSError, Unreachable):
                unread()
        return (same for same in found.values() if len(same) > 1)

    for similar in alike(paths, [(0, _END), (size - _END, _END)]):
        for same in alike(similar, [(0, size)]):
            yield Duplicate(
                size_bytes=size, files=len(same),
                paths=tuple(shown(b"/".join(names)) for names in sorted(same)[:_SHOWN_PATHS]),
            )  # fmt: skip


def _digest(
    root: Root, names: Names, stretches: Iterable[tuple[int, int]], over: Callable[[int], bool]
) -> bytes:
    """Of stretches of a file, each an offset and a length."""
    found = blake2b(digest_size=16)
    with opening.file(root, names) as descriptor:
        for begin, length in stretches:
            at = begin
            while piece := os.pread(descriptor, min(_PIECE, begin + length - at), at):
                found.update(piece)
                at += len(piece)
                if over(len(piece)):
                    raise Ended
    return found.digest()
