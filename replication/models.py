"""Replications as rows: values as `host.inventory.replication` has them."""

from __future__ import annotations

from django.db import models


class TargetRow(models.Model):
    """See `host.inventory.replication.Target`."""

    name = models.CharField(max_length=80, unique=True)
    value = models.JSONField()  # all else

    class Meta:
        ordering = ("name", "id")


class TaskRow(models.Model):
    """See `host.inventory.replication.Replication`."""

    name = models.CharField(max_length=80, unique=True)
    key = models.CharField(max_length=16, unique=True)
    target = models.ForeignKey(TargetRow, on_delete=models.PROTECT, related_name="tasks")
    value = models.JSONField()  # all else
    report = models.JSONField(null=True)  # of the last run, as its program wrote it
    copied_at = models.DateTimeField(null=True)  # of the oldest of its newest common snapshots
    told_at = models.DateTimeField(null=True)  # the start of the newest run that is in the history

    class Meta:
        ordering = ("name", "id")


class RunRow(models.Model):
    """A run that has ended."""

    task = models.ForeignKey(TaskRow, on_delete=models.CASCADE, related_name="runs")
    started = models.DateTimeField()
    finished = models.DateTimeField()
    verdict = models.CharField(max_length=12)  # host.inventory.replication.Verdict
    words = models.CharField(max_length=500, blank=True)
    sent_bytes = models.BigIntegerField()
    datasets = models.PositiveIntegerField()

    class Meta:
        ordering = ("-started", "-id")
