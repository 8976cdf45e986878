"""Snapshots through the API: everything that can be done with one, and what has to be asked."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.models import User
from host.commands.datasets.snapshots import ZfsHold, ZfsListSnapshots, ZfsSnapshot
from host.commands.datasets.zfs import ZfsCreate
from host.simulated import SimulatedHost
from jobs import broker
from jobs.models import AskedQuestion
from tests.conftest import caller, refresh
from tests.prepared import made_once

BASE = "/api/v1/snapshots/"


@pytest.fixture
@made_once
def three(api: APIClient, tank: dict[str, Any], simulated: SimulatedHost) -> APIClient:
    """tank/a with the snapshots one, two and three; between the first two 5 MiB were written."""
    do(api, "post", "/api/v1/datasets/", {"name": "tank/a"})
    for tag in ("one", "two", "three"):
        do(api, "post", BASE, {"datasets": ["tank/a"], "name": tag})
        if tag == "one":
            simulated.write("tank/a", 5 << 20)
    return api


def do(api: APIClient, method: str, path: str, body: Any = None) -> dict[str, Any]:
    """A write that succeeds; what destroys is read first."""
    answer = getattr(api, method)(path, body or {})
    if answer.status_code == 409:
        answer = getattr(api, method)(path, {**(body or {}), "digest": answer.json()["plan"]["digest"]})
    assert answer.status_code == 202, answer.json()
    job: dict[str, Any] = answer.json()
    assert job["state"] == "succeeded", job
    return job


def tags(api: APIClient, dataset: str = "tank/a", query: str = "") -> list[str]:
    return [one["tag"] for one in api.get(f"{BASE}?dataset={dataset}{query}").json()["results"]]


def test_a_rollback_takes_the_younger_ones(three: APIClient) -> None:
    plan = three.post(f"{BASE}tank/a@one/rollback/?dry_run=true", {}).json()
    assert [loss.get("snapshot") for loss in plan["steps"][0]["destroys"]] == [
        None,
        "tank/a@two",
        "tank/a@three",
    ]
    assert three.post(f"{BASE}tank/a@one/rollback/", {}).json()["type"].endswith("confirmation-required")
    do(three, "post", f"{BASE}tank/a@one/rollback/")
    assert tags(three) == ["one"]


def test_a_hold_is_seen_at_once_and_keeps_it(three: APIClient) -> None:
    do(three, "post", f"{BASE}tank/a@one/hold/", {"tag": "audit"})
    assert three.get(f"{BASE}tank/a@one/").json()["holds"] == 1
    (details,) = three.get(f"{BASE}tank/a@one/details/").json()["results"]
    assert [hold["tag"] for hold in details["holds"]] == ["audit"]
    assert tags(three, query="&held=true") == ["one"]
    refused = three.delete(f"{BASE}tank/a@one/")
    assert (refused.status_code, refused.json()["findings"][0]["code"]) == (422, "held")
    do(three, "post", f"{BASE}tank/a@one/release/", {"tag": "audit"})
    assert three.get(f"{BASE}tank/a@one/").json()["holds"] == 0
    do(three, "delete", f"{BASE}tank/a@one/")
    assert tags(three) == ["two", "three"]


def test_a_hold_that_somebody_else_put_stops_the_job_before_anything(
    three: APIClient, simulated: SimulatedHost
) -> None:
    plan = three.post(f"{BASE}tank/a@one/rollback/?dry_run=true", {}).json()
    simulated.run(ZfsHold(names=("tank/a@two",), tag="elsewhere"))  # nothing tells the index of it
    job = three.post(f"{BASE}tank/a@one/rollback/", {"digest": plan["digest"]}).json()
    assert job["state"] == "failed" and "tank/a@two is newer and has a hold" in job["error"]["detail"]
    assert tags(three) == ["one", "two", "three"]


def test_a_clone_is_a_dataset_and_shows_on_its_snapshot(three: APIClient) -> None:
    do(three, "post", f"{BASE}tank/a@two/clone/", {"name": "tank/copy"})
    assert three.get("/api/v1/datasets/tank/copy/").json()["properties"]["origin"]["value"] == "tank/a@two"
    assert three.get(f"{BASE}tank/a@two/").json()["clones"] == ["tank/copy"]
    refused = three.post(f"{BASE}tank/a@one/rollback/", {})
    assert {finding["code"] for finding in refused.json()["findings"]} == {"has-clones"}
    do(three, "post", f"{BASE}tank/a@one/rollback/", {"destroy_clones": True})
    assert three.get("/api/v1/datasets/tank/copy/").status_code == 404


def test_a_promoted_clone_has_the_snapshots_at_once(three: APIClient) -> None:
    do(three, "post", f"{BASE}tank/a@two/clone/", {"name": "tank/copy"})
    do(three, "post", "/api/v1/datasets/tank/copy/promote/")
    assert (tags(three, "tank/copy"), tags(three)) == (["one", "two"], ["three"])


def test_a_new_name_is_a_new_address(three: APIClient) -> None:
    do(three, "post", f"{BASE}tank/a@two/rename/", {"name": "deux"})
    assert three.get(f"{BASE}tank/a@two/").status_code == 404
    assert tags(three) == ["one", "deux", "three"]


def test_ranges_are_destroyed_and_what_that_frees_is_told_before(
    three: APIClient, simulated: SimulatedHost
) -> None:
    simulated.erase("tank/a")  # what the newest one saw is held by it alone
    refresh()
    asked = {"snapshots": ["tank/a@two%three"]}
    report = three.post(f"{BASE}reclaim/", asked).json()
    assert report == {
        "reclaim_bytes": 5 << 20,
        "snapshots": 2,
        "kept": 0,
        "datasets": [{"dataset": "tank/a", "snapshots": 2, "reclaim_bytes": 5 << 20}],
    }
    do(three, "delete", BASE, asked)
    assert tags(three) == ["one"]


def test_what_is_held_frees_nothing(three: APIClient) -> None:
    do(three, "post", f"{BASE}tank/a@two/hold/")
    report = three.post(f"{BASE}reclaim/", {"snapshots": ["tank/a@%"]}).json()
    assert (report["snapshots"], report["kept"]) == (2, 1)


def test_changes_are_told_between_two_and_up_to_now(three: APIClient) -> None:
    answer = three.get(f"{BASE}tank/a@one/diff/?to=two").json()
    assert [(one["change"], one["kind"]) for one in answer["changes"]] == [("modified", "folder")]
    assert (answer["older"], answer["newer"], answer["cut"]) == ("tank/a@one", "tank/a@two", False)
    assert three.get(f"{BASE}tank/a@two/diff/").json()["changes"] == []
    assert three.get(f"{BASE}tank/a@two/diff/?to=gone").status_code == 404
    reversed_ = three.get(f"{BASE}tank/a@two/diff/?to=one")
    assert (reversed_.status_code, reversed_.json()["findings"][0]["code"]) == (422, "cannot-compare")


def test_a_worker_that_takes_its_time_is_answered_by_asking_again(
    three: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as silent:
        silent.setattr(broker, "send", lambda task, *args: True)
        first = three.get(f"{BASE}tank/a@one/diff/", headers={"Prefer": "wait=0"})
        assert (first.status_code, first.headers["Retry-After"]) == (202, "1")
    from jobs.tasks import answer_questions

    answer_questions()
    assert three.get(f"{BASE}tank/a@one/diff/", headers={"Prefer": "wait=0"}).status_code == 200
    assert AskedQuestion.objects.count() == 1


def test_a_viewer_may_ask_and_not_act(three: APIClient, admin: User) -> None:
    viewer = caller(admin, "pools:read")
    assert viewer.post(f"{BASE}reclaim/", {"snapshots": ["tank/a@one"]}).status_code == 200
    assert viewer.post(f"{BASE}tank/a@one/hold/", {}).status_code == 403


@pytest.mark.parametrize("verb", ["rollback", "clone", "hold", "release", "rename"])
def test_what_is_done_with_no_snapshot_is_404(three: APIClient, verb: str) -> None:
    for name in ("tank/a@gone", "tank/gone@one", "tank/a", "@", "tank/a@one,two"):
        assert three.post(f"{BASE}{name}/{verb}/", {}).status_code == 404


@pytest.mark.parametrize("body", [{}, {"snapshots": []}, {"snapshots": "x"}, {"snapshots": [1]}, [], None, 7])
def test_a_bad_question_is_422(three: APIClient, body: Any) -> None:
    answer = three.post(f"{BASE}reclaim/", body)
    assert answer.status_code == 422 and answer.json()["findings"]


@pytest.mark.parametrize(
    "entry",
    ["", "@", "tank/a", "tank/a@", "tank/a@gone", "tank/gone@x", "tank/a@three%one", "\x00", "a" * 1000],
)
def test_a_question_about_what_is_not_there_is_422(three: APIClient, entry: str) -> None:
    answer = three.post(f"{BASE}reclaim/", {"snapshots": [entry]})
    assert answer.status_code == 422 and answer.json()["findings"][0]["field"].startswith("snapshots")


@pytest.mark.parametrize(
    "query", ["kind=x", "order=x", "since=x", "held=x", "until=", "search=a&search=b", "x=1"]
)
def test_parameters_that_make_no_sense_are_refused(three: APIClient, query: str) -> None:
    answer = three.get(f"{BASE}?dataset=tank/a&{query}")
    assert answer.status_code == 422
    assert answer.json()["findings"][0]["field"] == query.partition("=")[0]


def test_names_with_every_byte_that_zfs_allows_go_through_addresses(
    three: APIClient, simulated: SimulatedHost
) -> None:
    odd = "tank/a/ My_data-1.0:x "
    simulated.run(ZfsCreate(name=odd))
    simulated.run(ZfsSnapshot(names=(f"{odd}@ before: lunch_-. ",)))
    refresh()
    (found,) = three.get(BASE, {"dataset": odd}).json()["results"]
    assert found["name"] == f"{odd}@ before: lunch_-. "
    assert three.get(f"{BASE}{found['name']}/").json()["tag"] == " before: lunch_-. "
    assert three.get(f"{BASE}{found['name']}/details/").status_code == 200
    do(three, "post", f"{BASE}{found['name']}/hold/")
    do(three, "post", f"{BASE}{found['name']}/release/")
    do(three, "delete", f"{BASE}{found['name']}/")
    assert simulated.run(ZfsListSnapshots(datasets=(odd,))).stdout == ""
