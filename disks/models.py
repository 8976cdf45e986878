"""What the machine cannot know of its disks: who they were, where they sat, what became of them."""

from __future__ import annotations

from typing import Any

from django.db import models


class DiskRecord(models.Model):
    """One physical disk, for good. Known by serial, WWN and model; twins are told apart by their port."""

    key = models.CharField(max_length=600, unique=True)
    serial = models.CharField(max_length=255, null=True)
    wwn = models.CharField(max_length=64, null=True)
    model = models.CharField(max_length=255)
    size_bytes = models.BigIntegerField()
    facts = models.JSONField(default=dict)  # vendor, medium, transport, sectors: what never changes

    first_seen = models.DateTimeField()
    last_seen = models.DateTimeField()  # of a disk that is here: at most an hour old
    last_id = models.CharField(max_length=255)
    port = models.CharField(max_length=255, null=True)
    last_bay = models.CharField(max_length=16, default="")
    bays = models.JSONField(default=list)  # labels of all bays it was known to sit in, oldest first
    fresh_in = models.CharField(max_length=16, default="")  # the bay it came into and where it is still new
    gone_since = models.DateTimeField(null=True)
    pool = models.CharField(max_length=255, default="")

    note = models.TextField(default="")
    purchased = models.DateField(null=True)
    warranty_until = models.DateField(null=True)

    asked_at = models.DateTimeField(null=True)  # for a SMART reading
    asleep = models.BooleanField(null=True)  # at that time
    reading = models.JSONField(null=True)  # the last one that was not of a sleeping disk
    earlier = models.JSONField(default=list)  # up to seven older ones, a day apart, oldest first
    verdict = models.CharField(max_length=8, default="unknown")
    burn_in = models.JSONField(null=True)  # host.inventory.BurnIn

    schedule = models.JSONField(default=dict)  # disks.self_tests.settings.DiskSchedule
    tested = models.JSONField(default=dict)  # when the last self-test of a kind ended: ISO 8601, UTC
    tried = models.JSONField(default=dict)  # when one was last started on schedule
    counted_on = models.DateField(null=True)  # the day of its last `DiskDay`

    located_until = models.DateTimeField(null=True)
    light_path = models.CharField(max_length=512, default="")  # what is lit: `disks.lights.switch` knows it

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return f"{self.model} {self.serial or self.last_id}"


class DiskEvent(models.Model):
    """Something that happened to a disk. `disks.history` keeps the newest thousand of each disk."""

    record = models.ForeignKey(DiskRecord, on_delete=models.CASCADE, related_name="events")
    at = models.DateTimeField()
    kind = models.CharField(max_length=16)
    words = models.CharField(max_length=500)
    times = models.PositiveIntegerField(default=1)  # so often without a minute in between

    class Meta:
        ordering = ("-at", "-id")

    @property
    def said(self) -> str:
        """In words, with how often it was."""
        return self.words if self.times == 1 else f"{self.words}, {self.times} times in a row"

    def view(self) -> dict[str, Any]:
        """The event as the API shows it."""
        at = self.at.isoformat().replace("+00:00", "Z")
        return {"at": at, "kind": self.kind, "words": self.said}


class DiskDay(models.Model):
    """What a disk counted on a day: its first reading of that day. What it does not count is null."""

    record = models.ForeignKey(DiskRecord, on_delete=models.CASCADE, related_name="days")
    day = models.DateField()
    reallocated = models.BigIntegerField(null=True)
    pending = models.BigIntegerField(null=True)
    uncorrectable = models.BigIntegerField(null=True)
    crc = models.BigIntegerField(null=True)
    wear = models.IntegerField(null=True)  # percent
    spare = models.IntegerField(null=True)  # percent

    class Meta:
        ordering = ("day",)
        constraints = (models.UniqueConstraint(fields=("record", "day"), name="one_row_a_day"),)


class SelfTestRow(models.Model):
    """`disks.self_tests.settings.SelfTestSettings`; always the row with id 1. None: nobody changed it."""

    settings = models.JSONField()
    changed_at = models.DateTimeField()


class StoredCase(models.Model):
    """The chassis and what was taught of its bays; always the row with id 1."""

    layout = models.JSONField(null=True)  # disks.bays.layout.Layout; None while bays are guessed
    teachings = models.JSONField(default=list)  # disks.bays.layout.Teaching
    changed_at = models.DateTimeField()  # when the layout was set
