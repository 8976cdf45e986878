"""What goes with datasets that are destroyed, and what stands in the way of it."""

from __future__ import annotations

from collections.abc import Sequence

from host.inventory import Dataset, Inventory, Snapshot
from host.mountpoints import Zone, zone
from jobs.plan import Loss
from jobs.planning.findings import Findings
from jobs.wording import counted, listed
from pools.sentences import taken_at

_MOST_NAMED = 200  # datasets, and as many snapshots


def snapshots_of(doomed: Sequence[Dataset], inventory: Inventory) -> tuple[Snapshot, ...]:
    """All snapshots of these, dataset by dataset."""
    return tuple(s for entry in doomed for s in inventory.snapshots.get(entry.name, ()))


def losses(doomed: Sequence[Dataset], inventory: Inventory) -> tuple[Loss, ...]:
    """What goes: datasets and snapshots by name, and beyond some hundred by their number."""
    snapshots = snapshots_of(doomed, inventory)
    found = [_loss(entry, inventory.snapshots.get(entry.name, ())) for entry in doomed[:_MOST_NAMED]]
    if len(doomed) > _MOST_NAMED:
        found.append(Loss(dataset=doomed[0].name, holds=f"{len(doomed) - _MOST_NAMED} more datasets"))
    found += [Loss(snapshot=snapshot.name, holds=_words(snapshot)) for snapshot in snapshots[:_MOST_NAMED]]
    if len(snapshots) > _MOST_NAMED:
        found.append(Loss(snapshot="…", holds=f"{len(snapshots) - _MOST_NAMED} more snapshots"))
    return tuple(found)


def check_alone(
    dataset: Dataset, below: Sequence[Dataset], snapshots: Sequence[Snapshot], findings: Findings
) -> None:
    """What would be destroyed along with `dataset` needs a consent of its own, in the field `recursive`."""
    along = [
        *([counted(len(below), "more dataset") + " below it"] if below else []),
        *([counted(len(snapshots), "snapshot")] if snapshots else []),
    ]
    if along:
        message = f"{listed(along)} would be destroyed with {dataset.name}. Confirm that too."
        findings.error("has-children", "recursive", message)


def check_holds(doomed: Sequence[Dataset], inventory: Inventory, findings: Findings, field: str) -> None:
    """A held snapshot keeps its dataset."""
    for snapshot in snapshots_of(doomed, inventory):
        if snapshot.holds:
            findings.error("held", field, f"{snapshot.name} is held. Release it first.")


def clones_of(doomed: Sequence[Dataset], inventory: Inventory) -> set[tuple[str, str]]:
    """Clones of their snapshots and the snapshot that each of them needs.

    A new clone does not show in what is known of its snapshot, but tells of its origin by itself.
    """
    names = {entry.name for entry in doomed}
    clones = {(clone, s.name) for s in snapshots_of(doomed, inventory) for clone in s.clones}
    origins = {dataset.name: dataset.value("origin") or "-" for dataset in inventory.datasets}
    return clones | {(name, origin) for name, origin in origins.items() if origin.partition("@")[0] in names}


def check_clones(doomed: Sequence[Dataset], inventory: Inventory, findings: Findings, field: str) -> None:
    """Clones that are not destroyed too keep the dataset of their snapshot."""
    names = {entry.name for entry in doomed}
    for clone, name in sorted(clones_of(doomed, inventory)):
        if clone not in names:
            message = (
                f"{clone} is a clone of {name} and needs it. Promote {clone}, which then keeps what both "
                "share, or destroy it first."
            )
            findings.error("has-clones", field, message)


def check_use(doomed: Sequence[Dataset], findings: Findings, field: str) -> None:
    """The running system is not destroyed; what was cloned from elsewhere leaves its origin behind."""
    for entry in doomed:
        place = entry.value("mountpoint") or ""
        if entry.mounted and place.startswith("/") and zone(place) is Zone.SYSTEM:
            message = f"{entry.name} is mounted at {place}: the running system needs it."
            findings.error("system-folder", field, message)
        origin = entry.value("origin") or "-"
        if origin != "-":
            findings.info(
                "origin-stays", field, f"{entry.name} is a clone. {origin} stays, and is free again."
            )


def _words(snapshot: Snapshot) -> str:
    return f"snapshot of {taken_at(snapshot)}"


def _loss(dataset: Dataset, snapshots: Sequence[Snapshot]) -> Loss:
    kind = "volume" if dataset.kind == "volume" else "file system"
    count = f" and its {len(snapshots)} snapshots" if len(snapshots) > 1 else ""
    count = " and its snapshot" if len(snapshots) == 1 else count
    return Loss(
        dataset=dataset.name, holds=f"{kind} {dataset.name}{count}", size_bytes=dataset.number("used")
    )
