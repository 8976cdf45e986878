"""zfs rename and zfs promote on simulated pools."""

from __future__ import annotations

from host.base import Result
from host.commands.datasets.datasets import ZfsPromote, ZfsRename
from host.simulated.datasets.lifecycle import find
from host.simulated.datasets.values import mountpoint, mounts, refresh
from host.simulated.handlers import on
from host.simulated.refusal import Refusal, done
from host.simulated.state import Dataset, Machine, Pool


def rename(machine: Machine, command: ZfsRename) -> Result:
    """zfs rename: the dataset and all below it."""
    pool, _ = find(machine, command.name)
    if command.name == command.to:
        return done()
    _check_target(machine, pool, command)
    moving = [one for one in pool.datasets.values() if f"{one.name}/".startswith(f"{command.name}/")]
    places = {one.guid: mountpoint(machine, one) for one in moving}
    if not command.keep_mounts and (busy := [one for one in moving if one.mounted and one.busy]):
        raise Refusal(f"cannot unmount '{mountpoint(machine, busy[0])}': pool or dataset is busy\n")
    for one in moving:
        del pool.datasets[one.name]
        one.name = f"{command.to}{one.name.removeprefix(command.name)}"
    for one in moving:
        pool.datasets[one.name] = one
    for other in pool.datasets.values():
        other.origin = _followed(other.origin, command)
    for one in moving:
        if not command.keep_mounts and mountpoint(machine, one) != places[one.guid]:
            one.mounted = one.mounted and mounts(machine, one)
            refresh(pool, one)
    pool.txg += 1
    return done()


def _check_target(machine: Machine, pool: Pool, command: ZfsRename) -> None:
    to, parent = command.to, command.to.rpartition("/")[0]
    there = machine.pools.get(to.partition("/")[0])
    if there is None:
        raise Refusal(f"cannot create '{to}': no such pool '{to.partition('/')[0]}'\n")
    if parent and parent not in there.datasets:
        raise Refusal(f"cannot create '{to}': parent does not exist\n")
    if there is not pool or command.name == pool.name or not parent:
        raise Refusal(f"cannot rename to '{to}': datasets must be within same pool\n")
    if to.startswith(f"{command.name}/"):
        aux = "New dataset name cannot be a descendant of current dataset name"
        raise Refusal(f"cannot rename to '{to}': {aux}\n")
    if there.datasets[parent].kind == "volume":
        raise Refusal(f"cannot create '{to}': parent is not a filesystem\n")
    if to in pool.datasets:
        raise Refusal(f"cannot rename '{command.name}': dataset already exists\n")


def _followed(origin: str | None, command: ZfsRename) -> str | None:
    name, _, tag = (origin or "").partition("@")
    if not f"{name}/".startswith(f"{command.name}/"):
        return origin
    return f"{command.to}{name.removeprefix(command.name)}@{tag}"


def promote(machine: Machine, command: ZfsPromote) -> Result:
    """zfs promote: the clone takes over the snapshots up to the one that it grew from."""
    pool, clone = find(machine, command.name)
    if clone.origin is None:
        raise Refusal(f"cannot promote '{clone.name}': not a cloned filesystem\n")
    parent_name, _, tag = clone.origin.partition("@")
    parent = pool.datasets[parent_name]
    at = next(index for index, snapshot in enumerate(parent.snapshots) if snapshot.tag == tag)
    moving = parent.snapshots[: at + 1]
    taken = {snapshot.tag for snapshot in clone.snapshots} & {snapshot.tag for snapshot in moving}
    if taken:
        name = f"{clone.name}@{min(taken)}"
        clash = f"snapshot name '{name}' from origin\nconflicts with '{name}' from target\n"
        raise Refusal(f"cannot promote '{clone.name}': {clash}")
    clone.snapshots = [*moving, *clone.snapshots]
    parent.snapshots = parent.snapshots[at + 1 :]
    _exchange(pool, clone, parent, {snapshot.tag for snapshot in moving}, tag)
    pool.txg += 1
    return done()


def _exchange(pool: Pool, clone: Dataset, parent: Dataset, moved: set[str], tag: str) -> None:
    clone.origin, parent.origin = parent.origin, f"{clone.name}@{tag}"
    for other in pool.datasets.values():
        name, _, of = (other.origin or "").partition("@")
        if name == parent.name and of in moved:
            other.origin = f"{clone.name}@{of}"
    for one in (clone, parent):
        one.snapshots_changed = max((snapshot.created for snapshot in one.snapshots), default=None)


HANDLERS = on(ZfsRename, rename) | on(ZfsPromote, promote)
