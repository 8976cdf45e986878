"""What is new in the log of self-tests: told in the disk's story, and when each kind ended last."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils import timezone

from disks.history import record_event
from disks.models import DiskRecord
from host.inventory import SelfTest, SmartReading

_NAMES = {"short": "Short self-test", "long": "Long self-test", "other": "Self-test"}
_COUNTED = {"passed", "failed"}  # what was aborted or interrupted has tested nothing
# ATA's log counts power-on hours in 16 bits (ACS-4, "Self-test log"): they begin again after seven years.
_ROUND = 1 << 16


def follow(record: DiskRecord, before: SmartReading | None, now: SmartReading) -> None:
    """Add the tests that ended between the readings to the story, and bring `record.tested` up to date.

    What is in the log at the first reading ended before anyone watched: how long ago is told by power-on
    hours, or by nothing.
    """
    tested = dict(record.tested)
    for test in reversed(now.tests):  # oldest first
        if test.result == "running":
            continue
        fresh = before is not None and test not in before.tests
        if fresh:
            record_event(record, "test", in_words(test))
        if test.result in _COUNTED and test.kind != "other":
            ended = timezone.now() if fresh else _by_hours(test, now)
            if ended is not None and (fresh or test.kind not in record.tested):
                tested[test.kind] = ended.isoformat()
    record.tested = tested


def in_words(test: SelfTest) -> str:
    """`Long self-test failed: read failure; first error at sector 1953525, after 31000 hours`."""
    said = f"{_NAMES[test.kind]} {'ended' if test.result == 'unknown' else test.result}: {test.words}"
    if test.first_error_lba is not None:
        said += f"; first error at sector {test.first_error_lba}"
    return said if test.at_hours is None else f"{said}, after {test.at_hours} hours"


def _by_hours(test: SelfTest, now: SmartReading) -> datetime | None:
    if test.at_hours is None or now.power_on_hours is None:
        return None
    ago = (now.power_on_hours - test.at_hours) % _ROUND
    return datetime.fromisoformat(now.at) - timedelta(hours=ago)
