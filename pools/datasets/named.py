"""The datasets that a request on several names."""

from __future__ import annotations

from collections.abc import Sequence

from host.inventory import Dataset, Inventory
from jobs.planning.findings import Findings


def named(names: Sequence[str], inventory: Inventory, findings: Findings) -> tuple[Dataset, ...]:
    """Those that exist, each once; an error at `names[i]` for every other name."""
    found: list[Dataset] = []
    for index, name in enumerate(names):
        dataset = inventory.dataset(name)
        if dataset is None:
            findings.error("unknown-dataset", f"names[{index}]", f"There is no dataset {name[:200]}.")
        elif name in names[:index]:
            findings.error("duplicate-dataset", f"names[{index}]", f"{name} is named twice.")
        else:
            found.append(dataset)
    return tuple(found)
