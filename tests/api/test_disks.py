"""Disks, bays and the chassis over the API: from a request to what the machine and the records say then."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.models import User
from accounts.roles import Role
from disks import tasks
from host.simulated import SimulatedHost
from jobs.models import Job
from tests.conftest import caller, refresh, simulated_machine
from tests.prepared import prepared

TOWER = {"profile": "home-tower-6"}


@pytest.fixture
def disks(api: APIClient) -> list[dict[str, Any]]:
    """The six data disks in the order of their ports."""
    return [disk for disk in listed(api) if disk["medium"] == "hdd"]


@pytest.fixture
def shelf(transactional_db: None, settings: Any, tmp_path: Any, admin: User) -> APIClient:
    """A caller on a machine whose twelve bays tell their slots."""
    simulated_machine(settings, tmp_path, "shelf12")
    return caller(admin, "disks:read", "disks:write", "jobs:read", "system:read")


def listed(api: APIClient, query: str = "") -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = api.get(f"/api/v1/disks/{query}").json()["results"]
    return results


def bays(api: APIClient) -> dict[str, dict[str, Any]]:
    return {bay["label"]: bay for bay in api.get("/api/v1/bays/").json()["results"]}


def done(answer: Any) -> None:
    assert answer.status_code == 202, answer.json()
    assert answer.json()["state"] == "succeeded", answer.json()["error"]


def codes(answer: Any) -> list[str]:
    assert answer.status_code == 422, answer.json()
    return [finding["code"] for finding in answer.json()["findings"] if finding["level"] == "error"]


def teach_all(api: APIClient, disks: list[dict[str, Any]]) -> None:
    prepared(f"taught {[disk['id'] for disk in disks]}", lambda: _teach_all(api, disks))


def _teach_all(api: APIClient, disks: list[dict[str, Any]]) -> None:
    done(api.put("/api/v1/chassis/", TOWER))
    for number, disk in enumerate(disks, start=1):
        body = {"disk": disk["id"], "serial": disk["serial"]}
        done(api.put(f"/api/v1/bays/{number}/", body))


def test_profiles_are_listed_with_their_bays(api: APIClient) -> None:
    profiles = {one["profile"]: one for one in api.get("/api/v1/chassis/profiles/").json()["results"]}
    assert {name: one["bays"] for name, one in profiles.items()} == {
        "home-tower-6": 6,
        "mini-itx-4": 6,
        "rack-2u-12": 12,
        "rack-4u-24": 26,
        "top-loader-60": 60,
    }
    assert profiles["rack-2u-12"]["chassis"]["groups"][0]["order"] == "columns"


def test_a_chassis_is_set_shown_and_empty_until_it_is_taught(api: APIClient) -> None:
    plan = api.put("/api/v1/chassis/?dry_run=true", TOWER).json()
    assert api.get("/api/v1/chassis/").json()["name"] is None
    done(api.put("/api/v1/chassis/", TOWER | {"digest": plan["digest"]}))
    chassis = api.get("/api/v1/chassis/").json()
    assert chassis["name"] == "Home tower, 6 bays"
    (group,) = chassis["groups"]
    assert (group["rows"], group["columns"], group["origin"], group["order"]) == (6, 1, "top-left", "rows")
    assert [bay["label"] for bay in group["bays"]] == ["1", "2", "3", "4", "5", "6"]
    assert {bay["disk"] for bay in group["bays"]} == {None}
    assert len(listed(api)) == 8


def test_taught_bays_keep_their_disks_when_every_name_changes(
    simulated: SimulatedHost, api: APIClient, disks: list[dict[str, Any]]
) -> None:
    teach_all(api, disks)
    before = {label: bay["disk"] for label, bay in bays(api).items()}
    assert before == {str(number): disk["id"] for number, disk in enumerate(disks, start=1)}
    assert {bay["known_by"] for bay in bays(api).values()} == {"path"}
    paths = {disk["id"]: disk["path"] for disk in listed(api)}
    simulated.shuffle()
    refresh()
    assert {disk["id"]: disk["path"] for disk in listed(api)} != paths
    assert {label: bay["disk"] for label, bay in bays(api).items()} == before


def test_a_pulled_disk_is_missing_listed_and_comes_back(
    simulated: SimulatedHost, api: APIClient, disks: list[dict[str, Any]]
) -> None:
    teach_all(api, disks)
    third = disks[2]
    simulated.pull(third["serial"])
    tasks.watch()
    bay = api.get("/api/v1/bays/3/").json()
    assert bay["disk"] is None and bay["missing"]["serial"] == third["serial"]
    assert third["id"] not in [disk["id"] for disk in listed(api)]
    (gone,) = [disk for disk in listed(api, "?gone=true") if disk["gone_since"]]
    assert (gone["id"], gone["last_bay"], gone["path"]) == (third["id"], "3", None)
    detail = api.get(f"/api/v1/disks/{third['id']}/").json()
    assert (detail["gone_since"], detail["bays"]) == (gone["gone_since"], ["3"])
    simulated.insert(third["serial"])
    tasks.watch()
    bay = api.get("/api/v1/bays/3/").json()
    assert (bay["disk"], bay["missing"], bay["fresh"]) == (third["id"], None, False)
    story = api.get(f"/api/v1/disks/{third['id']}/story/").json()["results"]
    assert [event["kind"] for event in story] == ["came-back", "gone", "first-seen"]


def test_another_disk_in_a_taught_bay_is_new_there(
    simulated: SimulatedHost, api: APIClient, disks: list[dict[str, Any]]
) -> None:
    teach_all(api, disks)
    simulated.swap(disks[0]["serial"], "WD-NEW0001")
    refresh()
    bay = bays(api)["1"]
    assert bay["fresh"] is True and bay["disk"].endswith("WD-NEW0001")


def test_all_bays_are_taught_at_once_and_read_back(api: APIClient, disks: list[dict[str, Any]]) -> None:
    done(api.put("/api/v1/chassis/", TOWER))
    body = {"bays": [{"bay": "1", "port": disks[0]["port"]}, {"bay": "2", "serial": disks[1]["serial"]}]}
    done(api.put("/api/v1/bays/", body))
    first, second = bays(api)["1"], bays(api)["2"]
    assert (first["port"], first["known_by"]) == (disks[0]["port"], "path")
    assert (second["serial"], second["known_by"]) == (disks[1]["serial"], "taught")


def test_the_whole_case_travels_as_yaml(api: APIClient, disks: list[dict[str, Any]]) -> None:
    teach_all(api, disks)
    before = bays(api)
    text = api.get("/api/v1/chassis/export/").json()["yaml"]
    done(api.put("/api/v1/chassis/", {"profile": "rack-2u-12"}))
    assert bays(api).keys() != before.keys()
    done(api.post("/api/v1/chassis/import/", {"yaml": text}))
    assert bays(api) == before


def test_a_guessed_case_can_be_exported_and_becomes_a_description(api: APIClient) -> None:
    text = api.get("/api/v1/chassis/export/").json()["yaml"]
    done(api.post("/api/v1/chassis/import/", {"yaml": text}))
    assert sorted(bays(api)) == ["A1", "A2", "A3", "A4", "A5", "A6", "U1", "U2"]


LONG = "A" * 1000
STRAY = "chassis: {name: x, groups: [{name: y, rows: 1, columns: 1}]}\nbays: [{bay: z, port: p}]"


def row(*labels: str, columns: int = 1, rows: int = 1, name: str = "x") -> dict[str, Any]:
    """The request for a case of one group."""
    group = {"name": "y", "rows": rows, "columns": columns}
    return {"name": name, "groups": [group | ({"labels": labels} if labels else {})]}


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("put", "chassis/", row(rows=103)),
        ("put", "chassis/", row(rows=50, columns=50)),
        ("put", "chassis/", row(name=LONG)),
        ("put", "chassis/", row(LONG)),
        ("put", "chassis/", row("\x07")),
        ("put", "chassis/", row("A", "A", columns=2)),
        ("put", "chassis/", {"profile": "nothing"}),
        ("put", "bays/", {"bays": [{"bay": "7", "port": "p"}]}),
        ("put", "bays/", {"bays": [{"bay": "1", "port": "p"}, {"bay": "1", "port": "q"}]}),
        ("put", "bays/", {"bays": [{"bay": "1", "serial": "S"}, {"bay": "2", "serial": "S"}]}),
        ("put", "bays/", {"bays": [{"bay": LONG, "serial": "S"}]}),
        ("put", "bays/1/", {"disk": "ata-none", "serial": "S"}),
        ("post", "chassis/import/", {"yaml": "&a [*a, *a]"}),
        ("post", "chassis/import/", {"yaml": "!!python/object/apply:os.system ['id']"}),
        ("post", "chassis/import/", {"yaml": "a" * 70_000}),
        ("post", "chassis/import/", {"yaml": STRAY}),
    ],
)  # fmt: skip
def test_bad_input_is_refused_with_findings_and_nothing_is_saved(
    api: APIClient, disks: list[dict[str, Any]], method: str, path: str, body: dict[str, Any]
) -> None:
    teach_all(api, disks)
    before = (api.get("/api/v1/chassis/").json(), Job.objects.count())
    answer = getattr(api, method)(f"/api/v1/{path}", body)
    assert codes(answer) != []
    assert (api.get("/api/v1/chassis/").json(), Job.objects.count()) == before


def test_all_that_is_wrong_is_told_at_once(api: APIClient) -> None:
    done(api.put("/api/v1/chassis/", TOWER))
    body = {"bays": [{"bay": "9"}, {"bay": "1", "serial": "S", "slot": 2}, {"bay": "1", "serial": "S"}]}
    assert codes(api.put("/api/v1/bays/", body)) == [
        "unknown-bay",
        "nothing-taught",
        "half-a-slot",
        "duplicate-bay",
        "duplicate-serial",
    ]


def test_a_disk_blinks_by_serial_and_bay_and_says_until_when(
    simulated: SimulatedHost, api: APIClient, disks: list[dict[str, Any]]
) -> None:
    disk = disks[3]
    address = f"/api/v1/disks/{disk['id']}/locate/"
    body = {"serial": disk["serial"], "bay": disk["bay"], "seconds": 90}
    plan = api.post(f"{address}?dry_run=true", body).json()
    assert disk["serial"] in plan["steps"][0]["title"] and f"bay {disk['bay']}:" in plan["steps"][0]["title"]
    assert simulated.ran() == []
    done(api.post(address, body))
    assert simulated.ran() == plan["steps"][0]["commands"]
    until = datetime.fromisoformat(api.get(f"/api/v1/disks/{disk['id']}/").json()["located_until"])
    left = until - datetime.now(until.tzinfo)
    assert timedelta(seconds=60) < left <= timedelta(seconds=90)
    done(api.post(address, body | {"on": False}))
    assert api.get(f"/api/v1/disks/{disk['id']}/").json()["located_until"] is None


def test_the_wrong_disk_cannot_blink(
    simulated: SimulatedHost, api: APIClient, disks: list[dict[str, Any]]
) -> None:
    address = f"/api/v1/disks/{disks[0]['id']}/locate/"
    right = {"serial": disks[0]["serial"], "bay": disks[0]["bay"]}
    assert codes(api.post(address, right | {"serial": disks[1]["serial"]})) == ["wrong-serial"]
    assert codes(api.post(address, right | {"bay": disks[1]["bay"]})) == ["wrong-bay"]
    assert codes(api.post(address, right | {"seconds": 601})) == ["invalid"]
    assert codes(api.post(address, {})) == ["required"]
    assert simulated.ran() == []


def test_a_disk_that_was_swapped_since_the_plan_does_not_blink(
    simulated: SimulatedHost, api: APIClient, disks: list[dict[str, Any]]
) -> None:
    """Two disks trade places while the cached picture is old: the fresh probe before the run notices."""
    teach_all(api, disks)
    one, other = disks[0], disks[1]
    body = {"serial": one["serial"], "bay": "1"}
    simulated.pull(one["serial"])
    simulated.pull(other["serial"])
    simulated.insert(one["serial"], into=other["serial"])
    simulated.insert(other["serial"])
    job = api.post(f"/api/v1/disks/{one['id']}/locate/", body).json()
    assert (job["state"], simulated.ran()) == ("failed", [])
    assert "in bay 2, not in 1" in job["error"]["detail"]


def test_an_enclosure_lights_its_slot_and_knows_its_bays(shelf: APIClient) -> None:
    done(shelf.put("/api/v1/chassis/", {"profile": "rack-2u-12"}))
    first = bays(shelf)["0"]
    assert first["known_by"] == "enclosure" and len({bay["disk"] for bay in bays(shelf).values()}) == 12
    disk = shelf.get(f"/api/v1/disks/{first['disk']}/").json()
    address, body = f"/api/v1/disks/{disk['id']}/locate/", {"serial": disk["serial"], "bay": "0"}
    plan = shelf.post(f"{address}?dry_run=true", body).json()
    assert plan["steps"][0]["commands"][0][0] == "tee"
    done(shelf.post(address, body))
    tasks.watch()
    assert shelf.get(f"/api/v1/disks/{disk['id']}/").json()["located_until"] is not None


def test_a_self_test_is_started_followed_and_told(
    simulated: SimulatedHost, api: APIClient, disks: list[dict[str, Any]]
) -> None:
    disk = f"/api/v1/disks/{disks[0]['id']}/"
    tasks.read_smart()
    plan = api.post(f"{disk}smart-test/?dry_run=true", {"kind": "long"}).json()
    assert "about" in plan["steps"][0]["title"]
    done(api.post(f"{disk}smart-test/", {"kind": "short"}))
    assert api.get(disk).json()["smart"]["test_remaining_percent"] == 90
    assert codes(api.post(f"{disk}smart-test/", {"kind": "long"})) == ["test-running"]
    simulated.pass_time(3600)
    tasks.follow()
    assert api.get(disk).json()["smart"]["tests"][0]["result"] == "passed"
    story = [event["words"] for event in api.get(f"{disk}story/").json()["results"]]
    assert story[0].startswith("Short self-test passed") and story[1] == "Short self-test started"


def test_what_smart_says_is_told_with_reasons_and_as_a_series(
    simulated: SimulatedHost, api: APIClient, disks: list[dict[str, Any]]
) -> None:
    simulated.age(disks[0]["serial"], pending=8)
    tasks.read_smart()
    disk = api.get(f"/api/v1/disks/{disks[0]['id']}/").json()
    assert disk["health"] == disk["verdict"]["level"] == "warning"
    assert disk["verdict"]["reasons"][0]["code"] == "pending"
    times, values = api.get("/api/v1/metrics/series/", {"name": disk["series"]["temperature"]}).json()
    assert values == [disk["temperature_celsius"]] and len(times) == 1


def test_a_note_is_kept_even_for_a_disk_that_left(
    simulated: SimulatedHost, api: APIClient, disks: list[dict[str, Any]]
) -> None:
    address = f"/api/v1/disks/{disks[0]['id']}/"
    body = {"note": "Bought used", "purchased": "2026-01-02", "warranty_until": "2028-01-02"}
    done(api.put(f"{address}note/", body))
    simulated.pull(disks[0]["serial"])
    refresh()
    disk = api.get(address).json()
    assert {name: disk[name] for name in body} == body
    done(api.put(f"{address}note/", {"note": "Sent back"}))
    disk = api.get(address).json()
    assert (disk["note"], disk["purchased"]) == ("Sent back", None)
    assert codes(api.put(f"{address}note/", {"purchased": "yesterday"})) == ["invalid"]


def test_a_disk_that_left_is_forgotten_and_its_bay_misses_it_no_longer(
    simulated: SimulatedHost, api: APIClient, disks: list[dict[str, Any]]
) -> None:
    teach_all(api, disks)
    one, address = disks[2], f"/api/v1/disks/{disks[2]['id']}/"
    done(api.put(f"{address}note/", {"note": "Bought used"}))
    assert codes(api.delete(address)) == ["disk-present"]
    simulated.pull(one["serial"])
    refresh()
    assert bays(api)["3"]["missing"]["serial"] == one["serial"]
    (warning,) = api.delete(f"{address}?dry_run=true").json()["findings"]
    assert "and the note on it" in warning["message"]
    events = len(api.get(f"{address}story/").json()["results"])
    assert events > 1 and f"story of {events} entries" in warning["message"]
    assert codes(api.delete(address, {"serial": disks[0]["serial"]})) == ["wrong-serial"]
    done(api.delete(address, {"serial": one["serial"]}))
    assert api.get(address).status_code == api.get(f"{address}story/").status_code == 404
    assert bays(api)["3"]["missing"] is None
    assert [disk["id"] for disk in listed(api, "?gone=true") if disk["gone_since"]] == []
    assert api.delete(address).status_code == 404
    simulated.insert(one["serial"])
    refresh()
    words = [event["words"] for event in api.get(f"{address}story/").json()["results"]]
    assert words == ["First seen in bay 3"]


@pytest.mark.parametrize(
    "path",
    ["disks/ata-none/story/", "bays/none/", "metrics/series/?name=none"],
)
def test_an_unknown_thing_is_404(api: APIClient, path: str) -> None:
    assert api.get(f"/api/v1/{path}").status_code == 404


@pytest.mark.parametrize("action", ["locate", "smart-test", "burn-in", "wipe"])
def test_nothing_can_be_done_with_a_disk_that_is_not_here(api: APIClient, action: str) -> None:
    body = {"serial": "S", "kind": "short"} if action == "smart-test" else {"serial": "S"}
    assert api.post(f"/api/v1/disks/ata-none/{action}/", body).status_code == 404


@pytest.mark.parametrize(
    "query", ["", "?name=x&from=yesterday", "?name=x&from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z"]
)
def test_a_series_is_asked_for_by_name_and_times(api: APIClient, query: str) -> None:
    assert codes(api.get(f"/api/v1/metrics/series/{query}")) != []


def test_a_viewer_reads_and_changes_nothing(api: APIClient, disks: list[dict[str, Any]]) -> None:
    viewer = caller(User.objects.create_user("eve", "correct horse battery", role=Role.VIEWER), "disks:read")
    assert viewer.get("/api/v1/chassis/export/").status_code == 200
    assert viewer.put("/api/v1/chassis/", TOWER).status_code == 403
    body = {"serial": disks[0]["serial"], "bay": disks[0]["bay"]}
    assert viewer.post(f"/api/v1/disks/{disks[0]['id']}/locate/", body).status_code == 403
