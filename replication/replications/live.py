"""What makes a replica a dataset to work with, and a dataset a replica."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from host.commands.closed import AnyCommand
from host.commands.datasets.zfs import ZfsMount, ZfsSet, ZfsUnmount
from host.inventory import Dataset, Inventory
from host.mountpoints import UNMOUNTED
from jobs.planning.findings import Findings
from pools.datasets.mount_dataset import why_not

# What another machine sent may hold programs that run as root, and device files: they do not work here.
_FOREIGN = {"setuid": "off", "devices": "off"}


def tree_of(name: str, inventory: Inventory) -> tuple[Dataset, ...]:
    """The dataset with all below it, outer ones first; empty where it is not there."""
    top = inventory.dataset(name)
    return () if top is None else (top, *sorted(inventory.below(name), key=lambda one: one.name))


def known_tree(name: str, inventory: Inventory, findings: Findings) -> tuple[Dataset, ...]:
    """The same of a request's `dataset`. Raises `Refused` where it is not there."""
    tree = tree_of(name, inventory)
    if not tree:
        findings.refuse("unknown-dataset", "dataset", "There is no dataset of that name.")
    return tree


def is_quiet(one: Dataset) -> bool:
    """Whether it is as replicas are: nobody writes to it, or it is kept from being mounted."""
    return one.value("readonly") == "on" or one.value("canmount") == "noauto"


def in_use(datasets: Sequence[Dataset]) -> tuple[Dataset, ...]:
    """Those that somebody can write to, or reads at their mount points: reading changes access times, too."""
    return tuple(one for one in datasets if not is_quiet(one) or one.mounted)


def waking(
    datasets: Sequence[Dataset], kept: Mapping[str, Mapping[str, str]] | None = None, *, foreign: bool = False
) -> tuple[AnyCommand, ...]:
    """Let them be written to and mounted by themselves; with what they had as sources, by name."""
    return tuple(
        command
        for one in datasets
        for command in _wake(one, dict((kept or {}).get(one.name, {})), foreign=foreign)
    )


def mounts(
    datasets: Sequence[Dataset], kept: Mapping[str, Mapping[str, str]] | None = None
) -> tuple[tuple[AnyCommand, ...], list[str]]:
    """Those that can be mounted once they are awake (`waking`), and why others cannot."""
    commands: list[AnyCommand] = []
    left = []
    for one in datasets:
        then = (kept or {}).get(one.name, {})
        by_itself = then.get("canmount", one.value("canmount")) != "off"
        if one.kind == "volume" or not by_itself or then.get("mountpoint") in UNMOUNTED:
            continue
        reason = why_not(one)
        if reason is None:
            commands.append(ZfsMount(name=one.name))
        elif reason[0] != "mounted":
            left.append(reason[1])
    return tuple(commands), left


def quieting(datasets: Sequence[Dataset]) -> tuple[AnyCommand, ...]:
    """Let nobody write to them, and keep them from being mounted; inner ones first."""
    commands: list[AnyCommand] = []
    for one in reversed(datasets):
        values = {"readonly": "on"}
        if one.value("canmount") == "on":
            values["canmount"] = "noauto"
        commands.append(ZfsSet(name=one.name, properties=values))
        if one.mounted:
            commands.append(ZfsUnmount(name=one.name))
    return tuple(commands)


def _wake(one: Dataset, kept: dict[str, str], *, foreign: bool) -> Iterator[ZfsSet]:
    values = {"readonly": kept.pop("readonly", "off")}
    if one.kind == "filesystem":
        if one.value("canmount") == "noauto":
            values["canmount"] = kept.pop("canmount", "on")
        if foreign:
            values |= _FOREIGN
    if kept:
        # Its place first, while it is mounted by nothing: then nothing mounts it on the way.
        yield ZfsSet(name=one.name, properties=kept)
    yield ZfsSet(name=one.name, properties=values)
