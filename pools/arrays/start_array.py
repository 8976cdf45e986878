"""array.start: run an array that waits for members, with those that are here."""

from __future__ import annotations

import msgspec

from host.commands.disks.md import MdRun
from host.commands.disks.partition import UdevSettle
from host.inventory import Inventory, MdArray
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import in_bay
from pools.arrays.chosen import Text, assembled, disks_of, running


class StartArray(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Start an array that does not run. mdadm refuses where too many members are missing."""

    name: Text


def plan(request: StartArray, inventory: Inventory) -> Plan:
    """Raises `Refused` where it runs already."""
    findings = Findings()
    array = assembled(request.name, inventory, findings)
    if running(array):
        findings.error("runs-already", "name", f"{array.name} runs.")
    findings.refuse_on_error()
    message = (
        "What is written from now on will not be on the missing members: they have to be resynced later."
    )
    findings.warning("starts-degraded", "name", message)
    step = Step(title=f"Start {array.name}", commands=(MdRun(array=array.node), UdevSettle()))
    return Plan(
        operation="array.start",
        steps=(step,),
        summary=_summary(array, inventory),
        findings=findings.all(),
        claims=(f"array:{array.name}",),
    )


def _summary(array: MdArray, inventory: Inventory) -> str:
    disks = disks_of(array, inventory)
    here = f"the {in_bay(*disks)}" if disks else "the members that are present"
    return (
        f"{array.name} runs again with only {here}. What is written from then on has to be copied to the "
        "missing disks when they return."
    )
