"""boot.replace: another disk takes the place of a half, which stays in use until the new one is whole."""

from __future__ import annotations

import msgspec

from host.boot_pair import Half, Pair, in_words, link
from host.commands.disks.md import MdReplace
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


class ReplaceHalf(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Exchange a half of the boot pair that is still here. All that is on the new disk goes."""

    old: Text  # id of the half that leaves
    disk: Text  # id of the disk that comes
    accept_unwell: AcceptUnwell = ()


def plan(request: ReplaceHalf, inventory: Inventory) -> Plan:
    """Raises `Refused` where the old one is no half, or the new one cannot be one."""
    findings = Findings()
    pair = asked_pair(inventory, findings)
    old = pair.half(request.old)
    if old is None:
        halves = ", ".join(half.disk.id for half in pair.halves)
        findings.refuse("not-a-half", "old", f"It is not a half of the boot pair. These are: {halves}.")
    if old.state == "faulty":
        message = "It has failed and holds nothing useful: add the new disk instead, which then replaces it."
        findings.refuse("failed", "old", message)
    if old.state == "rebuilding" or not pair.whole:
        findings.refuse("resyncing", "old", "Wait for the running resync to finish.")
    model = model_half(pair, findings)
    disk = check_newcomer(request.disk, model, pair, inventory, findings, accept_unwell=request.accept_unwell)
    check_swap(pair, inventory, findings)
    findings.refuse_on_error()
    if disk is None:
        raise AssertionError("A disk that cannot be had is an error.")
    words = (
        f"Everything is copied in the background. {in_words(old.disk)} stays in use until then, and may be "
        "pulled once it is shown as failed."
    )
    findings.info("resync-follows", "disk", words)
    exchange = tuple(
        MdReplace(array=array.node, old=link(old.disk, member.partition), new=link(disk, member.partition))
        for array, member in old.members
        if array in pair.mirrored
    )
    step = Step(
        title=f"Replace {in_words(old.disk)} by {in_words(disk)}",
        commands=(*join(disk, old, pair), *exchange),
    )
    return Plan(
        operation="boot.replace",
        steps=(prepare(disk, model, inventory), step, *_renew(old, disk, pair, inventory)),
        summary=_summary(old.disk, disk),
        takes=f"{resync_time(pair, disk)}; the machine stays usable",
        findings=findings.all(),
        claims=claims(pair, old.disk, disk),
        confirm=None if disk.free else disk.serial or disk.id,
    )


def _summary(old: Disk, disk: Disk) -> str:
    return sentences(
        f"The {named(disk)} replaces the {named(old)} as a half of the boot pair.",
        "The old disk stays in use until everything is copied, and can be pulled once it is shown as failed.",
        erased(disk),
    )


def _renew(old: Half, disk: Disk, pair: Pair, inventory: Inventory) -> tuple[Step, ...]:
    """Swap goes to the half that stays and the one that comes."""
    stays = next((half.disk for half in pair.whole if half.disk.id != old.disk.id), None)
    return renew(stays, disk, pair, inventory) if stays else ()
