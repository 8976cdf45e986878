"""pool.stop-benchmark: stop a benchmark that goes on in the background."""

from __future__ import annotations

from typing import cast

import msgspec

from host.inventory import Inventory
from jobs import questions
from jobs.needs import Needs
from jobs.plan import Plan
from pools.benchmark.see import QUESTION, BenchmarkFound
from pools.measuring import stopping
from pools.measuring.beginning import NameText


class StopBenchmark(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Stop measuring how fast a pool is. What was measured by then is kept, and its dataset destroyed."""

    name: NameText


def needs(request: StopBenchmark, inventory: Inventory) -> Needs:
    """Whether one goes on."""
    return stopping.needs(request.name, inventory, QUESTION, of="pool")


def plan(request: StopBenchmark, inventory: Inventory) -> Plan:
    """Raises `Refused` where none goes on."""
    last = cast("BenchmarkFound | None", inventory.answers.get(QUESTION))  # none where there is no such pool
    return stopping.plan(
        request.name, inventory, last.benchmark if last else None, operation="pool.stop-benchmark",
        what="benchmark", claim="benchmark", title=f"Stop the benchmark of {request.name}", of="pool",
    )  # fmt: skip


def remember(_request: StopBenchmark, _inventory: Inventory, _actor: str) -> None:
    """Discard stored answers: it has ended."""
    questions.forget(QUESTION)
