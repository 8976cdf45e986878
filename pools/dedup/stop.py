"""pool.stop-dedup-estimate: stop an estimate that goes on in the background."""

from __future__ import annotations

from typing import cast

import msgspec

from host.commands.datasets.measuring import StopMeasuring
from host.inventory import Inventory
from jobs import questions
from jobs.needs import AnswerNeeds, Needs
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from pools.dedup.see import QUESTION, DedupFound
from pools.measuring.beginning import NameText


class StopDedupEstimate(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Stop counting the equal blocks of a pool. Of an estimate that was stopped nothing is kept."""

    name: NameText


def needs(request: StopDedupEstimate, inventory: Inventory) -> Needs:
    """Whether one goes on."""
    if inventory.pool(request.name) is None:
        return Needs()
    return Needs(answers=(AnswerNeeds(question=QUESTION, data={"name": request.name}),))


def plan(request: StopDedupEstimate, inventory: Inventory) -> Plan:
    """Raises `Refused` where none goes on."""
    findings = Findings()
    if inventory.pool(request.name) is None:
        findings.refuse("unknown-pool", "name", f"There is no pool {request.name[:200]}.")
    last = cast("DedupFound", inventory.answers[QUESTION]).estimate
    if last is None:
        findings.refuse("no-run", "name", f"No estimate for {request.name} goes on.")
    if last.verdict is not None:
        findings.refuse("has-ended", "name", "It has ended already.")
    stop = StopMeasuring(what="dedup", run=last.run)
    return Plan(
        operation="pool.stop-dedup-estimate",
        steps=(Step(title=f"Stop counting the equal blocks of {request.name}", commands=(stop,)),),
        summary=f"The blocks of {request.name} are not counted any further.",
        findings=findings.all(),
        claims=(f"dedup:{request.name}",),
    )


def remember(_request: StopDedupEstimate, _inventory: Inventory, _actor: str) -> None:
    """Discard stored answers: the estimate has ended."""
    questions.forget(QUESTION)
