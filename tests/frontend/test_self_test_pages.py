"""The page of self-tests, and what one disk has of its own."""

from __future__ import annotations

from django.test import Client

from disks import tasks
from disks.records import record_of
from disks.self_tests import stored
from disks.self_tests.settings import DiskSchedule
from host.simulated import SimulatedHost
from jobs import cache
from tests.conftest import refresh

FORM = {
    "enabled": "yes", "short_days": "5", "long_days": "30", "short_longest_days": "30",
    "long_longest_days": "90", "from_hour": "22", "until_hour": "6", "at_once": "1",
    "weekdays": ["fri", "sat"],
}  # fmt: skip


def test_settings_are_saved_and_what_is_wrong_stays_beside_its_field(browser: Client) -> None:
    bad = browser.post("/self-tests/", FORM | {"short_days": "many", "at_once": "99"})
    assert bad.status_code == 422
    assert set(bad.context["errors"].by_field) == {"short_days", "at_once"}
    assert 'value="many"' in bad.content.decode()
    assert browser.post("/self-tests/", FORM).status_code == 302
    kept = stored.settings()
    assert (kept.short_days, kept.weekdays, kept.from_hour, kept.at_once) == (5, ("fri", "sat"), 22, 1)
    page = browser.get("/schedules/").content.decode()
    assert "Short every 5 days and long every 30 days, begun on Friday and Saturday between 22:00" in page


def test_the_page_lists_disks_and_a_disk_takes_a_schedule_of_its_own(
    browser: Client, simulated: SimulatedHost
) -> None:
    tasks.read_smart()
    refresh()
    rows = browser.get("/self-tests/").context["rows"]
    assert len(rows) == 6 and {row.short.every for row in rows} == {"every 7 days"}
    inventory = cache.current()
    assert inventory is not None
    disk = inventory.disks[0]
    page = browser.get(f"/disks/{disk.id}/").content.decode()
    assert "On schedule: as all disks" in page
    browser.post(f"/disks/{disk.id}/self-tests/", {"which": "own", "short_days": "3", "long_days": ""})
    record = record_of(disk.id)
    assert record is not None and stored.schedule_of(record) == DiskSchedule(which="own", short_days=3)
    assert "On schedule: its own" in browser.get(f"/disks/{disk.id}/").content.decode()
