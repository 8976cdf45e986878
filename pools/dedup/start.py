"""pool.estimate-dedup: count equal blocks, in the background."""

from __future__ import annotations

from typing import cast

import msgspec

from host.commands.datasets.measuring import run_of
from host.commands.pools.dedup import EstimateDedup
from host.inventory import Inventory
from jobs import questions
from jobs.needs import AnswerNeeds, Needs
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from pools.dedup.see import QUESTION, DedupFound
from pools.measuring.beginning import NameText, quiet_pool, refuse_another

_MIB = 1 << 20
_LEAST_MIB, _MOST_MIB = 512, 1 << 20
_TAKES = "minutes, or hours for many terabytes on hard disks; in the background, at the lowest priority"


class EstimateDeduplication(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Count how many blocks of a pool are equal, by their checksums. Block pointers are read, and no data."""

    name: NameText


def needs(request: EstimateDeduplication, inventory: Inventory) -> Needs:
    """Whether one goes on."""
    if inventory.pool(request.name) is None:
        return Needs()
    return Needs(answers=(AnswerNeeds(question=QUESTION, data={"name": request.name}),))


def plan(request: EstimateDeduplication, inventory: Inventory) -> Plan:
    """Raises `Refused` for a pool that is not here or stopped, while it resilvers, and while an estimate goes
    on.
    """
    findings = Findings()
    pool = quiet_pool(request.name, inventory, findings)
    refuse_another(cast("DedupFound", inventory.answers[QUESTION]).estimate, findings)
    memory = memory_mib(inventory.facts.memory_bytes)
    run = run_of(pool.name)
    begin = EstimateDedup(run=run, pool=pool.name, memory_mib=memory)
    return Plan(
        operation="pool.estimate-dedup",
        steps=(Step(title=f"Start counting the equal blocks of {pool.name}", commands=(begin,)),),
        summary=f"The block pointers of {pool.name} are read and equal checksums counted. Nothing changes. "
        f"It ends where it would need more than {memory / 1024:.1f} GiB of memory.",
        takes=_TAKES,
        findings=findings.all(),
        claims=(f"dedup:{run}",),
    )


def memory_mib(memory_bytes: int) -> int:
    """What it may have: a quarter of the memory, as much as a table may take that is worth its while."""
    return min(_MOST_MIB, max(_LEAST_MIB, memory_bytes // 4 // _MIB))


def remember(_request: EstimateDeduplication, _inventory: Inventory, _actor: str) -> None:
    """Discard stored answers: an estimate goes on now."""
    questions.forget(QUESTION)
