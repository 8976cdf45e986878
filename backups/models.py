"""Repositories, backups and their runs. Passwords and keys are in root's files, never here."""

from __future__ import annotations

from django.db import models


class RepositoryRow(models.Model):
    """See `host.repositories.known.Repository`."""

    name = models.CharField(max_length=64, unique=True)
    key = models.CharField(max_length=16, unique=True)
    settings = models.JSONField()  # host.repositories.settings.RepositorySettings
    ready = models.BooleanField(default=False)
    existing = models.BooleanField(default=False)
    check_percent = models.PositiveSmallIntegerField(default=5)
    proven_at = models.DateTimeField(null=True)
    runs = models.PositiveIntegerField(default=0)  # that were ever started

    class Meta:
        ordering = ("name",)


class BackupRow(models.Model):
    """See `host.repositories.known.Backup`."""

    name = models.CharField(max_length=64, unique=True)
    key = models.CharField(max_length=16, unique=True)
    repository = models.ForeignKey(RepositoryRow, on_delete=models.PROTECT, related_name="backups")
    datasets = models.JSONField()  # guid → name, as it was then
    exclusions = models.JSONField(default=list)
    retention = models.JSONField(default=dict)  # host.commands.backups.RepositoryRetention
    aim_hours = models.PositiveIntegerField(default=36)
    made_at = models.DateTimeField()
    stored = models.JSONField(default=dict)  # guid of a dataset → when the newest stored state was taken

    class Meta:
        ordering = ("name",)


class RunRow(models.Model):
    """A run of a unit; without a verdict it goes on."""

    run = models.CharField(max_length=16, unique=True)
    action = models.CharField(max_length=8)
    repository = models.ForeignKey(RepositoryRow, on_delete=models.CASCADE, related_name="run_rows")
    backup = models.ForeignKey(BackupRow, on_delete=models.SET_NULL, null=True, related_name="run_rows")
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    verdict = models.CharField(max_length=10, default="")
    code = models.CharField(max_length=20, default="")
    words = models.CharField(max_length=1000, default="")
    report = models.JSONField(null=True)  # host.repositories.answers.RunReport

    class Meta:
        ordering = ("-id",)
        indexes = (models.Index(fields=("verdict",)),)
