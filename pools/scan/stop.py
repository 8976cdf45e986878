"""dataset.stop-scan: stop a scan that goes on in the background."""

from __future__ import annotations

from typing import cast

import msgspec

from host.inventory import Inventory
from jobs import questions
from jobs.needs import Needs
from jobs.plan import Plan
from pools.measuring import stopping
from pools.measuring.beginning import NameText
from pools.scan.see import QUESTION, FilesFound


class StopScan(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Stop scanning the files of a dataset. What was counted by then is kept."""

    name: NameText


def needs(request: StopScan, inventory: Inventory) -> Needs:
    """How far it is."""
    return stopping.needs(request.name, inventory, QUESTION)


def plan(request: StopScan, inventory: Inventory) -> Plan:
    """Raises `Refused` where nothing is being scanned."""
    last = cast("FilesFound | None", inventory.answers.get(QUESTION))  # none where there is no such dataset
    return stopping.plan(
        request.name, inventory, last.scanned if last else None, operation="dataset.stop-scan", what="files",
        claim="scan", title=f"Stop scanning the files of {request.name}",
    )  # fmt: skip


def remember(_request: StopScan, _inventory: Inventory, _actor: str) -> None:
    """Discard stored answers: the scan has ended."""
    questions.forget(QUESTION)
