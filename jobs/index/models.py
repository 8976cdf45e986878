"""The index of snapshots as rows."""

from __future__ import annotations

from django.db import models


class IndexedDataset(models.Model):
    """A dataset whose snapshots were listed. Its guid outlives a new name.

    `changed` is the `snapshots_changed` that it had then, empty where it had none, and `origin` the snapshot
    that it was cloned from: to promote a clone gives it snapshots, and nothing but its origin shows so. Not
    `settled`: that counts whole seconds and was of the second of the probe, or not all was read, or the name
    is a new one; so it is listed again.
    """

    guid = models.CharField(max_length=20, unique=True)
    name = models.CharField(max_length=255, db_index=True)
    changed = models.CharField(max_length=20)
    origin = models.CharField(max_length=255, default="")
    settled = models.BooleanField()
    count = models.PositiveIntegerField(default=0)
    newest = models.BigIntegerField(null=True)  # when the youngest was taken, seconds since 1970


class IndexedSnapshot(models.Model):
    """A snapshot with what does not move, and what was last seen of its holds.

    What was cloned from it is in the inventory.
    """

    dataset = models.ForeignKey(IndexedDataset, on_delete=models.CASCADE, related_name="snapshots")
    guid = models.CharField(max_length=20)
    tag = models.CharField(max_length=255)
    createtxg = models.BigIntegerField()
    created = models.BigIntegerField()
    referenced_bytes = models.BigIntegerField()
    holds = models.PositiveIntegerField(default=0)
    leaving = models.BooleanField(default=False)
    mark = models.CharField(max_length=255, default="")

    class Meta:
        constraints = (models.UniqueConstraint(fields=("dataset", "guid"), name="one_row_per_snapshot"),)
        indexes = (
            models.Index(fields=("dataset", "createtxg"), name="snapshots_by_age"),
            models.Index(fields=("dataset", "tag"), name="snapshots_by_name"),
        )
