"""What the machine cannot know of its pools: all that was before the last scan."""

from __future__ import annotations

from django.db import models


class ScanRecord(models.Model):
    """A scrub or resilver that has ended. ZFS itself remembers the last one alone."""

    pool_guid = models.CharField(max_length=20)
    pool_name = models.CharField(max_length=255)  # then
    function = models.CharField(max_length=12)  # SCRUB, RESILVER
    state = models.CharField(max_length=12)  # FINISHED, CANCELED
    started = models.DateTimeField()
    finished = models.DateTimeField()
    paused_s = models.PositiveBigIntegerField(default=0)
    total_bytes = models.BigIntegerField()
    repaired_bytes = models.BigIntegerField()  # of a resilver: written
    errors = models.BigIntegerField()  # that could not be repaired
    damaged_files = models.JSONField(default=list)

    class Meta:
        ordering = ("-finished", "-id")
        constraints = (
            models.UniqueConstraint(
                fields=("pool_guid", "function", "started"), name="one_record_of_each_scan"
            ),
        )

    @property
    def duration_s(self) -> int:
        """Seconds at work, without its pauses."""
        return max(0, int((self.finished - self.started).total_seconds()) - self.paused_s)


class PolicyRun(models.Model):
    """What became of the last run of the snapshot policies in a pool; see `pools.policies.tick`."""

    pool_guid = models.CharField(max_length=20, unique=True)
    pool_name = models.CharField(max_length=255)  # then
    tried = models.DateTimeField(null=True)
    last_job = models.ForeignKey("jobs.Job", on_delete=models.SET_NULL, null=True, related_name="+")
    failing_since = models.DateTimeField(null=True)
    said = models.CharField(max_length=500, default="")  # why nothing was done, or not all
    waiting = models.JSONField(default=dict)  # dataset → how many wait for a person before they are deleted

    class Meta:
        ordering = ("id",)


class Upload(models.Model):
    """A file that has not arrived whole. What is there of it lies in its folder (`host.files.arriving`)."""

    key = models.CharField(max_length=32, unique=True)
    account = models.CharField(max_length=150)  # who sends it, and the NAS user that it is written as
    dataset = models.CharField(max_length=255)
    folder = models.TextField(blank=True)
    name = models.CharField(max_length=765)
    size_bytes = models.BigIntegerField()
    existing = models.CharField(max_length=8)  # host.files.receiving.Existing
    began_at = models.DateTimeField()
    last_at = models.DateTimeField()  # when bytes came last, to some minutes

    class Meta:
        ordering = ("id",)


class BenchmarkRow(models.Model):
    """How fast a pool was, and what the machine was like then. Rows are kept for ever."""

    pool_guid = models.CharField(max_length=20)
    pool_name = models.CharField(max_length=255)  # then
    profile = models.CharField(max_length=16, default="")
    state = models.JSONField()  # pools.benchmark.state.MachineState
    report = models.JSONField(null=True)  # host.benchmark.values.Benchmark; None while it goes on
    verdict = models.CharField(max_length=10, default="")  # empty while it goes on
    begun_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-id",)
        indexes = (models.Index(fields=("verdict",)), models.Index(fields=("pool_guid",)))
