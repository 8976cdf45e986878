"""Addresses of the pages about repositories and backups."""

from __future__ import annotations

from jobs.wording import address, at

BACKUPS_PAGE = at("Backups", "/backups/")
_BACKUP, _REPOSITORY = "/backups/{name}/", "/repositories/{name}/"
BACKUP_PAGE = at("{name}", _BACKUP)
REPOSITORY_PAGE = at("{name}", _REPOSITORY)
OF_REPOSITORY = at("{repository}", "/repositories/{repository}/")
NEW_REPOSITORY = at("New repository", "/create/repository/")
NEW_BACKUP = at("New backup", "/create/backup/")


def backup_href(name: str) -> str:
    """The page of a backup."""
    return address(_BACKUP, {"name": name})


def repository_href(name: str) -> str:
    """The page of a repository."""
    return address(_REPOSITORY, {"name": name})
