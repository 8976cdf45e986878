"""zfs create, set, inherit and destroy on simulated pools."""

from __future__ import annotations

import time
from collections.abc import Iterator

from host.base import Result
from host.commands.datasets.zfs import ZfsCreate, ZfsDestroy, ZfsInherit, ZfsSet
from host.simulated.datasets import properties
from host.simulated.datasets.new_keys import PROPERTIES as ENCRYPTION
from host.simulated.datasets.new_keys import of_new
from host.simulated.datasets.space import usages
from host.simulated.datasets.values import mount, mountpoint, move, refresh
from host.simulated.handlers import fed, on
from host.simulated.refusal import Refusal, done
from host.simulated.state import Dataset, Machine, Pool

_VOLUME_BLOCK = "16384"
_SMALL_BLOCK = (
    "Warning: volblocksize ({}) is less than the default minimum block size (16384).\n"
    "To reduce wasted space a volblocksize of 16384 is recommended.\n"
)
_SUSPENDED = "pool I/O is currently suspended"
_NO_SET = 255  # zfs set and zfs_for_each answer -1
_CLEARABLE = {"quota", "refquota", "reservation", "refreservation"}


def find(machine: Machine, name: str, *, of: str = "") -> tuple[Pool, Dataset]:
    """The dataset of that name with its pool; refuses in zfs' words, which speak of `of` if given."""
    pool = machine.pools.get(name.partition("/")[0])
    dataset = pool.datasets.get(name) if pool else None
    if pool is not None and pool.suspended:
        raise Refusal(f"cannot open '{of or name}': pool I/O is currently suspended\n")
    if pool is None or dataset is None:
        raise Refusal(f"cannot open '{of or name}': dataset does not exist\n")
    return pool, dataset


def create(machine: Machine, command: ZfsCreate, given: bytes = b"") -> Result:
    """zfs create, with -V where the command has a size."""
    say = f"cannot create '{command.name}'"
    pool = parent_of(machine, command.name, say)
    if command.name in pool.datasets:
        raise Refusal(f"{say}: dataset already exists\n")
    kind: properties.Kind = "filesystem" if command.volume_bytes is None else "volume"
    values, fixed = _chosen(command, kind, say)
    if kind == "volume":
        _volume(pool, command, values, fixed, say)
    dataset = Dataset(
        name=command.name, kind=kind, guid=machine.number(), createtxg=pool.txg + 1,
        objsetid=54 + 9 * len(pool.datasets), created=int(time.time()), values=values, fixed=fixed,
    )  # fmt: skip
    of_new(pool, dataset, command.properties, given, say)
    pool.txg += 1
    pool.datasets[dataset.name] = dataset
    mount(machine, dataset)
    if int(fixed.get("volblocksize", _VOLUME_BLOCK)) < int(_VOLUME_BLOCK):
        return done(stderr=_SMALL_BLOCK.format(fixed["volblocksize"]))
    return done(stderr=_warning(pool, values))


def _warning(pool: Pool, values: dict[str, str]) -> str:
    special = any(vdev.role == "special" for vdev in pool.vdevs)
    useless = values.get("special_small_blocks", "0") != "0" and not special
    return "special_small_blocks: property requires a special device in the pool\n" if useless else ""


def parent_of(machine: Machine, name: str, say: str) -> Pool:
    """The pool in which a dataset of that name can be made; refuses in zfs' words."""
    pool = machine.pools.get(name.partition("/")[0])
    if pool is None:
        raise Refusal(f"{say}: no such pool '{name.partition('/')[0]}'\n")
    if pool.suspended:
        raise Refusal(f"{say}: {_SUSPENDED}\n")
    parent = pool.datasets.get(name.rpartition("/")[0] or name)
    if parent is None:
        raise Refusal(f"{say}: parent does not exist\n")
    if parent.kind == "volume":
        raise Refusal(f"{say}: parent is not a filesystem\n")
    return pool


