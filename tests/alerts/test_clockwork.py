"""What fails on schedule is an incident until it succeeds, and people are notified of it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from rest_framework.test import APIClient

from alerts.evidence import PolicyTrouble, ScheduleTrouble
from alerts.gathering import gather
from alerts.incidents.causes import causes
from host.simulated import SimulatedHost
from jobs import cache
from jobs.models import Job, State, StoredSchedule
from tests.alerts.cases import AT, disks, memory, raidz2
from tests.conftest import refresh

MEMBERS = disks(6)
MACHINE = raidz2(MEMBERS)
GUID = MACHINE.pools[0].guid
SCRUB = ScheduleTrouble(
    id=4, what="scrub", pool="tank", pool_guid=GUID, since=AT, said="The machine could not be read.", job=7
)


def test_a_schedule_whose_job_failed_is_one_cause() -> None:
    (cause,) = causes(MACHINE, memory(MEMBERS, schedules_failing=(SCRUB,)))
    assert (cause.kind, cause.key, cause.severity) == ("schedule-failed", "schedule:4", "warning")
    assert cause.details[0] == "The machine could not be read."
    assert [step.page for step in cause.steps] == ["/jobs/7/", "/pools/tank/"]


def test_snapshots_that_are_not_taken_are_one_cause_for_each_pool() -> None:
    failing = {
        GUID: PolicyTrouble(since=AT, said="No space left.", job=None),
        "gone": PolicyTrouble(since=AT, said=""),
    }
    (cause,) = causes(MACHINE, memory(MEMBERS, policies_failing=failing))
    assert (cause.kind, cause.pool, cause.details[0]) == ("snapshots-failing", "tank", "No space left.")


def test_it_hides_no_other_trouble_of_the_pool() -> None:
    machine = raidz2(MEMBERS, state="DEGRADED", status="Something is wrong.")
    kinds = {cause.kind for cause in causes(machine, memory(MEMBERS, schedules_failing=(SCRUB,)))}
    assert kinds == {"pool-degraded", "schedule-failed"}


@pytest.mark.parametrize(
    ("state", "reported"), [(State.FAILED, True), (State.INTERRUPTED, True), (State.SUCCEEDED, False)]
)
def test_the_last_job_of_a_schedule_is_what_counts(
    simulated: SimulatedHost, api: APIClient, tank: dict[str, Any], state: str, reported: bool
) -> None:
    refresh()
    moment = datetime.fromisoformat(AT)
    job = Job.objects.create(
        operation="pool.scrub", request={"name": "tank"}, plan={}, digest="", state=state,
        submitted_by="schedule", submitted_at=moment, finished_at=moment,
        error={"title": "Failed", "detail": "No answer."},
    )  # fmt: skip
    StoredSchedule.objects.filter(operation="pool.scrub").update(last_job=job)
    inventory = cache.current()
    assert inventory is not None
    found = gather(inventory).schedules_failing
    assert [(one.what, one.pool, one.said, one.job) for one in found] == (
        [("scrub", "tank", "No answer.", job.pk)] if reported else []
    )
    job.pk = None
    job.state = State.SUCCEEDED
    job.request = {"name": "other"}
    job.save()
    assert len(gather(inventory).schedules_failing) == int(reported), "of another pool"
    job.pk = None
    job.request = {"name": "tank", "pause": False}
    job.save()
    assert gather(inventory).schedules_failing == (), "somebody has had it done since"
