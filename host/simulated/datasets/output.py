"""`zfs get -Hp all` of simulated pools."""

from __future__ import annotations

from collections.abc import Iterator

from host.base import Result
from host.commands.datasets.zfs import ZfsGet, ZfsGetReceived, ZfsGetSome, ZfsListNames, ZfsMountpoints
from host.simulated.datasets.lifecycle import find
from host.simulated.datasets.locks import encryption, root_of
from host.simulated.datasets.properties import NATIVE, Property, is_user
from host.simulated.datasets.space import Usage, usages
from host.simulated.datasets.values import Value, lookup, shown
from host.simulated.handlers import always, on
from host.simulated.refusal import Refusal
from host.simulated.state import Dataset, Machine, Pool

_VOLUME_BLOCK = "16384"


def zfs_get(machine: Machine) -> str:
    """Every property of every file system and volume: name, property, value, source."""
    pools = _answering(machine)
    used = {pool.name: usages(pool) for pool in pools}
    found = {name: pool for pool in pools for name in pool.datasets}
    return "".join(_said(found[name], name, used[found[name].name][name]) for name in sorted(found))


def zfs_list_names(machine: Machine, command: ZfsListNames) -> str:
    """Name and guid of every file system and volume, or of those `below` one."""
    if command.below is not None:
        find(machine, command.below)
    found = {name: one.guid for pool in _answering(machine) for name, one in pool.datasets.items()}
    top = command.below and f"{command.below}/"
    wanted = (name for name in sorted(found) if top is None or f"{name}/".startswith(top))
    return "".join(f"{name}\t{found[name]}\n" for name in wanted)


def zfs_get_some(machine: Machine, command: ZfsGetSome) -> Result:
    """The output of `zfs get` for these datasets."""
    missing: list[str] = []
    said: list[str] = []
    for name in command.names:
        try:
            pool, _ = find(machine, name)
        except Refusal as refusal:
            missing.append(refusal.result.stderr)
        else:
            said.append(_said(pool, name, usages(pool)[name]))
    return Result(exit=1 if missing else 0, stdout="".join(said), stderr="".join(missing))


def _answering(machine: Machine) -> list[Pool]:
    # zfs passes over what it cannot open: a suspended pool.
    return [pool for pool in machine.pools.values() if not pool.suspended]


def _said(pool: Pool, name: str, usage: Usage) -> str:
    rows = _rows(pool, pool.datasets[name], usage)
    return "".join(f"{name}\t{prop}\t{value.value}\t{value.source}\n" for prop, value, _ in rows)


def zfs_get_received(machine: Machine, command: ZfsGetReceived) -> Result:
    """What these datasets received: name, property, received."""
    rows: list[str] = []
    missing: list[str] = []
    for name in command.names:
        pool = machine.pools.get(name.partition("/")[0])
        dataset = pool.datasets.get(name) if pool else None
        if pool is None or dataset is None:
            missing.append(f"cannot open '{name}': dataset does not exist\n")
            continue
        shown = _rows(pool, dataset, usages(pool)[name])
        rows += [f"{name}\t{prop}\t{received}\n" for prop, _, received in shown]
    return Result(exit=1 if missing else 0, stdout="".join(rows), stderr="".join(missing))


def zfs_mountpoints(machine: Machine, command: ZfsMountpoints) -> Result:
    """`zfs get` of the mountpoint of file systems: name, value, received, source."""
    pool, dataset = find(machine, command.name)
    if dataset.kind == "volume":
        raise Refusal(f"cannot open '{command.name}': operation not applicable to datasets of this type\n")
    wanted = [dataset]
    if command.below:
        wanted += [one for _, one in sorted(pool.datasets.items()) if one.name.startswith(f"{dataset.name}/")]
    rows = (
        f"{one.name}\t{value.value}\t{one.received.get('mountpoint', '-')}\t{value.source}\n"
        for one in wanted
        if one.kind == "filesystem" and (value := lookup(pool, one, "mountpoint"))
    )
    return Result(exit=0, stdout="".join(rows))


def _rows(pool: Pool, dataset: Dataset, usage: Usage) -> Iterator[tuple[str, Value, str]]:
    computed = _computed(pool, dataset, usage)
    for entry in NATIVE:
        if dataset.kind[0] in entry.kinds and (value := _value(pool, dataset, entry, computed)):
            yield entry.name, value, dataset.received.get(entry.name, "-")
    for name in sorted(_user_names(pool, dataset)):
        if value := lookup(pool, dataset, name):
            yield name, value, dataset.received.get(name, "-")


def _value(pool: Pool, dataset: Dataset, entry: Property, computed: dict[str, str]) -> Value | None:
    if entry.name in computed:
        return Value(computed[entry.name], "-")
    if entry.name == "volblocksize":
        block = dataset.fixed["volblocksize"]
        return Value(block, "default" if block == _VOLUME_BLOCK else "-")
    if entry.once:
        return Value(dataset.fixed.get(entry.name, entry.default or "-"), "-")
    return shown(pool, dataset, entry.name)


def _computed(pool: Pool, dataset: Dataset, usage: Usage) -> dict[str, str]:
    last = dataset.snapshots[-1] if dataset.snapshots else None
    written = max(0, dataset.data - last.data) if last else usage.by_dataset
    found = {
        "type": dataset.kind, "creation": dataset.created, "used": usage.used,
        "available": usage.available, "referenced": usage.by_dataset, "compressratio": "1.00",
        "mounted": "yes" if dataset.mounted else "no", "createtxg": dataset.createtxg, "version": 5,
        "guid": dataset.guid, "usedbysnapshots": usage.by_snapshots, "usedbydataset": usage.by_dataset,
        "usedbychildren": usage.by_children, "usedbyrefreservation": usage.by_refreservation,
        "objsetid": dataset.objsetid, "refcompressratio": "1.00", "written": written,
        "logicalused": usage.logical, "logicalreferenced": usage.logical_referenced,
    }  # fmt: skip
    found |= _encryption(pool, dataset)
    if dataset.origin:
        found["origin"] = dataset.origin
    if dataset.snapshots_changed is not None:
        found["snapshots_changed"] = dataset.snapshots_changed
    return {name: str(value) for name, value in found.items()}


def _encryption(pool: Pool, dataset: Dataset) -> dict[str, str]:
    root = root_of(pool, dataset)
    if root is None or root.key is None:
        return {}
    slow = {"pbkdf2iters": str(root.key.iterations)} if root.key.format == "passphrase" else {}
    return {
        **slow,
        "encryption": encryption(dataset),
        "keyformat": root.key.format,
        "encryptionroot": root.name,
        "keystatus": "available" if root.key.loaded else "unavailable",
    }


def _user_names(pool: Pool, dataset: Dataset) -> set[str]:
    parts = dataset.name.split("/")
    lineage = (pool.datasets["/".join(parts[: count + 1])] for count in range(len(parts)))
    return {name for one in lineage for name in (*one.values, *one.received) if is_user(name)}


HANDLERS = (
    on(ZfsMountpoints, zfs_mountpoints)
    | on(ZfsGetReceived, zfs_get_received)
    | always(ZfsGet, zfs_get)
    | on(ZfsGetSome, zfs_get_some)
    | on(ZfsListNames, zfs_list_names)
)
