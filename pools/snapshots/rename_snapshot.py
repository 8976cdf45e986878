"""snapshot.rename: another name for a snapshot."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from host.commands.datasets.snapshots import ZfsRenameSnapshot
from host.inventory import Inventory, Snapshot
from jobs.needs import Needs, SnapshotNeeds
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from jobs.wording import counted
from pools.names import snapshot_tag_fault
from pools.sentences import are
from pools.snapshots import selection

_Text = Annotated[str, Meta(max_length=1024)]


class RenameSnapshot(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Call `snapshot` (dataset@name) `name`, with `recursive` those of its name below too."""

    snapshot: _Text
    name: _Text
    recursive: bool = False


def needs(request: RenameSnapshot, _inventory: Inventory) -> Needs:
    """The snapshots that the plan looks at: those of the old name and of the new one."""
    dataset, _, tag = request.snapshot.partition("@")
    return Needs(
        snapshots=SnapshotNeeds(
            datasets=(dataset,), everywhere_below=request.recursive, tags=(tag, request.name)
        )
    )


def plan(request: RenameSnapshot, inventory: Inventory) -> Plan:
    """Raises `Refused` for an unknown snapshot, and for a name that cannot be had."""
    findings = Findings()
    chosen = selection.choose((request.snapshot,), inventory, findings, "snapshot")
    if len(chosen) > 1:
        findings.error("not-a-snapshot", "snapshot", "Name one snapshot.")
    findings.refuse_on_error()
    old = chosen[0]
    below = selection.of_same_name_below(chosen, inventory) if request.recursive else []
    for dataset in (old.dataset, *(one.dataset for one in below)):
        if fault := snapshot_tag_fault(request.name, dataset=dataset):
            findings.error("bad-name", "name", fault)
            break
        if any(one.tag == request.name for one in inventory.snapshots.get(dataset, ())):
            findings.error("name-taken", "name", f"There is a snapshot {dataset}@{request.name} already.")
    findings.refuse_on_error()
    if old.mark:
        message = (
            "A policy took it and recognises it by its mark: it still counts, and is still deleted when "
            "its time is up."
        )
        findings.info("still-of-policy", "name", message)
    command = ZfsRenameSnapshot(name=old.name, tag=request.name, recursive=request.recursive)
    count = f" and {len(below)} below" if below else ""
    return Plan(
        operation="snapshot.rename",
        steps=(Step(title=f"Rename {old.name}{count} to {request.name}", commands=(command,)),),
        summary=_summary(old, request.name, len(below)),
        findings=findings.all(),
        claims=(f"dataset:{old.dataset}",),
    )


def _summary(old: Snapshot, tag: str, below: int) -> str:
    along = f", and so {are(below)} {counted(below, 'snapshot')} of that name below it" if below else ""
    return sentences(
        f"The snapshot {old.tag} of {old.dataset} is called {tag} from now on{along}.",
        "The policy that took it still deletes it when its time is up." if old.mark else "",
    )
