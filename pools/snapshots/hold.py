"""snapshot.hold: keep snapshots from being destroyed, whoever tries."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from host.commands.datasets.snapshots import ZfsHold
from host.inventory import Inventory, Snapshot
from jobs.index import reading
from jobs.needs import Needs
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from pools.names import hold_tag_fault
from pools.snapshots import selection

_BATCH = 500
Names = Annotated[tuple[selection.Entry, ...], Meta(min_length=1, max_length=1000)]
Tag = Annotated[str, Meta(max_length=255)]


class HoldSnapshots(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Put a hold called `tag` on snapshots, with `recursive` on those of the same name below too. A snapshot
    may have many holds and stays until the last one is released."""

    snapshots: Names
    tag: Tag = "keep"
    recursive: bool = False


def needs(request: HoldSnapshots, _inventory: Inventory) -> Needs:
    """The snapshots that the plan looks at."""
    return Needs(snapshots=selection.wanted(request.snapshots, recursive=request.recursive))


def plan(request: HoldSnapshots, inventory: Inventory) -> Plan:
    """Raises `Refused` for unknown snapshots and bad names of holds."""
    findings = Findings()
    if fault := hold_tag_fault(request.tag):
        findings.error("bad-name", "tag", fault)
    chosen = selection.choose(request.snapshots, inventory, findings, "snapshots")
    findings.refuse_on_error()
    return Plan(
        operation="snapshot.hold",
        steps=tuple(
            Step(
                title=f"Hold {named(some)} as {request.tag}",
                commands=(
                    ZfsHold(
                        names=tuple(one.name for one in some), tag=request.tag, recursive=request.recursive
                    ),
                ),
            )
            for some in batches(selection.commanded(chosen, recursive=request.recursive))
        ),
        summary=_summary(
            request, held_or_released(request.snapshots, inventory, recursive=request.recursive)
        ),
        findings=findings.all(),
        claims=tuple(f"dataset:{dataset}" for dataset in selection.by_dataset(chosen)),
    )


def _summary(request: HoldSnapshots, held: list[Snapshot]) -> str:
    gets, them = ("gets", "it") if len(held) == 1 else ("get", "them")
    return (
        f"{named(held)} {gets} a hold called {request.tag}: nobody, and no snapshot policy, can delete "
        f"{them} until that hold is released."
    )


def remember(request: HoldSnapshots, inventory: Inventory, _actor: str) -> None:
    """Take the new holds down in the index."""
    reading.count_holds(held_or_released(request.snapshots, inventory, recursive=request.recursive), by=1)


def held_or_released(names: Names, inventory: Inventory, *, recursive: bool) -> list[Snapshot]:
    """All snapshots that a request speaks of."""
    chosen = selection.choose(names, inventory, Findings(), "snapshots")
    return [*chosen, *(selection.of_same_name_below(chosen, inventory) if recursive else [])]


def batches(chosen: list[Snapshot]) -> list[list[Snapshot]]:
    """As many as go into one command: those of one pool."""
    pools: dict[str, list[Snapshot]] = {}
    for snapshot in chosen:
        pools.setdefault(snapshot.dataset.partition("/")[0], []).append(snapshot)
    return [some[start : start + _BATCH] for some in pools.values() for start in range(0, len(some), _BATCH)]


def named(chosen: list[Snapshot]) -> str:
    """One by its name, many by their number."""
    return chosen[0].name if len(chosen) == 1 else f"{len(chosen)} snapshots"
