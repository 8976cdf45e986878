"""Machines with pools that are not imported, made by hand."""

from __future__ import annotations

from typing import Any

import msgspec

from host.inventory import Importable, ImportablePool, ImportableVdev, ImportLoss, Inventory, Pool
from tests import made

GUID = "4711"
DISKS = (made.disk(1), made.disk(2))


def unimported(*vdevs: ImportableVdev, **changes: Any) -> ImportablePool:
    """`old`, of another machine: a mirror of the two disks unless it has other `vdevs`."""
    leaves = tuple(ImportableVdev(name=f"{disk.id}-part1", role="data", state="ONLINE") for disk in DISKS)
    mirror = ImportableVdev(name="mirror-0", role="data", state="ONLINE", children=leaves)
    values: dict[str, Any] = {"name": "old", "guid": GUID, "state": "ONLINE", "destroyed": False}
    return ImportablePool(vdevs=vdevs or (mirror,), **(values | changes))


def machine(
    *found: ImportablePool, losses: dict[str, ImportLoss] | None = None, pools: tuple[Pool, ...] = (),
    datasets: Any = (),
) -> Inventory:  # fmt: skip
    """The two disks, on which the last scan found these pools."""
    inventory = made.inventory(*DISKS, pools=pools, datasets=datasets)
    importable = Importable(as_of="2026-11-21T11:00:00.000+00:00", pools=found, losses=losses or {})
    return msgspec.structs.replace(inventory, importable=importable)
