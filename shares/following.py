"""Shares follow their datasets: whatever unmounts, renames or destroys one carries its shares along.

The plan of such an operation is read for what it does to file systems. Their shares are withdrawn before, so
that no client keeps them busy and none is ever served from the empty folder beneath; and afterwards the files
say what is true then. What is mounted later, by a start, an unlocking or an import, is found by the clock.
"""

from __future__ import annotations

from typing import Any

import msgspec

from host.commands import (
    AnyCommand,
    CloseShare,
    ReleaseNfs,
    ZfsDestroy,
    ZfsInherit,
    ZfsRename,
    ZfsSet,
    ZfsUnmount,
    ZpoolDestroy,
    ZpoolExport,
)
from host.inventory import Dataset, Inventory, Served, Sharing, SmbShare
from host.inventory.moving import place_after, renamed, with_value
from jobs.findings import Findings
from jobs.operation import Operation
from jobs.plan import Finding, Plan, Step
from shares import changing, stored
from shares.applying import apply, drifted, texts
from shares.nfs.render import exported
from shares.serving import standing

FOLLOWED = (
    "dataset.rename", "dataset.destroy", "dataset.unmount", "dataset.unload-key", "dataset.set",
    "dataset.bulk-set", "pool.export", "pool.destroy",
)  # fmt: skip


class Course(msgspec.Struct, frozen=True, kw_only=True):
    """The machine in the middle of a plan and after it, as far as shares are concerned."""

    middle: Inventory
    after: Inventory
    leaving: tuple[str, ...]  # where file systems are unmounted


def follows(operation: Operation) -> Operation:
    """The operation with its shares."""

    def plan(request: Any, inventory: Inventory) -> Plan:
        return with_shares(operation.plan(request, inventory), inventory)

    def remember(request: Any, inventory: Inventory, actor: str) -> None:
        operation.remember(request, inventory, actor)
        course = course_of(operation.plan(request, inventory), inventory)
        if course.after.sharing != inventory.sharing:
            stored.keep(course.after.sharing)

    return msgspec.structs.replace(operation, plan=plan, remember=remember)


def with_shares(plan: Plan, inventory: Inventory) -> Plan:
    """`plan` with the steps that its shares need before and after it. Raises `Refused` for none of them."""
    if not inventory.sharing.smb and not inventory.sharing.nfs:
        return plan
    course = course_of(plan, inventory)
    before = withdrawal(course, inventory)
    settled = _as_served(course.middle, inventory) if before else inventory.served
    after = msgspec.structs.replace(course.after, served=settled)
    behind = apply(after.sharing, after)
    if not before and not behind and after.sharing == inventory.sharing:
        return plan
    findings = Findings()
    _tell(course, inventory, findings)
    changing.tell_drift(drifted(inventory), findings)
    return msgspec.structs.replace(
        plan,
        steps=(*before, *plan.steps, *behind),
        findings=(*plan.findings, *_fresh(findings.all(), plan)),
        claims=(*plan.claims, changing.CLAIM),
    )


def withdrawal(course: Course, inventory: Inventory) -> tuple[Step, ...]:
    """The steps after which no share of what leaves is served, and no client holds it."""
    steps = list(apply(inventory.sharing, course.middle)) if course.leaving else []
    release = _release(course, inventory)
    if release:
        steps.append(Step(title="Let go of what clients have open there", commands=release))
    return tuple(steps)


def course_of(plan: Plan, inventory: Inventory) -> Course:
    """What the commands of a plan do to file systems."""
    leaving: set[str] = set()
    gone: set[str] = set()
    moves: list[ZfsRename] = []
    for step in plan.steps:
        for command in step.commands:
            leaving |= _unmounted(command, inventory)
            if isinstance(command, ZfsDestroy):
                gone |= {command.name, *(one.name for one in inventory.below(command.name))}
            elif isinstance(command, ZpoolDestroy):
                gone |= {one.name for one in inventory.datasets if one.pool == command.name}
            elif isinstance(command, ZfsRename):
                moves.append(command)
    leaving = {one.name for one in inventory.datasets if one.name in leaving and one.mounted}
    middle = _with(
        inventory, tuple(_unmount(one) if one.name in leaving else one for one in inventory.datasets)
    )
    after = middle
    if gone:
        left = tuple(one for one in after.datasets if one.name not in gone)
        after = msgspec.structs.replace(_with(after, left), sharing=_without(gone, inventory))
    for move in moves:
        after = _moved(after, move, inventory)
    places = (one.value("mountpoint") or "" for one in inventory.datasets if one.name in leaving)
    return Course(middle=middle, after=after, leaving=tuple(sorted(places, reverse=True)))


