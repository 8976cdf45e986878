"""Somebody changes a share while the clock, or somebody else, is about to write the same files."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from host.simulated import SimulatedHost
from jobs import broker, engine, waiting
from jobs.models import Job, State
from jobs.operation import the_host
from shares.tick import tick
from tests.conftest import refresh
from tests.prepared import made_once
from tests.shares.sharing import dataset, person, smb

CHANGE = {"comment": "Letters"}
FILES = "/api/v1/shares/smb/Files/"


@pytest.fixture
@made_once
def shared(api: APIClient, tank: dict[str, Any]) -> APIClient:
    """`tank/files`, served by SMB as Files."""
    dataset(api, "tank/files")
    person(api, "anna")
    smb(api, "Files", write=["anna"])
    return api


class Worker:
    """Takes up jobs only while somebody waits."""

    def __init__(self) -> None:
        self.waits = 0

    def work(self, _seconds: float) -> None:
        self.waits += 1
        for job in Job.objects.filter(state=State.QUEUED).order_by("id")[:1]:
            engine.run(job.pk, the_host())


@pytest.fixture
def worker(shared: APIClient, monkeypatch: pytest.MonkeyPatch) -> Worker:
    """The worker, once the share has been set up."""
    found = Worker()
    monkeypatch.setattr(broker, "send", lambda task, *args: True)
    monkeypatch.setattr(waiting, "stopping", SimpleNamespace(wait=found.work))
    return found


def clock_is_at_it(simulated: SimulatedHost) -> Job:
    """A job of the clock that has its claim, for a service that stopped."""
    with simulated._store.change() as machine:
        machine.services["smbd"] = "failed"
    refresh()
    job = tick(timezone.now())
    assert job is not None
    return job


def test_a_person_waits_for_the_clock_and_is_not_refused(
    shared: APIClient, simulated: SimulatedHost, worker: Worker
) -> None:
    following = clock_is_at_it(simulated)
    answer = shared.patch(FILES, CHANGE)
    assert (answer.status_code, worker.waits) == (202, 1)
    following.refresh_from_db()
    assert following.state == "succeeded"
    engine.run(answer.json()["id"], the_host())
    assert "comment = Letters\n" in simulated.machine().samba


def test_who_saw_another_plan_than_the_clock_left_decides_again(
    shared: APIClient, simulated: SimulatedHost, worker: Worker
) -> None:
    with simulated._store.change() as machine:
        machine.services["smbd"] = "failed"
    refresh()
    shown = shared.patch(f"{FILES}?dry_run=true", CHANGE).json()
    assert ["systemctl", "enable", "--now", "smbd"] in [
        command for step in shown["steps"] for command in step["commands"]
    ]
    assert tick(timezone.now()) is not None
    answer = shared.patch(FILES, CHANGE | {"digest": shown["digest"]})
    assert (answer.status_code, answer.json()["type"]) == (409, "/api/v1/problems/plan-stale")


def test_nobody_waits_for_another_person(shared: APIClient, worker: Worker) -> None:
    first = shared.patch(FILES, CHANGE).json()
    answer = shared.patch(FILES, {"comment": "Papers"})
    assert (answer.status_code, answer.json()["job"], worker.waits) == (409, first["id"], 0)


def test_the_clock_lets_a_person_go_first(
    shared: APIClient, simulated: SimulatedHost, worker: Worker
) -> None:
    job = shared.patch(FILES, CHANGE).json()
    with simulated._store.change() as machine:
        machine.services["wsdd2"] = "failed"
    refresh()
    assert tick(timezone.now()) is None
    assert [one.pk for one in Job.objects.filter(state=State.QUEUED)] == [job["id"]]
