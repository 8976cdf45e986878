"""What is being written anew is renamed and destroyed by that alone."""

from __future__ import annotations

from collections.abc import Sequence

from host.inventory import Dataset, Inventory
from jobs.planning.findings import Findings


def check_rewrites(datasets: Sequence[Dataset], inventory: Inventory, findings: Findings, field: str) -> None:
    """It goes by names: without one of the three it could neither go on nor be taken back."""
    names = {one.name for one in datasets}
    for known in inventory.rewrites:
        if not names.isdisjoint((known.dataset, known.copy, known.before)):
            message = f"{known.dataset} is being written anew. End that first, on its page."
            findings.error("is-rewritten", field, message)
