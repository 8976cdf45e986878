"""Datasets through the API: presets, names, mounts, properties of one and of many."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.models import User
from accounts.roles import Role
from host.simulated import SimulatedHost
from tests.conftest import caller

BASE = "/api/v1/datasets"


def done(answer: Any) -> Any:
    assert answer.status_code == 202, answer.json()
    assert answer.json()["state"] == "succeeded", answer.json()
    return answer.json()


@pytest.fixture
def media(api: APIClient, tank: dict[str, Any]) -> str:
    """`tank/media` with `films` below it."""
    for name in ("tank/media", "tank/media/films"):
        done(api.post(f"{BASE}/", {"name": name}))
    return "tank/media"


def test_a_preset_becomes_properties_and_explains_itself(api: APIClient, tank: dict[str, Any]) -> None:
    body = {"name": "tank/films", "preset": "media", "properties": {"recordsize": "4M"}}
    plan = api.post(f"{BASE}/?dry_run=true", body).json()
    assert plan["steps"][0]["commands"] == [["zfs", "create", "-o", "recordsize=4M", "tank/films"]]
    assert any(finding["message"].startswith("compression=lz4, inherited:") for finding in plan["findings"])
    done(api.post(f"{BASE}/", body))
    found = api.get(f"{BASE}/tank/films/").json()["properties"]["recordsize"]
    assert found == {"value": str(4 << 20), "source": "local", "inherited_from": None, "received": None}
    presets = api.get("/api/v1/dataset-presets/").json()["results"]
    assert [preset["name"] for preset in presets] == [
        "general", "media", "backups", "virtual-machines", "databases", "time-machine",
    ]  # fmt: skip
    assert all(choice["why"] for preset in presets for choice in preset["choices"])
    answer = api.post(f"{BASE}/", {"name": "tank/x", "preset": "gaming"})
    assert (answer.status_code, answer.json()["findings"][0]["field"]) == (422, "preset")


def test_the_properties_of_this_zfs_are_told_with_their_meaning(api: APIClient) -> None:
    results = api.get("/api/v1/dataset-properties/").json()["results"]
    compression = next(entry for entry in results if entry["name"] == "compression")
    assert compression["editable"] and compression["inheritable"]
    assert "zstd-[1-19]" in compression["values"]
    assert compression["unchanged"].startswith("Only data written from now on is affected")


def test_a_dataset_is_renamed_with_all_below_it(api: APIClient, media: str) -> None:
    done(api.post(f"{BASE}/{media}/rename/", {"to": "tank/av"}))
    names = [dataset["name"] for dataset in api.get(f"{BASE}/").json()["results"]]
    assert names == ["tank", "tank/av", "tank/av/films"]
    assert api.get(f"{BASE}/{media}/").status_code == 404
    assert api.post(f"{BASE}/{media}/rename/", {"to": "tank/x"}).status_code == 404


def test_a_file_system_is_unmounted_and_mounted_with_what_is_below_it(api: APIClient, media: str) -> None:
    done(api.post(f"{BASE}/{media}/unmount/"))
    assert [api.get(f"{BASE}/{name}/").json()["mounted"] for name in (media, f"{media}/films")] == [False] * 2
    job = done(api.post(f"{BASE}/{media}/mount/?recursive=true"))
    assert job["steps"][0]["commands"] == [["zfs", "mount", media], ["zfs", "mount", f"{media}/films"]]
    assert api.get(f"{BASE}/{media}/films/").json()["mounted"] is True


def test_a_dataset_may_be_called_like_something_to_do(api: APIClient, media: str) -> None:
    for verb in ("mount", "unmount", "rename", "promote"):
        name = f"tank/{verb}"
        done(api.post(f"{BASE}/", {"name": name}))
        assert api.get(f"{BASE}/{name}/").json()["name"] == name
        done(api.patch(f"{BASE}/{name}/", {"properties": {"atime": "on"}}))
        plan = api.delete(f"{BASE}/{name}/?dry_run=true").json()
        assert plan["steps"][0]["commands"] == [["zfs", "destroy", name]]


def test_what_is_no_clone_is_not_promoted(api: APIClient, media: str) -> None:
    answer = api.post(f"{BASE}/{media}/promote/")
    assert answer.status_code == 422
    assert answer.json()["findings"][0]["code"] == "not-a-clone"


def test_inheritance_over_three_levels(api: APIClient, media: str) -> None:
    done(api.patch(f"{BASE}/tank/", {"properties": {"compression": "zstd"}}))
    done(api.patch(f"{BASE}/{media}/", {"properties": {"compression": "gzip"}}))
    low = api.get(f"{BASE}/{media}/films/").json()["properties"]["compression"]
    assert (low["value"], low["source"], low["inherited_from"]) == ("gzip", "inherited", media)
    plan = api.patch(f"{BASE}/tank/?dry_run=true", {"properties": {"compression": "lz4"}}).json()
    assert ("shielded", f"{media} keeps its own value gzip.") in [
        (finding["code"], finding["message"]) for finding in plan["findings"]
    ]
    done(api.patch(f"{BASE}/{media}/", {"properties": {"compression": None}}))
    low = api.get(f"{BASE}/{media}/films/").json()["properties"]["compression"]
    assert (low["value"], low["inherited_from"]) == ("zstd", "tank")


def test_many_datasets_are_changed_at_once(api: APIClient, media: str) -> None:
    body = {"names": [media, f"{media}/films"], "properties": {"sync": "always", "org.me:note": "x"}}
    done(api.patch(f"{BASE}/", body))
    found = [api.get(f"{BASE}/{name}/").json()["properties"]["sync"]["source"] for name in body["names"]]
    assert found == ["local", "local"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "names"),
        ({"names": []}, "names"),
        ({"names": "tank"}, "names"),
        ({"names": ["tank"]}, "properties"),
        ({"names": ["a\x00"], "properties": {"atime": "on"}}, "names[0]"),
        ({"names": ["tank"], "properties": {"atime": 5}}, "properties.atime"),
        ({"names": ["tank"], "received": ["atime"]}, "received[0]"),
    ],
)
def test_a_bad_change_of_many_names_the_field(
    simulated: SimulatedHost, api: APIClient, tank: dict[str, Any], body: dict[str, Any], field: str
) -> None:
    before = simulated.ran()
    answer = api.patch(f"{BASE}/", body)
    assert answer.status_code == 422
    assert field in {finding["field"] for finding in answer.json()["findings"]}
    assert simulated.ran() == before


def test_destroying_what_has_a_clone_elsewhere_tells_the_way_out(
    simulated: SimulatedHost, api: APIClient, media: str
) -> None:
    done(api.post("/api/v1/snapshots/", {"datasets": [media], "name": "monday"}))
    done(api.post(f"{BASE}/", {"name": "tank/copy"}))
    with simulated._store.change() as machine:
        machine.pools["tank"].datasets["tank/copy"].origin = f"{media}@monday"
    api.post("/api/v1/inventory/refresh/", {})
    done(api.patch(f"{BASE}/tank/", {"properties": {"org.me:note": "look again"}}))
    answer = api.delete(f"{BASE}/{media}/?recursive=true&dry_run=true")
    assert answer.status_code == 422, answer.json()
    (finding,) = [one for one in answer.json()["findings"] if one["code"] == "has-clones"]
    assert "Promote tank/copy" in finding["message"]
    done(api.post(f"{BASE}/tank/copy/promote/"))
    plan = api.delete(f"{BASE}/{media}/?recursive=true&dry_run=true")
    assert plan.status_code == 200, plan.json()


def test_scopes_hold_for_what_is_done_with_datasets(api: APIClient, media: str) -> None:
    viewer = User.objects.create_user("vera", role=Role.VIEWER)
    reader = caller(viewer, "pools:read")
    for verb in ("rename", "mount", "unmount", "promote"):
        assert reader.post(f"{BASE}/{media}/{verb}/", {}).status_code == 403
    assert reader.patch(f"{BASE}/", {"names": [media], "properties": {"atime": "on"}}).status_code == 403
    assert reader.get("/api/v1/dataset-presets/").status_code == 200
