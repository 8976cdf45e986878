"""zfs mount and zfs unmount on a simulated machine."""

from __future__ import annotations

from host.base import Result
from host.commands.datasets.zfs import ZfsMount, ZfsUnmount
from host.simulated import facts
from host.simulated.datasets.lifecycle import find
from host.simulated.datasets.locks import is_locked
from host.simulated.datasets.values import effective, mountpoint, refresh
from host.simulated.handlers import on
from host.simulated.refusal import Refusal, done
from host.simulated.state import Dataset, Machine, Pool


def mount(machine: Machine, command: ZfsMount) -> Result:
    """zfs mount of one file system."""
    failing = f"cannot mount '{command.name}'"
    pool, dataset = _file_system(machine, command.name)
    place = mountpoint(machine, dataset)
    if effective(pool, dataset, "canmount") == "off":
        raise Refusal(f"{failing}: 'canmount' property is set to 'off'\n")
    if place == "none":
        raise Refusal(f"{failing}: no mountpoint set\n")
    if place == "legacy":
        raise Refusal(f"{failing}: legacy mountpoint\nuse mount(8) to mount this filesystem\n")
    if is_locked(pool, dataset):
        raise Refusal(f"{failing}: encryption key not loaded\n")
    if dataset.mounted:
        raise Refusal(f"{failing}: filesystem already mounted\n")
    if effective(pool, dataset, "overlay") == "off" and facts.folder_holds(machine, place).stdout:
        raise Refusal(f"cannot mount '{place}': directory is not empty\n")
    dataset.mounted = True
    refresh(pool, dataset)
    return done()


def unmount(machine: Machine, command: ZfsUnmount) -> Result:
    """zfs unmount of one file system and of those below it."""
    pool, dataset = _file_system(machine, command.name)
    if not dataset.mounted:
        raise Refusal(f"cannot unmount '{command.name}': not currently mounted\n")
    below = [one for one in pool.datasets.values() if f"{one.name}/".startswith(f"{command.name}/")]
    if busy := [one for one in below if one.mounted and one.busy]:
        raise Refusal(f"cannot unmount '{mountpoint(machine, busy[0])}': pool or dataset is busy\n")
    for one in below:
        one.mounted = False
        refresh(pool, one)
    return done()


def _file_system(machine: Machine, name: str) -> tuple[Pool, Dataset]:
    pool, dataset = find(machine, name)
    if dataset.kind == "volume":
        raise Refusal(f"cannot open '{name}': operation not applicable to datasets of this type\n")
    return pool, dataset


HANDLERS = on(ZfsMount, mount) | on(ZfsUnmount, unmount)
