"""`/metrics` as Prometheus reads it: off by default, by a token of its own, and all that it promises."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse
from rest_framework.test import APIClient

from accounts.models import User
from accounts.roles import Role
from disks.smart.readings import read_all
from host.simulated import SimulatedHost
from jobs import cache
from jobs.models import AuditEvent
from jobs.series.collecting import Collection
from nasweb.metrics import gather, pools
from nasweb.settings import BASE_DIR
from pools.policies import tick as policies
from replication.models import TargetRow, TaskRow
from tests.conftest import caller, refresh
from tests.machine.backup.bench import pool
from tests.prepared import made_once

SETTING = "/api/v1/system/settings/metrics/"


@pytest.fixture
@made_once
def on(api: APIClient, simulated: SimulatedHost) -> None:
    """A pool, with metrics on."""
    pool(api)
    done = api.put(SETTING, {"enabled": True}, headers={"Prefer": "wait=10"})
    assert done.json()["state"] == "succeeded", done.json()


def scrape(client: Any) -> dict[str, list[Any]]:
    """Samples by name."""
    answer = client.get("/metrics")
    assert answer.status_code == 200, answer.content
    found = defaultdict(list)
    families: Any = parse(answer.content.decode())  # type: ignore[no-untyped-call]
    for family in families:
        for sample in family.samples:
            found[sample.name].append(sample)
    return found


def test_it_is_off_until_an_admin_turns_it_on(api: APIClient) -> None:
    assert api.get("/metrics").status_code == 404
    assert Client().get("/metrics").status_code == 404
    assert api.get(SETTING).json() == {"enabled": False, "path": "/metrics", "scope": "metrics:read"}
    operator = User.objects.create_user("olga", role=Role.OPERATOR)
    asked = caller(operator, "system:read", "system:write").put(SETTING, {"enabled": True})
    assert (asked.status_code, "users:write" in asked.json()["detail"]) == (403, True)
    api.put(SETTING, {"enabled": True})
    assert api.get("/metrics").status_code == 200
    assert AuditEvent.objects.filter(action="machine.set-metrics").exists()
    api.put(SETTING, {"enabled": False})
    assert api.get("/metrics").status_code == 404


def test_only_a_token_with_its_scope_opens_it(on: None, admin: User) -> None:
    browser = Client()
    browser.force_login(admin)
    assert browser.get("/metrics").status_code == 401
    assert caller(admin, "system:read", "disks:read", "pools:read").get("/metrics").status_code == 403
    token = caller(admin, "metrics:read")
    assert token.get("/metrics")["Content-Type"] == (
        "application/openmetrics-text; version=1.0.0; charset=utf-8"
    )
    assert token.get("/api/v1/disks/").status_code == 403
    assert token.post("/metrics").status_code == 405
    assert token.get("/metrics?x=1").status_code == 422


def test_it_answers_in_the_older_form_to_whoever_wants_it(on: None, admin: User) -> None:
    answer = caller(admin, "metrics:read").get("/metrics", headers={"Accept": "text/plain"})
    assert answer["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert b"# TYPE nasweb_pool_size_bytes gauge" in answer.content


def test_it_shows_pools_disks_and_the_console(on: None, api: APIClient, simulated: SimulatedHost) -> None:
    inventory = cache.current()
    assert inventory is not None
    collection = Collection()
    collection.collect(inventory)
    found = scrape(api)
    (size,) = found["nasweb_pool_size_bytes"]
    assert (size.labels, size.value) == ({"pool": "tank"}, inventory.pools[0].size_bytes)
    states = {one.labels["state"]: one.value for one in found["nasweb_pool_health"]}
    assert states == {"healthy": 1, "degraded": 0, "faulted": 0, "suspended": 0, "unknown": 0}
    assert len(found["nasweb_disk_info"]) == len(inventory.disks)
    assert {one.labels["pool"] for one in found["nasweb_disk_info"]} == {"", "tank"}
    bays = {one.labels["disk"]: one.labels["bay"] for one in found["nasweb_disk_size_bytes"]}
    assert bays == {disk.id: disk.bay or "" for disk in inventory.disks}
    leaf = inventory.pools[0].vdevs[0].children[0]
    errors = [one for one in found["nasweb_vdev_errors_total"] if one.labels["disk"] == leaf.disk]
    assert {(one.labels["kind"], one.labels["bay"]) for one in errors} == {
        (kind, bays[leaf.disk or ""]) for kind in ("read", "write", "checksum")
    }
    assert found["nasweb_disk_read_bytes_total"] and found["nasweb_cpu_seconds_total"]
    assert {one.labels["severity"] for one in found["nasweb_incidents_open"]} == {
        "critical",
        "warning",
        "info",
    }
    assert {one.labels["state"]: one.value for one in found["nasweb_jobs"]}["succeeded"] == 2
    assert found["nasweb_array_degraded"][0].value == 0


def test_a_checksum_error_is_counted_where_it_was(on: None, api: APIClient, simulated: SimulatedHost) -> None:
    inventory = cache.current()
    assert inventory is not None
    leaf = inventory.pools[0].vdevs[0].children[1]
    with simulated.change() as machine:
        machine.pools["tank"].vdevs[0].children[1].checksum_errors = 3
    refresh()
    wrong = [one for one in scrape(api)["nasweb_vdev_errors_total"] if one.value]
    assert [(one.labels["disk"], one.labels["kind"], one.value) for one in wrong] == [
        (leaf.disk, "checksum", 3)
    ]


def test_old_counters_are_left_out(on: None, api: APIClient, simulated: SimulatedHost) -> None:
    assert "nasweb_disk_reads_total" not in scrape(api)
    Collection().collect(cache.current())
    gather.forget()
    found = scrape(api)
    assert found["nasweb_disk_reads_total"] and found["nasweb_counters_age_seconds"][0].value < 60


def test_it_is_made_at_most_once_in_a_while(on: None, api: APIClient, monkeypatch: Any) -> None:
    made: list[int] = []

    def families(now: Any) -> Iterator[Any]:
        made.append(1)
        return iter(())

    monkeypatch.setattr(gather, "families", families)
    for _ in range(3):
        assert api.get("/metrics").content == b"# EOF\n"
    assert made == [1]


def test_many_datasets_are_bounded(
    on: None, api: APIClient, simulated: SimulatedHost, monkeypatch: Any
) -> None:
    monkeypatch.setattr(pools, "MOST_DATASETS", 3)
    simulated.crowd("tank", datasets=5, snapshots=0)
    refresh()
    found = scrape(api)
    assert len(found["nasweb_dataset_used_bytes"]) == 3
    assert {one.labels["of"]: one.value for one in found["nasweb_datasets_left_out"]} == {
        "space": 3, "snapshots": 0,
    }  # fmt: skip


def test_second_copies_have_their_ages(on: None, api: APIClient, simulated: SimulatedHost) -> None:
    target = TargetRow.objects.create(name="attic", value={"kind": "pool", "dataset": "second"})
    now = timezone.now()
    value = {"source": "tank/photos", "target": "second/photos", "aim_hours": 1}
    for name, copied_at in (("photos", now - timedelta(hours=2)), ("letters", None)):
        TaskRow.objects.create(name=name, key=name, target=target, value=value, copied_at=copied_at)
    found = scrape(api)
    (age,) = found["nasweb_copy_age_seconds"]
    assert age.labels == {"kind": "replication", "name": "photos", "target": "attic"}
    assert 7200 <= age.value < 7300
    assert {one.labels["name"]: one.value for one in found["nasweb_copy_late"]} == {
        "photos": 1, "letters": 0,
    }  # fmt: skip
    assert "nasweb_copy_proven_age_seconds" not in found
    report = api.get("/api/v1/report/").json()["copies"]
    assert [(one["name"], one["late"]) for one in report] == [("photos", True), ("letters", False)]


def test_the_dashboard_asks_for_metrics_that_exist(
    on: None, api: APIClient, simulated: SimulatedHost
) -> None:
    dashboard = json.loads((BASE_DIR / "docs/grafana/nasweb.json").read_text())
    asked = {
        name
        for panel in dashboard["panels"]
        for target in panel.get("targets", ())
        for name in re.findall(r"nasweb_[a-z0-9_]+", target["expr"])
    }
    asked |= {
        name
        for variable in dashboard["templating"]["list"]
        for name in re.findall(r"nasweb_[a-z0-9_]+", json.dumps(variable.get("query", "")))
    }
    wanted = {"dataset": "tank", "policy": "hourly=24"}
    api.post("/api/v1/snapshot-policies/", wanted, headers={"Prefer": "wait=10"})
    policies.tick(datetime.now(UTC), simulated)
    refresh()
    inventory = cache.current()
    assert inventory is not None
    read_all(simulated, inventory)
    refresh()
    Collection().collect(cache.current())
    assert len(asked) > 20
    assert asked - scrape(api).keys() - SOMETIMES == set()


SOMETIMES = {
    "nasweb_pool_scan_progress_ratio",
    "nasweb_pool_last_scrub_timestamp_seconds",
    "nasweb_memory_errors_total",
}
"""What a machine without a scrub and without ECC has no samples of."""
