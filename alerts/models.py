"""What the machine cannot know: its incidents, who has acknowledged them, and who watches now."""

from __future__ import annotations

from django.db import models

from alerts.channels.models import Channel as Channel
from alerts.channels.models import Delivery as Delivery
from alerts.channels.models import IncidentNotice as IncidentNotice
from alerts.channels.models import WorkerKey as WorkerKey
from alerts.ping.models import Ping as Ping


class Incident(models.Model):
    """One cause, from its first sign to a while after its end; see `incidents.recording`."""

    key = models.CharField(max_length=600)
    kind = models.CharField(max_length=32)
    severity = models.CharField(max_length=8)
    pool = models.CharField(max_length=255, default="")
    pool_guid = models.CharField(max_length=20, default="")
    title = models.CharField(max_length=500)
    cause = models.JSONField()  # alerts.incidents.cause.Cause, as it was reported last
    events = models.JSONField(default=list)  # alerts.incidents.cause.Event, oldest first
    times = models.PositiveIntegerField(default=1)  # how often it came back after having been well

    opened_at = models.DateTimeField()
    updated_at = models.DateTimeField()
    calm_since = models.DateTimeField(null=True)  # there is no sign of it any more; it closes after a while
    closed_at = models.DateTimeField(null=True)

    acknowledged_at = models.DateTimeField(null=True)
    acknowledged_by = models.CharField(max_length=150, default="")
    acknowledged_extent = models.PositiveBigIntegerField(default=0)  # incidents.cause.Cause.extent then
    note = models.TextField(default="")

    class Meta:
        ordering = ("-id",)
        indexes = (models.Index(fields=("closed_at",)),)

    def __str__(self) -> str:
        return self.title


class Acknowledgement(models.Model):
    """An acknowledged finding of the doctor, until the acknowledgement lapses."""

    code = models.CharField(max_length=64)
    subject = models.CharField(max_length=300)  # Subject.id
    note = models.TextField()
    at = models.DateTimeField()
    by = models.CharField(max_length=150)
    until = models.DateField()

    class Meta:
        ordering = ("id",)
        constraints = (
            models.UniqueConstraint(fields=("code", "subject"), name="one_acknowledgement_per_finding"),
        )

    def __str__(self) -> str:
        return f"{self.code} of {self.subject}"


class ArraySeen(models.Model):
    """The members of an md array when it was last whole; see `alerts.arrays_seen`."""

    uuid = models.CharField(max_length=64, unique=True)
    name = models.CharField(max_length=255)
    members = models.JSONField()  # alerts.memory.SeenMember

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return self.name


class ArrayCare(models.Model):
    """An md array, and when it was last checked; see `alerts.arrays_checked`."""

    uuid = models.CharField(max_length=64, unique=True)
    first_at = models.DateTimeField()  # when it was first seen here
    history = models.JSONField(default=dict)  # alerts.arrays_checked.CheckHistory

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return self.uuid


class ArrayEvent(models.Model):
    """Something that mdadm's monitor reported. Rows are only added, and forgotten when they are many."""

    at_ns = models.BigIntegerField(unique=True)  # when it was reported: no two at once
    at = models.DateTimeField()
    array = models.CharField(max_length=255)  # its name
    uuid = models.CharField(max_length=64, db_index=True)
    event = models.CharField(max_length=32)  # mdadm's own word
    tone = models.CharField(max_length=8)
    words = models.CharField(max_length=500)

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return self.words


class ZfsEvent(models.Model):
    """Events of one class, pool and vdev that zed reported, with how many there were; see `alerts.zed`."""

    key = models.CharField(max_length=80, unique=True)  # host.inventory.ZedEvent.id
    at = models.DateTimeField()  # of the first, by the machine's clock then
    last_at = models.DateTimeField()
    heard_at = models.DateTimeField(db_index=True)  # when the worker read last that there were more
    pool = models.CharField(max_length=255)
    pool_guid = models.CharField(max_length=20, db_index=True)
    vdev_guid = models.CharField(max_length=20)
    event = models.CharField(max_length=64)  # OpenZFS's own class: ereport.fs.zfs.checksum…
    what = models.CharField(max_length=400)  # the disk or pool, in words
    tone = models.CharField(max_length=8)
    words = models.CharField(max_length=500)
    count = models.PositiveBigIntegerField(default=1)
    moments = models.PositiveBigIntegerField(default=1)
    longest_s = models.FloatField(null=True)

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return self.words


class Watched(models.Model):
    """A pool that somebody watches live, or did of late, and what it was seen to do meanwhile."""

    pool_guid = models.CharField(max_length=20, unique=True)
    asked_at = models.DateTimeField()
    sample = models.JSONField(null=True)  # alerts.live.watching.Sample, the last one

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return self.pool_guid
