"""What lies in the folders on which file systems are to be mounted."""

from __future__ import annotations

import time

import msgspec

from host.base import Host, HostError
from host.commands.facts import FolderHolds
from host.inventory import Dataset, Pool

_LASTS_S = 300.0


class Folders:
    """Remembers which folders are empty: for five minutes those of the system's own disk; those within
    another file system for as long as it waits for its mount, since to read them might wake a disk."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[float, bool | None]] = {}

    def settle(
        self, host: Host, datasets: tuple[Dataset, ...], pools: tuple[Pool, ...]
    ) -> tuple[Dataset, ...]:
        """The datasets, and of those that are to be mounted and are not, whether their folder is empty."""
        waiting = {dataset.name: path for dataset in datasets if (path := _awaited(dataset))}
        suspended = {pool.name for pool in pools if pool.suspended}
        self._known = {path: known for path, known in self._known.items() if path in waiting.values()}
        for path in waiting.values():
            around = _around(path, datasets)
            known = self._known.get(path)
            if known is None or (around is None and time.monotonic() - known[0] > _LASTS_S):
                # What lies on a suspended pool answers only when the pool works again.
                unreachable = around is not None and around.pool in suspended
                self._known[path] = (time.monotonic(), None if unreachable else _is_empty(host, path))
        return tuple(
            msgspec.structs.replace(dataset, folder_empty=self._known[waiting[dataset.name]][1])
            if dataset.name in waiting
            else dataset
            for dataset in datasets
        )


def _awaited(dataset: Dataset) -> str | None:
    """The folder on which a file system is to be mounted, if it is not."""
    path = dataset.value("mountpoint") or ""
    waits = dataset.kind == "filesystem" and dataset.value("canmount") == "on" and not dataset.mounted
    return path if waits and path.startswith("/") and path != "/" else None


def _around(path: str, datasets: tuple[Dataset, ...]) -> Dataset | None:
    """The mounted dataset that the folder lies in."""
    mounted = {dataset.value("mountpoint"): dataset for dataset in datasets if dataset.mounted}
    while path := path.rpartition("/")[0]:
        if path in mounted:
            return mounted[path]
    return None


def _is_empty(host: Host, path: str) -> bool | None:
    try:
        return not host.run(FolderHolds(path=path)).stdout
    except (HostError, msgspec.ValidationError):
        return None
