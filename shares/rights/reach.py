"""Whose folders can have access control lists, and why not."""

from __future__ import annotations

from host.inventory import Dataset
from jobs.plan import Finding
from jobs.planning.findings import fault


def shut(dataset: Dataset) -> Finding | None:
    """Why its folders cannot be read now; None where they can."""
    name = dataset.name
    if dataset.kind == "volume":
        return fault("is-volume", "dataset", f"{name} is a volume: it has no folders.")
    if dataset.value("keystatus") == "unavailable":
        return fault("locked", "dataset", f"{name} is locked. Load its key to reach its folders.")
    if not dataset.mounted:
        return fault("not-mounted", "dataset", f"{name} is not mounted. Mount it first.")
    return None


def unsettable(dataset: Dataset) -> Finding | None:
    """Why the rights of its folders cannot be set now; None where they can."""
    return shut(dataset) or unchangeable(dataset)


def unchangeable(dataset: Dataset) -> Finding | None:
    """Why no rights can be set in it; None where they can."""
    name = dataset.name
    if dataset.value("acltype") not in {"posix", "posixacl"}:
        message = f"{name} has no access control lists. Set its property “acltype” to “posix” first."
        return fault("no-acls", "dataset", message)
    if dataset.value("readonly") == "on":
        return fault("read-only", "dataset", f"{name} is read-only. Set “readonly” to “off” first.")
    return None
