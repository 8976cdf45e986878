"""array.start: run an array that waits for members, with those that are here."""

from __future__ import annotations

import msgspec

from host.commands.disks.md import MdRun
from host.commands.disks.partition import UdevSettle
from host.inventory import Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from pools.arrays.chosen import Text, assembled, running


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
        "What is written from now on is not on the members that are missing: they have to catch up later."
    )
    findings.warning("starts-degraded", "name", message)
    step = Step(title=f"Start {array.name}", commands=(MdRun(array=array.node), UdevSettle()))
    return Plan(
        operation="array.start",
        steps=(step,),
        findings=findings.all(),
        claims=(f"array:{array.name}",),
    )
