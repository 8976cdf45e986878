"""How a measurement is stopped, whatever it measures."""

from __future__ import annotations

from host.commands.datasets.measuring import StopMeasuring, What
from host.inventory import Inventory
from jobs.needs import AnswerNeeds, Needs
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from pools.measuring.beginning import Report


def needs(name: str, inventory: Inventory, question: str) -> Needs:
    """How far it is."""
    if inventory.dataset(name) is None:
        return Needs()
    return Needs(answers=(AnswerNeeds(question=question, data={"name": name}),))


def plan(
    name: str,
    inventory: Inventory,
    last: Report | None,
    *,
    operation: str,
    what: What,
    claim: str,
    title: str,
) -> Plan:
    """To stop what measures the dataset `name`; `last` is the report of its last measurement. Raises
    `Refused` where nothing is being measured.
    """
    findings = Findings()
    if inventory.dataset(name) is None:
        findings.refuse("unknown-dataset", "name", f"There is no dataset {name[:200]}.")
    if last is None:
        findings.refuse("no-run", "name", f"{name} is not being measured.")
    if last.verdict is not None:
        findings.refuse("has-ended", "name", "It has ended already.")
    return Plan(
        operation=operation,
        steps=(Step(title=title, commands=(StopMeasuring(what=what, run=last.run),)),),
        summary=f"{name} is not measured any further. What was measured by then is shown.",
        findings=findings.all(),
        claims=(f"{claim}:{last.run}",),
    )
