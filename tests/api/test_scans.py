"""What files a dataset holds, through the API."""

from __future__ import annotations

from rest_framework.test import APIClient

from host.commands.datasets.snapshots import ZfsSnapshot
from host.commands.datasets.zfs import ZfsSet
from host.simulated import SimulatedHost
from tests.api.test_compression import code, home
from tests.conftest import refresh

__all__ = ["home"]

HERE = "/api/v1/scans/tank/home/"


def test_files_are_counted_and_a_record_size_recommended(home: SimulatedHost, api: APIClient) -> None:
    before = api.get(HERE).json()
    assert (before["run"], before["records"], before["recommended"]) == (None, [], None)
    job = api.post(HERE, {"duplicates": True})
    assert (job.status_code, job.json()["state"]) == (202, "succeeded")
    home.pass_time(60)
    found = api.get(HERE).json()
    run = found["run"]
    assert (run["verdict"], run["snapshot"], found["record_bytes"]) == ("done", "zz", 131072)
    assert (run["compares"], run["duplicates"]) == (True, [])
    assert run["files"] == sum(one["files"] for one in run["kinds"]) > 0
    assert {one["record_bytes"] for one in found["records"]} >= {16384, 131072, 1 << 20}
    assert found["recommended"]["record_bytes"] in {one["record_bytes"] for one in found["records"]}
    assert "zfs rewrite" in found["existing_files"]
    assert code(api.delete(f"{HERE}?dry_run=true")) == "has-ended"


def test_it_can_be_stopped_and_is_begun_once(home: SimulatedHost, api: APIClient) -> None:
    assert code(api.delete(f"{HERE}?dry_run=true")) == "no-run"
    assert api.post(HERE, {}).json()["state"] == "succeeded"
    home.pass_time(10)
    assert code(api.post(f"{HERE}?dry_run=true", {})) == "already-measuring"
    assert api.delete(HERE).json()["state"] == "succeeded"
    assert api.get(HERE).json()["run"]["verdict"] == "stopped"


def test_without_a_snapshot_it_is_refused(home: SimulatedHost, api: APIClient) -> None:
    assert code(api.post("/api/v1/scans/tank/new/", {})) == "no-snapshot"
    assert api.get("/api/v1/scans/tank/none/").status_code == 404


def test_files_with_the_same_content_share_their_blocks(home: SimulatedHost, api: APIClient) -> None:
    for name in (b"films/a.mkv", b"films/b.mkv", b"copies/a.mkv"):
        home.write_file("tank/home", name, 3 << 20, modified_ns=1 if b"a.mkv" in name else 2)
    home.run(ZfsSnapshot(names=("tank/home@zzz",)))
    refresh()
    api.post(HERE, {"duplicates": True})
    home.pass_time(60)
    (found,) = api.get(HERE).json()["run"]["duplicates"]
    assert found == {"size_bytes": 3 << 20, "files": 2, "paths": ["copies/a.mkv", "films/a.mkv"]}
    kept, *paths = found["paths"]
    job = api.post(f"{HERE}share-blocks/", {"kept": kept, "paths": [*paths, "films/b.mkv"]}).json()
    assert job["state"] == "succeeded"
    assert job["steps"][0]["output"].splitlines() == [
        "films/a.mkv shares its blocks now (3145728 bytes).",
        "films/b.mkv stays as it is. It has another content by now.",
    ]


def test_what_cannot_share_its_blocks(home: SimulatedHost, api: APIClient) -> None:
    body = {"kept": "Letters/neighbour.txt", "paths": ["Letters/neighbour.txt"]}
    assert code(api.post(f"{HERE}share-blocks/", body)) == "same-file"
    job = api.post(f"{HERE}share-blocks/", body | {"paths": ["Letters/none.txt"]}).json()
    assert job["state"] == "failed" and "There is nothing at this path" in job["error"]["detail"]
    assert api.post(f"{HERE}share-blocks/", {"kept": "../x", "paths": ["a"]}).status_code == 422
    home.run(ZfsSet(name="tank/home", properties={"readonly": "on"}))
    refresh()
    assert code(api.post(f"{HERE}share-blocks/", body | {"paths": ["a"]})) == "read-only"
