"""machine.shut-down: turn the machine off."""

from __future__ import annotations

import msgspec

from host.commands.system.power import PowerOffSoon
from host.inventory import Inventory
from jobs.needs import AnswerNeeds, Needs
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from machine.power import impact
from machine.power.use import QUESTION, MachineUse


class ShutDown(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Turn the machine off. Nothing turns it on again by itself."""


def needs(_request: ShutDown, _inventory: Inventory) -> Needs:
    """Who is connected, and what runs."""
    return Needs(answers=(AnswerNeeds(question=QUESTION, data={}),))


def plan(_request: ShutDown, inventory: Inventory) -> Plan:
    """Raises `Refused` while something runs that must not be cut off."""
    findings = Findings()
    use: MachineUse = inventory.answers.get(QUESTION, MachineUse())
    impact.refuse(inventory, use, findings)
    message = "All shares and this console stop until somebody turns the machine on again."
    findings.warning("interrupts", "", f"{message} {impact.connected(use)}")
    findings.info("turn-on", "", "To turn it on again, press its power button.")
    impact.warn(inventory, use, findings)
    return Plan(
        operation="machine.shut-down",
        steps=(Step(title="Shut down the machine", commands=(PowerOffSoon(),)),),
        summary=f"{inventory.facts.name} turns off, until somebody presses its power button. "
        "No data will be deleted.",
        takes="a minute or two until it is off",
        findings=findings.all(),
        claims=impact.claims(inventory),
    )
