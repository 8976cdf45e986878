"""zfs snapshot, and zfs destroy of snapshots, on simulated pools."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from host.base import Result
from host.commands.datasets.snapshots import ZfsDestroySnapshots, ZfsReclaim, ZfsSnapshot
from host.simulated.datasets.lifecycle import clones_of, find, held
from host.simulated.datasets.properties import BY_NAME, is_user
from host.simulated.handlers import on
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
    _check_properties(command)
    chosen: list[tuple[Pool, Dataset, str]] = []
    for name in command.names:
        dataset_name, _, tag = name.partition("@")
        try:
            pool, dataset = find(machine, dataset_name)
        except Refusal as refusal:
            raise Refusal(refusal.result.stderr + _USAGE, exit_status=2) from None
        chosen += [(pool, one, tag) for one in tree(pool, dataset, recursive=command.recursive)]
    _check(chosen)
    now = int(machine.now())
    for pool in {pool.name: pool for pool, _, _ in chosen}.values():
        pool.txg += 1
    for pool, dataset, tag in chosen:
        dataset.snapshots.append(
            Snapshot(
                tag=tag,
                guid=machine.number(),
                createtxg=pool.txg,
                created=now,
                data=dataset.data,
                values=dict(command.properties),
            )
        )
        dataset.snapshots_changed = now
    return done()


def _check_properties(command: ZfsSnapshot) -> None:
    for name in sorted(command.properties):
        if is_user(name):
            continue
        if name not in BY_NAME:
            raise Refusal(f"cannot create snapshots : invalid property '{name}'\n")
        raise Refusal("cannot create snapshots : this property can not be modified for snapshots\n")


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
    pool, doomed = _doomed(machine, command)
    for one, snapshot in doomed:
        if snapshot.holds:
            raise Refusal(held(f"{one.name}@{snapshot.tag}"))
    pool.txg += 1
    for one in {one.name: one for one, _ in doomed}.values():
        gone = {snapshot.guid for other, snapshot in doomed if other is one}
        one.snapshots = [snapshot for snapshot in one.snapshots if snapshot.guid not in gone]
        one.snapshots_changed = int(machine.now())
    return done()


def reclaim(machine: Machine, command: ZfsReclaim) -> Result:
    """zfs destroy -nvp: what would go, and what would be free then. It ignores holds."""
    _, doomed = _doomed(machine, command)
    lines = "".join(f"destroy\t{one.name}@{snapshot.tag}\n" for one, snapshot in doomed)
    return done(f"{lines}reclaim\t{sum(snapshot.unique for _, snapshot in doomed)}\n")


def _doomed(
    machine: Machine, command: ZfsDestroySnapshots | ZfsReclaim
) -> tuple[Pool, list[tuple[Dataset, Snapshot]]]:
    pool, dataset = find(machine, command.dataset)
    tags = set(_tags(dataset, command.tags))
    doomed = [
        (one, snapshot)
        for one in tree(pool, dataset, recursive=command.recursive)
        for snapshot in one.snapshots
        if snapshot.tag in tags
    ]
    if not doomed:
        raise Refusal("could not find any snapshots to destroy; check snapshot names.\n")
    origins = {one.origin for one in pool.datasets.values()}
    for one, snapshot in doomed:
        name = f"{one.name}@{snapshot.tag}"
        if name in origins:
            text = f"cannot destroy '{name}': snapshot has dependent clones\n"
            listed = "".join(f"{clone}\n" for clone in clones_of(pool, name))
            raise Refusal(f"{text}use '-R' to destroy the following datasets:\n{listed}")
    return pool, doomed


def _tags(dataset: Dataset, wanted: tuple[str, ...]) -> Iterator[str]:
    """Ranges are those of the dataset itself."""
    order = [snapshot.tag for snapshot in sorted(dataset.snapshots, key=lambda one: one.createtxg)]
    for entry in wanted:
        first, ranged, last = entry.partition("%")
        if not ranged:
            yield entry
        elif first in order and last in order:
            yield from order[order.index(first) : order.index(last) + 1]


def tree(pool: Pool, dataset: Dataset, *, recursive: bool) -> Iterator[Dataset]:
    """The dataset, with `recursive` all below it too."""
    yield dataset
    if recursive:
        for name in sorted(pool.datasets):
            if name.startswith(f"{dataset.name}/"):
                yield pool.datasets[name]


HANDLERS = on(ZfsReclaim, reclaim) | on(ZfsSnapshot, take) | on(ZfsDestroySnapshots, destroy)
