"""What sysfs and /proc/mdstat say of simulated arrays."""

from __future__ import annotations

from collections.abc import Iterator

from host.base import Result
from host.commands.disks.md import SYSFS, MdState
from host.simulated.arrays.array import SPEED, Array, Member
from host.simulated.arrays.devices import device_of
from host.simulated.handlers import always
from host.simulated.state import Machine

_SECTOR = 512
_REDUNDANT = {"raid1", "raid5", "raid6", "raid10"}


def state(machine: Machine) -> Result:
    """grep over sysfs: 1 where nothing is found."""
    text = "".join(
        f"{SYSFS}/{array.kname}/{name}\0{value}\n"
        for array in machine.arrays.values()
        for name, value in _files(machine, array)
    )
    return Result(exit=0 if text else 1, stdout=text)


def _files(machine: Machine, array: Array) -> Iterator[tuple[str, str]]:
    size = machine.holders[array.kname].size if array.running else 0
    yield "size", str(size // _SECTOR)
    yield "md/array_state", "clean" if array.running else "inactive"
    yield "md/metadata_version", "1.2"
    yield "md/raid_disks", f"{array.wanted} ({array.before})" if array.before else str(array.wanted)
    yield "md/uuid", array.uuid.replace(":", "")
    if array.running:
        yield "md/level", array.level
    for one in array.members:
        found = device_of(machine, one)
        if found is not None:
            word = "spare" if one.state == "rebuilding" else one.state
            yield f"md/dev-{found.kname}/slot", "none" if one.slot is None else str(one.slot)
            yield f"md/dev-{found.kname}/state", word
            yield f"md/dev-{found.kname}/size", str(array.component // 1024)
    if array.running and array.level in _REDUNDANT:
        yield from _redundancy(machine, array)


def _redundancy(machine: Machine, array: Array) -> Iterator[tuple[str, str]]:
    yield "md/degraded", str(array.wanted - array.whole)
    yield "md/mismatch_cnt", str(array.mismatches)
    yield "md/bitmap/location", "+8" if array.bitmap else "none"
    work = array.work
    yield "md/last_sync_action", array.last_action
    yield "md/sync_min", str(array.stopped_at // _SECTOR)
    yield "md/sync_action", "idle" if work is None else work.action
    if work is None:
        yield "md/sync_completed", "none"
        yield "md/sync_speed", "none"
        return
    done = work.done(machine.now(), array.component)
    yield "md/sync_completed", f"{done // _SECTOR} / {array.component // _SECTOR}"
    yield "md/sync_speed", str(SPEED // 1024)


def mdstat(machine: Machine) -> str:
    """/proc/mdstat with every array of the machine."""
    lines = ["Personalities : [raid1] [raid0] [raid6] [raid5] [raid4] [raid10] "]
    for array in machine.arrays.values():
        lines += _mdstat(machine, array)
    return "\n".join([*lines, "unused devices: <none>", ""])


def _mdstat(machine: Machine, array: Array) -> Iterator[str]:
    words = []
    for index, one in reversed(list(enumerate(array.members))):
        found = device_of(machine, one)
        if found is not None:
            number = index if one.slot is None else one.slot
            words.append(f"{found.kname}[{number}]{_MARKS.get(one.state, '')}")
    if not array.running:
        yield f"{array.kname} : inactive {' '.join(f'{word}(S)' for word in words)}"
        yield f"      {array.component * len(words) // 1024} blocks super 1.2"
        yield "       "
        return
    yield f"{array.kname} : active {array.level} {' '.join(words)}"
    blocks = machine.holders[array.kname].size // 1024
    if array.level not in _REDUNDANT:
        yield f"      {blocks} blocks super 1.2 512k chunks"
        yield "      "
        return
    how = _HOW.get(array.level, "")
    marks = "".join("U" if _at(array, slot) else "_" for slot in range(array.wanted))
    yield f"      {blocks} blocks super 1.2 {how}[{array.wanted}/{array.whole}] [{marks}]"
    if array.work is not None:
        done = array.work.done(machine.now(), array.component)
        left = (array.component - done) / SPEED / 60
        percent = 100 * done / array.component
        word = {"recover": "recovery"}.get(array.work.action, array.work.action)
        yield (
            f"      [{'=' * int(percent / 5)}>{'.' * (20 - int(percent / 5))}]  {word} = {percent:.1f}% "
            f"({done // 1024}/{array.component // 1024}) finish={left:.1f}min speed={SPEED // 1024}K/sec"
        )
    if array.bitmap:
        yield "      bitmap: 0/1 pages [0KB], 65536KB chunk"
    yield "      "


_HOW = {
    "raid5": "level 5, 512k chunk, algorithm 2 ",
    "raid6": "level 6, 512k chunk, algorithm 2 ",
    "raid10": "512K chunks 2 near-copies ",
}
_MARKS = {"faulty": "(F)", "spare": "(S)"}


def _at(array: Array, slot: int) -> Member | None:
    return next((one for one in array.members if one.slot == slot and one.state == "in_sync"), None)


HANDLERS = always(MdState, state)
