"""Names of people's files are for those who may read files, wherever something names one."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import User
from accounts.roles import SCOPES, Role
from alerts.channels.models import Channel, Delivery
from alerts.incidents.cause import Cause
from alerts.incidents.withheld import details_for
from host.commands.datasets.snapshots import ZfsSnapshot
from host.commands.datasets.zfs import ZfsCreate
from host.simulated import SimulatedHost
from jobs.audit import record
from jobs.models import Job
from pools.models import ScanRecord
from tests.conftest import caller, refresh
from tests.prepared import made_once

HOME = "tank/home"
LETTER = "neighbour"


@pytest.fixture
@made_once
def home(api: APIClient, simulated: SimulatedHost, tank: dict[str, Any]) -> APIClient:
    """A letter that was restored by a job, downloaded, and found damaged once."""
    simulated.run(ZfsCreate(name=HOME))
    simulated.furnish(HOME)
    simulated.run(ZfsSnapshot(names=(f"{HOME}@s1",)))
    simulated.delete_file(HOME, b"Letters/neighbour.txt")
    refresh()
    asked = {"path": "Letters/neighbour.txt", "mode": "beside"}
    done = api.post(f"/api/v1/snapshots/{HOME}@s1/restore/", asked, headers={"Prefer": "wait=10"})
    assert done.json()["state"] == "succeeded", done.json()
    record("admin", "files.download", f"{HOME}@s1: Letters/neighbour.txt")
    now = timezone.now()
    ScanRecord.objects.create(
        pool_guid=tank["guid"], pool_name="tank", function="SCRUB", state="FINISHED", started=now,
        finished=now, total_bytes=1, repaired_bytes=0, errors=1,
        damaged_files=["/mnt/tank/home/Letters/neighbour.txt"],
    )  # fmt: skip
    return api


@pytest.fixture
def limited(admin: User) -> APIClient:
    """A token that reads all but files."""
    return caller(admin, *(scope for scope in SCOPES if scope.endswith(":read") and scope != "files:read"))


ADDRESSES = ("/api/v1/jobs/?limit=5", "/api/v1/audit/?limit=20", "/api/v1/pools/tank/scrubs/")


@pytest.mark.parametrize("address", ADDRESSES)
def test_answers_name_files_to_those_who_may_read_them_alone(
    home: APIClient, limited: APIClient, address: str
) -> None:
    assert LETTER in json.dumps(home.get(address).json())
    answer = limited.get(address)
    assert answer.status_code == 200
    assert LETTER not in json.dumps(answer.json())


def test_a_job_that_names_files_still_says_how_it_went(home: APIClient, limited: APIClient) -> None:
    job = Job.objects.get(operation="snapshot.restore")
    answer = limited.get(f"/api/v1/jobs/{job.pk}/").json()
    assert (answer["operation"], answer["state"]) == ("snapshot.restore", "succeeded")
    assert [(step["state"], step["commands"], step["output"]) for step in answer["steps"]] == [
        ("succeeded", [], "")
    ]
    assert LETTER not in json.dumps(answer)
    assert home.get(f"/api/v1/jobs/{job.pk}/").json()["steps"][0]["commands"]


def test_an_event_still_names_the_dataset(home: APIClient, limited: APIClient) -> None:
    (event,) = (e for e in limited.get("/api/v1/audit/").json()["results"] if e["action"] == "files.download")
    assert event["subject"] == f"{HOME}@s1"


@pytest.mark.parametrize("scopes", [("pools:read",), ("files:read",)])
def test_what_changed_in_a_snapshot_needs_both_scopes(
    home: APIClient, admin: User, scopes: tuple[str, ...]
) -> None:
    address = f"/api/v1/snapshots/{HOME}@s1/diff/"
    assert caller(admin, *scopes).get(address).status_code == 403
    assert caller(admin, "pools:read", "files:read").get(address).status_code == 200


def test_pages_name_no_file_to_a_viewer(home: APIClient) -> None:
    vera = Client()
    vera.force_login(User.objects.create_user("vera", role=Role.VIEWER))
    job = Job.objects.get(operation="snapshot.restore")
    for address in ("/", "/jobs/", f"/jobs/{job.pk}/", "/pools/tank/scrubs/"):
        answer = vera.get(address)
        assert answer.status_code == 200, address
        assert LETTER not in answer.content.decode(), address
    assert vera.get(f"/changes/snapshot/{HOME}@s1/").status_code == 403
    assert "Changes since</a>" not in vera.get(f"/snapshot/{HOME}@s1/").content.decode()


def test_an_alert_counts_damaged_files_for_a_viewer() -> None:
    cause = Cause(
        key="data:1", kind="data-damaged", severity="critical", pool="tank", pool_guid="1", title="damaged",
        details=("1 file could not be repaired.", "Damaged: /mnt/tank/neighbour.txt"), steps=(),
        subjects=("x",),
    )  # fmt: skip
    assert details_for(cause, User(role=Role.VIEWER))[0] == "1 file could not be repaired."
    assert LETTER not in " ".join(details_for(cause, User(role=Role.VIEWER)))
    assert details_for(cause, User(role=Role.OPERATOR)) == cause.details


def test_nor_does_a_message_that_was_sent_of_it(api: APIClient, limited: APIClient) -> None:
    now = timezone.now()
    channel = Channel.objects.create(name="hook", kind="webhook", created_at=now)
    text = f"1 file could not be repaired. Damaged: {LETTER}\n\nRestore it from a snapshot."
    Delivery.objects.create(
        channel=channel, severity="critical", subject="damaged", text=text, created_at=now, due_at=now
    )
    address = f"/api/v1/channels/{channel.pk}/deliveries/"
    assert api.get(address).json()["results"][0]["text"] == text
    assert limited.get(address).json()["results"][0]["text"] == (
        "\nRestore it from a snapshot.\nWhich files they are is shown to those who may read files."
    )
