"""pool.destroy: a pool and everything in it."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from host.commands.pools.zpool import ZpoolDestroy
from host.inventory import Dataset, Inventory, Pool
from jobs.plan import Loss, Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from jobs.wording import counted
from pools.boot.left_state import left_on, loss
from pools.boot.moved import check_state
from pools.phrases import shares_on
from pools.quotas.limits import in_words

_MOST_NAMED = 100


class DestroyPool(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Destroy a pool. Its disks keep the labels, so that it can be brought back until they are reused."""

    name: Annotated[str, Meta(max_length=1024)]


def plan(request: DestroyPool, inventory: Inventory) -> Plan:
    """Raises `Refused` when there is no such pool, and where the machine's own state lies on it."""
    pool = inventory.pool(request.name)
    if pool is None:
        Findings().refuse("unknown-pool", "name", "No pool of that name is imported.")
    findings = Findings()
    check_state(pool, "name", inventory, findings)
    findings.refuse_on_error()
    below = inventory.below(pool.name)
    holds = (
        f"the whole pool with {len(below) or 'no'} dataset{'' if len(below) == 1 else 's'} and all snapshots"
    )
    losses = [Loss(pool=pool.name, holds=holds, size_bytes=_size_bytes(pool, inventory))]
    losses += [loss(dataset) for dataset in left_on(pool, inventory)]
    losses += [_loss(dataset) for dataset in below[:_MOST_NAMED]]
    if len(below) > _MOST_NAMED:
        losses.append(Loss(pool=pool.name, holds=f"{len(below) - _MOST_NAMED} more datasets"))
    step = Step(
        title=f"Destroy pool {pool.name}",
        commands=(ZpoolDestroy(name=pool.name),),
        destroys=tuple(losses),
    )
    return Plan(
        operation="pool.destroy",
        steps=(step,),
        summary=_summary(pool, inventory),
        claims=(f"pool:{pool.name}",),
        confirm=pool.name,
    )


def _summary(pool: Pool, inventory: Inventory) -> str:
    below, size = inventory.below(pool.name), _size_bytes(pool, inventory)
    what = f"its {counted(len(below), 'dataset')} and all snapshots" if below else "everything in it"
    moved = ", and with the copies of an earlier move of /var and /home" if left_on(pool, inventory) else ""
    shares = shares_on(pool, inventory)
    return sentences(
        f"{pool.name} is destroyed with {what}, {in_words(size)} in all{moved}.",
        f"Connected clients lose {shares} for good." if shares else "",
        f"{pool.name} can be recovered only until its disks are used for something else.",
    )


def _size_bytes(pool: Pool, inventory: Inventory) -> int:
    """What its datasets and snapshots take, without parity: the figure that their own pages show."""
    root = inventory.dataset(pool.name)
    return root.number("used") if root else pool.allocated_bytes


def _loss(dataset: Dataset) -> Loss:
    kind = "volume" if dataset.kind == "volume" else "file system"
    return Loss(dataset=dataset.name, holds=f"{kind} {dataset.name}", size_bytes=dataset.number("used"))
