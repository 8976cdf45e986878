"""Backups to repositories elsewhere, as plans and pages see them; kept and filled in by `backups`."""

from __future__ import annotations

from typing import Any

import msgspec

from host.repositories.answers import Action, Code, RunReport, Verdict
from host.repositories.settings import RepositorySettings


class BackupRun(msgspec.Struct, frozen=True, kw_only=True):
    """One run; without a verdict it goes on. Times are ISO 8601, UTC."""

    run: str
    action: Action
    started_at: str
    finished_at: str | None = None
    verdict: Verdict | None = None
    code: Code = ""
    words: str = ""
    repository: str = ""  # its name, as that of the backup; empty of what was deleted since
    backup: str = ""
    report: RunReport | None = None  # the last one that was read


class Repository(msgspec.Struct, frozen=True, kw_only=True):
    """Where restic stores. `ready` once it was made, or opened, with the password that is kept here."""

    name: str
    key: str
    settings: RepositorySettings
    ready: bool
    existing: bool = False  # it was there before, and is opened instead of made
    check_percent: int = 5
    proven_at: str | None = None  # when a check last found it sound, ISO 8601, UTC
    last_check: BackupRun | None = None
    running: BackupRun | None = None
    runs: int = 0  # that were ever started


class BackedUp(msgspec.Struct, frozen=True, kw_only=True):
    """A dataset of a backup, and how old (ISO 8601, UTC) its newest state in the repository is."""

    guid: str
    name: str
    stored_at: str | None = None


class Backup(msgspec.Struct, frozen=True, kw_only=True):
    """What is stored where, and how old it may become."""

    name: str
    key: str
    repository: str
    datasets: tuple[BackedUp, ...]
    exclusions: tuple[str, ...] = ()
    retention: dict[str, Any] = {}
    aim_hours: int = 36
    made_at: str = ""  # when it was set up, ISO 8601, UTC
    last_run: BackupRun | None = None
    running: BackupRun | None = None

    @property
    def stored_at(self) -> str | None:
        """The age of its oldest dataset; None where one was never stored."""
        ages = [one.stored_at for one in self.datasets]
        return min((one for one in ages if one), default=None) if all(ages) else None


class Backups(msgspec.Struct, frozen=True, kw_only=True):
    """All of them."""

    repositories: tuple[Repository, ...] = ()
    backups: tuple[Backup, ...] = ()

    def repository(self, name: str) -> Repository | None:
        """The repository of that name."""
        return next((one for one in self.repositories if one.name == name), None)

    def backup(self, name: str) -> Backup | None:
        """The backup of that name."""
        return next((one for one in self.backups if one.name == name), None)


class DatasetCopy(msgspec.Struct, frozen=True, kw_only=True):
    """A copy of a dataset that does not lie in its pool. Times are ISO 8601, UTC."""

    guid: str  # of the dataset
    where: str  # in words: the repository, the other machine
    made_at: str | None  # the state that is stored
    longest_age_h: int  # its aim
    proven_at: str | None = None  # when it was last read back, or compared, and found sound
