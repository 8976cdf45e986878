"""Which backups are too old, and which repositories damaged. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from alerts.evidence import BackupTrouble
from host.inventory import Backup, Inventory


def troubles_of_backups(inventory: Inventory, now: datetime) -> Iterator[BackupTrouble]:
    """A backup that was never stored is as old as itself. A moment that lies ahead counts as now."""
    for backup in inventory.backups.backups:
        since = backup.stored_at or backup.made_at
        if since and now - datetime.fromisoformat(since) > timedelta(hours=backup.aim_hours):
            yield BackupTrouble(
                name=backup.name, what="old", repository=backup.repository, since=backup.stored_at,
                aim_hours=backup.aim_hours, said=_said(backup),
            )  # fmt: skip
    for one in inventory.backups.repositories:
        if one.last_check is not None and one.last_check.code == "damaged":
            yield BackupTrouble(
                name=one.name, what="damaged", repository=one.name, since=one.last_check.finished_at,
                said=one.last_check.words,
            )  # fmt: skip


def _said(backup: Backup) -> str:
    last = backup.last_run
    return last.words if last is not None and last.verdict != "good" else ""
