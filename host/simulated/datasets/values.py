"""Values of dataset properties with their sources, and where file systems are mounted."""

from __future__ import annotations

from typing import NamedTuple

from host.simulated.datasets.locks import is_locked, lock_all
from host.simulated.datasets.properties import BY_NAME, is_user
from host.simulated.state import Dataset, Machine, Pool


class Value(NamedTuple):
    """A property's value with its source as zfs prints it."""

    value: str
    source: str


def lookup(pool: Pool, dataset: Dataset, name: str) -> Value | None:
    """The value in force: local, received, inherited or default. None for an unset user property."""
    for ancestor in _upwards(pool, dataset, inherited=is_user(name) or BY_NAME[name].inherited):
        for values, own in ((ancestor.values, "local"), (ancestor.received, "received")):
            if name in values and not (own == "received" and name in ancestor.forgone):
                source = own if ancestor is dataset else f"inherited from {ancestor.name}"
                return Value(_rooted(pool, name, _below(values[name], ancestor, dataset, name)), source)
    if name == "mountpoint":
        return Value(_rooted(pool, name, f"/{dataset.name}"), "default")
    default = None if is_user(name) else BY_NAME[name].default
    return None if default is None else Value(default, "default")


def _rooted(pool: Pool, name: str, value: str) -> str:
    """Mountpoints are below the folder that the pool was imported to."""
    altroot = pool.values.get("altroot")
    return f"{altroot}{value}" if altroot and name == "mountpoint" and value.startswith("/") else value


def _upwards(pool: Pool, dataset: Dataset, *, inherited: bool) -> list[Dataset]:
    found = [dataset]
    while inherited and (parent := found[-1].name.rpartition("/")[0]):
        found.append(pool.datasets[parent])
    return found


def _below(value: str, ancestor: Dataset, dataset: Dataset, name: str) -> str:
    if name != "mountpoint" or not value.startswith("/"):
        return value
    return f"{value.rstrip('/')}{dataset.name.removeprefix(ancestor.name)}" or "/"


def effective(pool: Pool, dataset: Dataset, name: str) -> str:
    """The value in force of a native property that has one."""
    found = lookup(pool, dataset, name)
    return "" if found is None else found.value


def mountpoint(machine: Machine, dataset: Dataset) -> str:
    """Where the file system is or would be mounted; none and legacy are words."""
    return effective(machine.pools[dataset.name.partition("/")[0]], dataset, "mountpoint")


def mounts(machine: Machine, dataset: Dataset) -> bool:
    """True if it is mounted by itself once it exists."""
    if dataset.kind == "volume":
        return False
    pool = machine.pools[dataset.name.partition("/")[0]]
    if is_locked(pool, dataset):
        return False
    return effective(pool, dataset, "canmount") == "on" and mountpoint(machine, dataset).startswith("/")


def mount(machine: Machine, dataset: Dataset) -> None:
    """As when it has just been made: mounted with the options of now, if it is mounted at all."""
    dataset.mounted = mounts(machine, dataset)
    refresh(machine.pools[dataset.name.partition("/")[0]], dataset)


def move(machine: Machine, pool: Pool, dataset: Dataset) -> None:
    """After a change of the mountpoint: what can be mounted is, it and all that inherits it."""
    for other in pool.datasets.values():
        if other is not dataset and not other.name.startswith(f"{dataset.name}/"):
            continue
        by_hand = effective(pool, other, "canmount") == "noauto" and other.mounted
        other.mounted = mounts(machine, other) or (by_hand and mountpoint(machine, other).startswith("/"))
        refresh(pool, other)


# Options that Linux shows of a mount: they outlive a change that a file system inherits, until it is mounted
# again, and zfs then calls the value temporary. Their opposites are not shown.
_SHOWN = {"atime": "off", "devices": "off", "exec": "off", "setuid": "off", "readonly": "on"}


def refresh(pool: Pool, dataset: Dataset) -> None:
    """Mount a mounted file system anew in its place, as zfs does with the one whose property was set."""
    dataset.mount_options = {}
    if dataset.mounted:
        now = {name: effective(pool, dataset, name) for name in _SHOWN}
        dataset.mount_options = {name: value for name, value in now.items() if value == _SHOWN[name]}


def shown(pool: Pool, dataset: Dataset, name: str) -> Value | None:
    """What zfs prints: the value in force, or the one that the mount still has."""
    value = lookup(pool, dataset, name)
    held = dataset.mount_options.get(name)
    return Value(held, "temporary") if value and held is not None and held != value.value else value


def unmount_all(pool: Pool) -> None:
    """As when the pool goes."""
    for dataset in pool.datasets.values():
        dataset.mounted = False
        refresh(pool, dataset)
    lock_all(pool)
