"""Pools live: sampled while somebody watches, and not for a moment longer."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from alerts import tasks
from alerts.live.watching import History, longer
from alerts.models import Watched
from host.commands.pools.care import ZpoolIostat, ZpoolScrub
from host.inventory import Activity
from host.simulated import SimulatedHost
from jobs import cache
from tests.conftest import refresh
from tests.frontend.conftest import signed_in

LIVE = "/api/v1/pools/tank/live/"


@pytest.fixture
def asked(simulated: SimulatedHost, tank: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of pools that `zpool iostat` was run for."""
    names: list[str] = []
    run = SimulatedHost.run

    def noted(self: SimulatedHost, command: Any) -> Any:
        if isinstance(command, ZpoolIostat):
            names.append(command.name)
        return run(self, command)

    monkeypatch.setattr(SimulatedHost, "run", noted)
    return names


def activity(guid: str | None, read: int, written: int = 0, **more: Any) -> Activity:
    return Activity(
        guid=guid, allocated_bytes=None, free_bytes=None, reads_per_s=1, writes_per_s=0,
        read_bytes_per_s=read, write_bytes_per_s=written, **more,
    )  # fmt: skip


def test_nothing_is_started_while_nobody_watches(asked: list[str]) -> None:
    tasks.sample_watched()
    assert asked == []


def test_whoever_watches_gets_samples(asked: list[str], api: APIClient, simulated: SimulatedHost) -> None:
    assert api.get(LIVE).json()["sample"] is None
    simulated.write("tank", 4 << 40)
    simulated.run(ZpoolScrub(name="tank"))
    refresh()
    tasks.sample_watched()
    answer = api.get(LIVE).json()
    whole, *members = answer["sample"]["activity"]
    assert (whole["guid"], len(members)) == (None, 7)
    assert whole["read_bytes_per_s"] == 6 * 150_000_000
    assert (whole["disk_read_ns"], whole["write_ns"]) == (6_500_000, None)
    assert answer["sample"]["history"]["read_bytes_per_s"] == [900_000_000]
    assert [one["kind"] for one in answer["progress"]] == ["scrub"]
    assert answer["as_of"] == answer["sample"]["at"]


def test_ten_seconds_after_the_last_request_it_ends(asked: list[str], api: APIClient) -> None:
    api.get(LIVE)
    tasks.sample_watched()
    Watched.objects.update(asked_at=timezone.now() - timedelta(seconds=11))
    tasks.sample_watched()
    assert asked == ["tank"]


def test_a_mark_of_a_clock_that_was_ahead_is_nobody_who_watches(asked: list[str], api: APIClient) -> None:
    api.get(LIVE)
    tasks.sample_watched()
    Watched.objects.update(asked_at=timezone.now() + timedelta(days=400))
    tasks.sample_watched()
    assert asked == ["tank"]
    api.get(LIVE)
    tasks.sample_watched()
    assert asked == ["tank", "tank"]


def test_nor_is_its_sample_the_last_one(asked: list[str], api: APIClient) -> None:
    api.get(LIVE)
    tasks.sample_watched()
    row = Watched.objects.get()
    assert row.sample is not None
    row.sample["at"] = (timezone.now() + timedelta(days=400)).isoformat()
    row.save()
    assert api.get(LIVE).json()["sample"] is None
    tasks.sample_watched()
    assert len(api.get(LIVE).json()["sample"]["history"]["times"]) == 1


def test_a_suspended_pool_is_not_sampled_and_its_page_says_so(
    asked: list[str], api: APIClient, simulated: SimulatedHost, admin: Any
) -> None:
    for disk in [disk for disk in simulated.machine().disks if disk.transport == "sata"][:3]:
        simulated.pull(disk.serial)
    refresh()
    assert api.get(LIVE).json()["state"] == "SUSPENDED"
    assert api.get("/api/v1/pools/tank/").json()["capacity"] is None
    tasks.sample_watched()
    assert asked == []
    page = signed_in(admin).get("/pools/tank/live/").content.decode()
    assert "tank is suspended: no I/O" in page


def test_what_is_under_way_is_probed_anew_while_somebody_watches(
    asked: list[str], api: APIClient, simulated: SimulatedHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    simulated.write("tank", 4 << 40)
    simulated.run(ZpoolScrub(name="tank"))
    refresh()
    monkeypatch.setattr("alerts.live.watching._OLD", timedelta(0))
    inventory = cache.current()
    assert inventory is not None
    before = inventory.as_of
    api.get(LIVE)
    tasks.sample_watched()
    inventory = cache.current()
    assert inventory is not None and inventory.as_of > before


def test_a_machine_that_does_not_answer_stops_no_tick(
    asked: list[str], api: APIClient, simulated: SimulatedHost
) -> None:
    api.get(LIVE)
    simulated.fail_next(ZpoolIostat, stderr="cannot open")
    tasks.sample_watched()
    assert api.get(LIVE).json()["sample"] is None


def test_history_keeps_five_minutes_and_members_that_came_later() -> None:
    start = datetime(2026, 11, 21, 12, tzinfo=UTC)
    history = History()
    for second in range(0, 400, 4):
        leaves = [activity("1", second)] + ([activity("2", 7)] if second >= 200 else [])
        at = start + timedelta(seconds=second)
        history = longer(history, at, (activity(None, second, 1, read_ns=5), *leaves))
    assert len(history.times) == 76
    assert history.times[-1] - history.times[0] == 300
    assert history.members["1"][0] == 96
    assert history.members["2"][:26] == (None,) * 26
    assert set(history.members["2"][26:]) == {7}
    assert {len(column) for column in history.members.values()} == {76}


def test_the_page_shows_each_disk_in_its_bay(asked: list[str], admin: Any, simulated: SimulatedHost) -> None:
    browser: Client = signed_in(admin)
    assert "The first sample comes in a few seconds" in browser.get("/pools/tank/live/").content.decode()
    simulated.write("tank", 4 << 40)
    simulated.run(ZpoolScrub(name="tank"))
    refresh()
    tasks.sample_watched()
    answer = browser.get("/pools/tank/live/")
    rows = answer.context["rows"]
    assert [(row.bay, row.read, row.disk_wait) for row in rows[1:]] == [
        (f"A{number}", "150 MB/s", "6.5 ms") for number in range(1, 7)
    ]
    assert rows[0].title == "raidz2-0"
    mark = answer.context["mark"]
    poll = browser.get("/pools/tank/live/", {"seen": mark}, headers={"HX-Request": "true"})
    assert poll.status_code == 204
