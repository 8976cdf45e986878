"""boot.discard-state: what a move of /var and /home left on a pool is destroyed."""

from __future__ import annotations

import msgspec

from host.commands.datasets.zfs import ZfsDestroy
from host.commands.system.moved_state import dataset_of
from host.inventory import Dataset, Inventory, Pool
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.wording import listed
from pools.boot.left_state import left_on, loss
from pools.chosen import PoolText, check_writable, imported
from pools.quotas.limits import in_words


class DiscardState(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Destroy the /var and /home on this pool that no machine works with."""

    pool: PoolText


def plan(request: DiscardState, inventory: Inventory) -> Plan:
    """Raises `Refused` where there is none, and where this machine works with it."""
    findings = Findings()
    pool = imported(request.pool, inventory, findings, field="pool")
    left = left_on(pool, inventory)
    if not left:
        moved = inventory.moved
        used = moved.phase != "none" and moved.guid == pool.guid
        message = (
            "This machine uses it, or is about to: move it back or cancel the move."
            if used
            else f"No /var or /home of an earlier move lies on {pool.name}."
        )
        findings.refuse("state-in-use" if used else "nothing-left", "pool", message)
    check_writable(pool, findings, field="pool")
    findings.refuse_on_error()
    name = dataset_of(pool.name)
    step = Step(
        title=f"Destroy the copies that an earlier move left on {pool.name}",
        commands=(ZfsDestroy(name=name, recursive=True),),
        destroys=tuple(loss(one) for one in left),
    )
    return Plan(
        operation="boot.discard-state",
        steps=(step,),
        summary=_summary(pool, left),
        claims=("boot:state", f"pool:{pool.name}"),
        confirm=pool.name,
    )


def _summary(pool: Pool, left: tuple[Dataset, ...]) -> str:
    folders = [f"/{name}" for one in left if (name := one.name.rpartition("/")[2]) in {"var", "home"}]
    one = len(folders) == 1
    what = f"The {'copy' if one else 'copies'} of {listed(folders)}" if folders else "The datasets"
    room = in_words(left[0].number("used"))
    it, is_, holds = ("it", "is", "it") if one else ("them", "are", "they")
    return (
        f"{what} that an earlier move left on {pool.name} {is_} deleted for good, {room} in all. This "
        f"machine does not use {it}, but {holds} may hold data that is nowhere else."
    )
