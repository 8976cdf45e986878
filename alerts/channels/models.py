"""Channels, the last message of each about an incident, and the messages on their way."""

from __future__ import annotations

from django.db import models


class Channel(models.Model):
    """A way to notify somebody. `fields` can be read by all, `secrets` are sealed for the worker alone."""

    name = models.CharField(max_length=100)
    kind = models.CharField(max_length=16)  # a name in alerts.channels.kinds.KINDS
    fields = models.JSONField(default=dict)
    secrets = models.JSONField(default=dict)  # by field: alerts.channels.sealing
    lost = models.JSONField(
        default=list
    )  # names of secrets that have to be typed again: alerts.channels.locked
    goes_to = models.CharField(max_length=300, default="")  # the host or the people, for the eye
    lowest = models.CharField(max_length=8, default="warning")  # the least severity that is sent
    topics = models.JSONField(default=list)
    quiet_from = models.CharField(max_length=5, default="")  # HH:MM; empty: never quiet
    quiet_until = models.CharField(max_length=5, default="")
    time_zone = models.CharField(max_length=64, default="UTC")
    tells_end = models.BooleanField(default=True)
    remind_hours = models.PositiveSmallIntegerField(default=24)  # 0: never
    at_once = models.CharField(max_length=8, default="info")  # what is less severe waits for the digest
    digest = models.CharField(max_length=8, default="none")
    alive = models.CharField(max_length=8, default="none")
    report = models.CharField(max_length=8, default="none")  # the health report
    regular_at = models.CharField(max_length=5, default="08:00")  # HH:MM: what is sent regularly
    regular_on = models.CharField(max_length=9, default="monday")  # of what is sent weekly
    title_template = models.CharField(max_length=300, default="")
    text_template = models.TextField(default="")
    to_itself = models.BooleanField(default=False)  # an admin lets it lead to this machine
    enabled = models.BooleanField(default=True)
    created_at = models.DateTimeField()
    turn = models.PositiveBigIntegerField(default=0)  # counts messages; who raises it first writes the next

    digest_at = models.DateTimeField(null=True)  # up to when the last digest reported
    alive_at = models.DateTimeField(null=True)
    report_at = models.DateTimeField(null=True)
    last_sent_at = models.DateTimeField(null=True)
    failing_since = models.DateTimeField(null=True)
    last_error = models.CharField(max_length=500, default="")

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return self.name


class DeliveryState(models.TextChoices):
    """Where a message stands. It is changed only by a conditional UPDATE (`alerts.channels.delivering`)."""

    QUEUED = "queued"
    SENDING = "sending"
    SENT = "sent"
    FAILED = "failed"


class About(models.TextChoices):
    """What a message is about."""

    ALERTS = "alerts"
    TEST = "test"
    DIGEST = "digest"
    ALIVE = "alive"
    REPORT = "report"


class Delivery(models.Model):
    """One message to one channel."""

    channel = models.ForeignKey(Channel, on_delete=models.CASCADE, related_name="deliveries")
    test = models.BooleanField(default=False)
    about = models.CharField(max_length=8, choices=About.choices, default=About.ALERTS)
    severity = models.CharField(max_length=8)
    subject = models.CharField(max_length=300)
    text = models.TextField()
    state = models.CharField(max_length=8, choices=DeliveryState.choices, default=DeliveryState.QUEUED)
    tries = models.PositiveIntegerField(default=0)
    said = models.CharField(max_length=500, default="")  # why the last try failed
    created_at = models.DateTimeField()
    due_at = models.DateTimeField()
    claimed_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-id",)
        indexes = (models.Index(fields=("state", "due_at")),)

    def __str__(self) -> str:
        return self.subject


class IncidentNotice(models.Model):
    """A channel's last message about an incident."""

    channel = models.ForeignKey(Channel, on_delete=models.CASCADE, related_name="notices")
    incident = models.ForeignKey("alerts.Incident", on_delete=models.CASCADE, related_name="+")
    severity = models.CharField(max_length=8)
    impact = models.PositiveSmallIntegerField(default=2)  # of what an older version sent: it is not repeated
    extent = models.PositiveBigIntegerField(default=0)  # how many disks or files it was about then
    at = models.DateTimeField()
    over = models.BooleanField(default=False)
    faults = models.PositiveBigIntegerField(default=0)  # how many failures were counted then
    more_sent = models.BooleanField(default=False)  # that there were more

    class Meta:
        ordering = ("id",)
        constraints = (
            models.UniqueConstraint(
                fields=("channel", "incident"), name="one_memory_per_channel_and_incident"
            ),
        )
        indexes = (models.Index(fields=("over",)),)

    def __str__(self) -> str:
        return f"{self.channel_id}: {self.incident_id}"


class WorkerKey(models.Model):
    """The public key that secrets are sealed with; always the row with id 1."""

    public = models.CharField(max_length=64)
