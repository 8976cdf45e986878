"""How old copies are said to be, and what follows snapshots, where a machine was off or a clock was ahead."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from rest_framework.test import APIClient

from host.commands.datasets.zfs import ZfsCreate
from host.replication.values import Replica, Replicated, Verdict
from host.simulated import SimulatedHost
from jobs.models import Job, State
from pools.models import PolicyRun
from replication.models import RunRow, TaskRow
from replication.replications import following
from replication.replications.standing import report_of
from replication.replications.times import OPERATION
from tests.api.test_replications import BASE, PHOTOS, ended, only, two
from tests.api.test_snapshots import do

__all__ = ["two"]  # a fixture


def stored(verdict: Verdict | None, *datasets: Replica, code: str = "", words: str = "") -> None:
    """Keep what a run says that began a moment ago."""
    row, now = TaskRow.objects.get(), datetime.now(UTC).isoformat()
    finished = None if verdict is None else now
    following.keep(
        row,
        Replicated(
            task=row.key, started_at=now, updated_at=now, finished_at=finished, verdict=verdict, code=code,
            words=words, datasets=datasets,
        ),
    )  # fmt: skip


@pytest.mark.parametrize("under_way", [False, True])
def test_another_machine_that_is_off_makes_no_copy_older(
    two: APIClient, simulated: SimulatedHost, *, under_way: bool
) -> None:
    do(two, "post", BASE, PHOTOS)
    do(two, "post", f"{BASE}{only(two)['id']}/run/")
    before = ended(two, simulated)
    TaskRow.objects.update(made_at=datetime.now(UTC) - timedelta(days=90))
    if under_way:
        stored(None)
    stored("failed", code="connection", words="It does not answer.")
    found = only(two)
    assert (found["copied_at"], found["late"], found["last_verdict"]) == (
        before["copied_at"],
        False,
        "failed",
    )
    report = report_of(TaskRow.objects.get())
    assert report is not None
    assert [(one.newest, one.state, one.expected_bytes) for one in report.datasets] == [
        ("one", "waiting", None), ("one", "waiting", None),
    ]  # fmt: skip
    last = RunRow.objects.order_by("-pk")[0]
    assert (last.verdict, last.datasets) == ("failed", 0)


@pytest.mark.parametrize("verdict", [None, "failed", "stopped"])
def test_a_run_that_is_under_way_or_cut_off_makes_no_copy_older(
    two: APIClient, simulated: SimulatedHost, verdict: Verdict | None
) -> None:
    do(two, "post", BASE, PHOTOS)
    do(two, "post", f"{BASE}{only(two)['id']}/run/")
    before = ended(two, simulated)
    assert before["copied_at"] is not None
    first, second = (
        Replica(source=name, target=f"second/{name[5:]}") for name in ("tank/photos", "tank/photos/raw")
    )
    current = msgspec.structs.replace(first, state="current", newest="one", newest_guid="1")
    stored(verdict, current, msgspec.structs.replace(second, state="sending"))
    found = only(two)
    assert (found["copied_at"], found["late"]) == (before["copied_at"], False)
    report = report_of(TaskRow.objects.get())
    assert report is not None and following.copied_at(report) == TaskRow.objects.get().copied_at


def test_a_new_dataset_without_a_snapshot_makes_no_copy_older(
    two: APIClient, simulated: SimulatedHost
) -> None:
    do(two, "post", BASE, PHOTOS)
    number = only(two)["id"]
    do(two, "post", f"{BASE}{number}/run/")
    before = ended(two, simulated)
    simulated.run(ZfsCreate(name="tank/photos/new"))
    do(two, "post", f"{BASE}{number}/run/")
    found = ended(two, simulated)
    assert (found["copied_at"], found["last_verdict"]) == (before["copied_at"], "partly")


def test_a_run_of_a_clock_that_was_ahead_keeps_no_other_from_following(
    two: APIClient, simulated: SimulatedHost
) -> None:
    do(two, "post", BASE, PHOTOS | {"after_snapshots": True})
    row, now = TaskRow.objects.get(), datetime.now(UTC)
    RunRow.objects.create(
        task=row, started=now + timedelta(days=90), finished=now, verdict="done", sent_bytes=0, datasets=2
    )
    policies = Job.objects.create(
        operation="policy.run", state=State.SUCCEEDED, submitted_at=now, finished_at=now, request={}, plan={}
    )
    guid = two.get("/api/v1/pools/tank/").json()["guid"]
    PolicyRun.objects.create(pool_guid=guid, pool_name="tank", last_job=policies)
    for _ in range(3):
        following.start_after_snapshots()
        ended(two, simulated)
    assert Job.objects.filter(operation=OPERATION).count() == 1
