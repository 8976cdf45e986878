"""replication.go-live: a replica on this machine becomes what its source was, to be worked with."""

from __future__ import annotations

import msgspec

from host.commands.closed import AnyCommand
from host.commands.datasets.zfs import ZfsMount, ZfsSet
from host.commands.replication.task import overlapping
from host.inventory import Dataset, Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from jobs.wording import counted
from pools.datasets.mount_dataset import why_not
from pools.sentences import are
from replication.replications.wanted import Text


class GoLive(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Let `dataset` and all below it be written to and mounted again, after its source is lost."""

    dataset: Text


def plan(request: GoLive, inventory: Inventory) -> Plan:
    """Raises `Refused` while a replication leads there, and for what is no replica."""
    findings = Findings()
    top = inventory.dataset(request.dataset)
    if top is None:
        findings.refuse("unknown-dataset", "dataset", "There is no dataset of that name.")
    replicating = inventory.replicating
    for task in replicating.tasks:
        target = replicating.target(task.target_id)
        here = task.pull or (target is not None and target.kind == "pool")
        if here and overlapping(task.target, top.name):
            message = f"The replication {task.name} writes there, and could not go on. Delete it first."
            findings.error("in-use", "dataset", message)
    tree = (top, *inventory.below(top.name))
    changed = [one for one in tree if _quiet(one)]
    if not changed:
        findings.error("not-quiet", "dataset", f"Nothing of {top.name} is read-only or kept from mounting.")
    findings.refuse_on_error()
    steps = [Step(title=f"Let {_said(top, len(changed))} be written to", commands=tuple(map(_set, changed)))]
    mounted, left = _mounts(tree)
    if mounted:
        steps.append(Step(title=f"Mount {counted(len(mounted), 'file system')}", commands=mounted))
    for one in left:
        findings.info("not-mounted", "dataset", one)
    return Plan(
        operation="replication.go-live",
        steps=tuple(steps),
        summary=sentences(
            f"{_said(top, len(changed))} can be written to, and {are(len(changed))} mounted where possible.",
            "To replicate it again, choose it as the source of a new replication.",
        ),
        findings=findings.all(),
        claims=(f"dataset:{top.name}",),
    )


def _quiet(one: Dataset) -> bool:
    return one.value("readonly") == "on" or one.value("canmount") == "noauto"


def _said(top: Dataset, count: int) -> str:
    return top.name if count == 1 else f"{top.name} with {counted(count - 1, 'dataset')} below it"


def _set(one: Dataset) -> ZfsSet:
    values = {"readonly": "off"}
    if one.kind == "filesystem" and one.value("canmount") == "noauto":
        values["canmount"] = "on"
    return ZfsSet(name=one.name, properties=values)


def _mounts(tree: tuple[Dataset, ...]) -> tuple[tuple[AnyCommand, ...], list[str]]:
    """Those that can be mounted, outer ones first, and why others cannot."""
    commands: list[AnyCommand] = []
    left = []
    for one in tree:
        reason = why_not(one)
        if one.kind == "volume" or one.value("canmount") == "off":
            continue
        if reason is None:
            commands.append(ZfsMount(name=one.name))
        elif reason[0] != "mounted":
            left.append(reason[1])
    return tuple(commands), left
