"""Copies of the settings on pools: how they are made, where they are, and what was restored."""

from __future__ import annotations

from django.db import models


class CopySettingsRow(models.Model):
    """How copies are made; always the row with id 1. `origin` distinguishes this installation from others."""

    origin = models.CharField(max_length=16)
    enabled = models.BooleanField(default=True)
    secrets = models.BooleanField(default=False)


class KeptOn(models.Model):
    """The state of a pool's copies."""

    pool_guid = models.CharField(max_length=20, unique=True)
    pool_name = models.CharField(max_length=255)  # then
    content = models.CharField(max_length=64, default="")  # digest of what its newest copy holds
    secrets = models.BooleanField(default=False)
    checked_at = models.DateTimeField(null=True)  # when its newest copy was written or found to be whole
    tried_at = models.DateTimeField(null=True)
    last_job = models.ForeignKey("jobs.Job", on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ("pool_name", "id")


class Restoration(models.Model):
    """A database that was put in place of another, or could not be. Rows are only ever added."""

    order = models.CharField(max_length=32, unique=True)  # host.backup.manifest.Order.id
    at = models.DateTimeField()
    by = models.CharField(max_length=150)
    host = models.CharField(max_length=255)  # that the copy was made on
    made_at = models.DateTimeField()
    succeeded = models.BooleanField()
    said = models.CharField(max_length=1000, default="")
    before = models.CharField(max_length=255, default="")  # the file that keeps the database before

    class Meta:
        ordering = ("-id",)