def _unmounted(command: AnyCommand, inventory: Inventory) -> set[str]:
    match command:
        case ZfsUnmount(name=name) | ZfsDestroy(name=name) | ZfsRename(name=name, keep_mounts=False):
            return {name, *(one.name for one in inventory.below(name))}
        case ZfsSet(name=name, properties=properties) if {"mountpoint", "canmount"} & properties.keys():
            return {name, *(one.name for one in inventory.below(name))}
        case ZfsInherit(name=name, property="mountpoint" | "canmount"):
            return {name, *(one.name for one in inventory.below(name))}
        case ZpoolExport(name=name) | ZpoolDestroy(name=name):
            return {one.name for one in inventory.datasets if one.pool == name}
    return set()


def _moved(after: Inventory, move: ZfsRename, inventory: Inventory) -> Inventory:
    datasets = []
    for one in after.datasets:
        was = inventory.dataset(one.name)
        if was is None or not f"{one.name}/".startswith(f"{move.name}/"):
            datasets.append(one)
            continue
        place = None if move.keep_mounts else place_after(was, move.name, move.to, inventory)
        there = with_value(one, "mounted", "yes") if was.mounted else one
        there = there if place is None else with_value(there, "mountpoint", place)
        datasets.append(msgspec.structs.replace(there, name=renamed(one.name, move.name, move.to)))
    names = {one.guid: one.name for one in datasets}
    sharing = after.sharing
    smb = tuple(msgspec.structs.replace(one, dataset=names.get(one.guid, one.dataset)) for one in sharing.smb)
    nfs = tuple(msgspec.structs.replace(one, dataset=names.get(one.guid, one.dataset)) for one in sharing.nfs)
    changed = msgspec.structs.replace(sharing, smb=smb, nfs=nfs)
    return msgspec.structs.replace(_with(after, tuple(datasets)), sharing=changed)


def _without(gone: set[str], inventory: Inventory) -> Sharing:
    guids = {one.guid for one in inventory.datasets if one.name in gone}
    sharing = inventory.sharing
    return msgspec.structs.replace(
        sharing,
        smb=tuple(one for one in sharing.smb if one.guid not in guids),
        nfs=tuple(one for one in sharing.nfs if one.guid not in guids),
    )


def _release(course: Course, inventory: Inventory) -> tuple[AnyCommand, ...]:
    """Shares that stay, and reach into what leaves: their clients are cut off, or keep it busy."""
    commands: list[AnyCommand] = []
    if inventory.served.services.get("smbd") == "active":
        for share in inventory.sharing.smb:
            place = standing(share, course.middle).place
            if place is not None and any(path.startswith(f"{place}/") for path in course.leaving):
                commands.append(CloseShare(name=share.name))
    served = set(exported(inventory.sharing, inventory))
    commands += [ReleaseNfs(path=path) for path in course.leaving if path in served]
    return tuple(commands)


def _tell(course: Course, inventory: Inventory, findings: Findings) -> None:
    kept = {("smb", one.id) for one in course.after.sharing.smb}
    kept |= {("nfs", one.id) for one in course.after.sharing.nfs}
    for kind, shares in (("smb", inventory.sharing.smb), ("nfs", inventory.sharing.nfs)):
        for share in shares:
            called = f"The export of {share.dataset}"
            if isinstance(share, SmbShare):
                called = f"The share {share.name}"
            before, then = standing(share, inventory), standing(share, course.after)
            if (kind, share.id) not in kept:
                findings.warning("share-goes", "", f"{called} is deleted with its dataset.")
            elif before.place is not None and then.place is None:
                findings.warning(
                    "share-waits", "", f"{called} is not served until its dataset is mounted again."
                )
            elif before.place != then.place and kind == "nfs":
                message = f"{called} moves to {then.place}: clients have to mount it anew."
                findings.warning("share-moves", "", message)
            elif before.place in course.leaving:
                findings.info("share-interrupted", "", f"{called} is not served for a moment.")
    for command in _release(course, inventory):
        if isinstance(command, CloseShare):
            message = f"Who is connected to {command.name} is cut off for a moment: it reaches in there."
            findings.info("share-closed", "", message)


def _fresh(found: tuple[Finding, ...], plan: Plan) -> tuple[Finding, ...]:
    """Findings are about the field that the plan's own are about."""
    field = next((one.field for one in plan.findings if one.field), "name")
    return tuple(msgspec.structs.replace(one, field=field) for one in found)


def _unmount(one: Dataset) -> Dataset:
    return with_value(one, "mounted", "no")


def _with(inventory: Inventory, datasets: tuple[Dataset, ...]) -> Inventory:
    return msgspec.structs.replace(inventory, datasets=datasets)


def _as_served(middle: Inventory, inventory: Inventory) -> Served:
    """What the machine serves once the shares of what leaves are withdrawn."""
    served = inventory.served
    return msgspec.structs.replace(
        served,
        files=texts(inventory.sharing, middle),
        exported=exported(inventory.sharing, middle),
    )
