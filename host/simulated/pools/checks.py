"""What `zpool create` and `zpool add` check before they ask the kernel: use, and levels of redundancy."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from host.commands.pools.zpool import VdevSpec
from host.layouts import ImpossibleLayout, Layout, draid, fewest_disks, kind, parity
from host.simulated.blocks.devices import Device, busy, owner
from host.simulated.refusal import Refusal
from host.simulated.state import Machine

_ALIKE = 16 << 20  # ZPOOL_FUZZ
_INVALID = "invalid vdev specification"


class Level(NamedTuple):
    """What zpool compares of top-level vdevs."""

    kind: str  # disk, mirror, raidz, draid
    parity: int
    children: int


def check_specification(vdevs: Iterable[VdevSpec], *, force: bool, complete: bool = False) -> None:
    """Layouts that cannot be. With `complete`, there are general vdevs already."""
    tops = 0
    for vdev in vdevs:
        family = kind(vdev.layout)
        fewest = parity(vdev.layout) + 1 if family == "draid" else fewest_disks(vdev.layout)
        if vdev.role in {"log", "special", "dedup"} and family in {"raidz", "draid"}:
            raise Refusal(f"{_INVALID}: unsupported '{vdev.role}' device: {family}\n")
        if len(vdev.devices) < fewest:
            raise Refusal(f"{_INVALID}: {vdev.layout} requires at least {fewest} devices\n")
        if family == "draid":
            _check_draid(vdev)
        tops += vdev.role == "data"
    if complete:
        return
    if not tops and force:
        raise Refusal(f"{_INVALID}: at least one toplevel vdev must be specified\n")
    if not tops:
        reason = "at least one general top-level vdev must be specified"
        raise Refusal(f"{_INVALID}\n{_FORCE_IT}:\n{reason}\n")


def _check_draid(vdev: VdevSpec) -> None:
    """As zpool says it, in tests/transcripts/errors/draid.json."""
    count = len(vdev.devices)
    try:
        draid(vdev.layout, count)
    except ImpossibleLayout:
        asked = {mark: int(number) for number, mark in re.findall(r":(\d+)([dcs])", vdev.layout)}
        spares, left = asked.get("s", 0), max(0, count - asked.get("s", 0) - parity(vdev.layout))
        if asked.get("c", count) != count:
            text = f"invalid number of dRAID children; {asked['c']} required but {count} provided\n"
        elif "d" in asked:
            text = (
                f"requested number of dRAID data disks per group {asked['d']} is too high,\n"
                f"at most {left} disks are available for data\n"
            )
        else:
            text = (
                f"request number of distributed spares {spares} and parity level {parity(vdev.layout)}\n"
                "leaves no disks available for data\n"
            )
        raise Refusal(text) from None


def check_use(machine: Machine, vdevs: Iterable[VdevSpec], known: dict[str, Device], *, force: bool) -> None:
    """Members that seem to be in use; with force only what cannot be forced."""
    found = [
        word
        for vdev in vdevs
        for link in vdev.devices
        if (word := _use(machine, link, known[link], force=force))
    ]
    if found:
        how = "the following errors must be manually repaired" if force else _FORCE_IT
        raise Refusal(f"{_INVALID}\n{how}:\n{''.join(found)}")


_FORCE_IT = "use '-f' to override the following errors"


def _use(machine: Machine, link: str, device: Device, *, force: bool) -> str | None:
    content = device.content
    if device.partition is None and any(part.content for part in device.disk.partitions):
        # On a whole disk the partitions count; one that is held cannot be forced.
        if busy(device):
            raise Refusal(f"{link} is in use and contains a unknown filesystem.\n")
        content = next(part.content for part in device.disk.partitions if part.content)
    if content is None:
        return None
    match content.pool_state:
        case "active":
            return f"{link} is part of active pool '{content.label}'\n"
        case "spare" | "cache" if content.busy:
            pool = owner(machine, device)
            spare = f"{link} is reserved as a hot spare for pool {pool}\n"
            return spare if content.pool_state == "spare" else f"{link} is part of active pool '{pool}'\n"
        case "exported":
            return None if force else f"{link} is part of exported pool '{content.label}'\n"
        case None:
            return None if force else f"{link} contains a filesystem of type '{content.fstype}'\n"
        case _:
            return None


def check_levels(vdevs: Iterable[VdevSpec], known: dict[str, Device], current: Level | None = None) -> None:
    """Vdevs that lose their data at different numbers of failures, and members of different sizes.

    `current` is the level of the vdevs that the pool has.
    """
    found: list[str] = []
    last: Level | None = None
    for vdev in vdevs:
        sizes = [known[link].size for link in vdev.devices]
        if vdev.layout != "stripe" and max(sizes) - min(sizes) > _ALIKE:
            found.append(
                f"{level_of(vdev.layout, len(vdev.devices)).kind} contains devices of different sizes\n"
            )
        if vdev.role not in {"data", "special", "dedup"}:
            continue
        level = level_of(vdev.layout, len(vdev.devices))
        if current is not None and last is None and (fault := _differs(current, level)):
            found.append(f"mismatched replication level: {fault}\n")
        if last is not None and (fault := _mismatch(last, level)):
            found.append(f"mismatched replication level: {fault} are present\n")
        last = level
    if found:
        # zpool reports one mismatch and one difference in size, then checks no further.
        raise Refusal(f"{_INVALID}\n{_FORCE_IT}:\n{''.join(found[:2])}")


def level_of(layout: Layout, members: int) -> Level:
    """Of a top-level vdev in that layout."""
    if layout == "stripe":
        return Level("disk", 0, 1)
    if layout == "mirror":
        return Level("mirror", 0, members)
    return Level(kind(layout), parity(layout), members)


def _differs(current: Level, new: Level) -> str | None:
    if "mirror" in {current.kind, new.kind} and {current.kind, new.kind} & {"raidz", "draid"}:
        parity, mirror = sorted((current, new), key=lambda one: one.kind == "mirror")
        if parity.parity == mirror.children - 1:
            return None
        numbers = f"{parity.parity} vs. {mirror.children - 1} ({mirror.children}-way)"
        return f"pool and new vdev with different redundancy, {parity.kind} and mirror vdevs, {numbers}"
    if current.kind != new.kind:
        return f"pool uses {current.kind} and new vdev is {new.kind}"
    if current.parity != new.parity:
        return f"pool uses {current.parity} device parity and new vdev uses {new.parity}"
    if current.children != new.children:
        both = f"{current.children}-way {current.kind} and new vdev uses {new.children}-way {new.kind}"
        return f"pool uses {both}"
    return None


def _mismatch(last: Level, level: Level) -> str | None:
    kinds = {last.kind, level.kind}
    if "mirror" in kinds and kinds & {"raidz", "draid"}:
        one, mirror = sorted((last, level), key=lambda each: each.kind == "mirror")
        if one.parity == mirror.children - 1:
            return None
        numbers = f"{one.parity} vs. {mirror.children - 1} ({mirror.children}-way)"
        return f"{one.kind} and mirror vdevs with different redundancy, {numbers}"
    if "draid" in kinds and kinds <= {"raidz", "draid"}:
        if last.parity == level.parity:  # their widths do not matter
            return None
        numbers = f"{last.parity} vs. {level.parity}"
        return f"{last.kind} and {level.kind} vdevs with different redundancy, {numbers}"
    if last.kind != level.kind:
        return f"both {last.kind} and {level.kind} vdevs"
    if last.parity != level.parity:
        return f"both {last.parity} and {level.parity} device parity {level.kind} vdevs"
    if last.children != level.children:
        return f"both {last.children}-way and {level.children}-way {level.kind} vdevs"
    return None
