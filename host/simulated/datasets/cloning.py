"""zfs clone, zfs rollback and zfs rename of snapshots on a simulated machine."""

from __future__ import annotations

from host.base import Result
from host.commands.datasets.snapshots import ZfsClone, ZfsRenameSnapshot, ZfsRollback
from host.simulated.datasets import properties
from host.simulated.datasets.lifecycle import clones_of, parent_of
from host.simulated.datasets.snapshot_output import snapshot
from host.simulated.datasets.snapshots import tree
from host.simulated.datasets.values import mount
from host.simulated.handlers import on
from host.simulated.refusal import Refusal, done
from host.simulated.state import Dataset, Machine, Pool, Snapshot


def clone(machine: Machine, command: ZfsClone) -> Result:
    """zfs clone."""
    pool, source, one = snapshot(machine, command.snapshot)
    say = f"cannot create '{command.name}'"
    if parent_of(machine, command.name, say) is not pool:
        raise Refusal(f"{say}: source and target pools differ\n")
    if command.name in pool.datasets:
        raise Refusal(f"{say}: dataset already exists\n")
    try:
        values = {
            name: properties.checked(name, value, source.kind)
            for name, value in sorted(command.properties.items())
        }
    except properties.BadProperty as error:
        raise Refusal(f"{say}: {error}\n") from None
    pool.txg += 1
    pool.datasets[command.name] = Dataset(
        name=command.name, kind=source.kind, guid=machine.number(), createtxg=pool.txg,
        objsetid=54 + 9 * len(pool.datasets), created=int(machine.now()), origin=command.snapshot,
        data=one.data, values=values | {k: v for k, v in source.values.items() if k == "volsize"},
        fixed=dict(source.fixed),
    )  # fmt: skip
    mount(machine, pool.datasets[command.name])
    return done()


def rollback(machine: Machine, command: ZfsRollback) -> Result:
    """zfs rollback: without -r only to the newest snapshot."""
    pool, dataset, target = snapshot(machine, command.snapshot)
    newer = [one for one in dataset.snapshots if one.createtxg > target.createtxg]
    names = [f"{dataset.name}@{one.tag}" for one in newer]
    say = f"cannot rollback to '{command.snapshot}'"
    clones = [clone for name in names for clone in clones_of(pool, name)]
    if newer and not (command.newer or command.clones):
        hint = "use '-r' to force deletion of the following snapshots and bookmarks:"
        listed = "".join(f"{name}\n" for name in names)
        raise Refusal(f"{say}: more recent snapshots or bookmarks exist\n{hint}\n{listed}")
    if clones and not command.clones:
        hint = "use '-R' to force deletion of the following clones and dependents:"
        listed = "".join(f"{name}\n" for name in clones)
        raise Refusal(f"{say}: clones of previous snapshots exist\n{hint}\n{listed}")
    for clone_name in clones:
        _drop(pool, clone_name)
    _destroy_newer(machine, dataset, newer)
    dataset.bookmarks = [one for one in dataset.bookmarks if one.createtxg <= target.createtxg]
    dataset.data = target.data
    pool.txg += 1
    return done()


def _destroy_newer(machine: Machine, dataset: Dataset, newer: list[Snapshot]) -> None:
    """Youngest first. One that is held ends it, and those that went before are gone."""
    for one in sorted(newer, key=lambda each: each.createtxg, reverse=True):
        if one.holds:
            said = f"cannot destroy '{dataset.name}@{one.tag}': dataset is busy\n"
            raise Refusal(said)
        dataset.snapshots.remove(one)
        dataset.snapshots_changed = int(machine.now())


def _drop(pool: Pool, name: str) -> None:
    for doomed in [one for one in pool.datasets if f"{one}/".startswith(f"{name}/")]:
        del pool.datasets[doomed]


def rename(machine: Machine, command: ZfsRenameSnapshot) -> Result:
    """zfs rename of a snapshot, with -r of those of its name below too."""
    pool, dataset, renamed = snapshot(machine, command.name)
    chosen = [
        (one, each)
        for one in tree(pool, dataset, recursive=command.recursive)
        for each in one.snapshots
        if each.tag == renamed.tag
    ]
    for one, _ in chosen:
        if any(other.tag == command.tag for other in one.snapshots):
            raise Refusal(f"cannot rename '{command.name}': dataset already exists\n")
    old = command.name.partition("@")[2]
    for one, each in chosen:
        for dataset_of_clone in pool.datasets.values():
            if dataset_of_clone.origin == f"{one.name}@{old}":
                dataset_of_clone.origin = f"{one.name}@{command.tag}"
        each.tag = command.tag
        one.snapshots_changed = int(machine.now())
    return done()


HANDLERS = on(ZfsClone, clone) | on(ZfsRollback, rollback) | on(ZfsRenameSnapshot, rename)
