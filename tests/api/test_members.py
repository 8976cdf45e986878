"""What is done with the members of a pool, through the API, on a rack of 24 disks."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.models import User
from accounts.roles import SCOPES
from host.commands.pools.members import ZpoolReplace
from host.simulated import SimulatedHost
from jobs.models import Job
from tests.conftest import caller, refresh

FIELDS = {
    "add": ("vdevs", "confirm"),
    "attach": ("vdev", "disk"),
    "clear": ("vdev",),
    "detach": ("vdev", "confirm"),
    "expand": ("vdev",),
    "offline": ("vdev", "confirm"),
    "online": ("vdev",),
    "remove": ("vdev",),
    "replace": ("vdev", "disk", "confirm"),
}
NASTY = ("", "a\x00b", "x" * 10_000, "; rm -rf /", "-f", "../..", "ä", "1", "9" * 23)


@pytest.fixture
def rack(rack24: SimulatedHost, admin: User) -> APIClient:
    return caller(admin, *SCOPES)


@pytest.fixture
def free(rack: APIClient) -> list[str]:
    disks = rack.get("/api/v1/disks/").json()["results"]
    return [disk["id"] for disk in disks if disk["used_by"] is None]


def made(rack: APIClient, *vdevs: dict[str, Any]) -> dict[str, Any]:
    answer = rack.post("/api/v1/pools/", {"name": "tank", "vdevs": list(vdevs)})
    assert answer.json()["state"] == "succeeded", answer.json()
    return tank(rack)


def tank(rack: APIClient) -> dict[str, Any]:
    refresh()
    pool: dict[str, Any] = rack.get("/api/v1/pools/tank/").json()
    return pool


def do(rack: APIClient, what: str, **body: Any) -> dict[str, Any]:
    answer = rack.post(f"/api/v1/pools/tank/{what}/", body)
    assert answer.status_code == 202, answer.json()
    job: dict[str, Any] = answer.json()
    assert job["state"] == "succeeded", job
    return job


def refused(rack: APIClient, what: str, **body: Any) -> dict[str, str]:
    """Field by code of the errors; nothing was done."""
    before = Job.objects.count()
    answer = rack.post(f"/api/v1/pools/tank/{what}/", body)
    assert answer.status_code == 422, answer.json()
    assert Job.objects.count() == before
    return {f["code"]: f["field"] for f in answer.json()["findings"] if f["level"] == "error"}


def vdev(layout: str, disks: list[str], role: str = "data") -> dict[str, Any]:
    return {"role": role, "layout": layout, "disks": disks}


def leaf_of(pool: dict[str, Any], disk: str) -> str:
    found = [
        leaf["guid"] for top in pool["vdevs"] for leaf in top["children"] or [top] if leaf["disk"] == disk
    ]
    return str(found[0])


def test_a_healthy_disk_is_replaced_only_with_its_guid_in_confirm(rack: APIClient, free: list[str]) -> None:
    pool = made(rack, vdev("raidz2", free[:6]))
    guid = leaf_of(pool, free[1])
    assert refused(rack, "replace", vdev=guid, disk=free[7]) == {"confirmation-missing": "confirm"}
    for wrong in ("", "yes", pool["guid"], leaf_of(pool, free[2])):
        codes = refused(rack, "replace", vdev=guid, disk=free[7], confirm=wrong)
        assert codes == {"confirmation-wrong": "confirm"}
    job = do(rack, "replace", vdev=guid, disk=free[7], confirm=guid)
    assert [step["title"].split()[0] for step in job["steps"]] == ["Prepare", "Replace"]
    assert [leaf["disk"] for leaf in tank(rack)["vdevs"][0]["children"]] == [free[0], free[7], *free[2:6]]


def test_a_failed_disk_is_replaced_without_typing(
    rack: APIClient, rack24: SimulatedHost, free: list[str]
) -> None:
    pool = made(rack, vdev("raidz2", free[:6]))
    rack24.fail(free[3])
    refresh()
    do(rack, "replace", vdev=leaf_of(pool, free[3]), disk=free[8])
    after = tank(rack)
    assert (after["state"], after["vdevs"][0]["children"][3]["disk"]) == ("ONLINE", free[8])


def test_a_disk_in_use_is_never_a_target(rack: APIClient, rack24: SimulatedHost, free: list[str]) -> None:
    pool = made(rack, vdev("raidz2", free[:6]))
    boot = next(disk["id"] for disk in rack.get("/api/v1/disks/").json()["results"] if disk["in_use"])
    rack24.fail(free[3])
    refresh()
    guid = leaf_of(pool, free[3])
    for taken in (free[0], boot):
        codes = refused(rack, "replace", vdev=guid, disk=taken, confirm=guid)
        assert codes["disk-in-use"] == "disk"
    codes = refused(rack, "add", vdevs=[vdev("mirror", [free[0], free[9]])], confirm="tank")
    assert codes == {"disk-in-use": "vdevs[0].disks[0]"}


def test_a_disk_with_old_content_needs_the_digest(
    rack: APIClient, rack24: SimulatedHost, free: list[str]
) -> None:
    pool = made(rack, vdev("mirror", free[:2]))
    rack24.occupy(free[5], "unmounted-ntfs")
    refresh()
    body = {"vdev": pool["vdevs"][0]["guid"], "disk": free[5]}
    answer = rack.post("/api/v1/pools/tank/attach/", body)
    assert (answer.status_code, answer.json()["type"].rpartition("/")[2]) == (409, "confirmation-required")
    plan = answer.json()["plan"]
    assert plan["steps"][0]["destroys"][0]["disk"] == free[5]
    do(rack, "attach", **body, digest=plan["digest"])
    assert [leaf["disk"] for leaf in tank(rack)["vdevs"][0]["children"]] == [*free[:2], free[5]]


def test_a_spare_stands_in_stays_or_returns(rack: APIClient, rack24: SimulatedHost, free: list[str]) -> None:
    pool = made(rack, vdev("raidz2", free[:6]), vdev("stripe", [free[6]], "spare"))
    guid, spare = leaf_of(pool, free[0]), leaf_of(pool, free[6])
    do(rack, "replace", vdev=guid, disk=free[6], confirm=guid)
    node = tank(rack)["vdevs"][0]["children"][0]
    assert (node["kind"], [leaf["disk"] for leaf in node["children"]]) == ("spare", [free[0], free[6]])
    do(rack, "detach", vdev=spare)
    assert [top["state"] for top in tank(rack)["vdevs"]] == ["ONLINE", "AVAIL"]
    rack24.pull(free[0])
    assert tank(rack)["vdevs"][0]["children"][0]["kind"] == "spare"
    do(rack, "detach", vdev=guid)
    after = tank(rack)
    assert [top["role"] for top in after["vdevs"]] == ["data"]
    assert after["vdevs"][0]["children"][0]["disk"] == free[6]


def test_a_member_rests_and_comes_back(rack: APIClient, free: list[str]) -> None:
    pool = made(rack, vdev("mirror", free[:2]))
    guid = leaf_of(pool, free[0])
    assert refused(rack, "offline", vdev=guid) == {"confirmation-missing": "confirm"}
    do(rack, "offline", vdev=guid, confirm=guid)
    assert tank(rack)["vdevs"][0]["children"][0]["state"] == "OFFLINE"
    assert refused(rack, "offline", vdev=guid, confirm=guid) == {"already-offline": "vdev"}
    other = leaf_of(pool, free[1])
    assert refused(rack, "offline", vdev=other, confirm=other) == {"no-valid-replicas": "vdev"}
    do(rack, "online", vdev=guid)
    assert tank(rack)["health"] == "healthy"
    assert refused(rack, "online", vdev=guid) == {"already-online": "vdev"}


def test_in_a_raidz2_one_disk_may_rest_without_typing(rack: APIClient, free: list[str]) -> None:
    pool = made(rack, vdev("raidz2", free[:6]))
    plan = rack.post("/api/v1/pools/tank/offline/?dry_run=true", {"vdev": leaf_of(pool, free[0])}).json()
    assert [f["code"] for f in plan["findings"] if f["level"] == "warning"] == ["less-redundancy"]
    assert plan["steps"][0]["commands"] == [["zpool", "offline", "tank", leaf_of(pool, free[0])]]


def test_a_single_disk_beside_redundant_vdevs_is_asked_for_by_name(rack: APIClient, free: list[str]) -> None:
    made(rack, vdev("raidz2", free[:6]))
    single = [vdev("stripe", [free[7]])]
    assert refused(rack, "add", vdevs=single) == {"confirmation-missing": "confirm"}
    assert refused(rack, "add", vdevs=single, confirm="TANK") == {"confirmation-wrong": "confirm"}
    job = do(rack, "add", vdevs=single, confirm="tank")
    assert "-f" in job["steps"][1]["commands"][0]
    assert [top["kind"] for top in tank(rack)["vdevs"]] == ["raidz", "disk"]


def test_a_draid_that_cannot_be_is_refused(rack: APIClient, free: list[str]) -> None:
    made(rack, vdev("mirror", free[:2]))
    codes = refused(rack, "add", vdevs=[vdev("draid2:9d:5c:1s", free[2:7])], confirm="tank")
    assert codes == {"impossible-draid": "vdevs[0].layout"}


def test_vdevs_of_every_role_are_added_and_those_that_can_are_removed(
    rack: APIClient, free: list[str]
) -> None:
    made(rack, vdev("mirror", free[:2]))
    vdevs = [
        vdev("mirror", free[2:4]), vdev("mirror", free[4:6], "special"), vdev("stripe", [free[6]], "log"),
        vdev("stripe", [free[7]], "cache"), vdev("stripe", [free[8]], "spare"),
    ]  # fmt: skip
    do(rack, "add", vdevs=vdevs)
    pool = tank(rack)
    assert sorted(top["role"] for top in pool["vdevs"]) == [
        "cache", "data", "data", "log", "spare", "special",
    ]  # fmt: skip
    for top in pool["vdevs"]:
        if top["role"] in {"log", "cache", "spare"}:
            do(rack, "remove", vdev=top["guid"])
    mirror = next(top for top in pool["vdevs"] if top["role"] == "data")
    do(rack, "remove", vdev=mirror["guid"])
    assert sorted(top["role"] for top in tank(rack)["vdevs"]) == ["data", "special"]
    codes = refused(rack, "add", vdevs=[vdev("raidz1", free[9:12])], confirm="tank")
    assert codes == {"removed-before": "vdevs"}


def test_a_removal_is_called_off(rack: APIClient, rack24: SimulatedHost, free: list[str]) -> None:
    pool = made(rack, vdev("mirror", free[:2]), vdev("mirror", free[2:4]))
    assert refused(rack, "remove", cancel=True) == {"no-removal": "cancel"}
    rack24.write("tank", 400 << 30)
    refresh()
    do(rack, "remove", vdev=pool["vdevs"][0]["guid"])
    assert refused(rack, "remove", vdev=pool["vdevs"][1]["guid"])["removal-running"] == "name"
    do(rack, "remove", cancel=True)
    assert len(tank(rack)["vdevs"]) == 2


def test_a_vdev_is_not_removed_where_the_rest_has_no_room(
    rack: APIClient, rack24: SimulatedHost, free: list[str]
) -> None:
    pool = made(rack, vdev("mirror", free[:2]), vdev("mirror", free[2:4]))
    rack24.write("tank", pool["capacity"]["available_bytes"] * 6 // 10)
    refresh()
    assert refused(rack, "remove", vdev=pool["vdevs"][0]["guid"]) == {"not-enough-room": "vdev"}


def test_nothing_leaves_a_raidz(rack: APIClient, free: list[str]) -> None:
    pool = made(rack, vdev("raidz1", free[:3]))
    guid = leaf_of(pool, free[0])
    assert refused(rack, "detach", vdev=guid, confirm=guid) == {"cannot-be-detached": "vdev"}
    assert refused(rack, "remove", vdev=pool["vdevs"][0]["guid"]) == {"raidz-in-pool": "vdev"}
    assert refused(rack, "remove", vdev=guid) == {"not-top-level": "vdev"}
    assert refused(rack, "attach", vdev=guid, disk=free[5]) == {"not-a-member": "vdev"}


def test_a_raidz_grows_by_a_disk_and_says_what_that_means(rack: APIClient, free: list[str]) -> None:
    before = made(rack, vdev("raidz1", free[:3]))
    body = {"vdev": before["vdevs"][0]["guid"], "disk": free[4]}
    plan = rack.post("/api/v1/pools/tank/attach/?dry_run=true", body).json()
    said = {f["code"]: f["message"] for f in plan["findings"]}
    assert {"irreversible", "space-is-an-estimate", "old-data-stays", "redundancy-stays"} <= said.keys()
    do(rack, "attach", **body)
    after = tank(rack)
    assert len(after["vdevs"][0]["children"]) == 4
    grown = after["capacity"]["usable_bytes"] - before["capacity"]["usable_bytes"]
    # 2.42 TiB shown for one disk of 3.64 TiB: at two parts of data to one of parity, as the plan said.
    assert f"shows {grown / (1 << 40):.1f}" in said["space-is-an-estimate"]


def test_a_raidz_without_the_feature_says_what_to_do(
    rack: APIClient, rack24: SimulatedHost, free: list[str]
) -> None:
    pool = made(rack, vdev("raidz1", free[:3]))
    with rack24._store.change() as machine:  # as of a pool from an older system
        machine.pools["tank"].disabled = ["raidz_expansion"]
    refresh()
    codes = refused(rack, "attach", vdev=pool["vdevs"][0]["guid"], disk=free[4])
    assert codes == {"feature-disabled": "vdev"}


def test_a_suspended_pool_takes_nothing_but_clear(
    rack: APIClient, rack24: SimulatedHost, free: list[str]
) -> None:
    pool = made(rack, vdev("raidz1", free[:3]))
    rack24.pull(free[0])
    rack24.pull(free[1])
    refresh()
    guid = leaf_of(pool, free[2])
    requests: dict[str, dict[str, Any]] = {
        "offline": {"vdev": guid}, "detach": {"vdev": guid}, "online": {"vdev": guid}, "expand": {},
        "replace": {"vdev": guid, "disk": free[5]}, "attach": {"vdev": guid, "disk": free[5]},
        "remove": {"vdev": guid}, "add": {"vdevs": [vdev("mirror", free[5:7])]},
    }  # fmt: skip
    for what, body in requests.items():
        assert refused(rack, what, **body) == {"pool-suspended": "name"}, what
    rack24.insert(free[0])
    rack24.insert(free[1])
    refresh()
    do(rack, "clear")
    assert tank(rack)["state"] == "ONLINE"


def test_errors_are_forgotten_one_by_one_or_all(
    rack: APIClient, rack24: SimulatedHost, free: list[str]
) -> None:
    pool = made(rack, vdev("raidz1", free[:3]))
    rack24.fail(free[0])
    refresh()
    guid = leaf_of(pool, free[0])
    assert refused(rack, "online", vdev=guid) == {"faulted": "vdev"}
    job = do(rack, "clear", vdev=guid)
    assert job["steps"][0]["commands"] == [["zpool", "clear", "tank", guid]]
    assert tank(rack)["health"] == "healthy"


def test_there_is_nothing_to_expand_before_all_are_larger(rack: APIClient, free: list[str]) -> None:
    made(rack, vdev("mirror", free[:2]))
    assert refused(rack, "expand") == {"nothing-to-expand": "name"}


@pytest.mark.parametrize("what", FIELDS)
def test_an_unknown_pool_is_404_and_nonsense_is_422(rack: APIClient, free: list[str], what: str) -> None:
    made(rack, vdev("mirror", free[:2]))
    assert rack.post(f"/api/v1/pools/nothing/{what}/", {}).status_code == 404
    bodies: tuple[Any, ...] = (
        {"colour": "red"}, {"vdev": 7}, {"vdev": None, "disk": []}, {"name": "other"}, [], "x", 7,
    )  # fmt: skip
    for body in bodies:
        answer = rack.post(f"/api/v1/pools/tank/{what}/", body)
        assert answer.status_code == 422, (body, answer.json())
        assert all(finding["message"] for finding in answer.json()["findings"])
    for nasty in NASTY:
        fields = dict.fromkeys(("vdev", "disk", "confirm"), nasty)
        sent: dict[str, Any] = fields | {"vdevs": [vdev("mirror", [nasty, nasty])]}
        answer = rack.post(f"/api/v1/pools/tank/{what}/", {key: sent[key] for key in FIELDS[what]})
        assert answer.status_code == 422, (nasty, answer.json())


def test_a_failing_command_ends_the_job_and_frees_the_disk(
    rack: APIClient, rack24: SimulatedHost, free: list[str]
) -> None:
    pool = made(rack, vdev("mirror", free[:2]))
    guid = leaf_of(pool, free[0])
    rack24.fail_next(ZpoolReplace, stderr="cannot replace: something else\n")
    answer = rack.post("/api/v1/pools/tank/replace/", {"vdev": guid, "disk": free[5], "confirm": guid})
    assert answer.json()["state"] == "failed"
    assert tank(rack)["health"] == "healthy"
    do(rack, "replace", vdev=guid, disk=free[5], confirm=guid)
