"""Schedules as rows."""

from __future__ import annotations

from django.db import models


class StoredSchedule(models.Model):
    """See `host.inventory.Schedule`. One of a kind for each subject; a default that was deleted stays as a
    row that is `removed`, or it would come again."""

    subject = models.CharField(max_length=300)
    operation = models.CharField(max_length=64)
    request = models.JSONField()
    cron = models.CharField(max_length=200)
    time_zone = models.CharField(max_length=64)
    missed = models.CharField(max_length=4, default="run")
    enabled = models.BooleanField(default=True)
    longest_age_days = models.PositiveIntegerField(null=True)
    owner = models.CharField(max_length=150, default="")
    removed = models.BooleanField(default=False)
    handled = models.DateTimeField()
    waiting = models.DateTimeField(null=True)
    said = models.CharField(max_length=500, default="")
    last_job = models.ForeignKey("jobs.Job", on_delete=models.SET_NULL, null=True, related_name="+")
    last_run = models.DateTimeField(null=True)

    class Meta:
        ordering = ("id",)
        constraints = (
            models.UniqueConstraint(fields=("subject", "operation"), name="one_schedule_of_a_kind"),
        )
