"""`backups/`: what is stored in repositories, and how that went."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from backups.answers import BackupAnswer, BackupRunAnswer, backup_answer, run_answer
from backups.api.repositories import now
from backups.create_backup import ChangeBackup, CreateBackup, DeleteBackup
from backups.models import RunRow
from backups.run_backup import RunBackup, StopBackup
from backups.stored import run_of
from jobs.api.document import PAGING, describe
from jobs.api.operations import writes
from jobs.api.paging import of_values
from jobs.api.shapes import Moment
from jobs.api.views import View, found, user_of


class BackupPage(msgspec.Struct, frozen=True, kw_only=True):
    """Backups by name."""

    results: tuple[BackupAnswer, ...]
    next: str | None
    as_of: Moment


class BackupRunPage(msgspec.Struct, frozen=True, kw_only=True):
    """Runs, the newest first."""

    results: tuple[BackupRunAnswer, ...]
    next: str | None
    as_of: Moment


class _OfBackups(View):
    area = "pools"

    def named(self, name: str) -> Mapping[str, Any]:
        """The field of the path. Raises `NotFound`."""
        found(now().backups.backup(name), "backup")
        return {"name": name}


class BackupList(_OfBackups):
    """All backups."""

    @describe("list_backups", {200: BackupPage}, parameters=PAGING)
    def get(self, request: Request) -> Response:
        """A page of backups: their age against their aim, and when they run next."""
        inventory, moment, user = now(), datetime.now(UTC), user_of(request)
        return of_values(
            request, inventory.backups.backups, key=lambda one: one.name,
            show=lambda one: backup_answer(one, inventory, user, moment), as_of=inventory.as_of,
        )  # fmt: skip

    @writes("backup.create", CreateBackup)
    def post(self, request: Request) -> Mapping[str, Any]:
        """Store datasets in a repository on schedule."""
        return {}


class OneBackup(_OfBackups):
    """One backup."""

    @describe("get_backup", {200: BackupAnswer})
    def get(self, request: Request, name: str) -> Response:
        """The backup, and how far its run has come."""
        inventory = now()
        known = found(inventory.backups.backup(name), "backup")
        return Response(backup_answer(known, inventory, user_of(request), datetime.now(UTC)))

    @writes("backup.change", ChangeBackup, by_path=("name",))
    def patch(self, request: Request, name: str) -> Mapping[str, Any]:
        """Change what is stored, for how long, or its aim; its times are those of its schedule."""
        return self.named(name)

    @writes("backup.delete", DeleteBackup, by_path=("name",))
    def delete(self, request: Request, name: str) -> Mapping[str, Any]:
        """Store nothing more. What is in the repository stays."""
        return self.named(name)


class BackupStart(_OfBackups):
    """Running one."""

    @writes("backup.run", RunBackup, by_path=("name",))
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Store its datasets as they are now."""
        return self.named(name)


class BackupRuns(_OfBackups):
    """Runs of all repositories."""

    @describe("list_backup_runs", {200: BackupRunPage}, parameters=PAGING)
    def get(self, request: Request) -> Response:
        """The last 500 backups, checks and restores, with their progress or their outcome."""
        rows = RunRow.objects.select_related("repository", "backup")[:500]
        user = user_of(request)
        runs = [(f"{(1 << 40) - row.pk:014d}", run_of(row)) for row in rows]
        return of_values(
            request, tuple(runs), key=lambda one: one[0], show=lambda one: run_answer(one[1], user),
            as_of=now().as_of,
        )  # fmt: skip


class BackupStop(View):
    """Ending a run."""

    area = "pools"

    @writes("backup.stop", StopBackup, by_path=("run",))
    def post(self, request: Request, run: str) -> Mapping[str, Any]:
        """End it. The next backup goes on from what was stored until then."""
        return {"run": run}
