"""How often a dataset's data exists, and its backups: what its page says of second copies in one sentence."""

from __future__ import annotations

from datetime import datetime

import msgspec

from backups.copies import copies as in_repositories
from backups.links import backup_href
from host.inventory import Dataset, Inventory
from jobs.wording import listed
from replication.replications.copies import elsewhere


class Existing(msgspec.Struct, frozen=True, kw_only=True):
    """`times` counts the dataset itself. Moments are ISO 8601; None: none was made, or none was proven."""

    times: int
    places: str  # in words
    newest_at: str | None
    proven_at: str | None


class StoredView(msgspec.Struct, frozen=True, kw_only=True):
    """A backup that has the dataset; `stored_at` is None before the first time."""

    name: str
    href: str
    repository: str
    stored_at: str | None


def existing(dataset: Dataset, inventory: Inventory, now: datetime) -> Existing:
    """By the copies that would be left if its pool were lost: what the doctor counts."""
    known = (*elsewhere(inventory, now), *in_repositories(inventory))
    made = [one for one in known if one.guid == dataset.guid and one.made_at]
    return Existing(
        times=1 + len(made),
        places=listed(("here", *(one.where for one in made))),
        newest_at=max((one.made_at for one in made if one.made_at), default=None, key=datetime.fromisoformat),
        proven_at=max(
            (one.proven_at for one in made if one.proven_at), default=None, key=datetime.fromisoformat
        ),
    )


def stored(dataset: Dataset, inventory: Inventory) -> tuple[StoredView, ...]:
    """Its backups, by name."""
    return tuple(
        StoredView(
            name=backup.name, href=backup_href(backup.name), repository=backup.repository,
            stored_at=one.stored_at,
        )
        for backup in inventory.backups.backups
        for one in backup.datasets
        if one.guid == dataset.guid
    )  # fmt: skip
