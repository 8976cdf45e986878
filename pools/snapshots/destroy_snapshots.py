"""snapshot.destroy: some snapshots of one dataset."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from host.commands import ZfsDestroySnapshots
from host.inventory import Inventory, Snapshot
from jobs.findings import Findings
from jobs.plan import Loss, Plan, Step

_Text = Annotated[str, Meta(max_length=1024)]
_BATCH = 500  # names in one command: keeps its argument well below the kernel's limit of 128 KiB


class DestroySnapshots(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Destroy snapshots of `dataset` by name, with `recursive` those of the same name below it too."""

    dataset: _Text
    names: Annotated[tuple[_Text, ...], Meta(min_length=1, max_length=10_000)]
    recursive: bool = False


def affected(request: DestroySnapshots) -> tuple[str, ...]:
    """The datasets whose snapshots the plan looks at."""
    return (request.dataset,)


def plan(request: DestroySnapshots, inventory: Inventory) -> Plan:
    """Raises `Refused` for unknown snapshots, and for those that are held or cloned."""
    findings = Findings()
    dataset = inventory.dataset(request.dataset)
    if dataset is None:
        findings.refuse("unknown-dataset", "dataset", "There is no dataset of that name.")
    known = {snapshot.tag: snapshot for snapshot in inventory.snapshots.get(dataset.name, ())}
    for index, tag in enumerate(request.names):
        if tag not in known:
            findings.error("unknown-snapshot", f"names[{index}]", f"{dataset.name} has no such snapshot.")
    tags = tuple(dict.fromkeys(request.names))
    doomed = [known[tag] for tag in tags if tag in known]
    if request.recursive:
        below = (inventory.snapshots.get(child.name, ()) for child in inventory.below(dataset.name))
        doomed += [snapshot for snapshots in below for snapshot in snapshots if snapshot.tag in tags]
    for snapshot in doomed:
        _check(snapshot, findings)
    findings.refuse_on_error()
    step = Step(
        title=f"Destroy {len(doomed)} snapshots" if len(doomed) > 1 else f"Destroy {doomed[0].name}",
        commands=tuple(
            ZfsDestroySnapshots(
                dataset=dataset.name, tags=tags[start : start + _BATCH], recursive=request.recursive
            )
            for start in range(0, len(tags), _BATCH)
        ),
        destroys=tuple(_loss(snapshot) for snapshot in doomed),
    )
    return Plan(
        operation="snapshot.destroy",
        steps=(step,),
        claims=(f"dataset:{dataset.name}",),
        confirm=doomed[0].name if len(doomed) == 1 else dataset.name,
    )


def _check(snapshot: Snapshot, findings: Findings) -> None:
    if snapshot.holds:
        findings.error("held", "names", f"{snapshot.name} is held. Release it first.")
    if snapshot.clones:
        clones = ", ".join(snapshot.clones)
        findings.error(
            "has-clones", "names", f"{snapshot.name} has clones ({clones}). Promote or destroy them."
        )


def _loss(snapshot: Snapshot) -> Loss:
    return Loss(
        snapshot=snapshot.name, holds=f"the state of {snapshot.dataset} then", size_bytes=snapshot.used_bytes
    )
