"""pool.stop-counting-blocks: stop a count that goes on in the background."""

from __future__ import annotations

from typing import cast

import msgspec

from host.inventory import Inventory
from jobs import questions
from jobs.needs import Needs
from jobs.plan import Plan
from pools.measuring import stopping
from pools.measuring.beginning import NameText
from pools.metadata.see import QUESTION, MetadataFound


class StopCountingBlocks(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Stop counting the blocks of a pool. Nothing of it is kept."""

    name: NameText


def needs(request: StopCountingBlocks, inventory: Inventory) -> Needs:
    """Whether one goes on."""
    return stopping.needs(request.name, inventory, QUESTION, of="pool")


def plan(request: StopCountingBlocks, inventory: Inventory) -> Plan:
    """Raises `Refused` where none goes on."""
    last = cast("MetadataFound | None", inventory.answers.get(QUESTION))  # none where there is no such pool
    return stopping.plan(
        request.name, inventory, last.counted if last else None, operation="pool.stop-counting-blocks",
        what="blocks", claim="blocks", title=f"Stop counting the blocks of {request.name}", of="pool",
        partly=False,
    )  # fmt: skip


def remember(_request: StopCountingBlocks, _inventory: Inventory, _actor: str) -> None:
    """Discard stored answers: the count has ended."""
    questions.forget(QUESTION)
