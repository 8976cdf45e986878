"""What a replication's page offers once its source is lost, or its copy is worked with."""

from __future__ import annotations

from typing import Literal

import msgspec

from host.inventory import Inventory
from host.replication.values import Replication
from replication.replications.live import is_quiet, tree_of

type Stage = Literal["lost", "back", "ready", "here"]


class TurningView(msgspec.Struct, frozen=True, kw_only=True):
    """`lost`: the source is not there; `back`: it is being copied back; `ready`: all of it has come back.

    `pool` is one that has to be there first. `copy_here`: the copy lies on this machine; `copy_live`: it can
    be written to.
    """

    stage: Stage
    source: str
    copy: str
    pool: str
    copy_here: bool
    copy_live: bool
    enabled: bool


def turning_view(task: Replication, inventory: Inventory) -> TurningView | None:
    """None for what is pulled: that is turned round on the other machine."""
    if task.pull:
        return None
    target = inventory.replicating.target(task.target_id)
    copy = tree_of(task.target, inventory)
    here = target is not None and target.kind == "pool"
    pool = task.source.partition("/")[0]
    return TurningView(
        stage=stage(task, inventory),
        source=task.source,
        copy=task.target,
        pool="" if inventory.pool(pool) else pool,
        copy_here=here and bool(copy),
        copy_live=here and any(not is_quiet(one) for one in copy),
        enabled=task.enabled,
    )


def stage(task: Replication, inventory: Inventory) -> Stage:
    """Of one that is not pulled."""
    there = inventory.dataset(task.source) is not None
    if not task.back:
        return "here" if there else "lost"
    return "ready" if there and task.verdict == "done" and not task.running else "back"


def lost_in(pool: str, inventory: Inventory) -> tuple[Replication, ...]:
    """Those whose source belongs into that pool and is not there: its copy can be brought back."""
    return tuple(
        task
        for task in inventory.replicating.tasks
        if task.source.partition("/")[0] == pool and not task.pull and stage(task, inventory) == "lost"
    )
