"""Shares as rows: the one source of what is shared. Values as `host.inventory.shares` has them."""

from __future__ import annotations

from django.db import models


class SmbShareRow(models.Model):
    """See `host.inventory.SmbShare`."""

    name = models.CharField(max_length=80, unique=True)
    guid = models.CharField(max_length=20)  # empty until the dataset that is made with it is there
    dataset = models.CharField(max_length=255)  # when it was written last
    value = models.JSONField()  # all else

    class Meta:
        ordering = ("name", "id")


class NfsShareRow(models.Model):
    """See `host.inventory.NfsShare`."""

    guid = models.CharField(max_length=20)  # empty until the dataset that is made with it is there
    dataset = models.CharField(max_length=255)
    value = models.JSONField()

    class Meta:
        ordering = ("dataset", "id")


class SharingRow(models.Model):
    """What holds for all shares; always the row with id 1."""

    settings = models.JSONField(default=dict)
    # See `host.inventory.Accounts`: files of who was deleted keep the number.
    highest_uid = models.PositiveIntegerField(default=0)
    highest_gid = models.PositiveIntegerField(default=0)
