"""dataset.stop-measuring-compression: stop a measurement that goes on in the background."""

from __future__ import annotations

from typing import cast

import msgspec

from host.commands.datasets.compression import StopMeasuringCompression
from host.inventory import Inventory
from jobs import questions
from jobs.needs import AnswerNeeds, Needs
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from pools.compression.see import QUESTION, CompressionFound, NameText


class StopMeasuringDataset(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Stop measuring the compression of a dataset. What was measured by then is kept."""

    name: NameText


def needs(request: StopMeasuringDataset, inventory: Inventory) -> Needs:
    """How far it is."""
    if inventory.dataset(request.name) is None:
        return Needs()
    return Needs(answers=(AnswerNeeds(question=QUESTION, data={"name": request.name}),))


def plan(request: StopMeasuringDataset, inventory: Inventory) -> Plan:
    """Raises `Refused` where nothing is being measured."""
    findings = Findings()
    if inventory.dataset(request.name) is None:
        findings.refuse("unknown-dataset", "name", f"There is no dataset {request.name[:200]}.")
    measured = cast("CompressionFound", inventory.answers[QUESTION]).measured
    if measured is None:
        findings.refuse("no-run", "name", f"The compression of {request.name} is not being measured.")
    if measured.verdict is not None:
        findings.refuse("has-ended", "name", "It has ended already.")
    stop = StopMeasuringCompression(run=measured.run)
    return Plan(
        operation="dataset.stop-measuring-compression",
        steps=(Step(title=f"Stop measuring compression of {request.name}", commands=(stop,)),),
        summary=f"{request.name} is not measured any further. What was measured by then is shown.",
        findings=findings.all(),
        claims=(f"compression:{measured.run}",),
    )


def remember(_request: StopMeasuringDataset, _inventory: Inventory, _actor: str) -> None:
    """Discard stored answers: the measurement has ended."""
    questions.forget(QUESTION)
