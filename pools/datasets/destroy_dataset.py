"""dataset.destroy: a dataset, and on request all below it with its snapshots."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from host.commands import ZfsDestroy
from host.inventory import Dataset, Inventory, Snapshot
from jobs.findings import Findings
from jobs.plan import Loss, Plan, Step

_MOST_NAMED = 200


class DestroyDataset(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Destroy a dataset. Without `recursive` it must have neither children nor snapshots."""

    name: Annotated[str, Meta(max_length=1024)]
    recursive: bool = False


def affected(request: DestroyDataset) -> tuple[str, ...]:
    """The datasets whose snapshots the plan looks at."""
    return (request.name,)


def plan(request: DestroyDataset, inventory: Inventory) -> Plan:
    """Raises `Refused` with all that stands in the way: children, snapshots, holds, clones elsewhere."""
    findings = Findings()
    dataset = inventory.dataset(request.name)
    if dataset is None:
        findings.refuse("unknown-dataset", "name", "There is no dataset of that name.")
    if dataset.parent is None:
        message = f"{dataset.name} is the root of its pool. Destroy the pool instead."
        findings.refuse("is-pool-root", "name", message)
    doomed = (dataset, *inventory.below(dataset.name))
    snapshots = tuple(s for entry in doomed for s in inventory.snapshots.get(entry.name, ()))
    if not request.recursive and (len(doomed) > 1 or snapshots):
        message = (
            f"{len(doomed) - 1} datasets below {dataset.name} and {len(snapshots)} snapshots go with it. "
            "Set recursive to destroy them too."
        )
        findings.error("has-children", "recursive", message)
    _check_snapshots(snapshots, {entry.name for entry in doomed}, findings)
    findings.refuse_on_error()
    losses = [_loss(entry, inventory.snapshots.get(entry.name, ())) for entry in doomed[:_MOST_NAMED]]
    if len(doomed) > _MOST_NAMED:
        losses.append(Loss(dataset=dataset.name, holds=f"{len(doomed) - _MOST_NAMED} more datasets"))
    command = ZfsDestroy(name=dataset.name, recursive=request.recursive)
    step = Step(title=f"Destroy {dataset.name}", commands=(command,), destroys=tuple(losses))
    return Plan(
        operation="dataset.destroy",
        steps=(step,),
        claims=(f"dataset:{dataset.name}",),
        confirm=dataset.name,
    )


def _check_snapshots(snapshots: tuple[Snapshot, ...], doomed: set[str], findings: Findings) -> None:
    for snapshot in snapshots:
        if snapshot.holds:
            message = f"{snapshot.name} is held. Release it first."
            findings.error("held", "name", message)
        for clone in snapshot.clones:
            if clone not in doomed:
                message = f"{clone} is a clone of {snapshot.name}. Promote or destroy it first."
                findings.error("has-clones", "name", message)


def _loss(dataset: Dataset, snapshots: tuple[Snapshot, ...]) -> Loss:
    kind = "volume" if dataset.kind == "volume" else "file system"
    count = f" and its {len(snapshots)} snapshots" if len(snapshots) > 1 else ""
    count = " and its snapshot" if len(snapshots) == 1 else count
    return Loss(
        dataset=dataset.name, holds=f"{kind} {dataset.name}{count}", size_bytes=dataset.number("used")
    )
