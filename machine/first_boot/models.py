"""What cannot be read from the machine: which steps were put off, and that the wizard is over."""

from __future__ import annotations

from django.db import models


class FirstBootRow(models.Model):
    """Whether the wizard was begun, and is over; always the row with id 1."""

    begun_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    dismissed_at = models.DateTimeField(null=True)


class StepDecision(models.Model):
    """A decision about a step that the machine does not show as done."""

    step = models.CharField(max_length=16, primary_key=True)  # machine.first_boot.memory.Step
    decision = models.CharField(max_length=8)  # machine.first_boot.memory.Decision
    at = models.DateTimeField()

    class Meta:
        ordering = ("step",)
