"""What zfs prints of simulated snapshots: lists of them, their details, their holds, and differences."""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter

from host.base import Result
from host.commands.datasets.snapshots import ZfsDiff, ZfsHolds, ZfsListSnapshots, ZfsSnapshotDetails
from host.simulated.datasets.differing import lines
from host.simulated.datasets.file_tree import tree as files
from host.simulated.datasets.lifecycle import find
from host.simulated.datasets.marks import mark_of
from host.simulated.datasets.snapshots import tree
from host.simulated.datasets.space import referenced
from host.simulated.datasets.values import mountpoint
from host.simulated.handlers import on
from host.simulated.refusal import Refusal, done
from host.simulated.state import Dataset, Machine, Pool, Snapshot


def snapshot(machine: Machine, name: str) -> tuple[Pool, Dataset, Snapshot]:
    """The snapshot of that whole name; refuses in zfs' words."""
    dataset_name, _, tag = name.partition("@")
    pool, dataset = find(machine, dataset_name, of=name)
    for one in dataset.snapshots:
        if one.tag == tag:
            return pool, dataset, one
    raise Refusal(f"cannot open '{name}': dataset does not exist\n")


def list_snapshots(machine: Machine, command: ZfsListSnapshots) -> Result:
    """zfs list -o name,guid,createtxg, by name."""
    rows: list[tuple[str, str]] = []
    missing: list[str] = []
    for name in command.datasets:
        try:
            pool, dataset = find(machine, name)
        except Refusal as refusal:
            missing.append(refusal.result.stderr)
            continue
        rows += [
            (f"{each.name}@{one.tag}", f"{each.name}@{one.tag}\t{one.guid}\t{one.createtxg}\n")
            for each in tree(pool, dataset, recursive=command.recursive)
            for one in each.snapshots
        ]
    return _listed(map(itemgetter(1), sorted(rows)), missing)


def details(machine: Machine, command: ZfsSnapshotDetails) -> Result:
    """zfs list of some snapshots with all columns."""
    clones: dict[str, list[str]] = {}
    for pool in machine.pools.values():
        for dataset in pool.datasets.values():
            if dataset.origin:
                clones.setdefault(dataset.origin, []).append(dataset.name)
    lines: list[str] = []
    missing: list[str] = []
    by_dataset: dict[str, list[str]] = {}
    for name in command.names:
        by_dataset.setdefault(name.partition("@")[0], []).append(name)
    for dataset_name, names in by_dataset.items():
        try:
            pool, dataset = find(machine, dataset_name, of=names[0])
        except Refusal as refusal:
            missing.append(refusal.result.stderr)
            continue
        there = {f"{dataset_name}@{one.tag}": one for one in dataset.snapshots}
        metadata = referenced(pool, dataset) - dataset.data
        for name in names:
            if (one := there.get(name)) is None:
                missing.append(f"cannot open '{name}': dataset does not exist\n")
                continue
            mark, grown = mark_of(pool, dataset, one)[0], ",".join(clones.get(name, ())) or "-"
            columns = (
                name, one.guid, one.createtxg, one.created, one.unique, metadata + one.data, len(one.holds),
                "off", grown, mark,
            )  # fmt: skip
            lines.append("\t".join(map(str, columns)) + "\n")
    return _listed(sorted(lines), missing)


def holds(machine: Machine, command: ZfsHolds) -> Result:
    """zfs holds -Hp."""
    lines: list[str] = []
    missing: list[str] = []
    for name in command.names:
        try:
            _, _, one = snapshot(machine, name)
        except Refusal as refusal:
            missing.append(refusal.result.stderr)
            continue
        lines += [f"{name}\t{tag}\t{since}\n" for tag, since in sorted(one.holds.items())]
    return _listed(lines, missing)


def diff(machine: Machine, command: ZfsDiff) -> Result:
    """zfs diff -FHt: the files, or where only the amount of data is known, the root alone."""
    try:
        pool, dataset, older = snapshot(machine, command.older)
        newer = None if command.newer is None else snapshot(machine, command.newer)[2]
    except Refusal:
        raise Refusal("Unable to obtain diffs: No such file or directory\n") from None
    if not dataset.mounted:
        reason = "operation not applicable to datasets of this type"
        raise Refusal(f"Cannot diff an unmounted snapshot: {reason}\n")
    if newer is not None and newer.createtxg < older.createtxg:
        raise Refusal("Unable to obtain diffs: \n   Not an earlier snapshot from the same fs\n")
    folder = mountpoint(machine, dataset).rstrip("/")
    before = files(pool, dataset, txg=older.createtxg)
    after = files(pool, dataset, txg=None if newer is None else newer.createtxg)
    if changes := "".join(lines(before, after, folder)):
        return done(changes)
    now: Dataset | Snapshot = newer or dataset
    if now.data == older.data:
        return done()
    return done(f"{machine.now():.9f}\tM\t/\t{folder}/\n")


def _listed(lines: Iterable[str], missing: list[str]) -> Result:
    return Result(exit=1 if missing else 0, stdout="".join(lines), stderr="".join(missing))


HANDLERS = (
    on(ZfsListSnapshots, list_snapshots)
    | on(ZfsSnapshotDetails, details)
    | on(ZfsHolds, holds)
    | on(ZfsDiff, diff)
)
