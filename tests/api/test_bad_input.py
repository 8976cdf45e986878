"""Whatever is sent: 4xx with every finding, nothing executed, never a 500."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from accounts.models import User
from host.simulated import SimulatedHost
from jobs.models import Job
from nasweb.api import tokens as tokens_api

JSON = "application/json"
WRITES = [
    "pools/",
    "pools/import/",
    "scrub-schedules/",
    "schedules/preview/",
    "snapshot-policies/",
    "snapshot-policies/preview/",
    "snapshot-policies/prune/",
    "snapshot-policies/run/",
    "datasets/",
    "snapshots/",
    "capacity/",
    "tokens/",
    "channels/",
    "advice/",
]
NASTY = ["", "a\x00b", "x" * 10_000, "; rm -rf /", "$(reboot)", "../../etc", "-f", "tank\n", "ä", "\u202e"]


@pytest.mark.parametrize("path", WRITES)
@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"\xff\xfe",
        b'"\\ud800"',
        b"[" * 100_000,
        b'{"name": 1e999}',
        b'{"ashift": 99999999999999999999999999}',
        b'{"name": NaN}',
        b"null",
        b"[]",
        b'"text"',
        b"7",
    ],
)
def test_a_body_that_is_no_request_is_422(api: APIClient, path: str, body: bytes) -> None:
    answer = api.post(f"/api/v1/{path}", body, content_type=JSON)
    assert answer.status_code == 422
    assert all(finding["message"] for finding in answer.json()["findings"])


@pytest.mark.parametrize("path", WRITES)
def test_no_body_is_422_with_every_missing_field(api: APIClient, path: str) -> None:
    answer = api.post(f"/api/v1/{path}")
    assert answer.status_code == 422
    assert {finding["code"] for finding in answer.json()["findings"]} == {"required"}


def test_a_body_without_end_is_413(api: APIClient) -> None:
    body = b'{"name": "' + b"x" * (5 << 20) + b'"}'
    assert api.post("/api/v1/pools/", body, content_type=JSON).status_code == 413


@pytest.mark.parametrize("path", ["setup/", "pairings/answer/"])
def test_who_has_not_signed_in_sends_a_short_body(simulated: SimulatedHost, path: str) -> None:
    body = b"{" + b",".join(b'"%d":0' % number for number in range(20_000)) + b"}"
    stranger = APIClient()
    assert stranger.post(f"/api/v1/{path}", body, content_type=JSON).status_code == 413
    answer = stranger.post(f"/api/v1/{path}", body[: 1 << 15].rpartition(b",")[0] + b"}", content_type=JSON)
    assert answer.status_code == 422
    assert len(answer.json()["findings"]) == 101


def test_a_body_of_nothing_but_unknown_fields_has_a_short_answer(api: APIClient) -> None:
    body = b"{" + b",".join(b'"%d":0' % number for number in range(200_000)) + b"}"
    answer = api.post("/api/v1/pools/", body, content_type=JSON)
    assert answer.status_code == 422
    assert len(answer.content) < 100_000


@pytest.mark.parametrize("media_type", ["text/plain", "application/x-www-form-urlencoded", "x"])
def test_another_media_type_is_415(api: APIClient, media_type: str) -> None:
    assert api.post("/api/v1/pools/", b"name=tank", content_type=media_type).status_code == 415


def test_all_findings_of_shape_come_at_once(api: APIClient) -> None:
    body = {"nmae": "tank", "vdevs": [{"layout": "raidz9", "disks": [1]}], "ashift": "12", "digest": 5}
    answer = api.post("/api/v1/pools/", body)
    assert answer.json()["findings"][0]["field"] == "digest"
    del body["digest"]
    fields = {finding["field"] for finding in api.post("/api/v1/pools/", body).json()["findings"]}
    assert fields == {"nmae", "name", "vdevs[0].layout", "vdevs[0].disks[0]", "ashift"}


def test_findings_of_shape_and_content_come_together(api: APIClient, free_disks: list[str]) -> None:
    body = {
        "name": "mirror1",
        "colour": "red",
        "vdevs": [{"layout": "mirror", "disks": [free_disks[0], free_disks[0], "ata-none"]}],
        "properties": {"ashift": "3"},
    }
    findings = api.post("/api/v1/pools/", body).json()["findings"]
    fields = {finding["field"] for finding in findings if finding["level"] == "error"}
    assert {"name", "colour", "vdevs[0].disks[1]", "vdevs[0].disks[2]"} <= fields


@pytest.mark.parametrize("name", NASTY)
def test_a_nasty_name_executes_nothing(
    simulated: SimulatedHost, api: APIClient, six_disks: dict[str, Any], name: str
) -> None:
    bodies: dict[str, list[dict[str, Any]]] = {
        "pools/": [
            six_disks | {"name": name},
            six_disks | {"mountpoint": name},
            six_disks | {"properties": {name: "on"}},
            six_disks | {"vdevs": [{"layout": "mirror", "disks": [name, name]}]},
        ],
        "datasets/": [
            {"name": name},
            {"name": "tank/a", "properties": {name: name}},
            {"name": "tank/a", "preset": name},
        ],
        "snapshots/": [{"datasets": [name], "name": name}],
    }
    for path, tried in bodies.items():
        for body in tried:
            answer = api.post(f"/api/v1/{path}", body)
            assert answer.status_code == 422, (path, body)
    assert simulated.ran() == [] and not Job.objects.exists()


@pytest.mark.parametrize("name", NASTY)
def test_a_nasty_name_does_nothing_to_a_dataset(
    simulated: SimulatedHost, api: APIClient, tank: dict[str, Any], name: str
) -> None:
    api.post("/api/v1/datasets/", {"name": "tank/a"})
    before = simulated.ran()
    tried: list[tuple[str, str, dict[str, Any]]] = [
        ("post", "datasets/tank/a/rename/", {"to": name}),
        ("post", "datasets/tank/a/mount/", {name: True}),
        ("patch", "datasets/tank/a/", {"properties": {name: "on"}}),
        ("patch", "datasets/tank/a/", {"received": [name]}),
        ("patch", "datasets/", {"names": [name], "properties": {"atime": "on"}}),
        ("patch", "datasets/", {"names": ["tank/a"], "properties": {"atime": name}}),
    ]
    for method, path, body in tried:
        answer = getattr(api, method)(f"/api/v1/{path}", body)
        assert answer.status_code == 422, (path, body, answer.json())
    assert simulated.ran() == before


def test_a_disk_in_use_is_refused_by_name(api: APIClient) -> None:
    boot = next(disk for disk in api.get("/api/v1/disks/").json()["results"] if disk["in_use"])
    body = {"name": "tank", "vdevs": [{"layout": "stripe", "disks": [boot["id"]]}]}
    findings = api.post("/api/v1/pools/", body).json()["findings"]
    assert any(f["field"] == "vdevs[0].disks[0]" and f["level"] == "error" for f in findings)


@pytest.mark.parametrize("value", ["maybe", "TRUE", "1", "", "true&dry_run=false"])
def test_a_dry_run_that_is_not_clearly_meant_does_not_act(
    simulated: SimulatedHost, api: APIClient, six_disks: dict[str, Any], value: str
) -> None:
    assert api.post(f"/api/v1/pools/?dry_run={value}", six_disks).status_code == 422
    assert api.post("/api/v1/pools/?dryrun=true", six_disks).status_code == 422
    assert simulated.ran() == []


def test_the_address_and_the_body_must_not_contradict(api: APIClient, tank: dict[str, Any]) -> None:
    answer = api.delete("/api/v1/pools/tank/?dry_run=true", {"name": "other"})
    assert answer.status_code == 422
    assert answer.json()["findings"][0]["code"] == "given-by-address"


@pytest.mark.parametrize("method", ["put", "patch", "options", "delete"])
def test_a_method_that_is_not_there_is_405(api: APIClient, method: str) -> None:
    answer = getattr(api, method)("/api/v1/pools/")
    assert (answer.status_code, answer.headers["Allow"]) == (405, "GET, HEAD, POST")
    assert answer.headers["Content-Type"] == "application/problem+json"


def test_a_fault_of_ours_is_a_500_that_tells_nothing(
    api: APIClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any) -> None:
        raise LookupError("inner secret")

    monkeypatch.setattr(tokens_api, "_token", broken)
    answer = api.get("/api/v1/tokens/1/")
    assert (answer.status_code, answer.headers["Content-Type"]) == (500, "application/problem+json")
    assert b"secret" not in answer.content
    assert "inner secret" in caplog.text


@pytest.mark.parametrize("accept", ["text/html", "application/xml", "", "*/*;q=0.1", "\x00"])
def test_there_is_one_format_whatever_is_asked_for(api: APIClient, accept: str) -> None:
    answer = api.get("/api/v1/disks/", HTTP_ACCEPT=accept)
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, JSON)


def test_a_browser_that_is_signed_in_sends_more_than_a_stranger(admin: User) -> None:
    """Whether a request of a browser is its own is checked with its body: that is read before the user is."""
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(admin)
    page = browser.get("/settings/tokens/").content.decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
    assert token is not None
    body = json.dumps({"name": "x" * (65 << 10)})
    mine = browser.post("/api/v1/tokens/", body, content_type=JSON, headers={"X-CSRFToken": token[1]})
    foreign = browser.post("/api/v1/tokens/", body, content_type=JSON)
    assert (mine.status_code, foreign.status_code) == (422, 403)
