"""snapshot.rollback: a dataset as it was, at the price of all that came after."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec
from msgspec import Meta

from host.commands.datasets.snapshots import ZfsRollback
from host.inventory import Dataset, Inventory, Snapshot
from jobs.needs import Needs, SnapshotNeeds
from jobs.plan import Loss, Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from jobs.wording import counted, listed
from pools.sentences import are, called, taken_at
from pools.snapshots import selection
from pools.snapshots.destroy_snapshots import losses

_Text = Annotated[str, Meta(max_length=1024)]


class RollBack(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Put the dataset of `snapshot` back to it. All its younger snapshots go, and with `destroy_clones` what
    was cloned from those, which otherwise stands in the way. Datasets below stay as they are."""

    snapshot: _Text
    destroy_clones: bool = False


def needs(request: RollBack, _inventory: Inventory) -> Needs:
    """All snapshots of the dataset; with `destroy_clones` of the whole pool, where the clones lie."""
    dataset = request.snapshot.partition("@")[0]
    if request.destroy_clones:
        return Needs(snapshots=SnapshotNeeds(datasets=(dataset.partition("/")[0],)))
    return Needs(snapshots=SnapshotNeeds(datasets=(dataset,), everywhere_below=False))


def plan(request: RollBack, inventory: Inventory) -> Plan:
    """Raises `Refused` for an unknown snapshot, and where holds or clones of younger ones forbid it."""
    findings = Findings()
    chosen = selection.choose((request.snapshot,), inventory, findings, "snapshot")
    if len(chosen) > 1:
        findings.error("not-a-snapshot", "snapshot", "Name one snapshot.")
    findings.refuse_on_error()
    target = chosen[0]
    dataset = next(dataset for dataset in inventory.datasets if dataset.name == target.dataset)
    newer = [s for s in inventory.snapshots.get(dataset.name, ()) if s.createtxg > target.createtxg]
    clones = _clones(newer, inventory) if request.destroy_clones else []
    _check(newer, clones, inventory, findings, destroy_clones=request.destroy_clones)
    findings.refuse_on_error()
    _add_findings(dataset, inventory, findings)
    command = ZfsRollback(snapshot=target.name, newer=bool(newer), clones=bool(clones))
    step = Step(
        title=f"Roll {dataset.name} back to {target.tag}",
        commands=(command,),
        destroys=(
            Loss(dataset=dataset.name, holds=f"everything written to {dataset.name} since {target.tag}"),
            *losses(newer),
            *_losses_of_clones(clones, inventory),
        ),
    )
    return Plan(
        operation="snapshot.rollback",
        steps=(step,),
        summary=_summary(dataset, target, newer, clones),
        findings=findings.all(),
        claims=(f"dataset:{dataset.name}", *(f"dataset:{clone.name}" for clone in clones)),
        confirm=dataset.name,
    )


def _summary(dataset: Dataset, target: Snapshot, newer: list[Snapshot], clones: list[Dataset]) -> str:
    gone = [counted(len(newer), "newer snapshot")] if newer else []
    if clones:
        gone.append(called("clone", [one.name for one in clones]))
    lost = "Everything written since then is lost for good"
    if gone:
        lost += f", and {listed(gone)} {are(len(newer) + len(clones))} deleted"
    use = ""
    if dataset.kind == "volume":
        use = "Whatever uses the volume has to be stopped first, or its data will be damaged."
    elif dataset.mounted:
        use = "It stays mounted, but open files in it change or fail: stop whatever uses it first."
    return sentences(
        f"{dataset.name} goes back to what it was in the snapshot {target.tag}, taken {taken_at(target)}.",
        f"{lost}.",
        use,
    )


def _clones(newer: list[Snapshot], inventory: Inventory) -> list[Dataset]:
    """What `-R` takes: clones, what is below them, and what was cloned from any of that."""
    found: dict[str, Dataset] = {}
    waiting = [clone for snapshot in newer for clone in snapshot.clones]
    while waiting:
        name = waiting.pop()
        for dataset in (inventory.dataset(name), *inventory.below(name)):
            if dataset is not None and dataset.name not in found:
                found[dataset.name] = dataset
                waiting += [c for s in inventory.snapshots.get(dataset.name, ()) for c in s.clones]
    return sorted(found.values(), key=lambda one: one.name)


def _check(
    newer: list[Snapshot],
    clones: list[Dataset],
    inventory: Inventory,
    findings: Findings,
    *,
    destroy_clones: bool,
) -> None:
    doomed = [*newer, *(s for clone in clones for s in inventory.snapshots.get(clone.name, ()))]
    for snapshot in doomed:
        if snapshot.holds:
            message = f"{snapshot.name} is newer and has a hold. Release it first."
            findings.error("held", "snapshot", message)
        if snapshot.clones and not destroy_clones:
            named = ", ".join(snapshot.clones[:5])
            message = (
                f"{snapshot.name} is newer and has clones ({named}). Promote or destroy them first, or "
                "destroy them too (destroy_clones)."
            )
            findings.error("has-clones", "destroy_clones", message)


def _add_findings(dataset: Dataset, inventory: Inventory, findings: Findings) -> None:
    if dataset.kind == "volume":
        message = (
            f"{dataset.name} is a volume: whatever uses it must be stopped first, or its data will be "
            "damaged."
        )
        findings.warning("in-use", "snapshot", message)
    elif dataset.mounted:
        message = (
            f"{dataset.name} is mounted. Files that are open now change while in use: stop whatever writes "
            "to it first."
        )
        findings.warning("mounted", "snapshot", message)
    if below := inventory.below(dataset.name):
        count = f"{len(below)} datasets" if len(below) > 1 else "The dataset"
        message = f"{count} below {dataset.name} stay as they are. ZFS rolls back one dataset at a time."
        findings.info("children-stay", "snapshot", message)
    findings.info("bookmarks", "snapshot", "Bookmarks newer than the snapshot are destroyed, too.")


def _losses_of_clones(clones: list[Dataset], inventory: Inventory) -> Iterator[Loss]:
    for clone in clones:
        count = len(inventory.snapshots.get(clone.name, ()))
        more = f" and its {count} snapshots" if count else ""
        yield Loss(
            dataset=clone.name,
            holds=f"the clone {clone.name}{more}",
            size_bytes=clone.number("used"),
        )
