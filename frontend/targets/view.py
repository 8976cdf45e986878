"""What the pages of targets and pairings show of the rows."""

from __future__ import annotations

from datetime import datetime

import msgspec

from frontend.states import StateView
from host.inventory import Inventory
from jobs.wording import counted
from replication.api.pairings import PairingAnswer
from replication.api.targets import TargetAnswer
from replication.links import pairing_href, target_href
from replication.rotating.rules import Stage

_ROTATING = "Rotating disk"
_KINDS = {"pool": "Pool of this machine", "nasweb": "Another Nasweb", "ssh": "Host with SSH"}

# How far a disk that was plugged in has come; `away` and `left` are as any pool.
_STAGES: dict[Stage, StateView] = {
    "importing": StateView(tone="busy", icon="loader-circle", word="importing its pool"),
    "copying": StateView(tone="busy", icon="loader-circle", word="replicating"),
    "proving": StateView(tone="busy", icon="loader-circle", word="comparing files"),
    "exporting": StateView(tone="busy", icon="loader-circle", word="exporting its pool"),
    "done": StateView(tone="good", icon="circle-check", word="may be unplugged"),
}


class TargetView(msgspec.Struct, frozen=True, kw_only=True):
    """A target as the list and its page show it."""

    target: TargetAnswer
    href: str
    kind: str
    where: str
    state: StateView


class PairingView(msgspec.Struct, frozen=True, kw_only=True):
    """A machine that may replicate to this one."""

    pairing: PairingAnswer
    href: str
    state: StateView


def target_view(target: TargetAnswer) -> TargetView:
    """The row for the eye."""
    where = f"{target.host}, below {target.dataset or '…'}" if target.host else target.dataset
    return TargetView(
        target=target,
        href=target_href(target.id),
        kind=_ROTATING if target.rotating else _KINDS[target.kind],
        where=where,
        state=_state(target),
    )


def _state(target: TargetAnswer) -> StateView:
    if target.visit is not None and target.visit.blocked:
        return StateView(tone="warn", icon="triangle-alert", word="needs attention")
    if target.visit is not None and target.visit.stage in _STAGES:
        return _STAGES[target.visit.stage]
    if target.kind == "pool":
        if target.present:
            return StateView(tone="good", icon="circle-check", word="imported")
        if target.rotating:
            return StateView(tone="idle", icon="circle-dashed", word="unplugged")
        return StateView(tone="bad", icon="circle-x", word="its pool is not imported")
    if target.ready is None:
        return StateView(tone="idle", icon="circle-dashed", word="not probed yet")
    if target.ready:
        return StateView(tone="good", icon="circle-check", word="ready")
    return StateView(tone="bad", icon="circle-x", word="not ready")


def pairing_view(pairing: PairingAnswer) -> PairingView:
    """The row for the eye."""
    if pairing.paired:
        state = StateView(tone="good", icon="circle-check", word="paired")
    elif pairing.code_until:
        state = StateView(tone="busy", icon="loader-circle", word="code shown")
    else:
        state = StateView(tone="idle", icon="circle-dashed", word="not paired yet")
    return PairingView(pairing=pairing, href=pairing_href(pairing.id), state=state)


def time_left(until: datetime, now: datetime) -> str:
    """`valid for 9 more minutes`."""
    minutes = max(1, round((until - now).total_seconds() / 60))
    return f"Valid for {counted(minutes, 'more minute')}, and for one use."


def suggested_places(inventory: Inventory | None) -> tuple[str, ...]:
    """Where replicas of another machine may go, by pool."""
    return tuple(f"{pool.name}/replicas/" for pool in inventory.pools) if inventory else ()


def datasets_of(inventory: Inventory | None) -> tuple[str, ...]:
    """What another machine may be let fetch."""
    return tuple(one.name for one in inventory.datasets if "/" in one.name) if inventory else ()
