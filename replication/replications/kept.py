"""What a replica does not take over of its source, and what comes back gets again.

Limits, places and snapshot policies are left out of streams (`host.commands.replication.streams`), so that a
replica shadows and sets aside nothing; they would be lost together with the source's pool.
"""

from __future__ import annotations

from host.inventory import Dataset, Inventory, moving
from host.mountpoints import UNMOUNTED, Zone, zone
from host.replication.values import Replication
from pools.policies.rules.policy import PROPERTY
from replication.replications.copies import wants

# None of these gives anybody rights: those that do are for an admin to set again.
_NAMES = ("canmount", "mountpoint", "quota", "readonly", "refreservation", "reservation", PROPERTY)
_OF_VOLUMES = ("readonly", "refreservation", "reservation", PROPERTY)


def kept_of(task: Replication, inventory: Inventory) -> dict[str, dict[str, str]]:
    """The local values of its datasets that have some, by name."""
    found = {one.name: _local(one) for one in inventory.datasets if wants(task, one.name)}
    return {name: values for name, values in found.items() if values}


def renamed(kept: dict[str, dict[str, str]], old: str, new: str) -> dict[str, dict[str, str]]:
    """The same for a source that has another name."""
    return {moving.renamed(name, old, new): values for name, values in kept.items()}


def _local(dataset: Dataset) -> dict[str, str]:
    values = {}
    for name in _OF_VOLUMES if dataset.kind == "volume" else _NAMES:
        found = dataset.properties.get(name)
        if found is not None and found.source == "local" and _harmless(name, found.value):
            values[name] = found.value
    if dataset.kind == "volume" and values.get("refreservation", "0") != "0":
        values["refreservation"] = "auto"  # zfsprops(7): its own figure may not exceed the size of the volume
    return values


def _harmless(name: str, value: str) -> bool:
    return name != "mountpoint" or value in UNMOUNTED or zone(value) is Zone.OPEN
