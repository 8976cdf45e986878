"""dataset.stop-measuring-compression: stop a measurement that goes on in the background."""

from __future__ import annotations

from typing import cast

import msgspec

from host.inventory import Inventory
from jobs import questions
from jobs.needs import Needs
from jobs.plan import Plan
from pools.compression.see import QUESTION, CompressionFound
from pools.measuring import stopping
from pools.measuring.beginning import NameText


class StopMeasuringDataset(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Stop measuring the compression of a dataset. What was measured by then is kept."""

    name: NameText


def needs(request: StopMeasuringDataset, inventory: Inventory) -> Needs:
    """How far it is."""
    return stopping.needs(request.name, inventory, QUESTION)


def plan(request: StopMeasuringDataset, inventory: Inventory) -> Plan:
    """Raises `Refused` where nothing is being measured."""
    last = cast("CompressionFound | None", inventory.answers.get(QUESTION))  # none where there is no such one
    return stopping.plan(
        request.name, inventory, last.measured if last else None,
        operation="dataset.stop-measuring-compression", what="compression", claim="compression",
        title=f"Stop measuring compression of {request.name}",
    )  # fmt: skip


def remember(_request: StopMeasuringDataset, _inventory: Inventory, _actor: str) -> None:
    """Discard stored answers: the measurement has ended."""
    questions.forget(QUESTION)
