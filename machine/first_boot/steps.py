"""Progress of the first-boot wizard: the state of each step, from the machine and from what was put off."""

from __future__ import annotations

from typing import Literal

import msgspec

from host.boot_pair import boot_pair
from host.inventory import Inventory
from machine.first_boot.state import STEPS, FirstBootState, Step
from machine.network.set_network import why_not

State = Literal["done", "busy", "open", "waits", "later", "absent"]
# What the machine does not show as done may be right as it is.
SETTLES: tuple[Step, ...] = ("name", "network", "bays")
_UNNAMED = {"", "debian", "localhost", "nasweb"}  # as an image or an installer calls it
_NO_ZONE = {None, "UTC", "Etc/UTC", "Etc/UCT", "UCT", "Zulu"}


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """A step. `waits` is for another step, `absent` for what this machine has no use for."""

    step: Step
    state: State

    @property
    def left(self) -> bool:
        """Somebody has still to decide on it."""
        return self.state in {"open", "waits"}


def standings(inventory: Inventory | None, memory: FirstBootState, *, notified: bool) -> tuple[Standing, ...]:
    """All steps in their order. `notified` says whether anybody is notified of incidents."""
    return tuple(
        Standing(step=step, state=_state(step, inventory, memory, notified=notified)) for step in STEPS
    )


def left(found: tuple[Standing, ...]) -> int:
    """How many steps somebody has still to decide on."""
    return sum(one.left for one in found)


def next_open(found: tuple[Standing, ...], after: Step | None = None) -> Step | None:
    """The first open step behind `after`, or else the first of all."""
    ready = [one.step for one in found if one.state == "open"]
    behind = [step for step in ready if after is not None and STEPS.index(step) > STEPS.index(after)]
    return next(iter(behind or ready), None)


def suits_first_start(found: tuple[Standing, ...]) -> bool:
    """Whether there is still a pool to create or a folder to share, which one page can do with all before."""
    return any(one.step in {"pool", "share"} and one.left for one in found)


def placed_disks(inventory: Inventory) -> tuple[int, int]:
    """How many disks are known to sit where they are drawn, and of how many: those of the boot pair aside."""
    pair = boot_pair(inventory)
    booted = {half.disk.id for half in pair.halves} if pair else set()
    sure = {bay.disk for bay in inventory.bays if bay.known_by not in {None, "order"}}
    disks = {disk.id for disk in inventory.disks} - booted
    return len(disks & sure), len(disks)


def _state(step: Step, inventory: Inventory | None, memory: FirstBootState, *, notified: bool) -> State:
    shown = "open" if inventory is None else _shown(step, inventory, notified=notified)
    decision = memory.decisions.get(step)
    if shown not in {"open", "waits"}:
        return shown
    if decision == "settled" and step in SETTLES:
        return "done"
    if decision == "later" or (shown == "waits" and memory.decisions.get("pool") == "later"):
        return "later"
    return shown


def _shown(step: Step, inventory: Inventory, *, notified: bool) -> State:
    """The state that the machine itself shows."""
    match step:
        case "account":
            return "done"  # else nobody could ask
        case "name":
            return _done(_named(inventory))
        case "boot":
            return _boot(inventory)
        case "network":
            return _network(inventory)
        case "bays":
            placed, disks = placed_disks(inventory)
            return _done(0 < disks == placed)
        case "pool":
            return _done(bool(inventory.pools))
        case "share":
            shared = bool(inventory.sharing.smb or inventory.sharing.nfs)
            return "done" if shared else "open" if inventory.pools else "waits"
        case "notifications":
            return _done(notified)


def _done(so: bool) -> State:
    return "done" if so else "open"


def _named(inventory: Inventory) -> bool:
    naming = inventory.naming
    return naming.name not in _UNNAMED and naming.time_zone not in _NO_ZONE


def _boot(inventory: Inventory) -> State:
    pair = boot_pair(inventory)
    if pair is None:
        return "absent"
    if pair.complete:
        return "done"
    alive = [half for half in pair.halves if half.state != "faulty"]
    return "busy" if len(alive) >= pair.root.wanted else "open"


def _network(inventory: Inventory) -> State:
    ours = [one for one in inventory.network.interfaces if why_not(one, inventory) is None]
    if not ours:
        return "absent"
    return _done(any(one.ours is not None for one in ours))
