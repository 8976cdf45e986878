"""Resyncs, recoveries and checks go on by the machine's clock, and nobody has to run for that.

What has less than a second to do is done at once.
"""

from __future__ import annotations

from host.simulated.arrays import events
from host.simulated.arrays.array import SPEED, Action, Array, Work
from host.simulated.state import Machine


def start(machine: Machine, array: Array, action: Action) -> None:
    """Begin something instead of what ran: a check where it was stopped, all else from the start."""
    done = array.stopped_at if action == "check" else 0
    array.work = Work(action=action, since=machine.now() - done / SPEED)
    array.last_action, array.stopped_at = action, 0
    events.record(machine, array, "RebuildStarted")
    settle(machine)


def due(machine: Machine) -> bool:
    """Whether something has ended since it was last settled."""
    now = machine.now()
    return any(_over(array, now) for array in machine.arrays.values())


def settle(machine: Machine) -> None:
    """End what is over, and begin what waits for that."""
    now = machine.now()
    for array in machine.arrays.values():
        while array.work is not None and _over(array, now):
            action, array.work = array.work.action, None
            _end(machine, array, action)


def stop(machine: Machine, array: Array) -> None:
    """End what runs; of a check it is remembered how far it came."""
    if array.work is not None and array.work.action == "check":
        array.stopped_at = array.work.done(machine.now(), array.component)
    array.work = None
    events.record(machine, array, "RebuildFinished")


def fill_places(machine: Machine, array: Array) -> None:
    """Spares take the places that are empty, and are brought up to date."""
    taken = {one.slot for one in array.members if one.slot is not None and one.state != "faulty"}
    for slot in range(array.wanted):
        spare = next((one for one in array.members if one.state == "spare"), None)
        if slot not in taken and spare is not None:
            spare.slot, spare.state = slot, "rebuilding"
    if array.running and any(one.state == "rebuilding" for one in array.members) and array.work is None:
        start(machine, array, "recover")


def _over(array: Array, now: float) -> bool:
    if array.work is None:
        return False
    left = array.component - array.work.done(now, array.component)
    return left <= 0 or array.component < SPEED


def _end(machine: Machine, array: Array, action: Action) -> None:
    if action == "check":
        array.mismatches = array.differing
    elif action == "resync":
        array.mismatches = array.differing = 0
    elif action == "reshape":
        array.before = 0
        machine.holders[array.kname].size = array.size
    elif action == "recover":
        _recovered(machine, array)
    words = f" mismatches found: {array.mismatches} (on raid level {array.level[4:]})"
    events.record(machine, array, "RebuildFinished", words if array.mismatches else None)
    fill_places(machine, array)


def _recovered(machine: Machine, array: Array) -> None:
    for member in [one for one in array.members if one.state == "rebuilding"]:
        member.state = "in_sync"
        events.record(machine, array, "SpareActive", events.path_of(machine, member))
        if member.replaces is not None:
            old = next(o for o in array.members if o.slot == member.replaces and o is not member)
            old.slot, old.state, member.replaces = None, "faulty", None
        if member.serial in array.missed:
            array.missed.remove(member.serial)
