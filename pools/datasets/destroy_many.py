"""dataset.bulk-destroy: several datasets at once, and on request all below them with their snapshots."""

from __future__ import annotations

from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Annotated

import msgspec
from msgspec import Meta

from host.commands.datasets.zfs import ZfsDestroy
from host.inventory import Dataset, Inventory
from jobs.needs import Needs, SnapshotNeeds
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from jobs.wording import capital, counted, listed
from pools.datasets.doomed import (
    check_alone,
    check_clones,
    check_holds,
    check_use,
    clones_of,
    losses,
    snapshots_of,
)
from pools.datasets.named import named
from pools.datasets.rewritten import check_rewrites
from pools.quotas.limits import in_words
from pools.sentences import are, called, clients_lose

_Name = Annotated[str, Meta(max_length=1024)]


class DestroyDatasets(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Destroy datasets. Without `recursive` they must have no snapshots, and no children but those named."""

    names: Annotated[tuple[_Name, ...], Meta(min_length=1, max_length=200)]
    recursive: bool = False


class _Tree(msgspec.Struct, frozen=True, kw_only=True):
    """What one command destroys."""

    top: Dataset
    doomed: tuple[Dataset, ...]


def needs(request: DestroyDatasets, _inventory: Inventory) -> Needs:
    """The datasets whose snapshots the plan looks at."""
    return Needs(snapshots=SnapshotNeeds(datasets=request.names))


def plan(request: DestroyDatasets, inventory: Inventory) -> Plan:
    """Raises `Refused` with all that stands in the way of any of them: then none is destroyed."""
    findings = Findings()
    chosen = _chosen(request, inventory, findings)
    findings.refuse_on_error()
    trees = _trees(chosen, inventory, recursive=request.recursive)
    doomed = tuple(entry for tree in trees for entry in tree.doomed)
    if not request.recursive:
        _check_alone(chosen, inventory, findings)
    check_holds(doomed, inventory, findings, "names")
    check_clones(doomed, inventory, findings, "names")
    check_use(doomed, findings, "names")
    check_rewrites(doomed, inventory, findings, "names")
    findings.refuse_on_error()
    ordered = _ordered(trees, inventory, findings)
    steps = tuple(
        Step(
            title=f"Destroy {tree.top.name}",
            commands=(ZfsDestroy(name=tree.top.name, recursive=request.recursive),),
            destroys=losses(tree.doomed, inventory),
        )
        for tree in ordered
    )
    return Plan(
        operation="dataset.bulk-destroy",
        steps=steps,
        summary=_summary([tree.top for tree in trees], doomed, inventory),
        findings=findings.all(),
        claims=tuple(f"dataset:{tree.top.name}" for tree in trees),
        confirm=doomed[0].name if len(doomed) == 1 else f"{len(doomed)} datasets",
    )


def _chosen(request: DestroyDatasets, inventory: Inventory, findings: Findings) -> tuple[Dataset, ...]:
    chosen = named(request.names, inventory, findings)
    for one in chosen:
        if one.parent is None:
            message = f"{one.name} is the root of its pool. Destroy the pool instead."
            findings.error("is-pool-root", f"names[{request.names.index(one.name)}]", message)
    return chosen


def _trees(chosen: Sequence[Dataset], inventory: Inventory, *, recursive: bool) -> tuple[_Tree, ...]:
    """One of each that is named; with `recursive` what lies below another goes with that one."""
    if not recursive:
        return tuple(_Tree(top=one, doomed=(one,)) for one in chosen)
    names = {one.name for one in chosen}
    return tuple(
        _Tree(top=one, doomed=(one, *inventory.below(one.name)))
        for one in chosen
        if not any(one.name.startswith(f"{other}/") for other in names)
    )


def _check_alone(chosen: Sequence[Dataset], inventory: Inventory, findings: Findings) -> None:
    names = {one.name for one in chosen}
    for one in chosen:
        below = [child for child in inventory.below(one.name) if child.name not in names]
        snapshots = inventory.snapshots.get(one.name, ())
        check_alone(one, below, snapshots, findings)


def _ordered(trees: Sequence[_Tree], inventory: Inventory, findings: Findings) -> list[_Tree]:
    """Children before their parent, clones before their origin."""
    owners = {entry.name: tree.top.name for tree in trees for entry in tree.doomed}
    sorter = TopologicalSorter[str]({tree.top.name: () for tree in trees})
    for tree in trees:
        if tree.top.parent in owners:
            sorter.add(owners[tree.top.parent], tree.top.name)
    doomed = tuple(entry for tree in trees for entry in tree.doomed)
    for clone, snapshot in sorted(clones_of(doomed, inventory)):
        origin = owners[snapshot.partition("@")[0]]
        if owners[clone] != origin:
            sorter.add(origin, owners[clone])
    by_name = {tree.top.name: tree for tree in trees}
    try:
        return [by_name[name] for name in sorter.static_order()]
    except CycleError as cycle:
        names = listed(sorted(set(cycle.args[1])))
        message = f"{names} hold clones of each other's snapshots. Destroy or promote these clones first."
        findings.refuse("has-clones", "names", message)


def _summary(tops: Sequence[Dataset], doomed: Sequence[Dataset], inventory: Inventory) -> str:
    sizes = sum(top.number("used") for top in tops)
    below, snapshots = len(doomed) - len(tops), len(snapshots_of(doomed, inventory))
    along = listed(
        [
            *([f"{counted(below, 'dataset')} below {'it' if len(tops) == 1 else 'them'}"] if below else []),
            *([counted(snapshots, "snapshot")] if snapshots else []),
        ]
    )
    return sentences(
        f"{capital(called('dataset', [top.name for top in tops]))} ({in_words(sizes)}) {are(len(tops))} "
        f"deleted for good{f', together with {along}' if along else ''}.",
        clients_lose(doomed, inventory, " for good"),
    )
