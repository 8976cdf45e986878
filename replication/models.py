"""Replications as rows: values as `host.replication.values` has them."""

from __future__ import annotations

from django.db import models
from django.utils import timezone


class TargetRow(models.Model):
    """See `host.replication.values.Target`."""

    name = models.CharField(max_length=80, unique=True)
    value = models.JSONField()  # all else
    visit = models.JSONField(default=dict)  # replication.rotating.rules.Visit
    made_at = models.DateTimeField(default=timezone.now)
    probed_at = models.DateTimeField(null=True)  # when it was last tried to reach it
    reached_at = models.DateTimeField(null=True)
    found = models.JSONField(null=True)  # what was found at that look: host.pairing.probed.Probed

    class Meta:
        ordering = ("name", "id")


class PairingRow(models.Model):
    """See `host.replication.values.Pairing`. `code` is the reference of the code that is shown now: itself it
    lies in memory alone (`jobs.secrets`). Empty: it was used, or is none of use any more."""

    name = models.CharField(max_length=80, unique=True)
    peer = models.CharField(max_length=16, unique=True)
    value = models.JSONField()  # all else
    made_at = models.DateTimeField(default=timezone.now)
    paired_at = models.DateTimeField(null=True)
    code = models.CharField(max_length=40, blank=True)
    code_until = models.DateTimeField(null=True)
    host_keys = models.JSONField(default=list)  # of this machine, when the code was made

    class Meta:
        ordering = ("name", "id")


class TaskRow(models.Model):
    """See `host.replication.values.Replication`."""

    name = models.CharField(max_length=80, unique=True)
    key = models.CharField(max_length=16, unique=True)
    target = models.ForeignKey(TargetRow, on_delete=models.PROTECT, related_name="tasks")
    value = models.JSONField()  # all else
    made_at = models.DateTimeField(default=timezone.now)
    report = models.JSONField(null=True)  # of the last run, as its program wrote it
    running = models.BooleanField(default=False)  # a run was started whose end is not in the history yet
    proving = models.BooleanField(default=False)  # a proof was started whose end is not known yet
    proof = models.JSONField(null=True)  # the last one, as its program wrote it
    proven_at = models.DateTimeField(null=True)  # when files were found to be the same last
    copied_at = models.DateTimeField(null=True)  # of the oldest of the newest snapshots that both sides have

    class Meta:
        ordering = ("name", "id")


class RewriteRow(models.Model):
    """A dataset that is written anew; see `host.replication.rewriting.Rewrite`."""

    dataset = models.CharField(max_length=255, unique=True)
    key = models.CharField(max_length=16, unique=True)
    settings = models.JSONField(default=dict)
    begun_at = models.DateTimeField(default=timezone.now)
    running = models.BooleanField(default=False)
    comparing = models.BooleanField(default=False)
    live = models.BooleanField(default=False)
    report = models.JSONField(null=True)  # of the last run, as its program wrote it
    proof = models.JSONField(null=True)  # of the comparison after it

    class Meta:
        ordering = ("dataset",)


class RunRow(models.Model):
    """A run that has ended."""

    task = models.ForeignKey(TaskRow, on_delete=models.CASCADE, related_name="runs")
    started = models.DateTimeField()
    finished = models.DateTimeField()
    verdict = models.CharField(max_length=12)  # host.replication.values.Verdict
    words = models.CharField(max_length=500, blank=True)
    sent_bytes = models.BigIntegerField()
    datasets = models.PositiveIntegerField()

    class Meta:
        ordering = ("-started", "-id")
