"""The plug is drawn in the middle of what destroys and makes: afterwards the console says what is there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.lab.builder import build_image, built_release
from tests.lab.calls import stop_at, wait_until_stopped
from tests.lab.machine import Machine
from tests.lab.pool_life import DISKS, PoolLab, every, leaves, small, until

pytestmark = pytest.mark.drill
_ENDED = {"interrupted", "failed", "succeeded"}


@pytest.fixture(scope="module")
def lab() -> Iterator[PoolLab]:
    """One machine for all of these: each drill ends without a pool."""
    with Machine(build_image(built_release()), DISKS[:5]) as nas:
        nas.boot()
        yield PoolLab(nas)


@pytest.fixture(autouse=True)
def tidied(lab: PoolLab) -> Iterator[None]:
    """A drill that failed is in nobody's way."""
    yield
    lab.tidy()


def cut_power(lab: PoolLab, job: int) -> dict[str, Any]:
    """Draw the plug under what is stopped in the middle; the job as reported after the next boot."""
    wait_until_stopped(lab.machine)
    lab.machine.cut_power()
    lab.machine.boot()
    lab.machine.wait_until("curl -fks https://127.0.0.1/accounts/login/ > /dev/null", timeout_s=180)
    lab.console.fresh()
    # The pages are there before the worker, which says what became of the job.
    until(lambda: lab.console.get(f"jobs/{job}/")["state"] in _ENDED)
    view: dict[str, Any] = lab.console.get(f"jobs/{job}/")
    print(
        f"\n  the job after the power cut: {view['state']}: {(view['error'] or {}).get('detail')}", flush=True
    )
    return view


def here(lab: PoolLab) -> list[str]:
    """The imported pools; the console and ZFS must say the same."""
    names = sorted(pool["name"] for pool in lab.console.get("pools/")["results"])
    assert names == sorted(lab.machine.run("zpool list -Ho name").stdout.split())
    print(f"  imported: {names}", flush=True)
    return names


def submitted(lab: PoolLab, method: str, path: str, body: dict[str, Any]) -> int:
    """The number of a job that is under way, what it destroys confirmed."""
    answer = lab.console.in_turn(method, path, body, wait_s=0)
    if answer.status == 409:
        confirmed = {**body, "digest": answer.body["plan"]["digest"]}
        answer = lab.console.in_turn(method, path, confirmed, wait_s=0)
    assert answer.status == 202, answer
    job: int = answer.body["id"]
    return job


@pytest.mark.parametrize(
    ("program", "function"), [("sgdisk", "bdev_disk_changed"), ("zpool", "zfs_ioc_pool_create")]
)
def test_a_pool_that_was_being_made_can_be_made_again(lab: PoolLab, program: str, function: str) -> None:
    vdevs = [{"role": "data", "layout": "mirror", "disks": lab.ids(1, 2)}]
    stop_at(lab.machine, program, function)
    job = submitted(lab, "POST", "pools/", {"name": "tank", "vdevs": vdevs})
    view = cut_power(lab, job)
    assert view["state"] == "interrupted"
    assert "commands had ended" in view["error"]["detail"]
    if here(lab):
        lab.destroy("tank")
    else:
        # What ZFS had come to write is reported as a pool, if it is one.
        for pool in lab.importable_pools():
            assert pool["name"] == "tank"
            if not pool["destroyed"] and pool["state"] == "ONLINE":
                lab.console.do("POST", "pools/import/", {"guid": pool["guid"]})
                lab.destroy("tank")
    lab.create("tank", "mirror", 1, 2)
    assert lab.pool("tank")["health"] == "healthy"
    lab.destroy("tank")


def test_a_replacement_goes_on_or_is_called_off(lab: PoolLab) -> None:
    lab.create("tank", "mirror", 1, 2)
    lab.write("/mnt/tank/data", files=60)
    old = lab.leaf("tank", small(2))
    request = {"vdev": old["guid"], "disk": lab.ids(3)[0], "confirm": old["guid"]}
    stop_at(lab.machine, "zpool", "zfs_ioc_vdev_attach")
    job = submitted(lab, "POST", "pools/tank/replace/", request)
    cut_power(lab, job)
    assert here(lab) == ["tank"]
    pool = lab.pool("tank")
    kinds = {vdev["kind"] for vdev in every(pool["vdevs"])}
    replaced = old["guid"] not in {leaf["guid"] for leaf in leaves(pool["vdevs"])}
    print(
        f"  the replacement: {'under way' if 'replacing' in kinds else 'done' if replaced else 'not begun'}"
    )
    if not replaced and "replacing" not in kinds:
        again = {**request, "disk": lab.ids(3)[0]}
        lab.console.do("POST", "pools/tank/replace/", again)
    until(lab.refreshed(lambda: lab.resilvered("tank")))
    pool = lab.pool("tank")
    assert (pool["state"], pool["health"]) == ("ONLINE", "healthy")
    assert {leaf["disk"] for leaf in leaves(pool["vdevs"])} == set(lab.ids(1, 3))
    lab.forget_what_memory_holds("tank")
    assert lab.verify() == 60
    # The disk that left is reported as that, and can be used again at once after a confirmation.
    left = next(disk for disk in lab.disks() if disk["id"] == lab.ids(2)[0])
    assert (left["used_by"], left["in_use"]) == ("old label of pool tank, which it has left", False)
    lab.console.do("POST", "pools/tank/attach/", {"vdev": pool["vdevs"][0]["guid"], "disk": left["id"]})
    until(lab.refreshed(lambda: lab.resilvered("tank")))
    assert len(list(leaves(lab.pool("tank")["vdevs"]))) == 3
    lab.destroy("tank")


def test_a_pool_that_was_being_destroyed_is_there_or_can_be_brought_back(lab: PoolLab) -> None:
    lab.create("tank", "mirror", 1, 2)
    lab.write("/mnt/tank/data", files=20)
    guid = lab.pool("tank")["guid"]
    stop_at(lab.machine, "zpool", "zfs_ioc_pool_destroy")
    job = submitted(lab, "DELETE", "pools/tank/", {})
    cut_power(lab, job)
    if not here(lab):
        found = [pool for pool in lab.importable_pools() if pool["guid"] == guid]
        print(f"  on its disks: {[(pool['state'], pool['destroyed']) for pool in found]}", flush=True)
        assert len(found) == 1
        request = {"guid": guid, "destroyed": True} if found[0]["destroyed"] else {"guid": guid}
        lab.console.do("POST", "pools/import/", request)
    assert lab.pool("tank")["health"] == "healthy"
    assert lab.verify() == 20
    lab.destroy("tank")
    assert here(lab) == []
