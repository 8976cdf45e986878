"""What trim and initialize have in common: both go over each leaf by itself."""

from __future__ import annotations

from collections.abc import Callable

from host.commands.pools.care import FillAction
from host.inventory import Filling, Pool, Vdev, leaves
from jobs.planning.findings import Findings

GuidOf = Callable[[Vdev], Filling | None]
_NO_DATA = {"spare", "cache"}


def wanted(pool: Pool, vdev: str | None, findings: Findings) -> tuple[Vdev, ...]:
    """The leaf with the guid `vdev`, or all that work. A guid that cannot be meant becomes a finding."""
    usable = tuple(leaf for top in pool.vdevs if top.role not in _NO_DATA for leaf in leaves(top))
    if vdev is None:
        return tuple(leaf for leaf in usable if leaf.state == "ONLINE")
    found = next((leaf for leaf in usable if leaf.guid == vdev), None)
    if found is None:
        message = f"{pool.name} has no disk with the guid {vdev[:40]}. Its page and GET pools/ list them."
        findings.error("unknown-vdev", "vdev", message)
        return ()
    if found.state != "ONLINE":
        message = f"{short(found)} is {found.state.lower()}. It has to be online first."
        findings.error("not-online", "vdev", message)
    return (found,)


def check_action(
    chosen: tuple[Vdev, ...], action: FillAction, of: GuidOf, noun: str, findings: Findings
) -> None:
    """What ZFS would refuse: to start what runs, to suspend or cancel what does not."""
    states = [filling.state if (filling := of(leaf)) else "NONE" for leaf in chosen]
    active = [leaf for leaf, state in zip(chosen, states, strict=True) if state == "ACTIVE"]
    if action == "start" and active:
        findings.error("already-running", "action", f"{_Nouns[noun]} is already running on {names(active)}.")
    elif action == "suspend" and not active:
        findings.error("not-running", "action", f"No {noun} is running that could be suspended.")
    elif action == "cancel" and not set(states) & {"ACTIVE", "SUSPENDED"}:
        findings.error("not-running", "action", f"No {noun} is running or suspended that could be cancelled.")


def affected(chosen: tuple[Vdev, ...], action: FillAction, of: GuidOf) -> tuple[Vdev, ...]:
    """Those of `chosen` that the action means: zpool ends with a failure for the others."""
    if action == "start":
        return chosen
    states = {"ACTIVE"} if action == "suspend" else {"ACTIVE", "SUSPENDED"}
    return tuple(leaf for leaf in chosen if (filling := of(leaf)) and filling.state in states)


def short(leaf: Vdev) -> str:
    """A leaf's name without the folders before it."""
    return leaf.name.rpartition("/")[2]


def names(found: list[Vdev] | tuple[Vdev, ...]) -> str:
    """Up to three of them, and how many more."""
    listed = ", ".join(short(leaf) for leaf in found[:3])
    return listed if len(found) <= 3 else f"{listed} and {len(found) - 3} more"


_Nouns = {"trim": "A trim", "initialization": "An initialization"}
