"""zpool create and zpool destroy on simulated disks."""

from __future__ import annotations

import re
import time
from typing import Literal

import msgspec

from host.base import Result
from host.commands.pools.zpool import Role, VdevSpec, ZpoolCreate, ZpoolDestroy
from host.layouts import draid, kind
from host.simulated.blocks.devices import MIB, SECTOR, ZFS_TYPE, Device, busy, devices, each
from host.simulated.datasets import properties
from host.simulated.datasets.new_keys import PROPERTIES as ENCRYPTION
from host.simulated.datasets.new_keys import of_new
from host.simulated.datasets.values import mount, mountpoint, unmount_all
from host.simulated.handlers import fed, on
from host.simulated.pools import events
from host.simulated.pools import properties as pool_properties
from host.simulated.pools.checks import check_levels, check_specification, check_use
from host.simulated.pools.properties import FEATURES
from host.simulated.pools.specification import vdevs_of
from host.simulated.refusal import Refusal, done
from host.simulated.state import Dataset, Machine, Partition, Pool, PoolState, Signature, Vdev
from host.simulated.vdevs import TOP_LEVEL, all_leaves

_RESERVED_STARTS = ("mirror", "raidz", "draid", "spare")
_LONGEST = 239
_SMALLEST_DEVICE = 64 * MIB
_TAIL = 8 * MIB  # partition 9, which zpool puts at the end of whole disks
_SYSTEM = {
    "/",
    "/bin",
    "/boot",
    "/dev",
    "/etc",
    "/home",
    "/lib",
    "/proc",
    "/root",
    "/run",
    "/sys",
    "/usr",
    "/var",
}
_LABELS: dict[str, PoolState] = {"spare": "spare", "cache": "cache"}


def create(machine: Machine, command: ZpoolCreate, given: bytes = b"") -> Result:
    """zpool create, with its checks in its order."""
    ashift = pool_properties.check_known(command.properties)
    _check_root_names(command.root_properties)
    command = msgspec.structs.replace(command, vdevs=vdevs_of(command.vdevs))
    check_specification(command.vdevs, force=command.force)
    known = members(machine, command.vdevs)
    check_use(machine, command.vdevs, known, force=command.force)
    if not command.force:
        check_levels(command.vdevs, known)
    _check_mountpoint(machine, command.mountpoint)
    _check_name(command.name)
    values, root_values, fixed = _values(command)
    if command.name in machine.pools:
        raise Refusal(f"cannot create '{command.name}': pool already exists\n")
    check_open(command.vdevs, known, f"cannot create '{command.name}'")
    pool = _pool(machine, command, known, ashift)
    pool.disabled = [name for name in FEATURES if values.get(f"feature@{name}") == "disabled"]
    pool.values = {name: value for name, value in values.items() if not name.startswith("feature@")}
    root = _root(machine, command, root_values)
    root.fixed |= fixed
    of_new(None, root, command.root_properties, given, f"cannot create '{command.name}'")
    pool.datasets[pool.name] = root
    machine.pools[pool.name] = pool
    events.change(machine, pool, "pool_create")
    mount(machine, root)
    return done()


def destroy(machine: Machine, command: ZpoolDestroy) -> Result:
    """zpool destroy: first unmount everything, then let the disks go; their labels stay."""
    pool = machine.pools.get(command.name)
    if pool is None:
        raise Refusal(f"cannot open '{command.name}': no such pool\n")
    if pool.suspended:
        raise Refusal(f"cannot destroy '{command.name}': pool I/O is currently suspended\n")
    for dataset in pool.datasets.values():
        if dataset.busy:
            where = mountpoint(machine, dataset)
            text = f"cannot unmount '{where}': pool or dataset is busy\n"
            raise Refusal(f"{text}could not destroy '{pool.name}': could not unmount datasets\n")
    unmount_all(pool)
    release(machine, pool, left="destroyed")
    return done()


