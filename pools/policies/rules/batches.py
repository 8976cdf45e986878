"""As few commands as can be: `zfs destroy` takes many names of one dataset, or one name of a whole tree.

Each command is a transaction that has to reach the disks, which is what takes the time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping

from host.commands.datasets.snapshots import ZfsDestroySnapshots

_NAMES = 500  # of at most 255 bytes: one argument stays below the kernel's 128 KiB


def batches(
    doomed: Mapping[str, Collection[str]], datasets: Collection[str]
) -> tuple[ZfsDestroySnapshots, ...]:
    """Commands that destroy the names in `doomed` (by dataset) and nothing else.

    One command for a whole tree is used only where each of the `datasets` in it loses the name, so never
    where one might keep, or be receiving, a snapshot that is called the same.
    """
    left = {dataset: set(tags) for dataset, tags in doomed.items() if tags}
    trees = _trees(datasets)
    commands: list[ZfsDestroySnapshots] = []
    for top in sorted(left, key=lambda name: (name.count("/"), name)):
        tree = trees.get(top, (top,))
        if len(tree) == 1:
            continue
        shared = set.intersection(*(left.get(name, set()) for name in tree))
        commands += _commands(top, shared, recursive=True)
        for name in tree if shared else ():
            left[name] -= shared
    for dataset in sorted(left):
        commands += _commands(dataset, left[dataset], recursive=False)
    return tuple(commands)


def _trees(datasets: Collection[str]) -> dict[str, tuple[str, ...]]:
    """By dataset: itself and all below it."""
    found: dict[str, list[str]] = defaultdict(list)
    for name in sorted(datasets):
        parts = name.split("/")
        for depth in range(1, len(parts) + 1):
            found["/".join(parts[:depth])].append(name)
    return {top: tuple(names) for top, names in found.items()}


def _commands(dataset: str, tags: set[str], *, recursive: bool) -> Iterator[ZfsDestroySnapshots]:
    names = sorted(tags)
    for start in range(0, len(names), _NAMES):
        yield ZfsDestroySnapshots(
            dataset=dataset, tags=tuple(names[start : start + _NAMES]), recursive=recursive
        )
