"""What the machine was like when it was measured, and what has changed since. Pure."""

from __future__ import annotations

from collections import Counter

import msgspec

from host.inventory import Inventory, Pool, Vdev, leaves
from host.inventory.redundancy import layout_of

_POINTS = 10  # percent of the pool's space that are worth a word
_GIB = 1 << 30


class MachineState(msgspec.Struct, frozen=True, kw_only=True):
    """What decides how fast a pool is. `vdevs` are in words, `disks` their links' names."""

    openzfs: str = ""
    kernel: str = ""
    memory_bytes: int = 0
    vdevs: tuple[str, ...] = ()
    disks: tuple[str, ...] = ()
    used_percent: int = 0
    fragmentation_percent: int = 0

    @property
    def has_log(self) -> bool:
        """Whether a log device took what was written synchronously."""
        return any(words.startswith(_vdev("log")) for words in self.vdevs)


def machine_state(pool: Pool, inventory: Inventory) -> MachineState:
    """As it is now."""
    facts, fragmented = inventory.facts, pool.properties.get("fragmentation", "")
    parts = [vdev for vdev in pool.vdevs if vdev.role != "spare"]
    return MachineState(
        openzfs=facts.zfs_module or "",
        kernel=facts.kernel,
        memory_bytes=facts.memory_bytes,
        vdevs=tuple(sorted(map(_words, parts))),
        disks=tuple(sorted(leaf.link for vdev in parts for leaf in leaves(vdev))),
        used_percent=round(100 * pool.allocated_bytes / pool.size_bytes) if pool.size_bytes else 0,
        fragmentation_percent=int(fragmented) if fragmented.isdecimal() else 0,
    )


def changes(before: MachineState, now: MachineState) -> tuple[str, ...]:
    """In sentences; none where it is as it was."""
    found = [
        *(f"{words} was added." for words in _more(now.vdevs, before.vdevs)),
        *(f"{words} was removed." for words in _more(before.vdevs, now.vdevs)),
    ]
    new = _more(now.disks, before.disks)
    if new and now.vdevs == before.vdevs:
        gone = ", ".join(_more(before.disks, now.disks)) or "nothing"
        found.append(f"{', '.join(new)} replaced {gone}.")
    for what, old, new_value in (
        ("OpenZFS", before.openzfs, now.openzfs),
        ("The kernel", before.kernel, now.kernel),
        ("The memory", _gib(before.memory_bytes), _gib(now.memory_bytes)),
    ):
        if old != new_value:
            found.append(f"{what} was {old or 'unknown'} and is {new_value or 'unknown'}.")
    for what, old_percent, percent in (
        ("The pool was {}% full and is {}% full.", before.used_percent, now.used_percent),
        ("Its free space was fragmented by {}% and is by {}%.", before.fragmentation_percent,
         now.fragmentation_percent),
    ):  # fmt: skip
        if abs(percent - old_percent) >= _POINTS:
            found.append(what.format(old_percent, percent))
    return tuple(found)


def _words(vdev: Vdev) -> str:
    members = sum(1 for _ in leaves(vdev))
    layout = layout_of(vdev)
    shape = "one disk" if layout == "stripe" else f"{layout} of {members} disks"
    return f"{_vdev(vdev.role)} ({shape})"


def _vdev(role: str) -> str:
    return f"A {role} vdev"


def _more(some: tuple[str, ...], than: tuple[str, ...]) -> list[str]:
    return sorted((Counter(some) - Counter(than)).elements())


def _gib(size: int) -> str:
    return f"{size / _GIB:.1f} GiB" if size else ""
