"""Puts things on a simulated disk that stand in the way of taking it."""

from __future__ import annotations

from typing import Literal, get_args

from host.simulated.arrays.array import Array, Member
from host.simulated.blocks.devices import MIB, SECTOR
from host.simulated.state import Dataset, Disk, Holder, Machine, Partition, Pool, Signature, Vdev

Occupation = Literal[
    "mounted-ext4", "unmounted-ntfs", "md", "lvm", "luks", "swap", "exported-pool",
    "destroyed-pool", "unknown", "plain-crypt", "multipath", "loop",
]  # fmt: skip
OCCUPATIONS: tuple[Occupation, ...] = get_args(Occupation)
_LINUX = "0fc63daf-8483-4772-8e79-3d69d8477de4"
_TYPES = {
    "unmounted-ntfs": "ebd0a0a2-b9e5-4433-87c0-68b6b72699c7",
    "md": "a19d880f-05fc-4d3b-a006-743f0f84911e",
    "swap": "0657fd6d-a4ab-43c4-84e5-0933c84b4f4f",
    "exported-pool": "6a898cc3-1dd2-11b2-99a6-080020736631",
    "destroyed-pool": "6a898cc3-1dd2-11b2-99a6-080020736631",
}
# Built on the bare disk, where only the kernel knows of it.
_BARE = {"plain-crypt": ("crypt", "secret"), "multipath": ("mpath", "mpath"), "loop": ("loop", "loop")}
_START = 2048


def occupy(machine: Machine, disk: Disk, how: Occupation | None) -> None:
    """Replace what is on `disk`. LVM, LUKS and bare maps take the whole disk, the rest one partition. None
    lets go of what is built on the bare disk."""
    _release(machine, disk)
    if how is None:
        return
    disk.content, disk.partitions, disk.table, disk.remains = None, [], None, {}
    if how in _BARE:
        disk.held = [_built(machine, disk, *_BARE[how]).name]
        return
    content = _content(machine, disk, how)
    if how in {"lvm", "luks"}:
        disk.content = content
        return
    disk.table = "gpt"
    size = (disk.size // SECTOR - _START - 34) // 2048 * MIB
    disk.partitions = [
        Partition(
            number=1,
            start=_START,
            size=size,
            parttype=_TYPES.get(how, _LINUX),
            partuuid=machine.uuid(),
            content=content,
        )
    ]
    if content is not None and content.pool_state in {"exported", "destroyed"}:
        machine.away.append(_pool(machine, disk, content, size))


def _content(machine: Machine, disk: Disk, how: Occupation) -> Signature | None:
    uuid = machine.uuid()
    match how:
        case "mounted-ext4":
            return Signature(fstype="ext4", label="Photos", uuid=uuid, mountpoints=["/srv/photos"])
        case "unmounted-ntfs":
            return Signature(fstype="ntfs", label="Backup", uuid=uuid[:16].replace("-", "").upper())
        case "md":
            return _array(machine, disk)
        case "lvm":
            return Signature(fstype="LVM2_member", uuid=uuid, holder=_holder(machine, disk).name)
        case "luks":
            return Signature(fstype="crypto_LUKS", uuid=uuid)
        case "swap":
            return Signature(fstype="swap", uuid=uuid, mountpoints=["[SWAP]"])
        case "exported-pool":
            return _label(machine, "old", exported=True)
        case "destroyed-pool":
            return _label(machine, "gone", exported=False)
        case "unknown" | "plain-crypt" | "multipath" | "loop":
            return None


def _label(machine: Machine, pool: str, *, exported: bool) -> Signature:
    state: Literal["exported", "destroyed"] = "exported" if exported else "destroyed"
    return Signature(fstype="zfs_member", label=pool, uuid=str(machine.number()), pool_state=state)


def _pool(machine: Machine, disk: Disk, label: Signature, size: int) -> Pool:
    """The pool of one disk that a label speaks of."""
    name, path = label.label or "", f"/dev/disk/by-id/{disk.ids[0]}-part1"
    label.vdev = machine.number()
    leaf = Vdev(guid=label.vdev, kind="disk", role="data", path=path, serial=disk.serial, size=size)
    root = Dataset(
        name=name,
        kind="filesystem",
        guid=machine.number(),
        createtxg=1,
        objsetid=54,
        created=int(machine.booted),
    )
    return Pool(
        name=name, guid=int(label.uuid or 0), load_guid=machine.number(), ashift=12, vdevs=[leaf],
        datasets={name: root}, left="exported" if label.pool_state == "exported" else "destroyed",
        foreign=True,
    )  # fmt: skip


def _array(machine: Machine, disk: Disk) -> Signature:
    """A member of a RAID1 that has no other."""
    taken = {holder.kname for holder in machine.holders.values()}
    kname = next(f"md{number}" for number in range(2, 128) if f"md{number}" not in taken)
    uuid = machine.uuid()
    plain = uuid.replace("-", "")
    array = Array(
        kname=kname,
        name="nas:9",
        uuid=":".join(plain[start : start + 8] for start in range(0, 32, 8)),
        level="raid1",
        wanted=1,
        component=disk.size - 2 * MIB,
        members=[Member(serial=disk.serial, partition=1, slot=0)],
    )
    machine.arrays[kname] = array
    machine.holders[kname] = Holder(
        name=kname, kname=kname, path=f"/dev/{kname}", kind="raid1", size=array.size, ids=array.ids
    )
    return Signature(fstype="linux_raid_member", label=array.name, uuid=uuid, holder=kname)


def _release(machine: Machine, disk: Disk) -> None:
    """Let go of what is built on the bare disk."""
    for name in disk.held:
        del machine.holders[name]
    disk.held = []


def _holder(machine: Machine, disk: Disk) -> Holder:
    """A logical volume."""
    return _built(machine, disk, "lvm", "vault-movies")


def _built(machine: Machine, disk: Disk, kind: str, word: str) -> Holder:
    prefix = "loop" if kind == "loop" else "dm-"
    taken = {holder.kname for holder in machine.holders.values()}
    number = next(number for number in range(1000) if f"{prefix}{number}" not in taken)
    kname, name = f"{prefix}{number}", f"{word}{number}"
    path = f"/dev/{name}" if kind == "loop" else f"/dev/mapper/{name}"
    size = disk.size - 2 * MIB if kind == "lvm" else disk.size
    machine.holders[name] = Holder(name=name, kname=kname, path=path, kind=kind, size=size)
    return machine.holders[name]
