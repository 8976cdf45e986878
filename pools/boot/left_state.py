"""/var and /home on pools that no start of this machine uses: after a way back, on a pool that was
given up and came again, or of a machine whose own disks are gone. What is in them may be nowhere else."""

from __future__ import annotations

from host.commands.system.moved_state import dataset_of
from host.inventory import Dataset, Inventory, Pool
from jobs.plan import Loss


def left_on(pool: Pool, inventory: Inventory) -> tuple[Dataset, ...]:
    """Their datasets, the parent first. Empty where there are none, and where this machine uses them."""
    moved = inventory.moved
    if moved.phase != "none" and moved.guid == pool.guid:
        return ()
    parent = dataset_of(pool.name)
    found = (one for one in inventory.keeping if one.name == parent or one.name.startswith(f"{parent}/"))
    return tuple(sorted(found, key=lambda one: one.name))


def loss(dataset: Dataset) -> Loss:
    """What goes with one of them."""
    folder = dataset.name.rpartition("/")[2]
    holds = f"/{folder} of an earlier move" if folder in {"var", "home"} else "what an earlier move left"
    return Loss(dataset=dataset.name, holds=holds, size_bytes=dataset.number("used"))
