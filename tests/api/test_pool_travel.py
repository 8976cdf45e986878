"""Pools leave and come back through the API, and are cared for."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from host.base import HostError
from host.commands.pools.importing import ZpoolExport
from host.simulated import SimulatedHost
from jobs import broker
from jobs.operation import the_host
from jobs.planning import labels
from tests.conftest import refresh

IMPORTABLE = "/api/v1/pools/importable/"


def codes(answer: Any) -> set[tuple[str, str]]:
    assert answer.status_code == 422, answer.content
    return {(f["code"], f["field"]) for f in answer.json()["findings"] if f["level"] == "error"}


def done(answer: Any) -> None:
    assert answer.status_code == 202, answer.content
    assert answer.json()["state"] == "succeeded", answer.json()


def probe(api: APIClient, **body: Any) -> list[dict[str, Any]]:
    assert api.post(IMPORTABLE, body, headers={"prefer": "wait=5"}).status_code == 200
    results: list[dict[str, Any]] = api.get(IMPORTABLE).json()["results"]
    return results


def test_a_pool_is_exported_found_and_imported_under_another_name(
    api: APIClient, tank: dict[str, Any], simulated: SimulatedHost
) -> None:
    done(api.post("/api/v1/pools/tank/export/"))
    assert api.get("/api/v1/pools/tank/").status_code == 404
    before = api.get(IMPORTABLE).json()
    assert before["as_of"] is None
    (known,) = before["results"]
    assert (known["name"], known["guid"], known["looked"], len(known["disks"])) == (
        "tank", tank["guid"], False, 6,
    )  # fmt: skip
    assert codes(api.post("/api/v1/pools/import/", {"guid": tank["guid"]})) == {("look-first", "guid")}
    (found,) = probe(api)
    assert (found["state"], found["looked"], found["destroyed"]) == ("ONLINE", True, False)
    assert [leaf["bay"] for leaf in found["vdevs"][0]["children"]] == ["A1", "A2", "A3", "A4", "A5", "A6"]
    done(api.post("/api/v1/pools/import/", {"guid": tank["guid"], "new_name": "attic"}))
    attic = api.get("/api/v1/pools/attic/").json()
    assert (attic["guid"], attic["state"]) == (tank["guid"], "ONLINE")
    assert api.get(IMPORTABLE).json()["results"] == []


def test_reading_the_list_runs_nothing(
    api: APIClient, tank: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("labels were read")

    monkeypatch.setattr(labels, "scan_for_pools", refuse)
    assert api.get(IMPORTABLE).json() == {"results": [], "as_of": None, "problem": None}
    refresh()


def test_a_pool_that_somebody_just_exported_by_hand_is_found(
    api: APIClient, tank: dict[str, Any], simulated: SimulatedHost
) -> None:
    simulated.run(ZpoolExport(name="tank"))  # since the last probe, for which it is imported
    (found,) = probe(api)
    assert (found["guid"], found["looked"]) == (tank["guid"], True)
    assert api.get("/api/v1/pools/tank/").status_code == 404


def test_a_destroyed_pool_is_brought_back(api: APIClient, tank: dict[str, Any]) -> None:
    plan = api.delete("/api/v1/pools/tank/?dry_run=true").json()
    done(api.delete("/api/v1/pools/tank/", {"digest": plan["digest"]}))
    (found,) = probe(api)
    assert found["destroyed"] is True
    assert codes(api.post("/api/v1/pools/import/", {"name": "tank"})) == {("was-destroyed", "destroyed")}
    done(api.post("/api/v1/pools/import/", {"name": "tank", "destroyed": True}))
    assert api.get("/api/v1/pools/tank/").json()["guid"] == tank["guid"]


def test_another_hosts_pool_needs_force(
    api: APIClient, tank: dict[str, Any], simulated: SimulatedHost
) -> None:
    simulated.move_away("tank", host="attic-nas")
    refresh()
    (found,) = probe(api)
    assert (found["last_used_elsewhere"], found["last_use"]["host"]) == (True, "attic-nas")
    assert codes(api.post("/api/v1/pools/import/", {"guid": tank["guid"]})) == {("other-host", "force")}
    done(api.post("/api/v1/pools/import/", {"guid": tank["guid"], "force": True}))


def test_a_rewind_is_stated_confirmed_and_done(
    api: APIClient, tank: dict[str, Any], simulated: SimulatedHost
) -> None:
    simulated.move_away("tank", torn_s=40)
    refresh()
    probe(api)
    body = {"guid": tank["guid"], "rewind": True}
    assert codes(api.post("/api/v1/pools/import/", body)) == {("loss-unknown", "rewind")}
    (found,) = probe(api, guid=tank["guid"])
    assert (found["loss"]["needed"], found["loss"]["seconds"]) == (True, 40)
    answer = api.post("/api/v1/pools/import/", body)
    assert answer.status_code == 409 and answer.json()["type"].endswith("/confirmation-required")
    (loss,) = answer.json()["plan"]["steps"][0]["destroys"]
    assert loss["holds"].startswith("about 40 seconds of its last writes; it returns to its state of ")
    imports = [argv for argv in simulated.ran() if argv[:2] == ["zpool", "import"]]
    assert all("-n" in argv for argv in imports)


def test_a_look_that_fails_says_why(api: APIClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise HostError("nobody answers")

    monkeypatch.setattr(labels, "scan_for_pools", fail)
    assert labels.search(the_host()) is False
    assert api.get(IMPORTABLE).json()["problem"] == "nobody answers"


def test_without_a_queue_a_look_is_503(api: APIClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker, "send", lambda task, *args: False)
    assert api.post(IMPORTABLE).status_code == 503


@pytest.mark.parametrize("body", [{"guid": 5}, {"guid": "x"}, {"guid": "0"}, {"pool": "tank"}, [], "x"])
def test_a_look_for_nonsense_is_422(api: APIClient, body: Any) -> None:
    assert api.post(IMPORTABLE, body).status_code == 422


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({"guid": "abc", "readonly": "yes", "colour": 1}, {"guid", "readonly", "colour"}),
        ({"guid": "18446744073709551616000"}, {"guid"}),
        ({"new_name": "x" * 2000, "altroot": 5}, {"new_name", "altroot"}),
        ({}, {"guid"}),
    ],
)
def test_bad_imports_name_all_their_fields(api: APIClient, body: Any, fields: set[str]) -> None:
    assert {field for _, field in codes(api.post("/api/v1/pools/import/", body))} == fields


@pytest.mark.parametrize("what", ["scrub", "trim", "initialize", "upgrade", "checkpoint", "export", "relink"])
def test_unknown_pools_are_404_and_bad_bodies_422(api: APIClient, tank: dict[str, Any], what: str) -> None:
    assert api.post(f"/api/v1/pools/nothing/{what}/").status_code == 404
    assert api.post(f"/api/v1/pools/tank/{what}/", {"action": "explode", "colour": 1}).status_code == 422
    assert api.post(f"/api/v1/pools/tank/{what}/", {"name": "other"}).status_code == 422


def test_a_scrub_is_started_paused_and_stopped(
    api: APIClient, tank: dict[str, Any], simulated: SimulatedHost
) -> None:
    simulated.write("tank", 4 << 40)
    address = "/api/v1/pools/tank/scrub/"
    done(api.post(address, {"action": "start"}))
    assert api.get("/api/v1/pools/tank/").json()["scan"]["state"] == "SCANNING"
    assert codes(api.post(address)) == {("already-running", "action")}
    done(api.post(address, {"action": "pause"}))
    assert api.get("/api/v1/pools/tank/").json()["scan"]["paused"] is not None
    done(api.post(address, {"action": "start"}))
    done(api.post(address, {"action": "stop"}))
    assert api.get("/api/v1/pools/tank/").json()["scan"]["state"] == "CANCELED"


def test_a_checkpoint_is_taken_returned_to_and_gone(
    api: APIClient, tank: dict[str, Any], simulated: SimulatedHost
) -> None:
    done(api.post("/api/v1/pools/tank/checkpoint/"))
    done(api.post("/api/v1/datasets/", {"name": "tank/later"}))
    done(api.post("/api/v1/pools/tank/export/"))
    probe(api)
    body = {"guid": tank["guid"], "to_checkpoint": True}
    plan = api.post("/api/v1/pools/import/?dry_run=true", body).json()
    done(api.post("/api/v1/pools/import/", body | {"digest": plan["digest"]}))
    assert api.get("/api/v1/datasets/tank/later/").status_code == 404


def test_a_busy_pool_stays_and_the_job_says_what_holds_it(
    api: APIClient, tank: dict[str, Any], simulated: SimulatedHost
) -> None:
    simulated.hold_open("tank")
    job = api.post("/api/v1/pools/tank/export/").json()
    assert job["state"] == "failed"
    assert "cannot unmount '/mnt/tank': pool or dataset is busy" in job["error"]["detail"]
    assert api.get("/api/v1/pools/tank/").status_code == 200
