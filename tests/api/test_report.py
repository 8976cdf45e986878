"""`report/`: what is known of the last month, and sending it once."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import User
from alerts.channels import keys
from alerts.channels.models import Channel, Delivery
from alerts.models import Incident
from alerts.rights import READS
from disks.records import all_records, series_key
from disks.smart.readings import read_all
from host.simulated import SimulatedHost
from jobs import cache, series
from jobs.models import AuditEvent
from tests.conftest import caller, refresh
from tests.machine.backup.bench import pool
from tests.prepared import made_once

REPORT = "/api/v1/report/"


@pytest.fixture
@made_once
def tank(api: APIClient, simulated: SimulatedHost) -> None:
    """A pool and SMART readings of all disks."""
    pool(api)
    inventory = cache.current()
    assert inventory is not None
    read_all(simulated, inventory)
    refresh()


@pytest.fixture
def channel(tank: None, settings: Any, tmp_path: Any) -> Channel:
    settings.NASWEB_CHANNEL_KEY = tmp_path / "channels.key"
    keys.publish()
    return Channel.objects.create(name="Anna", kind="email", goes_to="anna@x.org", created_at=timezone.now())


def test_it_says_what_is_known(tank: None, api: APIClient) -> None:
    record = all_records()[0]
    now = int(timezone.now().timestamp())
    name = f"disk.temperature:{series_key(record)}"
    series.record(series.Point(name, now - 86_400 * age, 30 + age) for age in (1, 2, 5))
    opened = timezone.now() - timedelta(days=3)
    old = {"kind": "disk-gone", "severity": "warning", "cause": {}, "updated_at": opened}
    Incident.objects.create(key="a", title="Open", opened_at=opened, **old)
    ended = timezone.now() - timedelta(days=40)
    Incident.objects.create(key="b", title="Long over", opened_at=ended, closed_at=ended, **old)
    found = api.get(REPORT).json()
    inventory = cache.current()
    assert inventory is not None
    assert (found["machine"]["name"], found["smb_shares"], found["nfs_shares"]) == ("nas", 0, 0)
    (tank_,) = found["pools"]
    assert (tank_["name"], tank_["health"], tank_["last_scrub"]) == ("tank", "healthy", None)
    assert tank_["used_bytes"] + tank_["available_bytes"] > 0
    assert {one["id"] for one in found["disks"]} == {disk.id for disk in inventory.disks}
    warm = next(one for one in found["disks"] if one["id"] == record.last_id)
    assert (warm["highest_celsius"], warm["serial"]) == (35, record.serial)
    assert [one["title"] for one in found["incidents"]] == ["Open"]
    assert found["incidents"][0]["lasted_s"] == pytest.approx(3 * 86_400, abs=60)
    assert found["state"] in {"warning", "critical"} and found["attention"] >= 1
    assert found["boot"] == {"array": found["boot"]["array"], "members": 2, "in_sync": 2, "degraded": False}
    assert {"by": "admin", "operation": "pool.create", "times": 1} in found["changes"]


def test_who_may_not_read_all_rooms_may_not_read_it(tank: None, admin: User) -> None:
    assert caller(admin, *READS).get(REPORT).status_code == 200
    for scope in READS:
        refused = caller(admin, *(one for one in READS if one != scope)).get(REPORT)
        assert (refused.status_code, scope in refused.json()["detail"]) == (403, True)
    assert caller(admin, *READS).post(f"{REPORT}send/", {"channel": 1}).status_code == 403


def test_it_is_sent_to_a_channel_once(channel: Channel, api: APIClient) -> None:
    dry = api.post(f"{REPORT}send/?dry_run=true", {"channel": channel.pk}).json()
    assert dry["goes_to"] == "anna@x.org" and dry["subject"].startswith("[nas] Health report of ")
    assert not Delivery.objects.exists()
    sent = api.post(f"{REPORT}send/", {"channel": channel.pk})
    assert (sent.status_code, sent.json()["test"], sent.json()["text"]) == (202, False, dry["text"])
    assert sent["Location"] == f"/api/v1/channels/{channel.pk}/deliveries/{sent.json()['id']}/"
    assert sent.json()["about"] == "report"  # no alert waits for it
    Delivery.objects.update(state="queued")
    assert api.post(f"{REPORT}send/", {"channel": channel.pk}).json()["id"] == sent.json()["id"]
    assert AuditEvent.objects.filter(action="report.send", subject="Anna").count() == 1


def test_what_was_sent_is_read_by_those_alone_who_may_read_it(
    channel: Channel, api: APIClient, admin: User
) -> None:
    sent = api.post(f"{REPORT}send/", {"channel": channel.pk})
    text, address = sent.json()["text"], sent["Location"]
    assert caller(admin, *READS).get(address).json()["text"] == text
    for scope in set(READS) - {"alerts:read"}:
        limited = caller(admin, *(one for one in READS if one != scope))
        one = limited.get(address).json()
        (listed,) = limited.get(f"/api/v1/channels/{channel.pk}/deliveries/").json()["results"]
        for said in (one["text"], listed["text"]):
            assert said.startswith("A health report is shown to those who may read system, disks, ")
        assert (one["subject"], one["about"]) == (sent.json()["subject"], "report")


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 422),
        ({"channel": 0}, 422),
        ({"channel": "1"}, 422),
        ({"channel": 999}, 422),
        ({"channel": 1 << 63}, 422),
    ],
)
def test_a_channel_that_is_not_there_is_refused(tank: None, api: APIClient, body: Any, status: int) -> None:
    assert api.post(f"{REPORT}send/", body).status_code == status
    assert api.post(f"{REPORT}send/?dry_run=perhaps", body).status_code == 422


def test_a_channel_that_is_turned_off_is_refused(channel: Channel, api: APIClient) -> None:
    Channel.objects.update(enabled=False)
    refused = api.post(f"{REPORT}send/", {"channel": channel.pk})
    assert (refused.status_code, refused.json()["findings"][0]["code"]) == (422, "channel-off")
