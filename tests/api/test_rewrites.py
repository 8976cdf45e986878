"""Datasets that are written anew: copied, compared, put in place and back, and what cannot be."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from backups.models import BackupRow, RepositoryRow
from host import typed
from host.commands.datasets.datasets import ZfsRename
from host.commands.datasets.snapshots import ZfsSnapshot
from host.commands.datasets.zfs import ZfsCreate
from host.replication.proof import Proof
from host.simulated import SimulatedHost
from jobs import submission
from jobs.api.views import inventory_now
from jobs.models import Job
from jobs.operation import operation
from replication import tasks
from replication.models import RewriteRow, TaskRow
from replication.rewrites import following
from replication.rewrites.switch import SwitchRewrite
from tests.api.test_replications import PHOTOS, two
from tests.api.test_rotating import raising
from tests.api.test_snapshots import do
from tests.api.test_turning import codes
from tests.conftest import refresh

__all__ = ["two"]
BASE = "/api/v1/rewrites/"
ONE = f"{BASE}tank/photos/"
NAME = {"dataset": "tank/photos"}


def standing(api: APIClient) -> dict[str, Any]:
    (found,) = api.get(BASE).json()["results"]
    return found  # type: ignore[no-any-return]


def passed(api: APIClient, simulated: SimulatedHost) -> dict[str, Any]:
    """What goes on has come to its end, and that is known."""
    simulated.pass_time(1000)
    tasks.follow()
    refresh()
    return standing(api)


def written_anew(api: APIClient, simulated: SimulatedHost, **more: Any) -> None:
    """It is copied and compared."""
    do(api, "post", BASE, NAME | more)
    assert passed(api, simulated)["stage"] == "comparing", "begins by itself"
    assert passed(api, simulated)["stage"] == "ready"


def test_a_comparison_that_another_job_held_up_begins_later(
    two: APIClient, simulated: SimulatedHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    do(two, "post", BASE, NAME)
    with monkeypatch.context() as patched:
        patched.setattr(submission, "submit", raising(submission.Busy("rewrite", Job.objects.latest("pk"))))
        assert passed(two, simulated)["stage"] == "copied"
    assert passed(two, simulated)["stage"] == "comparing"


def test_one_that_is_ended_while_it_is_read_is_no_fault(two: APIClient, simulated: SimulatedHost) -> None:
    do(two, "post", BASE, NAME)
    row = RewriteRow.objects.get()
    RewriteRow.objects.all().delete()
    simulated.pass_time(1000)
    assert following.read(row, simulated) and not RewriteRow.objects.exists()


def properties(api: APIClient, name: str = "tank/photos") -> dict[str, Any]:
    found = api.get(f"/api/v1/datasets/{name}/").json()
    return {key: one["value"] for key, one in found["properties"].items()} | {
        "mounted": found["mounted"], "guid": found["guid"], "mountpoint": found["mountpoint"],
    }  # fmt: skip


def test_a_deduplicated_dataset_is_written_anew_and_takes_its_own_place(
    two: APIClient, simulated: SimulatedHost
) -> None:
    own = {"dedup": "on", "quota": str(5 << 30), "mountpoint": "/mnt/pictures", "setuid": "off"}
    do(two, "patch", "/api/v1/datasets/tank/photos/", {"properties": own})
    do(two, "post", "/api/v1/shares/smb/", {"name": "Photos", "dataset": "tank/photos", "guests": "read"})
    do(two, "post", "/api/v1/replications/", PHOTOS)
    before = properties(two)

    plan = two.post(f"{BASE}?dry_run=true", {**NAME, "dedup": "off"}).json()
    assert "tank/photos and 1 dataset below it" in plan["summary"] and plan["takes"]
    assert [step["title"] for step in plan["steps"]] == [
        "Turn deduplication off", "Begin to copy tank/photos",
    ]  # fmt: skip
    written_anew(two, simulated, dedup="off")
    found = standing(two)
    assert (found["copy"], found["run"]["verdict"]) == ("tank/photos.rewritten", "done")
    assert found["compared"] == {"files": 0, "size_bytes": 0, "different": [], "words": ""}
    copy = properties(two, "tank/photos.rewritten")
    assert (copy["readonly"], copy["mounted"], copy["nasweb:policy"]) == ("on", False, "off")
    assert properties(two)["mounted"] is True

    plan = two.post(f"{ONE}switch/?dry_run=true", {}).json()
    assert "with the same settings, places and shares" in plan["summary"]
    assert codes(two.post(f"{ONE}switch/?dry_run=true", {}))["is-replicated"] == "dataset"
    do(two, "post", f"{ONE}switch/")
    refresh()
    now = properties(two)
    assert now["guid"] == copy["guid"] != before["guid"]
    assert {key: now[key] for key in ("quota", "mountpoint", "setuid", "dedup", "readonly", "mounted")} == {
        "quota": str(5 << 30), "mountpoint": "/mnt/pictures", "setuid": "off", "dedup": "off",
        "readonly": "off", "mounted": True,
    }  # fmt: skip
    assert properties(two, "tank/photos/raw")["mounted"] is True
    old = properties(two, "tank/photos.before")
    assert (old["guid"], old["mounted"], old["readonly"]) == (before["guid"], False, "on")
    share = two.get("/api/v1/shares/smb/Photos/").json()
    assert (share["dataset"], share["path"]) == ("tank/photos", "/mnt/pictures")
    assert TaskRow.objects.get().value["source_guid"] == now["guid"]

    simulated.pass_time(2)  # what changes in one second of a clock that is ahead goes unnoticed
    plan = two.delete(f"{ONE}?dry_run=true", {}).json()
    assert [step["title"] for step in plan["steps"] if "hare" not in step["title"]] == [
        "Stop it, and take its holds and bookmarks away", "Destroy the snapshots that it took",
        "Destroy tank/photos.before",
    ]  # fmt: skip
    do(two, "delete", ONE)
    refresh()
    assert RewriteRow.objects.count() == 0
    assert two.get("/api/v1/datasets/tank/photos.before/").status_code == 404
    assert [one["tag"] for one in two.get("/api/v1/snapshots/?dataset=tank/photos").json()["results"]] == [
        "one"
    ]
    assert properties(two)["mounted"] is True


def test_what_was_there_before_comes_back(two: APIClient, simulated: SimulatedHost) -> None:
    guid = properties(two)["guid"]
    written_anew(two, simulated)
    do(two, "post", f"{ONE}switch/")
    refresh()
    assert properties(two)["guid"] != guid
    assert standing(two)["stage"] == "live"
    do(two, "post", f"{ONE}switch/", {"back": True})
    refresh()
    assert (properties(two)["guid"], properties(two)["mounted"]) == (guid, True)
    assert properties(two)["readonly"] == "off"
    assert standing(two)["stage"] == "copied", "what was written to the copy has to be looked at first"
    do(two, "delete", ONE)
    refresh()
    assert two.get("/api/v1/datasets/tank/photos.rewritten/").status_code == 404


def test_what_was_mounted_is_mounted_and_nothing_else(two: APIClient, simulated: SimulatedHost) -> None:
    do(two, "post", "/api/v1/datasets/", {"name": "tank/photos/shut"})
    do(two, "patch", "/api/v1/datasets/tank/photos/raw/", {"properties": {"canmount": "noauto"}})
    do(two, "post", "/api/v1/datasets/tank/photos/shut/unmount/")
    written_anew(two, simulated)
    do(two, "post", f"{ONE}switch/")
    refresh()
    raw, shut = properties(two, "tank/photos/raw"), properties(two, "tank/photos/shut")
    assert (raw["mounted"], raw["canmount"]) == (True, "noauto")
    assert (shut["mounted"], shut["canmount"]) == (False, "on")


def test_a_copy_that_could_not_be_read_takes_no_place(two: APIClient, simulated: SimulatedHost) -> None:
    written_anew(two, simulated)
    for verdict, stage in (("failed", "copied"), ("partly", "copied"), ("different", "different")):
        RewriteRow.objects.update(proof=(RewriteRow.objects.get().proof or {}) | {"verdict": verdict})
        refresh()
        assert standing(two)["stage"] == stage
        assert codes(two.post(f"{ONE}switch/", {})) == {"not-compared": "dataset"}


def test_files_that_differ_are_named_to_nobody(two: APIClient, simulated: SimulatedHost) -> None:
    written_anew(two, simulated)
    row = RewriteRow.objects.get()
    proof = typed.convert(row.proof, Proof)
    first = msgspec.structs.replace(proof.datasets[0], result="different", different=("diary.txt",))
    row.proof = msgspec.to_builtins(
        msgspec.structs.replace(proof, verdict="different", datasets=(first, *proof.datasets[1:]))
    )
    row.save()
    answer = two.get(BASE)
    assert answer.json()["results"][0]["compared"]["different"] == ["tank/photos"]
    assert b"diary" not in answer.content


def test_it_is_broken_off_at_any_time(two: APIClient, simulated: SimulatedHost) -> None:
    do(two, "post", BASE, NAME)
    assert standing(two)["stage"] == "copying"
    assert codes(two.post(f"{ONE}switch/", {}))["running"] == "dataset"
    do(two, "post", f"{ONE}stop/")
    assert passed(two, simulated)["stage"] == "broken-off"
    assert codes(two.post(f"{ONE}compare/", {})) == {"not-copied": "dataset"}
    assert codes(two.post(f"{ONE}stop/", {})) == {"not-running": "dataset"}
    written_anew(two, simulated)
    do(two, "post", f"{ONE}compare/")
    do(two, "post", f"{ONE}stop/")
    assert passed(two, simulated)["stage"] == "copied"
    assert codes(two.post(f"{ONE}switch/", {})) == {"not-compared": "dataset"}
    do(two, "delete", ONE)
    refresh()
    assert properties(two)["mounted"] is True and RewriteRow.objects.count() == 0


def test_what_was_made_or_destroyed_since_stands_in_the_way(two: APIClient, simulated: SimulatedHost) -> None:
    written_anew(two, simulated)
    do(two, "post", "/api/v1/datasets/", {"name": "tank/photos/new"})
    answer = two.post(f"{ONE}switch/", {})
    assert codes(answer) == {"not-whole": "dataset"}
    assert "tank/photos/new" in answer.json()["findings"][0]["message"]
    written_anew(two, simulated)
    do(two, "delete", "/api/v1/datasets/tank/photos/new/", {"recursive": True})
    assert codes(two.post(f"{ONE}switch/", {})) == {"comes-back": "dataset"}


def test_a_switch_that_fails_leaves_it_as_it_was(two: APIClient, simulated: SimulatedHost) -> None:
    written_anew(two, simulated)
    simulated.run(ZfsSnapshot(names=("tank/photos.rewritten@own",)))  # so that the rest cannot arrive
    refresh()
    job = two.post(f"{ONE}switch/", {}).json()
    assert job["state"] == "failed" and "Not all of it arrived" in job["error"]["detail"], job
    refresh()
    assert (properties(two)["readonly"], properties(two)["mounted"]) == ("off", True)
    assert properties(two, "tank/photos/raw")["mounted"] is True
    assert standing(two)["stage"] == "ready"


@pytest.mark.parametrize("done", [1, 2])
def test_a_switch_that_was_cut_off_goes_on(two: APIClient, simulated: SimulatedHost, done: int) -> None:
    do(two, "patch", "/api/v1/datasets/tank/photos/", {"properties": {"quota": str(5 << 30)}})
    written_anew(two, simulated)
    plan = operation("dataset.switch-rewrite").plan(SwitchRewrite(dataset="tank/photos"), inventory_now())
    commands = [command for step in plan.steps for command in step.commands]
    renames = [index for index, command in enumerate(commands) if isinstance(command, ZfsRename)]
    for command in commands[: renames[done - 1] + 1]:
        simulated.run(command)
    refresh()
    if done == 1:
        assert codes(two.delete(ONE)) == {"cut-off": "dataset"}
    do(two, "post", f"{ONE}switch/")
    refresh()
    now = properties(two)
    assert (now["mounted"], now["readonly"], now["quota"]) == (True, "off", str(5 << 30))
    assert properties(two, "tank/photos/raw")["mounted"] is True
    assert properties(two, "tank/photos.before")["mounted"] is False
    assert standing(two)["stage"] == "live"


def renamed(simulated: SimulatedHost, name: str, to: str) -> None:
    """As somebody does in a terminal: the console refuses it."""
    simulated.run(ZfsRename(name=name, to=to))
    refresh()


def test_what_is_left_of_a_dataset_that_is_gone_is_kept(two: APIClient, simulated: SimulatedHost) -> None:
    written_anew(two, simulated)
    renamed(simulated, "tank/photos", "tank/pictures")
    assert "is no longer there" in two.delete(f"{ONE}?dry_run=true", {}).json()["summary"]
    renamed(simulated, "tank/pictures", "tank/photos")
    do(two, "post", f"{ONE}switch/")
    refresh()
    renamed(simulated, "tank/photos", "tank/pictures")
    assert codes(two.delete(ONE)) == {"cut-off": "dataset"}
    do(two, "post", f"{ONE}switch/", {"back": True})
    refresh()
    assert properties(two)["mounted"] is True
    do(two, "delete", ONE)
    refresh()
    assert properties(two, "tank/pictures")["mounted"] is True, "it has a name of its own"


@pytest.mark.parametrize(
    ("name", "field", "code"),
    [
        ("tank", "dataset", "is-pool-root"), ("tank/none", "dataset", "unknown-dataset"),
        ("tank/locked", "dataset", "encrypted"),
    ],
)  # fmt: skip
def test_what_cannot_be_written_anew(
    two: APIClient, simulated: SimulatedHost, name: str, field: str, code: str
) -> None:
    if code == "encrypted":
        body = {"name": name, "encryption": "on", "passphrase": "correct horse battery"}
        do(two, "post", "/api/v1/datasets/", body)
    assert codes(two.post(BASE, {"dataset": name}))[code] == field


def test_other_datasets_are_not_in_the_way_unseen(two: APIClient, simulated: SimulatedHost) -> None:
    simulated.run(ZfsCreate(name="tank/photos.before"))
    refresh()
    assert codes(two.post(BASE, NAME)) == {"name-taken": "dataset"}
    do(two, "post", BASE, {"dataset": "tank/photos/raw"})
    assert codes(two.post(BASE, NAME)) == {"name-taken": "dataset", "overlaps": "dataset"}
    assert two.post(f"{BASE}tank/none/stop/", {}).status_code == 404


def test_backups_and_shares_of_the_one_are_those_of_the_other(
    two: APIClient, simulated: SimulatedHost
) -> None:
    before = properties(two)["guid"]
    place = RepositoryRow.objects.create(name="away", key="0" * 16, settings={"rest": {"host": "away"}})
    BackupRow.objects.create(
        name="nightly", key="1" * 16, repository=place, datasets={before: "tank/photos", "7": "tank/else"},
        stored={before: "2026-01-01T00:00:00+00:00"}, made_at=timezone.now(),
    )  # fmt: skip
    written_anew(two, simulated)
    do(two, "post", f"{ONE}switch/")
    refresh()
    row, now = BackupRow.objects.get(), properties(two)["guid"]
    assert row.datasets == {now: "tank/photos", "7": "tank/else"} and list(row.stored) == [now]
