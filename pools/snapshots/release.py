"""snapshot.release: let a hold go."""

from __future__ import annotations

import msgspec

from host.commands.datasets.snapshots import ZfsRelease
from host.inventory import Inventory, Snapshot
from jobs.index import reading
from jobs.needs import Needs
from jobs.plan import Loss, Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from jobs.wording import counted
from pools.sentences import are
from pools.snapshots import selection
from pools.snapshots.hold import Names, Tag, batches, held_or_released, named


class ReleaseSnapshots(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Take the hold called `tag` off snapshots, with `recursive` off those of the same name below too."""

    snapshots: Names
    tag: Tag = "keep"
    recursive: bool = False


def needs(request: ReleaseSnapshots, _inventory: Inventory) -> Needs:
    """The snapshots that the plan looks at."""
    return Needs(snapshots=selection.wanted(request.snapshots, recursive=request.recursive))


def plan(request: ReleaseSnapshots, inventory: Inventory) -> Plan:
    """Raises `Refused` for unknown snapshots, and where nothing is held."""
    findings = Findings()
    if not request.tag or request.tag.startswith((".", "-")) or not request.tag.isprintable():
        findings.error("bad-name", "tag", "Give the hold's name as shown on the snapshot's page.")
    chosen = selection.choose(request.snapshots, inventory, findings, "snapshots")
    below = selection.of_same_name_below(chosen, inventory) if request.recursive else []
    for snapshot in chosen:
        if not snapshot.holds and not request.recursive:
            findings.error("not-held", "snapshots", f"{snapshot.name} has no hold.")
    findings.refuse_on_error()
    held = [one for one in (*chosen, *below) if one.holds] or chosen
    leaving = [one for one in held if one.leaving and one.holds == 1 and not one.clones]
    steps = tuple(
        Step(
            title=f"Release {named(some)} from {request.tag}",
            commands=(
                ZfsRelease(
                    names=tuple(one.name for one in some), tag=request.tag, recursive=request.recursive
                ),
            ),
            destroys=tuple(
                Loss(snapshot=one.name, holds="it is marked to be destroyed as soon as nothing holds it")
                for one in leaving
            )
            if place == 0
            else (),
        )
        for place, some in enumerate(batches(selection.commanded(chosen, recursive=request.recursive)))
    )
    return Plan(
        operation="snapshot.release",
        steps=steps,
        summary=_summary(request.tag, held, leaving),
        findings=findings.all(),
        claims=tuple(f"dataset:{dataset}" for dataset in selection.by_dataset(chosen)),
        confirm=leaving[0].name if leaving else None,
    )


def _summary(tag: str, held: list[Snapshot], leaving: list[Snapshot]) -> str:
    if len(held) > 1:
        gone = (
            f"{len(leaving)} of them {are(len(leaving))} deleted for good at once, as asked for while held."
        )
        return sentences(
            f"{len(held)} snapshots lose their hold {tag}.",
            gone if leaving else "",
            "Those with no other hold can be deleted again, by people and by snapshot policies.",
        )
    one = held[0]
    if leaving:
        return (
            f"The snapshot {one.name} is deleted for good as soon as its last hold, {tag}, is released. It "
            "was marked for deletion while it was held."
        )
    others = one.holds - 1
    still = (
        f"{counted(others, 'other hold')} still protect{'s' if others == 1 else ''} it from being deleted."
    )
    return sentences(
        f"{one.name} loses its hold {tag}.",
        still if others > 0 else "It can be deleted again, by people and by snapshot policies.",
    )


def remember(request: ReleaseSnapshots, inventory: Inventory, _actor: str) -> None:
    """Take down in the index that the holds are gone."""
    reading.count_holds(held_or_released(request.snapshots, inventory, recursive=request.recursive), by=-1)
