"""dataset.end-rewrite: destroy what is not used: the copy, or what it has taken the place of."""

from __future__ import annotations

import msgspec

from host.commands.datasets.snapshots import ZfsDestroySnapshots
from host.commands.datasets.zfs import ZfsDestroy
from host.commands.replication.runs import ForgetReplication, StopProof, StopReplication
from host.inventory import Dataset, Inventory
from host.replication.marks import own_prefix
from host.replication.rewriting import Rewrite
from jobs.needs import Needs, SnapshotNeeds
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from pools.datasets.doomed import check_clones, check_use, losses, snapshots_of
from pools.quotas.limits import in_words
from replication.models import RewriteRow
from replication.replications.live import tree_of
from replication.rewrites.known import DatasetText, find, marks_of
from replication.rewrites.settings import reserving_again, used_again
from replication.rewrites.switch import halfway, set_apart, unmarked


class EndRewrite(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Destroy the copy, or once it is live what was there before, with all snapshots there."""

    dataset: DatasetText


def needs(request: EndRewrite, inventory: Inventory) -> Needs:
    """The snapshots of both."""
    known = inventory.rewrite(request.dataset)
    names = () if known is None else (known.dataset, _doomed(known))
    return Needs(snapshots=SnapshotNeeds(datasets=names))


def plan(request: EndRewrite, inventory: Inventory) -> Plan:
    """Raises `Refused` where something else needs what would be destroyed."""
    findings = Findings()
    known = find(request.dataset, inventory, findings)
    doomed, kept = tree_of(_doomed(known), inventory), tree_of(known.dataset, inventory)
    _check_whole(known, inventory, findings)
    _check_holds(known, doomed, inventory, findings)
    check_clones(doomed, inventory, findings, "dataset")
    check_use(doomed, findings, "dataset")
    findings.refuse_on_error()
    name = _doomed(known)
    steps = [
        Step(
            title="Stop it, and take its holds and bookmarks away",
            commands=(
                StopReplication(task=known.key),
                StopProof(task=known.key),
                ForgetReplication(task=marks_of(known)),
            ),
        )
    ]
    own = tuple(
        ZfsDestroySnapshots(dataset=one.name, tags=tags)
        for one in kept
        if (tags := _own(known, one, inventory))
    )
    if own:
        steps.append(Step(title="Destroy the snapshots that it took", commands=own))
    apart = [one for one in kept if set_apart(one, known)]
    if apart:
        commands = used_again(apart, known.settings, mounted=None)
        steps.append(Step(title=f"Let {known.dataset} be used again", commands=commands))
    if doomed:
        destroy = ZfsDestroy(name=name, recursive=True)
        steps.append(Step(title=f"Destroy {name}", commands=(destroy,), destroys=losses(doomed, inventory)))
    if apart:  # once there is the space for it
        title = f"Give {known.dataset} its policy and the space reserved for it again"
        steps.append(Step(title=title, commands=(*reserving_again(apart, known.settings), *unmarked(apart))))
    used = in_words(doomed[0].number("used")) if doomed else ""
    return Plan(
        operation="dataset.end-rewrite",
        steps=tuple(steps),
        summary=sentences(
            f"{name} ({used}) is deleted for good, with all snapshots there." if doomed else "",
            f"{known.dataset} stays as it is." if kept else f"{known.dataset} is no longer there.",
            "" if known.live else "It is not written anew.",
        ),
        findings=findings.all(),
        claims=(f"dataset:{known.dataset}", f"rewrite:{known.dataset}"),
        confirm=name if doomed else None,
    )


def remember(request: EndRewrite, _inventory: Inventory, _actor: str) -> None:
    """Forget it."""
    RewriteRow.objects.filter(dataset=request.dataset).delete()


def _check_whole(known: Rewrite, inventory: Inventory, findings: Findings) -> None:
    way = "back" if known.live else "once more"
    if inventory.dataset(known.dataset) is None and (
        known.live or inventory.dataset(known.before) is not None
    ):
        message = (
            f"{known.dataset} is not there, and this would destroy what is left of it. Switch {way} first."
        )
        findings.refuse("cut-off", "dataset", message)
    if halfway(known, inventory):
        message = f"Switching {known.dataset} was cut off in the middle. Switch {way} first."
        findings.refuse("cut-off", "dataset", message)


def _doomed(known: Rewrite) -> str:
    return known.before if known.live else known.copy


def _own(known: Rewrite, one: Dataset, inventory: Inventory) -> tuple[str, ...]:
    prefix = own_prefix(known.key)
    return tuple(
        snapshot.tag for snapshot in inventory.snapshots.get(one.name, ()) if snapshot.tag.startswith(prefix)
    )


def _check_holds(
    known: Rewrite, doomed: tuple[Dataset, ...], inventory: Inventory, findings: Findings
) -> None:
    """Its own holds are on the snapshots that it took, and go before."""
    for snapshot in snapshots_of(doomed, inventory):
        if snapshot.holds and not snapshot.tag.startswith(own_prefix(known.key)):
            findings.error("held", "dataset", f"{snapshot.name} is held. Release it first.")
