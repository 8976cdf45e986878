"""zfs hold and zfs release on simulated snapshots."""

from __future__ import annotations

from collections.abc import Callable

from host.base import Result
from host.commands.datasets.snapshots import ZfsHold, ZfsRelease
from host.simulated.datasets.lifecycle import find
from host.simulated.datasets.snapshots import tree
from host.simulated.handlers import on
from host.simulated.refusal import Refusal, done
from host.simulated.state import Machine, Snapshot


def hold(machine: Machine, command: ZfsHold) -> Result:
    """zfs hold, each argument by itself: with `recursive` on all that it names, or on none of them."""

    def one(name: str) -> None:
        chosen = _chosen(machine, name, "cannot hold snapshot", recursive=command.recursive)
        for full, found in chosen:
            if command.tag in found.holds:
                raise Refusal(f"cannot hold snapshot '{full}': tag already exists on this dataset\n")
        for _, found in chosen:
            found.holds[command.tag] = int(machine.now())

    return _each(command.names, one)


def release(machine: Machine, command: ZfsRelease) -> Result:
    """zfs release: those that have no such hold are an error, the others are let go all the same."""

    def one(name: str) -> None:
        chosen = _chosen(machine, name, "cannot release hold from snapshot", recursive=command.recursive)
        failed = [full for full, found in chosen if found.holds.pop(command.tag, None) is None]
        if failed:
            said = "cannot release hold from snapshot '{}': no such tag on this dataset\n"
            raise Refusal("".join(said.format(full) for full in failed))

    return _each(command.names, one)


def _each(names: tuple[str, ...], do: Callable[[str], None]) -> Result:
    said = ""
    for name in names:
        try:
            do(name)
        except Refusal as refusal:
            said += refusal.result.stderr
    return Result(exit=1, stderr=said) if said else done()


def _chosen(machine: Machine, name: str, failing: str, *, recursive: bool) -> list[tuple[str, Snapshot]]:
    dataset_name, _, tag = name.partition("@")
    pool, dataset = find(machine, dataset_name)
    found = [
        (f"{one.name}@{tag}", snapshot)
        for one in tree(pool, dataset, recursive=recursive)
        for snapshot in one.snapshots
        if snapshot.tag == tag
    ]
    if not found:
        raise Refusal(f"{failing} '{name}': dataset does not exist\n")
    return found


HANDLERS = on(ZfsHold, hold) | on(ZfsRelease, release)
