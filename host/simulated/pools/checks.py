"""What `zpool create` checks before it asks the kernel: members in use, and levels of redundancy."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from host.commands import VdevSpec, ZpoolCreate
from host.simulated.blocks.devices import Device, busy, owner
from host.simulated.refusal import Refusal
from host.simulated.state import Machine

_FEWEST = {"stripe": 1, "mirror": 2, "raidz1": 2, "raidz2": 3, "raidz3": 4}
_PARITY = {"raidz1": 1, "raidz2": 2, "raidz3": 3}
_ALIKE = 16 << 20  # ZPOOL_FUZZ
_INVALID = "invalid vdev specification"


class Level(NamedTuple):
    """What zpool compares of top-level vdevs."""

    kind: str  # disk, mirror, raidz
    parity: int
    children: int


def check_specification(vdevs: Iterable[VdevSpec], *, force: bool) -> None:
    """Layouts that cannot be."""
    tops = 0
    for vdev in vdevs:
        if len(vdev.devices) < _FEWEST[vdev.layout]:
            raise Refusal(f"{_INVALID}: {vdev.layout} requires at least {_FEWEST[vdev.layout]} devices\n")
        if vdev.role in {"log", "special", "dedup"} and vdev.layout not in {"stripe", "mirror"}:
            raise Refusal(f"{_INVALID}: unsupported '{vdev.role}' device: raidz\n")
        tops += vdev.role == "data"
    if not tops and force:
        raise Refusal(f"{_INVALID}: at least one toplevel vdev must be specified\n")
    if not tops:
        reason = "at least one general top-level vdev must be specified"
        raise Refusal(f"{_INVALID}\n{_FORCE_IT}:\n{reason}\n")


def check_use(machine: Machine, command: ZpoolCreate, known: dict[str, Device]) -> None:
    """Members that look used; with force only what cannot be forced."""
    found = [
        word
        for vdev in command.vdevs
        for link in vdev.devices
        if (word := _use(machine, link, known[link], force=command.force))
    ]
    if found:
        how = "the following errors must be manually repaired" if command.force else _FORCE_IT
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


def check_levels(command: ZpoolCreate, known: dict[str, Device]) -> None:
    """Vdevs that lose their data at different numbers of failures, and members of different sizes."""
    found: list[str] = []
    last: Level | None = None
    for vdev in command.vdevs:
        sizes = [known[link].size for link in vdev.devices]
        if vdev.layout != "stripe" and max(sizes) - min(sizes) > _ALIKE:
            found.append(f"{_level(vdev).kind} contains devices of different sizes\n")
        if vdev.role not in {"data", "special", "dedup"}:
            continue
        level = _level(vdev)
        if last is not None and (fault := _mismatch(last, level)):
            found.append(f"mismatched replication level: {fault} are present\n")
        last = level
    if found:
        # zpool tells one mismatch and one difference in size, then looks no further.
        raise Refusal(f"{_INVALID}\n{_FORCE_IT}:\n{''.join(found[:2])}")


def _level(vdev: VdevSpec) -> Level:
    if vdev.layout == "stripe":
        return Level("disk", 0, 1)
    if vdev.layout == "mirror":
        return Level("mirror", 0, len(vdev.devices))
    return Level("raidz", _PARITY[vdev.layout], len(vdev.devices))


def _mismatch(last: Level, level: Level) -> str | None:
    if {last.kind, level.kind} == {"raidz", "mirror"}:
        raidz, mirror = sorted((last, level), key=lambda one: one.kind, reverse=True)
        if raidz.parity == mirror.children - 1:
            return None
        numbers = f"{raidz.parity} vs. {mirror.children - 1} ({mirror.children}-way)"
        return f"raidz and mirror vdevs with different redundancy, {numbers}"
    if last.kind != level.kind:
        return f"both {last.kind} and {level.kind} vdevs"
    if last.parity != level.parity:
        return f"both {last.parity} and {level.parity} device parity {level.kind} vdevs"
    if last.children != level.children:
        return f"both {last.children}-way and {level.children}-way {level.kind} vdevs"
    return None
