"""The files of a simulated snapshot, as a proof reads them and a paired machine hashes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256

import msgspec

from host.commands.replication.hashes import HashFiles
from host.files.names import readable
from host.programs.replicate.reading import Names, NotRead, Wanted
from host.replication.hashes import Digest, FileDigest, HashedFiles
from host.simulated.datasets.file_tree import tree
from host.simulated.datasets.locks import is_locked
from host.simulated.datasets.snapshot_output import snapshot
from host.simulated.handlers import Handlers, on
from host.simulated.refusal import Refusal
from host.simulated.state import FileState, Machine


class Frozen:
    """A snapshot that can be read; see `host.programs.replicate.reading.Files`."""

    def __init__(self, files: dict[Names, FileState]) -> None:
        self._files = files

    def paths(self) -> Iterator[Names]:
        """Its regular files."""
        return iter(sorted(self._files))

    def takes(self, names: Names) -> bool:
        """All of them."""
        return bool(names)

    def is_enough(self, wanted: Sequence[Wanted], size_bytes: int) -> bool:
        """One after the other."""
        return bool(wanted)

    def digests(self, wanted: Sequence[Wanted]) -> Sequence[Digest]:
        """One for each."""
        return [self._digest(one) for one in wanted]

    def _digest(self, wanted: Wanted) -> Digest:
        file = self._files.get(wanted.names)
        if file is None:
            return None
        # Of a long file only the size is known; whose content it is follows from the rest.
        content = file.data if file.data is not None else f"{file.path} {file.inode}".encode()
        hashed = sha256(wanted.seed.to_bytes(8, "big") + content).hexdigest()
        return FileDigest(size_bytes=file.size, sha256=hashed)


def frozen(machine: Machine, name: str) -> Frozen:
    """The snapshot of that whole name. Raises `NotRead`."""
    try:
        pool, dataset, one = snapshot(machine, name)
    except Refusal:
        raise NotRead("unreachable", "No such file or directory") from None
    if is_locked(pool, dataset):
        raise NotRead("locked", "Permission denied")
    states = tree(pool, dataset, txg=one.createtxg).states.values()
    return Frozen({tuple(readable(one.path).split(b"/")): one for one in states if one.kind == "file"})


def _hash(machine: Machine, command: HashFiles) -> str:
    try:
        files = frozen(machine, command.snapshot).digests(
            [Wanted(one.names, one.seed) for one in command.files]
        )
    except NotRead as error:
        return msgspec.json.encode(HashedFiles(trouble=error.result, said=str(error))).decode()
    return msgspec.json.encode(HashedFiles(files=tuple(files))).decode()


HANDLERS: Handlers = on(HashFiles, _hash)
