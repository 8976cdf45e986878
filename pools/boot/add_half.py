"""boot.add: a second disk for the system, so that either may fail; also after the other one is gone."""

from __future__ import annotations

import msgspec

from host.boot_pair import Pair, in_words
from host.commands.closed import AnyCommand
from host.commands.disks.md import MdRemove
from host.inventory import Disk, Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import erased, named, sentences
from pools.boot.preparing import (
    asked_pair,
    check_newcomer,
    check_swap,
    claims,
    join,
    model_half,
    prepare,
    resync_time,
)
from pools.boot.swap_array import renew
from pools.members.places import Text
from pools.unwell import AcceptUnwell


class AddHalf(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Make a disk the second half of the boot pair. All that is on it goes."""

    disk: Text
    accept_unwell: AcceptUnwell = ()


def plan(request: AddHalf, inventory: Inventory) -> Plan:
    """Raises `Refused` where the pair is whole, or the disk cannot be a half."""
    findings = Findings()
    pair = asked_pair(inventory, findings)
    if len([half for half in pair.halves if half.state != "faulty"]) >= pair.root.wanted:
        message = "Both halves are present. To exchange one of them, use “replace” and name it."
        findings.error("pair-is-whole", "disk", message)
    findings.refuse_on_error()
    model = model_half(pair, findings)
    disk = check_newcomer(request.disk, model, pair, inventory, findings, accept_unwell=request.accept_unwell)
    check_swap(pair, inventory, findings)
    findings.refuse_on_error()
    if disk is None:
        raise AssertionError("A disk that cannot be had is an error.")
    words = (
        "Everything is copied to it in the background. Until that has finished, only the other half can "
        "start the machine."
    )
    findings.info("resync-follows", "disk", words)
    step = Step(
        title=f"Add {in_words(disk)} to the arrays of the system",
        commands=(*_let_go(pair), *join(disk, model, pair)),
    )
    return Plan(
        operation="boot.add",
        steps=(prepare(disk, model, inventory), step, *renew(model.disk, disk, pair, inventory)),
        summary=_summary(disk, model.disk),
        takes=f"{resync_time(pair, disk)}; the machine stays usable",
        findings=findings.all(),
        claims=claims(pair, disk),
        confirm=None if disk.free else disk.serial or disk.id,
    )


def _summary(disk: Disk, other: Disk) -> str:
    return sentences(
        f"The {named(disk)} becomes a half of the boot pair, so that either disk can start the machine.",
        f"Until everything is copied to it, only the {named(other)} can.",
        erased(disk),
    )


def _let_go(pair: Pair) -> tuple[AnyCommand, ...]:
    """Members that failed give up their places.

    Also where none is known to have failed: udev lets one go by itself a moment after its disk was pulled,
    and the plan shall be the same before and after.
    """
    return tuple(MdRemove(array=array.node, member="failed") for array in pair.mirrored)
