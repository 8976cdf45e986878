"""snapshot.destroy: snapshots of one or many datasets, by name or by range."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from host.commands.datasets.snapshots import ZfsDestroySnapshots
from host.inventory import Inventory, Snapshot
from jobs.needs import Needs
from jobs.plan import Loss, Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from jobs.wording import counted, listed
from pools.snapshots import selection
from pools.snapshots.selection import MOST_NAMED, Entries

_BATCH = 500  # names in one command, which are one argument: Linux lets it have 128 KiB


class DestroySnapshots(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Destroy `snapshots`: `dataset@name`, lists `dataset@one,two`, ranges `dataset@one%two` (an end may be
    left out). `recursive`: those of the same names below too. `skip_kept`: leave those that are held or have
    clones, where otherwise nothing is destroyed."""

    snapshots: Entries
    recursive: bool = False
    skip_kept: bool = False


def needs(request: DestroySnapshots, _inventory: Inventory) -> Needs:
    """The snapshots that the plan looks at."""
    return Needs(snapshots=selection.wanted(request.snapshots, recursive=request.recursive))


def plan(request: DestroySnapshots, inventory: Inventory) -> Plan:
    """Raises `Refused` for unknown snapshots, and for those that are held or cloned."""
    findings = Findings()
    named = selection.choose(request.snapshots, inventory, findings, "snapshots")
    findings.refuse_on_error()
    below = selection.of_same_name_below(named, inventory) if request.recursive else []
    doomed = _free([*named, *below], findings, skip_kept=request.skip_kept)
    if request.skip_kept and not doomed:
        findings.error("nothing-left", "snapshots", "All of them have holds or clones: nothing to destroy.")
    findings.refuse_on_error()
    # A name of which something is kept further down cannot go with -r.
    recursive = request.recursive and len(doomed) == len(named) + len(below)
    commanded = selection.commanded(named if recursive else doomed, recursive=recursive)
    steps = tuple(
        _step(dataset, snapshots, doomed, recursive=recursive)
        for dataset, snapshots in selection.by_dataset(commanded).items()
    )
    return Plan(
        operation="snapshot.destroy",
        steps=steps,
        summary=_summary(doomed, len(named) + len(below) - len(doomed)),
        findings=findings.all(),
        claims=tuple(f"dataset:{dataset}" for dataset in selection.by_dataset(commanded)),
        confirm=doomed[0].name if len(doomed) == 1 else commanded[0].dataset,
    )


def _summary(doomed: list[Snapshot], kept: int) -> str:
    by_dataset = selection.by_dataset(doomed)
    first = f"The snapshot {doomed[0].name} is deleted for good."
    if len(by_dataset) > 1:
        where = listed(list(by_dataset)) if len(by_dataset) <= 3 else counted(len(by_dataset), "dataset")
        first = f"{len(doomed)} snapshots of {where} are deleted for good."
    elif len(doomed) > 3:
        span = f"from {doomed[0].tag} to {doomed[-1].tag}"
        first = f"{len(doomed)} snapshots of {doomed[0].dataset}, {span}, are deleted for good."
    elif len(doomed) > 1:
        tags = listed([one.tag for one in doomed])
        first = f"The snapshots {tags} of {doomed[0].dataset} are deleted for good."
    holds = "it holds" if len(doomed) == 1 else "they hold"
    why = "is held or has clones and stays" if kept == 1 else "are held or have clones and stay"
    return sentences(
        first,
        f"Earlier versions that only {holds} are lost; the current data stays as it is.",
        f"{counted(kept, 'snapshot')} {why}." if kept else "",
    )


def _free(chosen: list[Snapshot], findings: Findings, *, skip_kept: bool) -> list[Snapshot]:
    """Those that nothing keeps; what keeps the others is told of each."""
    add = findings.info if skip_kept else findings.error
    kept = 0
    free: list[Snapshot] = []
    for snapshot in chosen:
        reason = why_kept(snapshot)
        if reason is None:
            free.append(snapshot)
            continue
        kept += 1
        if kept <= MOST_NAMED:
            add(*reason)
    if kept > MOST_NAMED:
        add("more-kept", "snapshots", f"{kept - MOST_NAMED} more are held or have clones.")
    return free


def why_kept(snapshot: Snapshot) -> tuple[str, str, str] | None:
    """Code, field and message of what keeps a snapshot; None where nothing does."""
    if snapshot.clones:
        clones = ", ".join(snapshot.clones[:5])
        message = f"{snapshot.name} has clones ({clones}). Promote or destroy them first."
        return "has-clones", "snapshots", message
    if snapshot.holds:
        count = "a hold" if snapshot.holds == 1 else f"{snapshot.holds} holds"
        return "held", "snapshots", f"{snapshot.name} has {count} on it. Release it first."
    return None


def _step(dataset: str, snapshots: list[Snapshot], doomed: list[Snapshot], *, recursive: bool) -> Step:
    tags = tuple(snapshot.tag for snapshot in snapshots)
    wanted = set(tags)
    within = [s for s in doomed if s.tag in wanted and _goes_with(dataset, s.dataset, recursive=recursive)]
    what = f"{len(within)} snapshots of {dataset}" if len(within) > 1 else within[0].name
    beyond = " and of those below" if recursive and any(s.dataset != dataset for s in within) else ""
    return Step(
        title=f"Destroy {what}{beyond}",
        commands=tuple(
            ZfsDestroySnapshots(dataset=dataset, tags=tags[start : start + _BATCH], recursive=recursive)
            for start in range(0, len(tags), _BATCH)
        ),
        destroys=tuple(losses(within)),
    )


def losses(doomed: list[Snapshot]) -> Iterator[Loss]:
    """What goes: each by name, and beyond some hundred how many of which dataset."""
    for snapshot in doomed[:MOST_NAMED]:
        yield Loss(snapshot=snapshot.name, holds=f"the state of {snapshot.dataset} then")
    for dataset, more in selection.by_dataset(doomed[MOST_NAMED:]).items():
        span = f"from {more[0].tag} to {more[-1].tag}" if len(more) > 1 else more[0].tag
        yield Loss(dataset=dataset, holds=f"{len(more)} more snapshots of {dataset}, {span}")


def _goes_with(dataset: str, other: str, *, recursive: bool) -> bool:
    return other == dataset or (recursive and other.startswith(f"{dataset}/"))
