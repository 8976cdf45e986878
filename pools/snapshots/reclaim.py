"""What would be free if some snapshots were destroyed: only ZFS knows which blocks they share."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from host.base import CommandFailed, Host
from host.commands.datasets.snapshots import ZfsReclaim
from host.inventory import Inventory, Snapshot
from jobs import cache
from jobs.index import reading
from jobs.planning.findings import Findings
from pools.snapshots import selection
from pools.snapshots.destroy_snapshots import why_kept

_MOST_DATASETS = 100  # each is a command
_MOST_PIECES = 400  # names and ranges in one command


class AskReclaim(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Snapshots as `snapshot.destroy` takes them."""

    snapshots: selection.Entries
    recursive: bool = False


class DatasetReclaim(msgspec.Struct, frozen=True, kw_only=True):
    """What one dataset would give back."""

    dataset: str
    snapshots: int
    reclaim_bytes: int


class ReclaimAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Bytes that would be free, in all and by dataset. Those that are held or have clones are left out and
    counted in `kept`, as `skip_kept` would leave them."""

    reclaim_bytes: int
    snapshots: int
    kept: int
    datasets: tuple[DatasetReclaim, ...]


def answer(request: AskReclaim, host: Host) -> ReclaimAnswer:
    """Raises `Refused` for unknown snapshots and for too much at once, `HostError`."""
    findings = Findings()
    inventory = _known(request, findings)
    named = selection.choose(request.snapshots, inventory, findings, "snapshots")
    findings.refuse_on_error()
    below = selection.of_same_name_below(named, inventory) if request.recursive else []
    chosen = [*named, *below]
    free = [snapshot for snapshot in chosen if why_kept(snapshot) is None]
    sorted_out = selection.by_dataset(free)
    if len(sorted_out) > _MOST_DATASETS:
        message = f"These are in {len(sorted_out)} datasets. Ask for at most {_MOST_DATASETS} at a time."
        findings.refuse("too-many", "snapshots", message)
    found = tuple(
        _ask(host, dataset, snapshots, inventory, findings) for dataset, snapshots in sorted_out.items()
    )
    return ReclaimAnswer(
        reclaim_bytes=sum(one.reclaim_bytes for one in found),
        snapshots=sum(one.snapshots for one in found),
        kept=len(chosen) - len(free),
        datasets=found,
    )


def _known(request: AskReclaim, findings: Findings) -> Inventory:
    inventory = cache.current()
    if inventory is None:
        findings.refuse("no-inventory", "", "The machine has not been probed yet.")
    # All of the datasets: what lies between two that are chosen decides what is a range.
    wanted = selection.wanted([f"{entry}%" for entry in request.snapshots], recursive=request.recursive)
    return reading.with_known(inventory, wanted)


def _ask(
    host: Host, dataset: str, snapshots: list[Snapshot], inventory: Inventory, findings: Findings
) -> DatasetReclaim:
    pieces = tuple(_pieces(snapshots, inventory.snapshots.get(dataset, ())))
    if len(pieces) > _MOST_PIECES:
        message = f"Choose ranges: those of {dataset} are {len(pieces)} ranges that do not adjoin."
        findings.refuse("too-many", "snapshots", message)
    try:
        report = host.run(ZfsReclaim(dataset=dataset, tags=pieces)).stdout
    except CommandFailed as error:
        findings.refuse("command-failed", "snapshots", error.result.stderr.strip() or str(error))
    return DatasetReclaim(dataset=dataset, snapshots=len(snapshots), reclaim_bytes=reclaimed(report))


def _pieces(chosen: list[Snapshot], there: tuple[Snapshot, ...]) -> Iterator[str]:
    """Names, and ranges where several that are chosen follow each other."""
    wanted = {snapshot.guid for snapshot in chosen}
    run: list[str] = []
    for snapshot in (*sorted(there, key=lambda one: one.createtxg), None):
        if snapshot is not None and snapshot.guid in wanted:
            run.append(snapshot.tag)
        elif run:
            yield run[0] if len(run) == 1 else f"{run[0]}%{run[-1]}"
            run = []


def reclaimed(text: str) -> int:
    """The bytes in what `zfs destroy -nvp` says."""
    for line in reversed(text.splitlines()):
        word, _, value = line.partition("\t")
        if word == "reclaim":
            return int(value)
    return 0
