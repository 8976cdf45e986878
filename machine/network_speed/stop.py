"""network.stop-speed: stop measuring the network, or being the other end."""

from __future__ import annotations

from typing import cast

import msgspec

from host.commands.datasets.measuring import StopMeasuring
from host.inventory import Inventory
from jobs import questions
from jobs.needs import AnswerNeeds, Needs
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from machine.network_speed.begin import CLAIM, RUN
from machine.network_speed.see import QUESTION, SpeedFound


class StopSpeed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Stop the measurement of the network that goes on. What was measured by then is kept."""


def needs(_request: StopSpeed, _inventory: Inventory) -> Needs:
    """Whether one goes on."""
    return Needs(answers=(AnswerNeeds(question=QUESTION, data={}),))


def plan(_request: StopSpeed, inventory: Inventory) -> Plan:
    """Raises `Refused` where none goes on."""
    last = cast("SpeedFound", inventory.answers[QUESTION]).speed
    if last is None or last.verdict is not None:
        Findings().refuse("no-run", "", "The network is not being measured.")
    stop = StopMeasuring(what="network", run=RUN)
    return Plan(
        operation="network.stop-speed",
        steps=(Step(title="Stop measuring the network", commands=(stop,)),),
        summary="The network is not measured any further. What was measured by then is shown.",
        claims=(CLAIM,),
    )


def remember(_request: StopSpeed, _inventory: Inventory, _actor: str) -> None:
    """Discard stored answers: it has ended."""
    questions.forget(QUESTION)
