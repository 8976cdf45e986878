"""The first-boot wizard for the eye: the list of steps, and for each why it matters and how it stands now."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from frontend.boot.view import boot_view
from frontend.network.view import ports
from frontend.states import StateView
from frontend.units import binary
from host.inventory import Inventory
from jobs.wording import counted
from machine.first_boot.state import Step
from machine.first_boot.steps import Standing, State, placed_disks
from machine.first_boot.words import title_of

_STATES: dict[State, StateView] = {
    "done": StateView(tone="good", icon="circle-check", word="done"),
    "busy": StateView(tone="busy", icon="loader-circle", word="under way"),
    "open": StateView(tone="idle", icon="circle-dashed", word="to do"),
    "waits": StateView(tone="idle", icon="clock", word="needs a pool"),
    "later": StateView(tone="idle", icon="clock", word="later"),
    "absent": StateView(tone="idle", icon="ban", word="not on this machine"),
}


class StepView(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the list."""

    step: str
    title: str
    state: StateView
    href: str
    here: bool


class Action(msgspec.Struct, frozen=True, kw_only=True):
    """Where a step is done."""

    href: str
    label: str
    icon: str
    main: bool = True  # False for a way that is not the one to recommend


class Doing(msgspec.Struct, frozen=True, kw_only=True):
    """How a step stands now (label and value), and where it is done, the usual way first."""

    facts: tuple[tuple[str, str], ...] = ()
    actions: tuple[Action, ...] = ()
    note: str = ""


def state_view(state: State) -> StateView:
    """A state for the eye."""
    return _STATES[state]


def lines(found: tuple[Standing, ...], here: str) -> tuple[StepView, ...]:
    """The list of all steps that this machine has, and the summary."""
    shown = tuple(
        StepView(
            step=one.step,
            title=title_of(one.step),
            state=state_view(one.state),
            href=f"/welcome/{one.step}/",
            here=one.step == here,
        )
        for one in found
        if one.state != "absent"
    )
    summary = StateView(tone="idle", icon="list-checks", word="to print")
    return (
        *shown,
        StepView(
            step="summary", title="Summary", state=summary, href="/welcome/summary/", here=here == "summary"
        ),
    )


def doing(step: Step, inventory: Inventory, channels: tuple[str, ...]) -> Doing:
    """How the step stands now, and where it is done. `channels` are the names of those that are told."""
    if step == "notifications":
        return _notifications(channels)
    return _DOING[step](inventory)


def _name(inventory: Inventory) -> Doing:
    return Doing()  # its forms are on the page itself


def _account(inventory: Inventory) -> Doing:
    second = Action(href="/accounts/2fa/", label="Add a second factor", icon="shield")
    return Doing(actions=(second,), note="A second factor keeps others out even if they learn the password.")


def _boot(inventory: Inventory) -> Doing:
    seen = boot_view(inventory)
    if seen is None:
        move = Action(href="/boot/", label="Check whether it can become a boot pair", icon="usb", main=False)
        note = "The system is on one disk without RAID1: there is no pair to complete."
        return Doing(actions=(move,), note=note)
    facts = [
        (half.title, f"{half.disk.model}, serial {half.disk.serial}: {half.state.word.lower()}")
        if half.disk
        else (half.title, "missing")
        for half in seen.halves
    ]
    if seen.work:
        percent = f", {seen.percent:.0f} %" if seen.percent is not None else ""
        facts.append(("Now", f"{seen.work}{percent}"))
    if not seen.missing:
        return Doing(facts=tuple(facts), actions=(Action(href="/boot/", label="Show both", icon="usb"),))
    sticks = [one for one in seen.candidates if (disk := inventory.disk(one.id)) and disk.transport == "usb"]
    choose = Action(href="/boot/", label="Choose the second drive", icon="usb")
    if sticks:
        return Doing(facts=tuple(facts), actions=(choose,))
    note = "Plug in a second flash drive of the same size or larger. It appears here within seconds."
    if not seen.candidates:
        return Doing(facts=tuple(facts), note=note)
    note += " A free disk works as well, but then it cannot be used for a pool."
    instead = Action(href="/boot/", label="Use a disk instead", icon="hard-drive", main=False)
    return Doing(facts=tuple(facts), actions=(instead,), note=note)


def _network(inventory: Inventory) -> Doing:
    rows = [row for row in ports(inventory) if row.port.kind != "virtual"]
    facts = tuple((row.port.name, ", ".join(row.addresses) or row.state.word) for row in rows)
    may = [row for row in rows if row.why_not is None]
    actions = tuple(
        Action(href=f"/settings/network/{row.port.name}/", label=f"Set up {row.port.name}", icon="pencil")
        for row in [row for row in may if row.port.carrier] or may
    )
    return Doing(facts=facts, actions=actions)


def _bays(inventory: Inventory) -> Doing:
    placed, disks = placed_disks(inventory)
    facts = (
        ("Chassis", inventory.chassis or "not set: drawn in the order of the ports"),
        ("Mapped", f"{placed} of {counted(disks, 'disk')}"),
    )
    case = Action(href="/chassis/edit/", label="Choose the case", icon="server")
    teach = Action(href="/teach/", label="Map bays", icon="hard-drive")
    return Doing(facts=facts, actions=(teach, case) if inventory.chassis else (case, teach))


def _pool(inventory: Inventory) -> Doing:
    free = [disk for disk in inventory.disks if disk.free]
    have = ("Pools", ", ".join(pool.name for pool in inventory.pools) or "none yet")
    room = f"{counted(len(free), 'disk')}, {binary(sum(disk.size_bytes for disk in free))} together"
    create = Action(href="/create/pool/", label="Create a pool", icon="plus")
    return Doing(facts=(have, ("Free", room if free else "no disk")), actions=(create,))


def _share(inventory: Inventory) -> Doing:
    names = [one.name for one in inventory.sharing.smb] + [one.dataset for one in inventory.sharing.nfs]
    facts = (("Shared", ", ".join(names) or "nothing yet"),)
    if not inventory.pools:
        return Doing(facts=facts, note="A share is a folder of a pool: create the pool first.")
    share = Action(href="/share/folder/", label="Share a folder", icon="share-2")
    if inventory.accounts.people:
        return Doing(facts=facts, actions=(share,))
    person = Action(href="/create/person/", label="Add a person", icon="user")
    note = "Shares are for people: add those who may use them first, each with a password of their own."
    return Doing(facts=facts, actions=(person, share), note=note)


def _notifications(channels: tuple[str, ...]) -> Doing:
    add = Action(href="/settings/notifications/", label="Set up notifications", icon="bell")
    return Doing(facts=(("Notified", ", ".join(channels) or "nobody"),), actions=(add,))


_DOING: dict[Step, Callable[[Inventory], Doing]] = {
    "name": _name,
    "account": _account,
    "boot": _boot,
    "network": _network,
    "bays": _bays,
    "pool": _pool,
    "share": _share,
}
