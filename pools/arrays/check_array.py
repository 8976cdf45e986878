"""array.check: read all of an array and count what differs between its members."""

from __future__ import annotations

import msgspec

from host.commands.disks.md import CheckAction, MdCheck
from host.inventory import Inventory, MdArray
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from pools.arrays.chosen import REDUNDANT, Text, assembled, disks_of, level_words, running
from pools.arrays.newcomer import component_bytes, sync_time


class CheckArray(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Start a check, or stop it. It runs for hours, in the kernel; the system's arrays may be checked too."""

    name: Text
    action: CheckAction = "start"


def plan(request: CheckArray, inventory: Inventory) -> Plan:
    """Raises `Refused` where nothing can be compared, or something else goes on."""
    findings = Findings()
    array = assembled(request.name, inventory, findings)
    if array.level not in REDUNDANT or not running(array):
        message = f"{array.name} ({level_words(array.level)}) has no redundancy that could be checked now."
        findings.refuse("nothing-to-compare", "name", message)
    checking = array.work is not None and array.work.kind == "check"
    if request.action == "stop" and not checking:
        findings.error("not-running", "action", f"{array.name} is not being checked.")
    elif request.action == "start" and array.work is not None:
        findings.error(
            "already-running", "action", f"A {array.work.kind} of {array.name} is running already."
        )
    elif request.action == "start" and array.read_only:
        findings.error("read-only", "name", f"{array.name} is read-only.")
    findings.refuse_on_error()
    if request.action == "start":
        message = "The array stays usable. A check reads all disks and slows down other work."
        findings.info("takes-hours", "", message)
    title = {"start": f"Check {array.name}", "stop": f"Stop the check of {array.name}"}[request.action]
    return Plan(
        operation="array.check",
        steps=(Step(title=title, commands=(MdCheck(array=array.node, action=request.action),)),),
        summary=_summary(request, array),
        takes=_takes(request, array, inventory),
        findings=findings.all(),
        claims=(f"array:{array.name}",),
    )


def _summary(request: CheckArray, array: MdArray) -> str:
    if request.action == "stop":
        return f"The check of {array.name} stops. The next one continues where this one ends."
    copies = "copies" if array.level in {"raid1", "raid10"} else "data and parity"
    return (
        f"All disks of {array.name} are read, and places where their {copies} disagree are counted, not "
        "repaired. Other work on it is slower meanwhile."
    )


def _takes(request: CheckArray, array: MdArray, inventory: Inventory) -> str:
    disks = disks_of(array, inventory)
    if request.action == "stop" or not disks:
        return ""
    return f"{sync_time(component_bytes(array), *disks)}; {array.name} stays usable"
