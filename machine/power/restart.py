"""machine.restart: restart the machine."""

from __future__ import annotations

import msgspec

from host.commands.system.power import RestartSoon
from host.inventory import Inventory
from jobs.needs import AnswerNeeds, Needs
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from machine.power import impact
from machine.power.use import QUESTION, MachineUse


class Restart(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Restart the machine."""


def needs(_request: Restart, _inventory: Inventory) -> Needs:
    """Who is connected, and what runs."""
    return Needs(answers=(AnswerNeeds(question=QUESTION, data={}),))


def plan(_request: Restart, inventory: Inventory) -> Plan:
    """Raises `Refused` while something runs that must not be cut off."""
    findings = Findings()
    use: MachineUse = inventory.answers.get(QUESTION, MachineUse())
    impact.refuse(inventory, use, findings)
    message = "All shares and this console stop until the machine has started again."
    findings.warning("interrupts", "", f"{message} {impact.connected(use)}")
    impact.warn(inventory, use, findings)
    return Plan(
        operation="machine.restart",
        steps=(Step(title="Restart the machine", commands=(RestartSoon(),)),),
        summary=f"{inventory.facts.name} restarts. No data will be deleted.",
        takes="a few minutes, while neither shares nor console can be reached",
        findings=findings.all(),
        claims=impact.claims(inventory),
    )
