"""zfs hold and zfs release on simulated snapshots."""

from __future__ import annotations

from collections.abc import Iterator

from host.base import Result
from host.commands.datasets.snapshots import ZfsHold, ZfsRelease
from host.simulated.datasets.lifecycle import find
from host.simulated.datasets.snapshots import tree
from host.simulated.handlers import on
from host.simulated.refusal import Refusal, done
from host.simulated.state import Machine, Snapshot


def hold(machine: Machine, command: ZfsHold) -> Result:
    """zfs hold: on all of the snapshots, or on none."""
    chosen = list(_chosen(machine, command, "cannot hold snapshot"))
    for name, one in chosen:
        if command.tag in one.holds:
            raise Refusal(f"cannot hold snapshot '{name}': tag already exists on this dataset\n")
    for _, one in chosen:
        one.holds[command.tag] = int(machine.now())
    return done()


def release(machine: Machine, command: ZfsRelease) -> Result:
    """zfs release: those that have no such hold are an error, the others are let go all the same."""
    chosen = list(_chosen(machine, command, "cannot release hold from snapshot"))
    failed = [name for name, one in chosen if one.holds.pop(command.tag, None) is None]
    if failed:
        said = "cannot release hold from snapshot '{}': no such tag on this dataset\n"
        return Result(exit=1, stderr="".join(said.format(name) for name in failed))
    return done()


def _chosen(machine: Machine, command: ZfsHold | ZfsRelease, failing: str) -> Iterator[tuple[str, Snapshot]]:
    for name in command.names:
        dataset_name, _, tag = name.partition("@")
        pool, dataset = find(machine, dataset_name)
        found = [
            (f"{one.name}@{tag}", snapshot)
            for one in tree(pool, dataset, recursive=command.recursive)
            for snapshot in one.snapshots
            if snapshot.tag == tag
        ]
        if not found:
            raise Refusal(f"{failing} '{name}': dataset does not exist\n")
        yield from found


HANDLERS = on(ZfsHold, hold) | on(ZfsRelease, release)
