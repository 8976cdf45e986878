"""What `host.programs.mount_pools` does, on a simulated machine: the same rule over the machine's state."""

from __future__ import annotations

from host.base import Result
from host.commands.pools.mount import MountPool
from host.pool_mounts import PROPERTIES, FileSystem, Value, changes, outer_first, refusal
from host.simulated.datasets.file_tree import tree
from host.simulated.datasets.locks import is_locked
from host.simulated.datasets.values import lookup, mountpoint, refresh
from host.simulated.handlers import on
from host.simulated.refusal import Refusal
from host.simulated.state import Dataset, Machine, Pool

_WAY_ON = "Set its mountpoint to a folder below /mnt."


def mount_pool(machine: Machine, command: MountPool) -> Result:
    """What is left, changed and mounted, a line each."""
    pool = machine.pools.get(command.name)
    if pool is None:
        raise Refusal(f"cannot open '{command.name}': dataset does not exist\n")
    said: list[str] = []
    if not command.readonly:
        for change in changes(_asked(pool), foreign=command.foreign):
            pool.datasets[change.name].values |= change.properties
            report = " ".join(f"{name}={value}" for name, value in sorted(change.properties.items()))
            said.append(f"{change.name}: {report}")
    for one in () if command.unmounted else outer_first(_asked(pool)):
        dataset = pool.datasets[one.name]
        if one.mounted or one.locked:
            continue
        why = refusal(one.place, foreign=command.foreign) or _in_the_way(machine, one.place)
        if why is not None:
            said.append(f"{one.name} stays unmounted: {why} {_WAY_ON}")
            continue
        dataset.mounted = True
        refresh(pool, dataset)
        if command.foreign and command.readonly:
            dataset.mount_options |= {"setuid": "off", "devices": "off"}
        said.append(f"{one.name} is mounted at {one.place}.")
    return Result(exit=0, stdout="".join(f"{line}\n" for line in said))


def _asked(pool: Pool) -> list[FileSystem]:
    return [_file_system(pool, one) for one in pool.datasets.values() if one.kind == "filesystem"]


def _file_system(pool: Pool, dataset: Dataset) -> FileSystem:
    values = {
        "keystatus": Value("unavailable" if is_locked(pool, dataset) else "-", "none"),
        "mounted": Value("yes" if dataset.mounted else "no", "none"),
    }
    for name in PROPERTIES:
        if name not in values and (found := lookup(pool, dataset, name)) is not None:
            source, _, above = found.source.partition(" from ")
            values[name] = Value(found.value, source, above)
    return FileSystem(name=dataset.name, values=values)


def _in_the_way(machine: Machine, place: str) -> str | None:
    for pool in machine.pools.values():
        for one in (one for one in pool.datasets.values() if one.mounted):
            there = mountpoint(machine, one)
            if there == place:
                return f"{one.name} is mounted at {place}."
            if there.startswith(f"{place}/"):
                return f"{one.name} is mounted at {there} and would be hidden."
            if (target := _link(pool, one, place.removeprefix(f"{there}/"))) is not None:
                return f"{place} leads to {target}."
    return None


def _link(pool: Pool, dataset: Dataset, inside: str) -> str | None:
    """Where a link leads that lies on the way through a file system; `/…` is no way through it."""
    parts = inside.split("/")
    held = tree(pool, dataset) if not inside.startswith("/") else None
    for count in range(1, len(parts) + 1) if held else ():
        found = held.get("/".join(parts[:count])) if held else None
        if found is not None and found.kind == "link":
            return "/".join((found.leads_to or "", *parts[count:]))
    return None


def prepare_elsewhere(machine: Machine, pool: Pool, wishes: dict[str, dict[str, str]]) -> None:
    """As if another machine had imported a pool, set properties of its datasets, and exported it."""
    pool.foreign = True
    for name, values in wishes.items():
        pool.datasets[name].values |= values


HANDLERS = on(MountPool, mount_pool)
