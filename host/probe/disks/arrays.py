"""md arrays, from what the kernel says in sysfs, what lsblk says of them, and the links that udev made."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from host.commands.disks.md import SYSFS
from host.inventory import ArrayMember, ArrayWork, Disk, MdArray
from host.inventory.arrays import Doing, MemberState
from host.probe.disks.disks import Links

_SECTOR = 512
_FILE = re.compile(rf"{re.escape(SYSFS)}/(md[^/]*)/(.+)")
_BY_NAME, _BY_UUID = "md-name-", "md-uuid-"
# The kernel's words in sync_action; idle and frozen are no work.
_DOING: dict[str, Doing] = {
    "resync": "resync", "recover": "recovery", "reshape": "reshape", "check": "check", "repair": "repair",
}  # fmt: skip
_Files = dict[str, str]


def parse_arrays(
    text: str, devices: list[dict[str, Any]], links: Links, disks: tuple[Disk, ...]
) -> tuple[MdArray, ...]:
    """All arrays that are assembled, by the kernel's names. `devices` are the trees that lsblk gives."""
    files = _by_array(text)
    nodes = {node["kname"]: node for device in devices for node in _descend(device)}
    labels = {
        f"/dev/{node['kname']}": node for node in nodes.values() if node["fstype"] == "linux_raid_member"
    }
    places = _places(disks)
    found = [
        _array(kname, files[kname], nodes.get(kname), links, labels, places)
        for kname in sorted(files, key=lambda name: (len(name), name))
        if "md/array_state" in files[kname]
    ]
    times = Counter(array.name for array in found)
    return tuple(
        array if times[array.name] == 1 else msgspec.structs.replace(array, name=array.kname)
        for array in found
        if array.state != "clear"  # a name that nothing is behind
    )


def _by_array(text: str) -> dict[str, _Files]:
    found: dict[str, _Files] = {}
    for line in text.splitlines():
        path, nul, value = line.partition("\0")
        if nul and (place := _FILE.fullmatch(path)):
            found.setdefault(place[1], {})[place[2]] = value.strip()
    return found


def _array(
    kname: str,
    files: _Files,
    node: dict[str, Any] | None,
    links: Links,
    labels: dict[str, dict[str, Any]],
    places: dict[str, tuple[str, int | None]],
) -> MdArray:
    members = tuple(_members(files, places))
    named = links.by_id.get(f"/dev/{kname}", ())
    label = next((labels[one.path] for one in members if one.path in labels), None)
    full_name = next((link.removeprefix(_BY_NAME) for link in named if link.startswith(_BY_NAME)), None)
    full_name = full_name or (label["label"] if label else None) or kname
    points = {point for one in (_descend(node) if node else ()) for point in one["mountpoints"] if point}
    mismatches = files.get("md/mismatch_cnt")
    state = files["md/array_state"]
    return MdArray(
        name=full_name.partition(":")[2] or full_name,
        kname=kname,
        path=_path(kname, named),
        uuid=_uuid(named, label, files),
        level=files.get("md/level") or "unknown",
        metadata=files.get("md/metadata_version", "unknown"),
        size_bytes=(_number(files.get("size")) or 0) * _SECTOR,
        # While it is being reshaped: “4 (3)”, the old number in brackets.
        wanted=_number(files.get("md/raid_disks", "").partition(" ")[0]) or 0,
        state=state,
        read_only=state == "readonly",
        members=members,
        work=_work(files),
        bitmap=files.get("md/bitmap/location", "none") != "none",
        mismatches=_number(mismatches),
        last_action=files.get("md/last_sync_action"),
        stopped_at=_number(files.get("md/sync_min")) or 0,
        fstype=node["fstype"] if node else None,
        label=node["label"] if node else None,
        mountpoints=tuple(sorted(points)),
    )


def _path(kname: str, named: tuple[str, ...]) -> str:
    """A name is read more easily than a UUID. Where two arrays want one, it leads to one of them."""
    wanted = [link for prefix in (_BY_NAME, _BY_UUID) for link in named if link.startswith(prefix)]
    return f"/dev/disk/by-id/{wanted[0]}" if wanted else f"/dev/{kname}"


def _uuid(named: tuple[str, ...], label: dict[str, Any] | None, files: _Files) -> str:
    """As mdadm writes it; an array that does not run has no link, but its members have it."""
    link = next((link.removeprefix(_BY_UUID) for link in named if link.startswith(_BY_UUID)), None)
    return as_mdadm_writes_it(link or (label["uuid"] if label else None) or files.get("md/uuid", ""))


def as_mdadm_writes_it(uuid: str) -> str:
    """Four groups of eight digits, however it was written."""
    plain = re.sub(r"[^0-9a-f]", "", uuid)
    return ":".join(plain[start : start + 8] for start in range(0, 32, 8)) if len(plain) == 32 else uuid


def _members(files: _Files, places: dict[str, tuple[str, int | None]]) -> Iterator[ArrayMember]:
    """By their slots, then those without one."""
    found = []
    for folder in sorted({name.split("/")[1] for name in files if name.startswith("md/dev-")}):
        path = f"/dev/{folder.removeprefix('dev-').replace('!', '/')}"
        slot = _number(files.get(f"md/{folder}/slot"))
        disk, partition = places.get(path, (None, None))
        state = _state(files.get(f"md/{folder}/state", ""), slot)
        found.append(ArrayMember(path=path, disk=disk, partition=partition, slot=slot, state=state))
    yield from sorted(found, key=lambda one: (one.slot is None, one.slot or 0, one.path))


def _state(text: str, slot: int | None) -> MemberState:
    """The kernel calls a member a spare, too, that has a slot and is being rebuilt."""
    words = set(text.split(","))
    if "faulty" in words:
        return "faulty"
    if "in_sync" in words:
        return "in sync"
    if "spare" in words:
        return "spare" if slot is None else "rebuilding"
    return "unknown"


def _work(files: _Files) -> ArrayWork | None:
    kind = _DOING.get(files.get("md/sync_action", ""))
    if kind is None:
        return None
    done, slash, total = files.get("md/sync_completed", "").partition(" / ")
    if not slash or not int(total):
        return ArrayWork(kind=kind, percent=None, paused=done in {"delayed", "none"})
    left = (int(total) - int(done)) * _SECTOR
    speed = (_number(files.get("md/sync_speed")) or 0) * 1024
    return ArrayWork(
        kind=kind,
        percent=100 * int(done) / int(total),
        remaining_s=left / speed if speed else None,
        speed_bytes_s=speed or None,
    )


def _places(disks: tuple[Disk, ...]) -> dict[str, tuple[str, int | None]]:
    """Disk and number of the partition, by the kernel's path."""
    parts = {part.path: (disk.id, part.number or None) for disk in disks for part in disk.partitions}
    return {disk.path: (disk.id, None) for disk in disks} | parts


def _descend(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for child in node.get("children", ()):
        yield from _descend(child)


def _number(text: str | None) -> int | None:
    try:
        return int(text or "")
    except ValueError:
        return None
