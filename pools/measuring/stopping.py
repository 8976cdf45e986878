"""How a measurement is stopped, whatever it measures."""

from __future__ import annotations

from typing import Literal

from host.commands.datasets.measuring import StopMeasuring, What
from host.inventory import Inventory
from jobs.needs import AnswerNeeds, Needs
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from pools.measuring.beginning import Report

Of = Literal["dataset", "pool"]


def needs(name: str, inventory: Inventory, question: str, *, of: Of = "dataset") -> Needs:
    """How far it is."""
    if not _is_here(name, inventory, of):
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
    of: Of = "dataset",
    partly: bool = True,
) -> Plan:
    """To stop what measures the dataset or pool `name`; `last` is the report of its last measurement,
    `partly` whether it has results before its end. Raises `Refused` where nothing is being measured.
    """
    findings = Findings()
    if not _is_here(name, inventory, of):
        findings.refuse(f"unknown-{of}", "name", f"There is no {of} {name[:200]}.")
    if last is None:
        findings.refuse("no-run", "name", f"{name} is not being measured.")
    if last.verdict is not None:
        findings.refuse("has-ended", "name", "It has ended already.")
    return Plan(
        operation=operation,
        steps=(Step(title=title, commands=(StopMeasuring(what=what, run=last.run),)),),
        summary=f"{name} is not measured any further."
        + (" What was measured by then is shown." if partly else " Nothing of it is kept."),
        findings=findings.all(),
        claims=(f"{claim}:{last.run}",),
    )


def _is_here(name: str, inventory: Inventory, of: Of) -> bool:
    return (inventory.pool(name) if of == "pool" else inventory.dataset(name)) is not None
