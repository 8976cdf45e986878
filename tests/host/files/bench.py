"""A folder that stands for a dataset, with snapshots that are folders beside it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from host.files.opening import Root, Unreachable


@contextmanager
def root_at(path: Path) -> Iterator[Root]:
    """The folder as the root of a dataset."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield Root(descriptor, os.fstat(descriptor).st_dev)
    finally:
        os.close(descriptor)


def inside(folder: Path) -> list[str]:
    """The names in a folder."""
    return sorted(entry.name for entry in folder.iterdir())


class Datasets:
    """`tmp/live` is the live state, `tmp/<tag>` a snapshot."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @contextmanager
    def __call__(self, dataset: str, tag: str | None) -> Iterator[Root]:
        path = self.folder / (tag or "live")
        if not path.is_dir():
            raise Unreachable("no-snapshot", f"There is no snapshot {dataset}@{tag}.")
        with root_at(path) as root:
            yield root
