"""snapshot.create: one name on several datasets, atomic in each pool."""

from __future__ import annotations

from collections import defaultdict
from typing import Annotated

import msgspec
from msgspec import Meta

from host.commands.datasets.snapshots import ZfsSnapshot
from host.inventory import Inventory
from jobs.needs import Needs, SnapshotNeeds
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from jobs.wording import counted, listed
from pools.names import snapshot_tag_fault
from pools.sentences import tree

_Text = Annotated[str, Meta(max_length=1024)]


class TakeSnapshot(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Take a snapshot called `name` of each dataset, with `recursive` of all below them too."""

    datasets: Annotated[tuple[_Text, ...], Meta(min_length=1, max_length=1000)]
    name: _Text
    recursive: bool = False


def needs(request: TakeSnapshot, _inventory: Inventory) -> Needs:
    """The snapshots that the plan looks at: those that have the name already."""
    return Needs(
        snapshots=SnapshotNeeds(
            datasets=request.datasets, everywhere_below=request.recursive, tags=(request.name,)
        )
    )


def plan(request: TakeSnapshot, inventory: Inventory) -> Plan:
    """Raises `Refused` for unknown datasets, bad names and names that are taken."""
    findings = Findings()
    by_pool: dict[str, list[str]] = defaultdict(list)
    for index, name in enumerate(request.datasets):
        field = f"datasets[{index}]"
        if inventory.dataset(name) is None:
            findings.error("unknown-dataset", field, "There is no dataset of that name.")
        elif name in request.datasets[:index]:
            findings.error("duplicate-dataset", field, f"{name} is named twice.")
        elif request.recursive and any(name.startswith(f"{other}/") for other in request.datasets):
            findings.error(
                "duplicate-dataset", field, f"{name} is below another one of these, which includes it."
            )
        else:
            by_pool[name.partition("/")[0]].append(name)
            _check_tag(request, name, inventory, findings)
    if not by_pool and (fault := snapshot_tag_fault(request.name, dataset="")):
        findings.error("bad-name", "name", fault)
    findings.refuse_on_error()
    steps = tuple(_step(pool, names, request) for pool, names in sorted(by_pool.items()))
    claims = tuple(f"dataset:{name}" for name in request.datasets)
    return Plan(
        operation="snapshot.create",
        steps=steps,
        summary=_summary(request, inventory),
        findings=findings.all(),
        claims=claims,
    )


def _summary(request: TakeSnapshot, inventory: Inventory) -> str:
    below = sum(len(inventory.below(name)) for name in request.datasets) if request.recursive else 0
    if len(request.datasets) == 1:
        what = tree(request.datasets[0], below)
    else:
        more = f" and {counted(below, 'dataset')} below them" if below else ""
        what = f"{listed(request.datasets)}{more}"
    one = len(request.datasets) + below == 1
    return sentences(
        f"{what} {'gets' if one else 'each get'} a snapshot called {request.name}.",
        f"{'It takes' if one else 'They take'} up space only as data is changed or deleted afterwards.",
    )


def _check_tag(request: TakeSnapshot, dataset: str, inventory: Inventory, findings: Findings) -> None:
    if fault := snapshot_tag_fault(request.name, dataset=dataset):
        findings.error("bad-name", "name", fault)
        return
    below = [entry.name for entry in inventory.below(dataset)] if request.recursive else []
    for name in (dataset, *below):
        if name != dataset and (fault := snapshot_tag_fault(request.name, dataset=name)):
            findings.error("bad-name", "name", f"{name}: {fault}")
        if any(snapshot.tag == request.name for snapshot in inventory.snapshots.get(name, ())):
            findings.error("name-taken", "name", f"There is a snapshot {name}@{request.name} already.")


def _step(pool: str, names: list[str], request: TakeSnapshot) -> Step:
    what = names[0] if len(names) == 1 else f"{len(names)} datasets in {pool}"
    command = ZfsSnapshot(
        names=tuple(f"{name}@{request.name}" for name in names), recursive=request.recursive
    )
    return Step(title=f"Take snapshot {request.name} of {what}", commands=(command,))
