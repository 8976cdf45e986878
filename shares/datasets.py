"""Which datasets can be shared."""

from __future__ import annotations

from host.contents.places import place_fault
from host.inventory import Dataset
from jobs.planning.findings import Findings


def check_dataset(found: Dataset | None, name: str, findings: Findings, *, field: str = "dataset") -> None:
    """Findings where it is not there or cannot be shared, and where the share will have to wait."""
    if found is None:
        findings.error("unknown-dataset", field, f"There is no dataset {name[:200]}.")
    elif found.kind == "volume":
        findings.error("is-volume", field, f"{found.name} is a volume: it has no files to share.")
    elif (fault := place_fault(found.value("mountpoint") or "")) is not None:
        findings.error("bad-place", field, fault)
    elif found.value("keystatus") == "unavailable":
        findings.warning("waits", field, f"{found.name} is locked. The share waits until it is unlocked.")
    elif not found.mounted:
        findings.warning("waits", field, f"{found.name} is not mounted. The share waits until it is.")
