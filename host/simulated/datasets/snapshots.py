"""zfs snapshot, and zfs destroy of snapshots, on simulated pools."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator

from host.base import Result
from host.commands import ZfsDestroySnapshots, ZfsSnapshot
from host.simulated.datasets.lifecycle import clones_of, find, held
from host.simulated.refusal import Refusal, done
from host.simulated.state import Dataset, Machine, Pool, Snapshot

_USAGE = (
    "usage:\n\tsnapshot [-r] [-o property=value] ... <filesystem|volume>@<snap> ...\n\n"
    "For the property list, run: zfs set|get\n\n"
    "For the delegated permission list, run: zfs allow|unallow\n\n"
    "For further help on a command or topic, run: zfs help [<topic>]\n"
)


def take(machine: Machine, command: ZfsSnapshot) -> Result:
    """zfs snapshot: all names in one transaction, or none."""
    chosen: list[tuple[Pool, Dataset, str]] = []
    for name in command.names:
        dataset_name, _, tag = name.partition("@")
        try:
            pool, dataset = find(machine, dataset_name)
        except Refusal as refusal:
            raise Refusal(refusal.result.stderr + _USAGE, exit_status=2) from None
        chosen += [(pool, one, tag) for one in _tree(pool, dataset, recursive=command.recursive)]
    _check(chosen)
    now = int(time.time())
    for pool in {pool.name: pool for pool, _, _ in chosen}.values():
        pool.txg += 1
    for pool, dataset, tag in chosen:
        dataset.snapshots.append(
            Snapshot(tag=tag, guid=machine.number(), createtxg=pool.txg, created=now, data=dataset.data)
        )
        dataset.snapshots_changed = now
    return done()


def _check(chosen: list[tuple[Pool, Dataset, str]]) -> None:
    pools = {pool.name for pool, _, _ in chosen}
    twice = [name for name, count in Counter(dataset.name for _, dataset, _ in chosen).items() if count > 1]
    if len(pools) > 1 or twice:
        # It says so for snapshots in two pools as well.
        raise Refusal("cannot create snapshots : multiple snapshots of same fs not allowed\n")
    taken = [
        f"cannot create snapshot '{dataset.name}@{tag}': dataset already exists\n"
        for _, dataset, tag in chosen
        if any(snapshot.tag == tag for snapshot in dataset.snapshots)
    ]
    if taken:
        raise Refusal("".join(taken))


def destroy(machine: Machine, command: ZfsDestroySnapshots) -> Result:
    """zfs destroy dataset@a,b: those that exist, all or none of them."""
    pool, dataset = find(machine, command.dataset)
    doomed = [
        (one, snapshot)
        for one in _tree(pool, dataset, recursive=command.recursive)
        for snapshot in one.snapshots
        if snapshot.tag in command.tags
    ]
    if not doomed:
        raise Refusal("could not find any snapshots to destroy; check snapshot names.\n")
    for one, snapshot in doomed:
        name = f"{one.name}@{snapshot.tag}"
        if clones := clones_of(pool, name):
            text = f"cannot destroy '{name}': snapshot has dependent clones\n"
            listed = "".join(f"{clone}\n" for clone in clones)
            raise Refusal(f"{text}use '-R' to destroy the following datasets:\n{listed}")
    for one, snapshot in doomed:
        if snapshot.holds:
            raise Refusal(held(f"{one.name}@{snapshot.tag}"))
    pool.txg += 1
    for one, snapshot in doomed:
        one.snapshots.remove(snapshot)
        one.snapshots_changed = int(time.time())
    return done()


def _tree(pool: Pool, dataset: Dataset, *, recursive: bool) -> Iterator[Dataset]:
    yield dataset
    if recursive:
        for name in sorted(pool.datasets):
            if name.startswith(f"{dataset.name}/"):
                yield pool.datasets[name]
