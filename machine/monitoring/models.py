"""Whether `/metrics` answers."""

from __future__ import annotations

from django.db import models


class MetricsRow(models.Model):
    """Always the row with id 1; off where it is missing."""

    enabled = models.BooleanField(default=False)
