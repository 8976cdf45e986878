"""Whose files can be reached, and why not."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from host.files.names import BadPath, components
from host.inventory import Dataset, Inventory
from jobs.plan import Finding
from jobs.planning.findings import Findings, fault

Text = Annotated[str, Meta(max_length=1024)]
PathText = Annotated[str, Meta(max_length=12_288)]


def dataset_fault(dataset: Dataset) -> Finding | None:
    """Why nobody can look at its files now; None where one can."""
    name = dataset.name
    if dataset.kind == "volume":
        message = f"{name} is a volume: a virtual disk whose files ZFS cannot see."
        return fault("no-files", "dataset", message)
    if dataset.value("keystatus") == "unavailable":
        return fault("locked", "dataset", f"{name} is locked. Load its key to reach its files.")
    if not dataset.mounted:
        message = f"{name} is not mounted, so its files cannot be reached. Mount it first."
        return fault("not-mounted", "dataset", message)
    if dataset.value("snapdir") == "disabled":
        message = f"“snapdir” of {name} is “disabled”, so its snapshots cannot be opened. Set it to “hidden”."
        return fault("snapshots-shut", "dataset", message)
    return None


def path_fault(path: str, field: str) -> Finding | None:
    """Why this can be no path in a dataset; None where it can."""
    try:
        components(path)
    except BadPath as error:
        return fault("bad-path", field, str(error))
    return None


def reachable(inventory: Inventory | None, name: str) -> Dataset | None:
    """The dataset of that name whose files can be reached; None where there is none. Raises `Refused`."""
    dataset = None if inventory is None else inventory.dataset(name)
    if dataset is not None and (shut := dataset_fault(dataset)):
        found = Findings()
        found.refuse(shut.code, shut.field, shut.message)
    return dataset
