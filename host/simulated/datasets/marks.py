"""The mark of policies on simulated snapshots: their own, or inherited from a dataset above."""

from __future__ import annotations

from host.base import Result
from host.commands.datasets.marks import ZfsGetMarks
from host.commands.datasets.zfs import MARK
from host.simulated.datasets.lifecycle import clones_of, find
from host.simulated.datasets.values import lookup
from host.simulated.handlers import on
from host.simulated.refusal import Refusal, done
from host.simulated.state import Dataset, Machine, Pool, Snapshot


def mark_of(pool: Pool, dataset: Dataset, snapshot: Snapshot) -> tuple[str, str]:
    """Its value and source as zfs prints them."""
    if MARK in snapshot.values:
        return snapshot.values[MARK], "local"
    found = lookup(pool, dataset, MARK)
    if found is None:
        return "-", "-"
    above = found.source if found.source.startswith("inherited") else f"inherited from {dataset.name}"
    return found.value, above


def get_marks(machine: Machine, command: ZfsGetMarks) -> Result:
    """zfs get of the mark and the count of holds; what is gone is reported on stderr."""
    lines: list[str] = []
    missing: list[str] = []
    for name in command.names:
        try:
            pool, dataset = find(machine, name.partition("@")[0])
        except Refusal as refusal:
            missing.append(refusal.result.stderr)
            continue
        tag = name.partition("@")[2]
        snapshot = next((one for one in dataset.snapshots if one.tag == tag), None)
        if snapshot is None:
            missing.append(f"cannot open '{name}': dataset does not exist\n")
            continue
        value, source = mark_of(pool, dataset, snapshot)
        clones = ",".join(clones_of(pool, name))
        rows = (("userrefs", len(snapshot.holds), "-"), ("clones", clones, "-"), (MARK, value, source))
        lines += ["\t".join((name, prop, str(shown), whence)) + "\n" for prop, shown, whence in rows]
    if missing:
        return Result(exit=1, stdout="".join(lines), stderr="".join(missing))
    return done("".join(lines))


HANDLERS = on(ZfsGetMarks, get_marks)
