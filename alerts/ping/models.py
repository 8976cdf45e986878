"""The ping's settings, and how the last ones went."""

from __future__ import annotations

from django.db import models


class Ping(models.Model):
    """Always the row with id 1; none before somebody sets it up."""

    fields = models.JSONField(default=dict)  # what may be shown, by the fields of alerts.ping.kind
    secrets = models.JSONField(default=dict)  # sealed for the worker: alerts.channels.sealing
    goes_to = models.CharField(max_length=300, default="")  # the host, for the eye
    every_minutes = models.PositiveSmallIntegerField(default=5)
    enabled = models.BooleanField(default=True)
    paused = models.BooleanField(default=False)  # for maintenance

    last_try_at = models.DateTimeField(null=True)
    last_good_at = models.DateTimeField(null=True)
    failing_since = models.DateTimeField(null=True)
    last_error = models.CharField(max_length=500, default="")

    def __str__(self) -> str:
        return self.goes_to
