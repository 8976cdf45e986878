"""The operations on repositories and backups."""

from __future__ import annotations

from typing import Any

from backups import (
    check_repository,
    connect_repository,
    create_backup,
    create_repository,
    remove_repository,
    restore,
    run_backup,
)
from backups.links import (
    BACKUP_PAGE,
    BACKUPS_PAGE,
    NEW_BACKUP,
    NEW_REPOSITORY,
    OF_REPOSITORY,
    REPOSITORY_PAGE,
)
from host.families import Family
from jobs.operation import Operation
from jobs.wording import Wording

_PLACES = frozenset({Family.POOLS, Family.NAMES, Family.NETWORK})
_POOLS = frozenset({Family.POOLS})


def _files(_request: Any) -> tuple[str, ...]:
    """What it brings back are people's files."""
    return ("files:write",)


OPERATIONS: tuple[Operation[Any], ...] = (
    Operation(
        name="repository.create",
        request=create_repository.CreateRepository,
        plan=create_repository.plan_create,
        scope="pools:write",
        effect="changes",
        facts=_PLACES,
        remember=create_repository.remember,
        wording=Wording(title="Create repository {name}", page=NEW_REPOSITORY, result=REPOSITORY_PAGE),
    ),
    Operation(
        name="repository.import",
        request=create_repository.ImportRepository,
        plan=create_repository.plan_import,
        scope="pools:write",
        effect="changes",
        facts=_PLACES,
        remember=create_repository.remember,
        wording=Wording(title="Import repository {name}", page=NEW_REPOSITORY, result=REPOSITORY_PAGE),
    ),
    Operation(
        name="repository.connect",
        request=connect_repository.ConnectRepository,
        plan=connect_repository.plan,
        scope="pools:write",
        effect="changes",
        facts=_POOLS,
        remember=connect_repository.remember,
        wording=Wording(title="Connect repository {name}", page=REPOSITORY_PAGE),
    ),
    Operation(
        name="repository.remove",
        request=remove_repository.RemoveRepository,
        plan=remove_repository.plan,
        scope="pools:write",
        effect="destroys",
        facts=_POOLS,
        remember=remove_repository.remember,
        wording=Wording(title="Remove repository {name}", page=REPOSITORY_PAGE, result=BACKUPS_PAGE),
    ),
    Operation(
        name="repository.check",
        request=check_repository.CheckRepository,
        plan=check_repository.plan,
        scope="pools:write",
        effect="harmless",
        facts=_POOLS,
        remember=check_repository.remember,
        wording=Wording(title="Check repository {name}", page=REPOSITORY_PAGE),
    ),
    Operation(
        name="backup.create",
        request=create_backup.CreateBackup,
        plan=create_backup.plan,
        scope="pools:write",
        effect="changes",
        facts=frozenset({Family.POOLS, Family.NAMES}),
        remember=create_backup.remember,
        wording=Wording(title="Create backup {name}", page=NEW_BACKUP, result=BACKUP_PAGE),
    ),
    Operation(
        name="backup.change",
        request=create_backup.ChangeBackup,
        plan=create_backup.plan_change,
        scope="pools:write",
        effect="changes",
        facts=_POOLS,
        remember=create_backup.remember_change,
        wording=Wording(title="Change backup {name}", page=BACKUP_PAGE),
    ),
    Operation(
        name="backup.delete",
        request=create_backup.DeleteBackup,
        plan=create_backup.plan_delete,
        scope="pools:write",
        effect="changes",
        facts=_POOLS,
        remember=create_backup.remember_delete,
        wording=Wording(title="Delete backup {name}", page=BACKUP_PAGE, result=BACKUPS_PAGE),
    ),
    Operation(
        name="backup.run",
        request=run_backup.RunBackup,
        plan=run_backup.plan,
        needs=run_backup.needs,
        scope="pools:write",
        effect="harmless",
        facts=frozenset({Family.POOLS, Family.NAMES}),
        remember=run_backup.remember,
        routine=True,
        wording=Wording(title="Back up {name}", page=BACKUP_PAGE),
    ),
    Operation(
        name="backup.stop",
        request=run_backup.StopBackup,
        plan=run_backup.plan_stop,
        scope="pools:write",
        effect="harmless",
        facts=_POOLS,
        wording=Wording(title="Stop a backup, check or restore", page=BACKUPS_PAGE),
    ),
    Operation(
        name="backup.restore",
        request=restore.RestoreStored,
        plan=restore.plan,
        scope="pools:write",
        effect="harmless",
        also_needs=_files,
        facts=_POOLS,
        remember=restore.remember,
        names_files=True,
        wording=Wording(title="Restore from {repository}", page=OF_REPOSITORY),
    ),
)
