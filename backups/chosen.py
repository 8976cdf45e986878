"""What a request names, found or refused."""

from __future__ import annotations

from host.inventory import Backup, Inventory, Repository
from jobs.planning.findings import Findings


def repository_of(name: str, inventory: Inventory, findings: Findings, field: str = "name") -> Repository:
    """Raises `Refused` where there is none."""
    found = inventory.backups.repository(name)
    if found is None:
        findings.refuse("unknown-repository", field, "There is no such repository.")
    return found


def ready_repository(name: str, inventory: Inventory, findings: Findings, field: str = "name") -> Repository:
    """One that can be used. Raises `Refused`."""
    found = repository_of(name, inventory, findings, field)
    if not found.ready:
        message = f"{name} is not connected yet. Install its key on the server, then connect it."
        findings.refuse("not-connected", field, message)
    return found


def backup_of(name: str, inventory: Inventory, findings: Findings, field: str = "name") -> Backup:
    """Raises `Refused` where there is none."""
    found = inventory.backups.backup(name)
    if found is None:
        findings.refuse("unknown-backup", field, "There is no such backup.")
    return found


def refuse_beside(repository: Repository, findings: Findings, field: str = "name", *, mine: str = "") -> None:
    """One run at a time goes to a repository: restic's checks and removals need it alone. What a schedule
    wants is done already where the run is one of `mine`, a backup's name. Raises `Refused`."""
    running = repository.running
    if running is None:
        return
    if mine and running.action == "backup" and running.backup == mine:
        findings.refuse("already-running", field, f"{mine} is being backed up now.")
    what = {"backup": "A backup to", "check": "A check of", "restore": "A restore from"}[running.action]
    findings.refuse("in-use", field, f"{what} {repository.name} is running. Try again once it has ended.")
