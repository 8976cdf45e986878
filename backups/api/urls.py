"""Addresses under /api/v1/."""

from __future__ import annotations

from django.urls import path

from backups.api.backups import BackupList, BackupRuns, BackupStart, BackupStop, OneBackup
from backups.api.repositories import (
    OneRepository,
    Repositories,
    RepositoryCheck,
    RepositoryConnect,
    RepositoryContent,
    RepositoryFiles,
    RepositoryImport,
    RepositoryKey,
    RepositoryRestore,
    ServerKeysOf,
)

urlpatterns = [
    path("repositories/", Repositories.as_view()),
    path("repositories/import/", RepositoryImport.as_view()),
    path("repositories/server-keys/", ServerKeysOf.as_view()),
    path("repositories/<str:name>/", OneRepository.as_view()),
    path("repositories/<str:name>/connect/", RepositoryConnect.as_view()),
    path("repositories/<str:name>/check/", RepositoryCheck.as_view()),
    path("repositories/<str:name>/key/", RepositoryKey.as_view()),
    path("repositories/<str:name>/snapshots/", RepositoryContent.as_view()),
    path("repositories/<str:name>/snapshots/<str:stored_id>/files/", RepositoryFiles.as_view()),
    path("repositories/<str:name>/snapshots/<str:stored_id>/restore/", RepositoryRestore.as_view()),
    path("backups/", BackupList.as_view()),
    path("backups/<str:name>/", OneBackup.as_view()),
    path("backups/<str:name>/run/", BackupStart.as_view()),
    path("backup-runs/", BackupRuns.as_view()),
    path("backup-runs/<str:run>/stop/", BackupStop.as_view()),
]
