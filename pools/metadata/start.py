"""pool.count-blocks: count the blocks of a pool by type and size, in the background."""

from __future__ import annotations

from typing import cast

import msgspec

from host.commands.datasets.measuring import run_of
from host.commands.pools.blocks import CountBlocks
from host.inventory import Inventory
from jobs import questions
from jobs.needs import AnswerNeeds, Needs
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from pools.measuring.beginning import NameText, quiet_pool, refuse_another
from pools.metadata.see import QUESTION, MetadataFound

_TAKES = "minutes, or hours for many terabytes on hard disks; in the background, at the lowest priority"


class CountBlocksOfPool(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Count the blocks of a pool by type and size. Block pointers are read, and no data."""

    name: NameText


def needs(request: CountBlocksOfPool, inventory: Inventory) -> Needs:
    """Whether one goes on."""
    if inventory.pool(request.name) is None:
        return Needs()
    return Needs(answers=(AnswerNeeds(question=QUESTION, data={"name": request.name}),))


def plan(request: CountBlocksOfPool, inventory: Inventory) -> Plan:
    """Raises `Refused` for a pool that is not here or stopped, that resilvers, and while a count goes on."""
    findings = Findings()
    pool = quiet_pool(request.name, inventory, findings)
    refuse_another(cast("MetadataFound", inventory.answers[QUESTION]).counted, findings)
    run = run_of(pool.name)
    begin = CountBlocks(run=run, pool=pool.name)
    return Plan(
        operation="pool.count-blocks",
        steps=(Step(title=f"Start counting the blocks of {pool.name}", commands=(begin,)),),
        summary=f"The block pointers of {pool.name} are read and counted by type and size. Nothing changes.",
        takes=_TAKES,
        findings=findings.all(),
        claims=(f"blocks:{run}",),
    )


def remember(_request: CountBlocksOfPool, _inventory: Inventory, _actor: str) -> None:
    """Discard stored answers: a count goes on now."""
    questions.forget(QUESTION)