def release(machine: Machine, pool: Pool, *, left: Literal["exported", "destroyed"]) -> None:
    """Let go of the pool's devices, its labels in state `left`; pulled disks do not hear of it."""
    del machine.pools[pool.name]
    events.change(machine, pool, "pool_export" if left == "exported" else "pool_destroy")
    pool.left, pool.suspended = left, False
    machine.away.append(pool)
    labels = {device.content.uuid for device in each(machine) if device.content}
    machine.away = [one for one in machine.away if str(one.guid) in labels]
    serials = {leaf.serial for leaf in all_leaves(pool)}
    for device in each(machine):
        content = device.content
        if content is None or device.disk.serial not in serials or content.pool_state is None:
            continue
        if content.pool_state == "active" and content.uuid == str(pool.guid):
            content.busy = False
            content.pool_state = "exported" if device.disk.pulled else left
        elif content.pool_state in {"spare", "cache"}:
            content.busy = False


def _check_root_names(wanted: dict[str, str]) -> None:
    for name in sorted(wanted):
        entry = properties.BY_NAME.get(name)
        if not properties.is_user(name) and (entry is None or "f" not in entry.kinds):
            raise Refusal(f"property '{name}' is not a valid filesystem property\n")


def members(machine: Machine, vdevs: tuple[VdevSpec, ...]) -> dict[str, Device]:
    """Every device by its links, once those of `vdevs` are known to be there."""
    known = devices(machine)
    for vdev in vdevs:
        for link in vdev.devices:
            if link not in known:
                raise Refusal(f"cannot resolve path '{link}'\n")
    return known


def _check_mountpoint(machine: Machine, path: str) -> None:
    if path in {"none", "legacy"}:
        return
    taken = path in _SYSTEM
    for pool in machine.pools.values():
        for dataset in pool.datasets.values():
            where = mountpoint(machine, dataset) if dataset.mounted else ""
            taken |= where.startswith(f"{path}/") or (where == path and dataset.data > 0)
    if taken:
        text = f"mountpoint '{path}' exists and is not empty\n"
        raise Refusal(f"{text}use '-m' option to provide a different default\n")


def _check_name(name: str) -> None:
    fault = None
    if len(name) > _LONGEST:
        fault = "name is too long"
    elif not name[0].isascii() or not name[0].isalpha():
        fault = "name must begin with a letter"
    elif found := re.search(r"[^A-Za-z0-9_.:\- ]", name):
        fault = f"invalid character '{found[0]}' in pool name"
    elif name.startswith(_RESERVED_STARTS) or name == "log":
        fault = "name is reserved"
    if fault:
        raise Refusal(f"cannot create '{name}': {fault}\npool name may have been omitted\n")


def _values(command: ZpoolCreate) -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
    """Values of the pool, of its root dataset, and of the root what can only be chosen now."""
    values: dict[str, str] = {}
    root: dict[str, str] = {}
    fixed: dict[str, str] = {}
    try:
        for name, value in sorted(command.properties.items()):
            values[name] = pool_properties.checked(name, value)
        for name, value in sorted(command.root_properties.items()):
            if name in ENCRYPTION:
                continue
            canonical = properties.checked(name, value, "filesystem", creating=True)
            entry = properties.BY_NAME.get(name)
            (fixed if entry and entry.once else root)[name] = canonical
    except properties.BadProperty as error:
        raise Refusal(f"cannot create '{command.name}': {error}\n") from None
    return values, root, fixed


def check_open(vdevs: tuple[VdevSpec, ...], known: dict[str, Device], failing: str) -> None:
    """What the kernel refuses: members that others hold, that come twice, or that are too small."""
    links = [link for vdev in vdevs for link in vdev.devices]
    for link in links:
        if busy(known[link]):
            reason = "one or more devices is currently unavailable"
            raise Refusal(f"cannot open '{link}': Device or resource busy\n{failing}: {reason}\n")
    if len({known[link].path for link in links}) < len(links):
        reason = (
            "one or more vdevs refer to the same device, or one of\n"
            "the devices is part of an active md or lvm device"
        )
        raise Refusal(f"{failing}: {reason}\n")
    if any(known[link].size < _SMALLEST_DEVICE for link in links):
        raise Refusal(f"{failing}: one or more devices is less than the minimum size (64M)\n")