def _chosen(command: ZfsCreate, kind: properties.Kind, say: str) -> tuple[dict[str, str], dict[str, str]]:
    values: dict[str, str] = {}
    fixed: dict[str, str] = {}
    try:
        for name, value in sorted(command.properties.items()):
            if name in ENCRYPTION:
                continue
            canonical = properties.checked(name, value, kind, creating=True)
            entry = properties.BY_NAME.get(name)
            (fixed if entry and entry.once else values)[name] = canonical
    except properties.BadProperty as error:
        raise Refusal(f"{say}: {error}\n") from None
    return values, fixed


def _volume(pool: Pool, command: ZfsCreate, values: dict[str, str], fixed: dict[str, str], say: str) -> None:
    block = int(fixed.setdefault("volblocksize", _VOLUME_BLOCK))
    size = -(-(command.volume_bytes or 0) // block) * block  # rounded up without a word
    values["volsize"] = str(size)
    if not command.sparse and "refreservation" not in values:
        values["refreservation"] = "auto"
    if values.get("refreservation") == "auto":
        values["refreservation"] = str(reservation_of(size, block))
    above = usages(pool)[command.name.rpartition("/")[0]]
    if int(values.get("refreservation", "0")) > above.available:
        raise Refusal(f"{say}: out of space\n")


def reservation_of(size: int, block: int) -> int:
    """What a volume reserves: its size and its indirect blocks, as zvol_volsize_to_reservation()."""
    blocks, indirect = size // block, 7
    while blocks > 1:
        blocks = (blocks + 1023) // 1024
        indirect += blocks
    return size + 2 * indirect * (128 << 10)


def set_values(machine: Machine, command: ZfsSet) -> Result:
    """zfs set: all of the values, or none."""
    pool, dataset = find(machine, command.name)
    say = f"cannot set property for '{command.name}'"
    values: dict[str, str] = {}
    try:
        for name, value in sorted(command.properties.items()):
            values[name] = properties.checked(name, value, dataset.kind)
            _check_size(pool, dataset, name, values)
    except properties.BadProperty as error:
        raise Refusal(f"{say}: {error}\n", exit_status=_NO_SET) from None
    _check_unmount(machine, dataset, values)
    dataset.values |= values
    if "mountpoint" in values:
        move(machine, pool, dataset)
    # Switching canmount on mounts nothing; only off has an effect at once.
    dataset.mounted = dataset.mounted and values.get("canmount") != "off"
    refresh(pool, dataset)
    return done(stderr=_warning(pool, values))


def _check_size(pool: Pool, dataset: Dataset, name: str, values: dict[str, str]) -> None:
    usage = usages(pool)[dataset.name]
    block = int(dataset.fixed.get("volblocksize", _VOLUME_BLOCK))
    if name == "refreservation" and values[name] == "auto":
        values[name] = str(reservation_of(int(dataset.values["volsize"]), block))
    size = int(values[name]) if values[name].isdecimal() else 0
    used = {"quota": usage.used, "refquota": usage.by_dataset}.get(name, 0)
    if 0 < size < used:
        raise properties.BadProperty("size is less than current used or reserved space")
    if name in {"reservation", "refreservation"} and size > usage.available + usage.used:
        raise properties.BadProperty("size is greater than available space")
    if name == "volsize" and size % block:
        raise properties.BadProperty(f"'volsize' must be a multiple of volume block size ({block >> 10}K)")


def _check_unmount(machine: Machine, dataset: Dataset, values: dict[str, str]) -> None:
    moved = values.get("mountpoint", mountpoint(machine, dataset)) != mountpoint(machine, dataset)
    if dataset.busy and (moved or values.get("canmount") == "off"):
        raise Refusal(f"cannot unmount '{mountpoint(machine, dataset)}': pool or dataset is busy\n")


def inherit(machine: Machine, command: ZfsInherit) -> Result:
    """zfs inherit: drop the local value."""
    name = command.property
    if not properties.is_user(name):
        entry = properties.BY_NAME.get(name)
        if entry is None:
            raise Refusal(f"invalid property '{name}'\n", exit_status=2)
        if entry.rule is None or entry.once:
            raise Refusal(f"{name} property is read-only\n")
        if not entry.inherited and not command.received:
            text = f"'{name}' property cannot be inherited\n"
            if name in _CLEARABLE:
                text += f"use 'zfs set {name}=none' to clear\n"
                text += f"use 'zfs inherit -S {name}' to revert to received value\n"
            raise Refusal(text)
    pool, dataset = find(machine, command.name)
    if not properties.is_user(name) and dataset.kind[0] not in properties.BY_NAME[name].kinds:
        reason = "property doesn't apply to datasets of this type"
        raise Refusal(f"cannot inherit {name} for '{command.name}': {reason}\n")
    dataset.values.pop(name, None)
    dataset.forgone = [other for other in dataset.forgone if other != name]
    if not command.received and name in dataset.received:
        dataset.forgone.append(name)
    if name == "mountpoint":
        move(machine, pool, dataset)
    refresh(pool, dataset)
    return done()


def destroy(machine: Machine, command: ZfsDestroy) -> Result:
    """zfs destroy of a file system or volume, with -r of all below."""
    pool, dataset = find(machine, command.name)
    is_root = dataset.name == pool.name
    if is_root and not command.recursive:
        raise Refusal(
            f"cannot destroy '{pool.name}': operation does not apply to pools\n"
            f"use 'zfs destroy -r {pool.name}' to destroy all datasets in the pool\n"
            f"use 'zpool destroy {pool.name}' to destroy the pool itself\n"
        )
    doomed = [one for one in pool.datasets.values() if one is dataset or _is_below(one, dataset)]
    _check_dependents(pool, dataset, doomed, recursive=command.recursive)
    for one in sorted(doomed, key=lambda one: one.name, reverse=True):
        if one.busy:
            raise Refusal(f"cannot unmount '{mountpoint(machine, one)}': pool or dataset is busy\n")
        for snapshot in one.snapshots:
            if snapshot.holds:
                raise Refusal(held(f"{one.name}@{snapshot.tag}"))
    for one in doomed:
        one.snapshots = []
        if one is not dataset or not is_root:
            del pool.datasets[one.name]
    pool.txg += 1
    return done()


def held(name: str) -> str:
    """What zfs says of a snapshot with a hold."""
    return f"cannot destroy snapshot {name}: it's being held. Run 'zfs holds -r {name}' to see holders.\n"


def clones_of(pool: Pool, name: str) -> list[str]:
    """The datasets that were cloned from the snapshot `name`."""
    return sorted(dataset.name for dataset in pool.datasets.values() if dataset.origin == name)


def _is_below(one: Dataset, dataset: Dataset) -> bool:
    return one.name.startswith(f"{dataset.name}/")


def _check_dependents(pool: Pool, dataset: Dataset, doomed: list[Dataset], *, recursive: bool) -> None:
    if not recursive:
        kept = list(_dependents(pool, dataset))
        if kept:
            text = f"cannot destroy '{dataset.name}': {dataset.kind} has children\n"
            listed = "".join(f"{name}\n" for name in kept)
            raise Refusal(f"{text}use '-r' to destroy the following datasets:\n{listed}")
        return
    names = {one.name for one in doomed}
    snapshots = [f"{one.name}@{snapshot.tag}" for one in doomed for snapshot in one.snapshots]
    clones = [clone for name in snapshots for clone in clones_of(pool, name) if clone not in names]
    if clones:
        text = f"cannot destroy '{dataset.name}': {dataset.kind} has dependent clones\n"
        listed = "".join(f"{clone}\n" for clone in clones)
        raise Refusal(f"{text}use '-R' to destroy the following datasets:\n{listed}")


def _dependents(pool: Pool, dataset: Dataset) -> Iterator[str]:
    depth = dataset.name.count("/") + 1
    for child in sorted(pool.datasets):
        if child.startswith(f"{dataset.name}/") and child.count("/") == depth:
            yield from _dependents(pool, pool.datasets[child])
            yield child
    for snapshot in dataset.snapshots:
        yield f"{dataset.name}@{snapshot.tag}"


HANDLERS = fed(ZfsCreate, create) | on(ZfsSet, set_values) | on(ZfsInherit, inherit) | on(ZfsDestroy, destroy)
