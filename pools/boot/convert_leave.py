"""boot.convert-leave: the copy is given up, and its disk is free for something else."""

from __future__ import annotations

import msgspec

from host.boot_pair import in_words
from host.commands.closed import AnyCommand
from host.commands.disks.partition import WipeSignatures
from host.commands.system.converting import ForgetConverting, StopConverting
from host.inventory import Disk, Inventory
from jobs.plan import Loss, Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import named
from pools.boot.convert import take_apart
from pools.boot.running import asked_running, copy_of


class ConvertLeave(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Stop copying, and erase the copy. The system goes on as it is."""


def plan(request: ConvertLeave, inventory: Inventory) -> Plan:
    """Raises `Refused` where no copy is told of, or the machine is about to start from it."""
    findings = Findings()
    now = asked_running(inventory, findings)
    found = copy_of(inventory)
    if found is None:
        findings.refuse("no-copy", "", "There is no copy of the system.")
    report, array, disk = found
    if report.running and report.state == "restarting":
        findings.refuse("restarting", "", "The machine is about to start from the copy.")
    if array is not None and array.mountpoints:
        findings.refuse("copy-in-use", "", f"The copy is mounted at {array.mountpoints[0]}.")
    findings.refuse_on_error()
    commands: list[AnyCommand] = [StopConverting()]
    losses: tuple[Loss, ...] = ()
    if array is not None and disk is not None and all(one.disk == disk.id for one in array.members):
        numbers = tuple(part.number for part in disk.partitions if part.number)
        commands += [*take_apart((array,), disk), WipeSignatures(disk=disk.link, partitions=numbers)]
        losses = (
            Loss(disk=disk.id, bay=disk.bay, model=disk.model, serial=disk.serial,
                 holds="the copy of the system", size_bytes=disk.size_bytes),
        )  # fmt: skip
    # Last, so that what failed halfway can be asked for again.
    commands.append(ForgetConverting())
    where = in_words(disk) if disk is not None else report.disk
    return Plan(
        operation="boot.convert-leave",
        steps=(Step(title=f"Discard the copy on {where}", commands=tuple(commands), destroys=losses),),
        summary=_summary(disk if losses else None, now.disk),
        findings=findings.all(),
        claims=(*(f"disk:{one.id}" for one in (disk,) if one is not None),),
        confirm=disk.serial or disk.id if losses and disk is not None else None,
    )


def _summary(wiped: Disk | None, system: Disk) -> str:
    if wiped is not None:
        copy = f"The copy of the system on the {named(wiped)} is erased, and that disk is free again."
    else:
        copy = "The copy of the system is discarded, but what is on its disk stays there."
    return f"{copy} The machine keeps running from the {named(system)}, as before."
