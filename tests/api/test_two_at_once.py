"""Two requests that meet in the middle: both have their plan before either is stored."""

from __future__ import annotations

from collections.abc import Callable
from threading import Barrier
from typing import Any

import msgspec
import pytest
from django.http import HttpResponse
from rest_framework.test import APIClient

from accounts.models import User
from accounts.roles import SCOPES
from host.inventory import Inventory
from jobs import broker
from jobs.models import Claim, Job
from jobs.plan import Plan
from nasweb.operations import OPERATIONS
from tests.conftest import caller

Call = Callable[[], Any]
_TIMEOUT_S = 60


@pytest.fixture
def clients(api: APIClient, admin: User, monkeypatch: pytest.MonkeyPatch) -> tuple[APIClient, APIClient]:
    """Two callers whose plans of a new pool are both made before either goes on. Jobs stay queued."""
    monkeypatch.setattr(broker, "send", lambda task, *args: True)
    barrier = Barrier(2)
    operation = OPERATIONS["pool.create"]

    def plan(request: Any, inventory: Inventory) -> Plan:
        made = operation.plan(request, inventory)
        barrier.wait(_TIMEOUT_S)
        return made

    monkeypatch.setitem(OPERATIONS, "pool.create", msgspec.structs.replace(operation, plan=plan))
    return caller(admin, *SCOPES), caller(admin, *SCOPES)


def sent(client: APIClient, body: dict[str, Any], **headers: str) -> Call:
    def call() -> HttpResponse:
        return client.post("/api/v1/pools/", body, headers=headers)

    return call


def stored() -> tuple[list[int], set[str]]:
    return list(Job.objects.values_list("pk", flat=True)), set(
        Claim.objects.values_list("resource", flat=True)
    )


def test_of_two_equal_requests_at_once_one_is_done_and_the_other_names_its_job(
    clients: tuple[APIClient, APIClient], six_disks: dict[str, Any], in_threads: Callable[..., list[Any]]
) -> None:
    answers = in_threads(*(sent(client, six_disks) for client in clients))
    won, lost = sorted(answers, key=lambda answer: answer.status_code)
    assert (won.status_code, lost.status_code) == (202, 409)
    job, problem = won.json(), lost.json()
    assert (job["operation"], job["state"]) == ("pool.create", "queued")
    assert (problem["type"], problem["job"]) == ("/api/v1/problems/busy", job["id"])
    disks = six_disks["vdevs"][0]["disks"]
    assert problem["resource"] == "pool:tank"
    assert in_threads(stored) == [([job["id"]], {"pool:tank", *(f"disk:{disk}" for disk in disks)})]


def test_the_same_key_twice_at_once_gives_one_job(
    clients: tuple[APIClient, APIClient], six_disks: dict[str, Any], in_threads: Callable[..., list[Any]]
) -> None:
    key = {"idempotency-key": "9f1c"}
    one, other = in_threads(*(sent(client, six_disks, **key) for client in clients))
    assert (one.status_code, other.status_code) == (202, 202)
    assert one.json() == other.json()
    assert in_threads(stored)[0][0] == [one.json()["id"]]
