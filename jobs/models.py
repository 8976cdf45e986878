"""What is remembered: jobs with their steps, claims, audit events, and one cached inventory."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import models

from jobs.index.models import IndexedDataset as IndexedDataset
from jobs.index.models import IndexedSnapshot as IndexedSnapshot
from jobs.schedules.models import StoredSchedule as StoredSchedule


class State(models.TextChoices):
    """Where a job stands. It is changed only by a conditional UPDATE (see `jobs.engine`)."""

    QUEUED = "queued"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    ABORTED = "aborted"
    INTERRUPTED = "interrupted"


class StepState(models.TextChoices):
    """Where one step of a job stands."""

    WAITING = "waiting"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    INTERRUPTED = "interrupted"
    SKIPPED = "skipped"


ACTIVE = (State.QUEUED, State.RUNNING)


class Job(models.Model):
    """A plan that was submitted. `request` says what to do; `plan` is what its submitter saw."""

    operation = models.CharField(max_length=64)
    request = models.JSONField()
    plan = models.JSONField()
    digest = models.CharField(max_length=80)
    state = models.CharField(max_length=12, choices=State.choices, default=State.QUEUED)
    submitted_by = models.CharField(max_length=150)
    account = models.BigIntegerField(null=True)  # who asked for it; None where no person did
    token = models.BigIntegerField(null=True)  # that was sent
    submitted_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    error = models.JSONField(null=True)
    abort_requested = models.BooleanField(default=False)
    idempotency_key = models.CharField(max_length=255, null=True)
    idempotency_hash = models.CharField(max_length=64, default="")

    class Meta:
        ordering = ("-id",)
        indexes = (models.Index(fields=("state",)), models.Index(fields=("operation", "-id")))
        constraints = (
            models.UniqueConstraint(
                fields=("submitted_by", "idempotency_key"), name="one_job_per_idempotency_key"
            ),
        )

    @property
    def active(self) -> bool:
        """True until it has ended in one way or another."""
        return self.state in ACTIVE

    def view(self) -> dict[str, Any]:
        """The job as the API shows it (see the contract, "Job")."""
        return {
            "id": self.pk,
            "operation": self.operation,
            "state": self.state,
            "submitted_by": self.submitted_by,
            "submitted_at": _iso(self.submitted_at),
            "started_at": _iso(self.started_at),
            "finished_at": _iso(self.finished_at),
            "steps": [step.view() for step in self.steps.all()],
            "error": self.error,
        }


class JobStep(models.Model):
    """One step of a job, with what its commands said. `done` counts the commands that have ended."""

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="steps")
    index = models.PositiveSmallIntegerField()
    title = models.CharField(max_length=300)
    state = models.CharField(max_length=12, choices=StepState.choices, default=StepState.WAITING)
    commands = models.JSONField()
    done = models.PositiveIntegerField(default=0)
    output = models.TextField(default="")
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("index",)
        constraints = (models.UniqueConstraint(fields=("job", "index"), name="one_step_per_index"),)

    def view(self) -> dict[str, Any]:
        """The step as the API shows it."""
        return {
            "title": self.title,
            "state": self.state,
            "commands": self.commands,
            "output": self.output,
            "started_at": _iso(self.started_at),
            "finished_at": _iso(self.finished_at),
        }


class Claim(models.Model):
    """A resource that an active job holds, such as `pool:tank`. Gone when the job has ended."""

    resource = models.CharField(max_length=300, unique=True)
    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="claimed")


class AuditEvent(models.Model):
    """Who did what, when. Rows are only ever added."""

    at = models.DateTimeField()
    actor = models.CharField(max_length=150)
    action = models.CharField(max_length=64)
    subject = models.CharField(max_length=300)
    job = models.ForeignKey(Job, on_delete=models.SET_NULL, null=True)
    detail = models.JSONField(default=dict)

    class Meta:
        ordering = ("-id",)

    def view(self) -> dict[str, Any]:
        """The event as the API shows it."""
        return {
            "id": self.pk,
            "at": _iso(self.at),
            "actor": self.actor,
            "action": self.action,
            "subject": self.subject,
            "job": self.job_id,
            "detail": self.detail,
        }


class CachedInventory(models.Model):
    """The newest inventory, as JSON without its time; always the row with id 1.

    `digest` is that of what was compressed to `data`.
    """

    as_of = models.DateTimeField()
    digest = models.CharField(max_length=64, default="")
    data = models.BinaryField()


class CachedImportable(models.Model):
    """What the last search of the labels of all disks found; always the row with id 1."""

    as_of = models.DateTimeField(null=True)  # None before the first search
    data = models.BinaryField(null=True)  # host.inventory.Importable as JSON
    losses_wanted = models.JSONField(default=list)  # guids of pools: what would a rewind give up?
    problem = models.TextField(default="")  # why the last search failed


class AskedQuestion(models.Model):
    """Something that only the worker can read, asked by a page or the API (see `jobs.questions`)."""

    fingerprint = models.CharField(max_length=64, db_index=True)  # of who asks what
    name = models.CharField(max_length=64)
    request = models.JSONField()
    asked_by = models.CharField(max_length=150)
    wanted_at = models.DateTimeField()  # when it was asked for last
    expires_at = models.DateTimeField(db_index=True)
    begun = models.BooleanField(default=False)
    data = models.BinaryField(null=True)  # the answer as JSON
    findings = models.JSONField(default=list)  # why there is none


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat().replace("+00:00", "Z")
