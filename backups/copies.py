"""Which datasets lie in a repository that their pool's end would leave."""

from __future__ import annotations

from collections.abc import Iterator

from backups.places import dataset_of
from host.inventory import DatasetCopy, Inventory


def copies(inventory: Inventory) -> Iterator[DatasetCopy]:
    """One for each dataset of a backup. What lies in the pool itself is no copy."""
    pools = {one.guid: one.pool for one in inventory.datasets}
    for backup in inventory.backups.backups:
        repository = inventory.backups.repository(backup.repository)
        if repository is None:
            continue
        local = repository.settings.local
        inside = dataset_of(local.path, inventory) if local else None
        for one in backup.datasets:
            if inside is None or pools.get(one.guid) != inside.pool:
                yield DatasetCopy(
                    guid=one.guid, where=f"in the repository {repository.name}", made_at=one.stored_at,
                    longest_age_h=backup.aim_hours, proven_at=repository.proven_at,
                )  # fmt: skip
