"""Folders that our file exports and the NFS server does not: read again by themselves, and at a click."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from host.commands.shares.sharing import ExportsAnswer
from host.simulated import SimulatedHost
from jobs.models import Job
from shares.tick import tick
from tests.conftest import refresh
from tests.prepared import made_once
from tests.shares.sharing import Answer, dataset, did

RELOAD = ["systemctl", "reload", "nfs-server"]
ALL = ("/mnt/tank/files", "/mnt/tank/papers")


@pytest.fixture
@made_once
def files(api: APIClient, tank: dict[str, Any]) -> APIClient:
    dataset(api, "tank/files")
    dataset(api, "tank/papers")
    return api


def export(api: APIClient, name: str, *hosts: str) -> Answer:
    return did(
        api.post("/api/v1/shares/nfs/", {"dataset": name, "clients": [{"host": one} for one in hosts]})
    )


def forget(simulated: SimulatedHost) -> None:
    """As `exportfs -ua` does."""
    with simulated.change() as machine:
        machine.exported = []
    refresh()


def states(api: APIClient) -> list[str]:
    refresh()
    return [one["state"] for one in api.get("/api/v1/shares/nfs/").json()["results"]]


def asked(job: Job | Answer) -> list[list[str]]:
    steps = job["steps"] if isinstance(job, dict) else job.view()["steps"]
    return [command for step in steps for command in step["commands"]]


def test_what_is_not_exported_any_more_is_exported_again_by_itself(
    files: APIClient, simulated: SimulatedHost
) -> None:
    export(files, "tank/files", "10.0.0.0/8")
    forget(simulated)
    assert states(files) == ["not-served"]
    job = tick(timezone.now())
    assert job is not None
    job = Job.objects.get(pk=job.pk)
    assert (job.state, asked(job)) == ("succeeded", [RELOAD, ["exportfs", "-s"]])
    assert states(files) == ["served"]
    assert tick(timezone.now()) is None


def test_the_button_has_it_exported_again(files: APIClient, simulated: SimulatedHost) -> None:
    export(files, "tank/files", "10.0.0.0/8")
    forget(simulated)
    plan = files.post("/api/v1/shares/apply/?dry_run=true").json()
    assert plan["summary"] == "The NFS export /mnt/tank/files is served again. Nobody is disconnected."
    did(files.post("/api/v1/shares/apply/"))
    assert states(files) == ["served"]


def test_what_is_exported_in_vain_is_tried_once_an_hour(files: APIClient, simulated: SimulatedHost) -> None:
    export(files, "tank/files", "10.0.0.0/8")
    export(files, "tank/papers", "10.0.0.0/8")
    now = timezone.now()
    begun = []
    for minutes, lost in ((0, ALL), (10, ALL), (10, ALL[:1]), (20, ALL[:1]), (80, ALL[:1])):
        with simulated.change() as machine:
            machine.exported = [f"{path}\t10.0.0.0/8(rw)" for path in ALL if path not in lost]
            machine.faults = []
        refresh()
        simulated.fail_next(ExportsAnswer, stderr="no\n")
        job = tick(now + timedelta(minutes=minutes))
        assert job is None or Job.objects.get(pk=job.pk).state == "failed"
        begun.append(job is not None)
    assert begun == [True, False, True, False, True]
