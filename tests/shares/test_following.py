"""Shares and what becomes of their datasets."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import msgspec
import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from host.commands.shares.sharing import PATHS, CheckSamba
from host.simulated import SimulatedHost
from jobs import cache
from jobs.models import Job
from jobs.operation import operation
from pools.travel.relink_pool import RelinkPool
from shares.tick import tick
from tests.conftest import refresh
from tests.prepared import made_once
from tests.shares.sharing import dataset, did, person, smb

pytestmark = pytest.mark.usefixtures("tank")
NFS = {"dataset": "tank/files", "clients": [{"host": "10.0.0.0/8"}]}


@pytest.fixture
@made_once
def shared(api: APIClient, tank: dict[str, Any]) -> APIClient:
    """`tank/files`, served by SMB as Files and by NFS."""
    dataset(api, "tank/files")
    person(api, "anna")
    smb(api, "Files", write=["anna"])
    did(api.post("/api/v1/shares/nfs/", NFS))
    return api


def states(api: APIClient) -> tuple[str, str]:
    refresh()
    smb_share = api.get("/api/v1/shares/smb/").json()["results"][0]
    return smb_share["state"], api.get("/api/v1/shares/nfs/").json()["results"][0]["state"]


def confirmed(api: APIClient, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    call = getattr(api, method)
    plan = call(f"{path}?dry_run=true", body or {}).json()
    return did(call(path, (body or {}) | {"digest": plan["digest"]}))


def commands(job: dict[str, Any]) -> list[str]:
    return [" ".join(command) for step in job["steps"] for command in step["commands"]]


def test_a_rename_takes_the_shares_along_in_one_plan(shared: APIClient, simulated: SimulatedHost) -> None:
    job = did(shared.post("/api/v1/datasets/tank/files/rename/", {"to": "tank/papers"}))
    said = commands(job)
    rename = said.index("zfs rename tank/files tank/papers")
    assert said.index("smbcontrol -- smbd close-share Files") < rename
    assert said.index("tee /proc/fs/nfsd/unlock_filesystem <<< /mnt/tank/files") < rename
    assert any(
        line.endswith("smbclient //127.0.0.1/Files --no-pass --command=exit") for line in said[rename:]
    )
    assert "path = /mnt/tank/papers\n" in simulated.machine().samba
    assert simulated.machine().exported[0].startswith("/mnt/tank/papers\t10.0.0.0/8(rw,")
    assert states(shared) == ("served", "served")
    assert shared.get("/api/v1/shares/smb/Files/").json()["dataset"] == "tank/papers"


def put(api: APIClient, name: str, **properties: str | None) -> dict[str, Any]:
    return did(api.patch(f"/api/v1/datasets/{name}/", {"properties": properties}))


def test_a_new_mountpoint_takes_the_shares_along_in_one_plan(
    shared: APIClient, simulated: SimulatedHost
) -> None:
    said = commands(put(shared, "tank/files", mountpoint="/mnt/papers"))
    move = said.index("zfs set mountpoint=/mnt/papers tank/files")
    assert said.index("smbcontrol -- smbd close-share Files") < move
    assert said.index("tee /proc/fs/nfsd/unlock_filesystem <<< /mnt/tank/files") < move
    assert "exportfs -s" in said[move:]
    assert "path = /mnt/papers\n" in simulated.machine().samba
    assert [line.partition("\t")[0] for line in simulated.machine().exported] == ["/mnt/papers"]
    assert states(shared) == ("served", "served")
    assert tick(timezone.now()) is None
    put(shared, "tank/files", mountpoint=None)
    assert "path = /mnt/tank/files\n" in simulated.machine().samba
    assert states(shared) == ("served", "served")


def test_what_inherits_its_place_moves_along_and_what_has_its_own_is_left_in_peace(
    shared: APIClient, simulated: SimulatedHost
) -> None:
    dataset(shared, "tank/files/deep")
    dataset(shared, "tank/files/apart", properties={"mountpoint": "/mnt/apart"})
    dataset(shared, "tank/files/apart/below")
    for name in ("deep", "apart", "apart/below"):
        smb(shared, name.replace("/", " "), dataset=f"tank/files/{name}", write=["anna"])
    refresh()
    tick(timezone.now())  # the export reaches into what is new
    said = commands(put(shared, "tank/files", mountpoint="/mnt/papers"))
    closed = {line.rpartition("close-share ")[2] for line in said if "close-share" in line}
    assert closed == {"Files", "deep"}
    paths = [line.strip() for line in simulated.machine().samba.splitlines() if "    path = " in line]
    assert paths == [
        "path = /mnt/apart", "path = /mnt/apart/below", "path = /mnt/papers/deep", "path = /mnt/papers",
    ]  # fmt: skip
    assert tick(timezone.now()) is None


@pytest.mark.parametrize(
    ("properties", "words"),
    [
        ({"mountpoint": "none"}, "is not served until its dataset is mounted again"),
        ({"canmount": "off"}, "is not served until its dataset is mounted again"),
        ({"mountpoint": "/mnt/50%"}, "has what Samba or NFS reads otherwise"),
    ],
)
def test_a_share_waits_where_nothing_is_mounted_or_nothing_can_be_shared(
    shared: APIClient, simulated: SimulatedHost, properties: dict[str, str], words: str
) -> None:
    body = {"properties": properties}
    plan = shared.patch("/api/v1/datasets/tank/files/?dry_run=true", body).json()
    report = [one["message"] for one in plan["findings"] if one["code"] == "share-waits"]
    assert [words in message for message in report] == [True, True]
    did(shared.patch("/api/v1/datasets/tank/files/", body))
    assert "[Files]" not in simulated.machine().samba
    assert states(shared) == ("waiting", "waiting")


def test_what_moves_nothing_leaves_the_shares_alone(shared: APIClient) -> None:
    for properties in ({"canmount": "on"}, {"compression": "zstd"}):
        said = commands(put(shared, "tank/files", **properties))
        assert [line.partition(" ")[0] for line in said] == ["zfs"]


def test_what_is_destroyed_takes_its_shares_with_it(shared: APIClient, simulated: SimulatedHost) -> None:
    plan = shared.delete("/api/v1/datasets/tank/files/?dry_run=true").json()
    report = {one["code"]: one["message"] for one in plan["findings"] if one["code"] == "share-goes"}
    assert "The export of tank/files is deleted with its dataset." in report.values()
    did(shared.delete("/api/v1/datasets/tank/files/", {"digest": plan["digest"]}))
    assert shared.get("/api/v1/shares/smb/").json()["results"] == []
    assert shared.get("/api/v1/shares/nfs/").json()["results"] == []
    assert simulated.machine().services["smbd"] == simulated.machine().services["nfs-server"] == "inactive"


def test_an_unmounted_share_waits_and_comes_back_by_itself(
    shared: APIClient, simulated: SimulatedHost
) -> None:
    did(shared.post("/api/v1/datasets/tank/files/unmount/", {}))
    assert "[Files]" not in simulated.machine().samba
    assert simulated.machine().exported == []
    assert states(shared) == ("waiting", "waiting")
    assert tick(timezone.now()) is None
    did(shared.post("/api/v1/datasets/tank/files/mount/", {}))
    refresh()
    job = tick(timezone.now())
    assert job is not None
    assert Job.objects.get(pk=job.pk).state == "succeeded"
    assert states(shared) == ("served", "served")
    assert tick(timezone.now()) is None


def test_a_share_of_what_lies_above_lets_go_of_what_is_unmounted_below(shared: APIClient) -> None:
    dataset(shared, "tank/files/deep")
    refresh()
    tick(timezone.now())  # the export reaches into what is new
    said = commands(did(shared.post("/api/v1/datasets/tank/files/deep/unmount/", {})))
    unmount = said.index("zfs unmount tank/files/deep")
    assert said.index("smbcontrol -- smbd close-share Files") < unmount
    assert said.index("tee /proc/fs/nfsd/unlock_filesystem <<< /mnt/tank/files/deep") < unmount


def test_an_exported_pool_leaves_nothing_served(shared: APIClient, simulated: SimulatedHost) -> None:
    confirmed(shared, "post", "/api/v1/pools/tank/export/")
    assert "[Files]" not in simulated.machine().samba
    assert simulated.machine().exported == []
    assert states(shared) == ("waiting", "waiting")
    assert "is in no imported pool" in shared.get("/api/v1/shares/smb/Files/").json()["why"]


def test_a_relinked_pool_is_served_again_by_the_same_job(shared: APIClient) -> None:
    inventory = cache.current()
    pool = inventory.pool("tank") if inventory else None
    assert inventory is not None
    assert pool is not None
    top = pool.vdevs[0]
    disk = msgspec.structs.replace(top.children[0], path="/dev/sda1")
    top = msgspec.structs.replace(top, children=(disk, *top.children[1:]))
    renamed = msgspec.structs.replace(pool, vdevs=(top, *pool.vdevs[1:]))
    plan = operation("pool.relink").plan(
        RelinkPool(name="tank"), msgspec.structs.replace(inventory, pools=(renamed,))
    )
    said = [" ".join(command.shown()) for step in plan.steps for command in step.commands]
    export = said.index("zpool export tank")
    assert said.index("tee /proc/fs/nfsd/unlock_filesystem <<< /mnt/tank/files") < export
    mount = next(n for n, line in enumerate(said) if "mount_pools" in line)
    served = next(n for n, line in enumerate(said) if "smbclient //127.0.0.1/Files" in line)
    assert export < mount < served
    report = {one.message for one in plan.findings if one.code == "share-interrupted"}
    assert "The share Files is not served for a moment." in report


def test_what_is_not_shared_is_planned_as_before(shared: APIClient) -> None:
    dataset(shared, "tank/other")
    plan = shared.post("/api/v1/datasets/tank/other/unmount/?dry_run=true", {}).json()
    assert [step["title"] for step in plan["steps"]] == ["Unmount tank/other"]


def test_the_clock_leaves_alone_what_somebody_changed_by_hand(
    shared: APIClient, simulated: SimulatedHost
) -> None:
    with simulated._store.change() as machine:
        machine.files[PATHS["exports"]] += "/srv *(rw)\n"
    refresh()
    assert tick(timezone.now()) is None
    assert "/srv" in simulated.machine().files[PATHS["exports"]]


def test_the_clock_does_not_try_again_at_once_after_a_failure(
    shared: APIClient, simulated: SimulatedHost
) -> None:
    did(shared.post("/api/v1/datasets/tank/files/unmount/", {}))
    did(shared.post("/api/v1/datasets/tank/files/mount/", {}))
    refresh()
    simulated.fail_next(CheckSamba, stderr="no\n")
    first = tick(timezone.now())
    assert first is not None
    assert Job.objects.get(pk=first.pk).state == "failed"
    assert tick(timezone.now()) is None
    later = tick(timezone.now() + timedelta(minutes=6))
    assert later is not None
    assert states(shared) == ("served", "served")
