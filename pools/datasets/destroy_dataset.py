"""dataset.destroy: a dataset, and on request all below it with its snapshots."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from host.commands.datasets.zfs import ZfsDestroy
from host.inventory import Dataset, Inventory, Snapshot
from host.mountpoints import Zone, zone
from jobs.needs import Needs, SnapshotNeeds
from jobs.plan import Loss, Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from jobs.wording import counted, listed
from pools.quotas.limits import in_words
from pools.sentences import clients_lose, taken_at

_MOST_NAMED = 200  # datasets, and as many snapshots


class DestroyDataset(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Destroy a dataset. Without `recursive` it must have neither children nor snapshots."""

    name: Annotated[str, Meta(max_length=1024)]
    recursive: bool = False


def needs(request: DestroyDataset, _inventory: Inventory) -> Needs:
    """The datasets whose snapshots the plan looks at."""
    return Needs(snapshots=SnapshotNeeds(datasets=(request.name,)))


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
    _check_snapshots(snapshots, {entry.name for entry in doomed}, inventory, findings)
    findings.refuse_on_error()
    losses = [_loss(entry, inventory.snapshots.get(entry.name, ())) for entry in doomed[:_MOST_NAMED]]
    if len(doomed) > _MOST_NAMED:
        losses.append(Loss(dataset=dataset.name, holds=f"{len(doomed) - _MOST_NAMED} more datasets"))
    losses += [Loss(snapshot=snapshot.name, holds=_words(snapshot)) for snapshot in snapshots[:_MOST_NAMED]]
    if len(snapshots) > _MOST_NAMED:
        losses.append(Loss(snapshot="…", holds=f"{len(snapshots) - _MOST_NAMED} more snapshots"))
    _check_use(doomed, findings)
    findings.refuse_on_error()
    command = ZfsDestroy(name=dataset.name, recursive=request.recursive)
    step = Step(title=f"Destroy {dataset.name}", commands=(command,), destroys=tuple(losses))
    return Plan(
        operation="dataset.destroy",
        steps=(step,),
        summary=_summary(dataset, doomed, snapshots, inventory),
        findings=findings.all(),
        claims=(f"dataset:{dataset.name}",),
        confirm=dataset.name,
    )


def _summary(
    dataset: Dataset, doomed: tuple[Dataset, ...], snapshots: tuple[Snapshot, ...], inventory: Inventory
) -> str:
    below, origin = len(doomed) - 1, dataset.value("origin") or "-"
    along = listed(
        [
            *([f"{counted(below, 'dataset')} below it"] if below else []),
            *([f"{counted(len(snapshots), 'snapshot')}"] if snapshots else []),
        ]
    )
    what = "The volume" if dataset.kind == "volume" else "The file system"
    return sentences(
        f"{what} {dataset.name} ({in_words(dataset.number('used'))}) is deleted for good"
        + (f", together with {along}." if along else "."),
        clients_lose(doomed, inventory, " for good"),
        "" if origin == "-" else f"The snapshot {origin}, from which it was cloned, stays.",
    )


def _check_snapshots(
    snapshots: tuple[Snapshot, ...], doomed: set[str], inventory: Inventory, findings: Findings
) -> None:
    for snapshot in snapshots:
        if snapshot.holds:
            message = f"{snapshot.name} is held. Release it first."
            findings.error("held", "name", message)
    # A new clone does not show in what is known of its snapshot, but tells of its origin by itself.
    clones = {(clone, snapshot.name) for snapshot in snapshots for clone in snapshot.clones}
    origins = {dataset.name: dataset.value("origin") or "-" for dataset in inventory.datasets}
    clones |= {(name, origin) for name, origin in origins.items() if origin.partition("@")[0] in doomed}
    for clone, name in sorted(clones):
        if clone not in doomed:
            message = (
                f"{clone} is a clone of {name} and needs it. Promote {clone}, which then keeps what both "
                "share, or destroy it first."
            )
            findings.error("has-clones", "name", message)


def _check_use(doomed: tuple[Dataset, ...], findings: Findings) -> None:
    """The running system is not destroyed; what was cloned from elsewhere leaves its origin behind."""
    for entry in doomed:
        place = entry.value("mountpoint") or ""
        if entry.mounted and place.startswith("/") and zone(place) is Zone.SYSTEM:
            message = f"{entry.name} is mounted at {place}: the running system needs it."
            findings.error("system-folder", "name", message)
        origin = entry.value("origin") or "-"
        if origin != "-":
            findings.info(
                "origin-stays", "name", f"{entry.name} is a clone. {origin} stays, and is free again."
            )


def _words(snapshot: Snapshot) -> str:
    return f"snapshot of {taken_at(snapshot)}"


def _loss(dataset: Dataset, snapshots: tuple[Snapshot, ...]) -> Loss:
    kind = "volume" if dataset.kind == "volume" else "file system"
    count = f" and its {len(snapshots)} snapshots" if len(snapshots) > 1 else ""
    count = " and its snapshot" if len(snapshots) == 1 else count
    return Loss(
        dataset=dataset.name, holds=f"{kind} {dataset.name}{count}", size_bytes=dataset.number("used")
    )
