"""Lists come a page at a time, and their cursors lead through everything once."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from accounts.models import User
from accounts.roles import SCOPES
from host.simulated import SimulatedHost
from jobs.models import Job
from tests.conftest import caller, refresh


def pages(api: APIClient, address: str) -> list[list[Any]]:
    found, following = [], address
    while following:
        answer = api.get(following).json()
        found.append(answer["results"])
        following = answer["next"]
        assert len(found) < 50
    return found


def test_the_pages_of_a_list_hold_everything_once(rack24: SimulatedHost, admin: User) -> None:
    api = caller(admin, *SCOPES)
    whole = api.get("/api/v1/disks/").json()
    assert whole["next"] is None and len(whole["results"]) == 26
    parts = pages(api, "/api/v1/disks/?limit=7")
    assert [len(part) for part in parts] == [7, 7, 7, 5]
    assert [disk for part in parts for disk in part] == whole["results"]


def test_a_full_last_page_has_no_next(api: APIClient) -> None:
    assert [len(part) for part in pages(api, "/api/v1/disks/?limit=4")] == [4, 4]


def test_a_cursor_survives_that_something_before_it_goes(simulated: SimulatedHost, api: APIClient) -> None:
    first = api.get("/api/v1/disks/?limit=3").json()
    simulated.pull(first["results"][0]["id"])
    refresh()
    second = api.get(first["next"]).json()["results"]
    assert [disk["bay"] for disk in second][:1] != []
    seen = {disk["serial"] for disk in first["results"]}
    assert not seen & {disk["serial"] for disk in second}
    assert len(second) == 3


def test_snapshots_are_paged_oldest_first_and_keep_their_parameters(
    api: APIClient, tank: dict[str, Any]
) -> None:
    api.post("/api/v1/datasets/", {"name": "tank/other"})
    for number in range(5):
        api.post("/api/v1/snapshots/", {"datasets": ["tank", "tank/other"], "name": f"s{number}"})
    newest = pages(api, "/api/v1/snapshots/?dataset=tank&limit=3&order=newest")
    assert [[snapshot["tag"] for snapshot in part] for part in newest] == [["s4", "s3", "s2"], ["s1", "s0"]]
    parts = pages(api, "/api/v1/snapshots/?dataset=tank&limit=2")
    assert [[snapshot["tag"] for snapshot in part] for part in parts] == [["s0", "s1"], ["s2", "s3"], ["s4"]]


def test_jobs_are_paged_newest_first_and_can_be_chosen_by_state(api: APIClient, tank: dict[str, Any]) -> None:
    for number in range(3):
        api.post("/api/v1/snapshots/", {"datasets": ["tank"], "name": f"s{number}"})
    shown = [[job["id"] for job in part] for part in pages(api, "/api/v1/jobs/?limit=3")]
    ids = list(Job.objects.order_by("-pk").values_list("pk", flat=True))
    assert shown == [ids[:3], ids[3:]]
    assert len(api.get("/api/v1/jobs/?state=succeeded").json()["results"]) == 4
    assert api.get("/api/v1/jobs/?state=failed").json()["results"] == []


def test_the_audit_tells_who_did_what(api: APIClient, tank: dict[str, Any]) -> None:
    events = api.get("/api/v1/audit/?limit=2").json()["results"]
    assert [(event["actor"], event["action"]) for event in events] == [
        ("worker", "job.succeeded"),
        ("admin", "pool.create"),
    ]


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=1001",
        "limit=-1",
        "limit=",
        "limit=ten",
        "limit=1e3",
        "limit=٣",
        "limit=99999999999",
        "limit=1&limit=2",
        "cursor=%00",
        "cursor=%FF%FE",
        "cursor=abc",
        "cursor=MA",
        "cursor=",
        "order=name",
    ],
)
@pytest.mark.parametrize("path", ["disks/", "jobs/", "tokens/"])
def test_parameters_that_make_no_sense_are_refused(api: APIClient, path: str, query: str) -> None:
    answer = api.get(f"/api/v1/{path}?{query}")
    assert answer.status_code == 422
    assert answer.json()["findings"][0]["field"] == query.partition("=")[0]


def test_the_list_of_jobs_reads_no_plans(api: APIClient) -> None:
    with CaptureQueriesContext(connection) as asked:
        assert api.get("/api/v1/jobs/").status_code == 200
    assert not [one["sql"] for one in asked if '"jobs_job"."plan"' in one["sql"]]
