"""boot.remove: a half leaves the pair, so that it can be pulled."""

from __future__ import annotations

import msgspec

from host.boot_pair import Half, Pair, in_words, link
from host.commands.closed import AnyCommand
from host.commands.disks.md import MdFail, MdRemove
from host.inventory import Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import in_bay, named, sentences
from pools.boot.preparing import asked_pair, check_swap, claims
from pools.boot.swap_array import end
from pools.members.places import Text


class RemoveHalf(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Let go of a half of the boot pair. The system then has one copy, until another disk is added."""

    disk: Text


def plan(request: RemoveHalf, inventory: Inventory) -> Plan:
    """Raises `Refused` for what is no half, and for the only one that holds everything."""
    findings = Findings()
    pair = asked_pair(inventory, findings)
    half = pair.half(request.disk)
    if half is None:
        findings.refuse("not-a-half", "disk", "It is not a half of the boot pair.")
    others = [other for other in pair.whole if other.disk.id != half.disk.id]
    if not others:
        message = "It is the only half that holds everything: without it the system is lost."
        findings.refuse("last-half", "disk", message)
    if half.state == "whole" and len(pair.whole) < 3:
        message = "From then on there is no redundancy left: add another disk soon."
        findings.warning("no-redundancy", "disk", message)
    check_swap(pair, inventory, findings)
    findings.refuse_on_error()
    steps = [Step(title=f"Remove {in_words(half.disk)}", commands=_commands(half, pair))]
    if inventory.swap.raid0_set:
        halves = tuple(one.disk for one in pair.halves)
        ended = end(inventory, halves, for_good=False)
        steps.insert(0, Step(title="Turn off swap on both halves until there are two again", commands=ended))
    return Plan(
        operation="boot.remove",
        steps=tuple(steps),
        summary=_summary(half, others, swap=inventory.swap.raid0_set),
        findings=findings.all(),
        claims=claims(pair, half.disk),
    )


def _summary(half: Half, others: list[Half], *, swap: bool) -> str:
    failed = "failed " if half.state == "faulty" else ""
    rest = in_bay(*(other.disk for other in others))
    alone = " alone, which must not fail until another disk is added" if len(others) == 1 else ""
    return sentences(
        f"The {failed}{named(half.disk)} is removed from the boot pair and can be pulled.",
        f"The machine keeps running from the {rest}{alone}.",
        "Swap on both halves is turned off until there are two again." if swap else "",
    )


def _commands(half: Half, pair: Pair) -> tuple[AnyCommand, ...]:
    commands: list[AnyCommand] = []
    for array, member in half.members:
        if array in pair.mirrored:
            name = link(half.disk, member.partition)
            if member.state != "faulty":
                commands.append(MdFail(array=array.node, member=name))
            commands.append(MdRemove(array=array.node, member=name))
    return tuple(commands)
