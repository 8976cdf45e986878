"""pool.stop-dedup-estimate: stop an estimate that goes on in the background."""

from __future__ import annotations

from typing import cast

import msgspec

from host.inventory import Inventory
from jobs import questions
from jobs.needs import Needs
from jobs.plan import Plan
from pools.dedup.see import QUESTION, DedupFound
from pools.measuring import stopping
from pools.measuring.beginning import NameText


class StopDedupEstimate(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Stop counting the equal blocks of a pool. How many were found by then is kept."""

    name: NameText


def needs(request: StopDedupEstimate, inventory: Inventory) -> Needs:
    """Whether one goes on."""
    return stopping.needs(request.name, inventory, QUESTION, of="pool")


def plan(request: StopDedupEstimate, inventory: Inventory) -> Plan:
    """Raises `Refused` where none goes on."""
    last = cast("DedupFound | None", inventory.answers.get(QUESTION))  # none where there is no such pool
    return stopping.plan(
        request.name, inventory, last.estimate if last else None, operation="pool.stop-dedup-estimate",
        what="dedup", claim="dedup", title=f"Stop counting the equal blocks of {request.name}", of="pool",
    )  # fmt: skip


def remember(_request: StopDedupEstimate, _inventory: Inventory, _actor: str) -> None:
    """Discard stored answers: the estimate has ended."""
    questions.forget(QUESTION)