def _pool(machine: Machine, command: ZpoolCreate, known: dict[str, Device], ashift: int | None) -> Pool:
    sectors = [known[link].disk.physical_sector for vdev in command.vdevs for link in vdev.devices]
    pool = Pool(
        name=command.name,
        guid=machine.number(),
        load_guid=machine.number(),
        ashift=ashift or max(9, max(sectors).bit_length() - 1),
        vdevs=[],
    )
    pool.vdevs = new_vdevs(machine, pool, command.vdevs, known)
    return pool


def new_vdevs(
    machine: Machine, pool: Pool, vdevs: tuple[VdevSpec, ...], known: dict[str, Device]
) -> list[Vdev]:
    """The top-level vdevs that `vdevs` make, their members labelled for the pool; the distributed spares of a
    dRAID follow the others."""
    found: list[Vdev] = []
    spares: list[Vdev] = []
    place = sum(one.role in TOP_LEVEL for one in pool.vdevs)
    for vdev in vdevs:
        leaves = [new_leaf(machine, pool, vdev.role, known[link], link) for link in vdev.devices]
        if vdev.layout == "stripe":
            found += leaves
            place += vdev.role in TOP_LEVEL
            continue
        top = Vdev(guid=machine.number(), kind=kind(vdev.layout), role=vdev.role, layout=vdev.layout)
        top.children = leaves
        if top.kind == "draid":
            top.layout = draid(vdev.layout, len(leaves)).name
            spares += _distributed_spares(machine, top, place)
            pool.used = sorted({*pool.used, "draid"})
        found.append(top)
        place += 1
    return found + spares


def _distributed_spares(machine: Machine, top: Vdev, place: int) -> list[Vdev]:
    """Leaves without a device: their space is a share of all members."""
    geometry = draid(top.layout, len(top.children))
    size = min(leaf.size for leaf in top.children)
    return [
        Vdev(
            guid=machine.number(), kind="dspare", role="spare", size=size,
            path=f"draid{geometry.parity}-{place}-{number}",
        )
        for number in range(geometry.spares)
    ]  # fmt: skip


def new_leaf(machine: Machine, pool: Pool, role: Role, device: Device, link: str) -> Vdev:
    """A leaf on a device, which is labelled for the pool; a whole disk is partitioned first."""
    if device.partition is None:
        device, link = _partition_whole(machine, device), f"{link}-part1"
    state: PoolState = _LABELS.get(role, "active")
    named = state == "active"
    guid = machine.number()
    device.put(
        Signature(
            fstype="zfs_member",
            label=pool.name if named else None,
            uuid=str(pool.guid) if named else None,
            pool_state=state,
            vdev=guid,
            busy=True,
        )
    )
    serial, size = device.disk.serial, device.size
    return Vdev(guid=guid, kind="disk", role=role, path=link, serial=serial, size=size)


def _partition_whole(machine: Machine, device: Device) -> Device:
    disk = device.disk
    start = 2048
    end = (disk.size - _TAIL) // MIB * MIB // SECTOR
    parts = [(1, start, (end - start) * SECTOR, ZFS_TYPE)]
    parts.append((9, end, _TAIL, "6a945a3b-1dd2-11b2-99a6-080020736631"))
    disk.table, disk.content = "gpt", None
    disk.partitions = [
        Partition(number=number, start=first, size=size, parttype=kind, partuuid=machine.uuid())
        for number, first, size, kind in parts
    ]
    return Device(disk, disk.partitions[0])


def _root(machine: Machine, command: ZpoolCreate, values: dict[str, str]) -> Dataset:
    local = {} if command.mountpoint == f"/{command.name}" else {"mountpoint": command.mountpoint}
    return Dataset(
        name=command.name, kind="filesystem", guid=machine.number(), createtxg=1, objsetid=54,
        created=int(time.time()), values=values | local,
    )  # fmt: skip


HANDLERS = fed(ZpoolCreate, create) | on(ZpoolDestroy, destroy)
