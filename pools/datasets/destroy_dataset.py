"""dataset.destroy: a dataset, and on request all below it with its snapshots."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from host.commands.datasets.zfs import ZfsDestroy
from host.inventory import Dataset, Inventory, Snapshot
from jobs.needs import Needs, SnapshotNeeds
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from jobs.wording import counted, listed
from pools.datasets.doomed import check_alone, check_clones, check_holds, check_use, losses, snapshots_of
from pools.datasets.rewritten import check_rewrites
from pools.quotas.limits import in_words
from pools.sentences import clients_lose


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
    snapshots = snapshots_of(doomed, inventory)
    if not request.recursive:
        check_alone(dataset, doomed[1:], snapshots, findings)
    check_holds(doomed, inventory, findings, "name")
    check_clones(doomed, inventory, findings, "name")
    check_use(doomed, findings, "name")
    check_rewrites(doomed, inventory, findings, "name")
    findings.refuse_on_error()
    command = ZfsDestroy(name=dataset.name, recursive=request.recursive)
    step = Step(title=f"Destroy {dataset.name}", commands=(command,), destroys=losses(doomed, inventory))
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
