"""What measurements of the network found."""

from __future__ import annotations

from django.db import models


class NetworkSpeedRow(models.Model):
    """One that was begun. Rows are kept for ever."""

    report = models.JSONField(null=True)  # host.network_speed.values.NetworkSpeed; None while it goes on
    interface = models.CharField(max_length=64, default="")  # through which it went, then
    mbit = models.PositiveIntegerField(null=True)  # the speed of its link, then; None where that is not known
    verdict = models.CharField(max_length=10, default="")  # empty while it goes on
    begun_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-id",)
        indexes = (models.Index(fields=("verdict",)),)
