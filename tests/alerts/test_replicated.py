"""What replications and disks that take turns have the console report."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from rest_framework.test import APIClient

from alerts import replicated
from alerts.evidence import Evidence, ReplicationCare, UnpluggableDisk
from alerts.incidents.causes import causes
from host.replication.values import Replication, Target
from replication.models import RunRow, TargetRow, TaskRow
from replication.stored import value_of
from tests import made

NOW = datetime(2026, 11, 25, 22, 0, tzinfo=UTC)
CARE = ReplicationCare(
    id=3, name="photos", source="tank/photos", target="attic", aim="26 hours", age="4 days", late=False,
    failing=False, said="",
)  # fmt: skip


def reported(**changes: object) -> list[tuple[str, str]]:
    care = {**{field: getattr(CARE, field) for field in CARE.__struct_fields__}, **changes}
    found = causes(made.inventory(), Evidence(replications=(ReplicationCare(**care),)))
    return [(one.kind, one.details[0]) for one in found]


def test_a_copy_that_grew_too_old_is_one_incident_and_not_two() -> None:
    assert reported() == []
    late = ("replication-late", "The newest copy is 4 days old. It should be no older than 26 hours.")
    assert reported(late=True) == [late] == reported(late=True, failing=True)
    assert reported(failing=True, said="The connection failed.") == [
        ("replication-failed", "The connection failed.")
    ]


def test_a_copy_that_differs_matters_more_than_its_age() -> None:
    differs = ("replica-different", "Files of b/x differ from the source.")
    assert reported(differs="Files of b/x differ from the source.", late=True, failing=True) == [differs]


def test_a_disk_that_is_done_may_be_unplugged_by_its_bay() -> None:
    disk = UnpluggableDisk(id=1, target="disk A", disk="ata-x", bay="U2", said="It has the newest of photos.")
    (cause,) = causes(made.inventory(), Evidence(unpluggable=(disk,)))
    assert (cause.title, cause.severity) == ("You may unplug disk A (bay U2)", "info")
    assert [spot.bay for spot in cause.spots] == ["U2"]


def test_a_disk_that_is_plugged_in_and_refused_is_reported_once_it_stays_so(row: TaskRow) -> None:
    assert replicated.waiting() == ()
    said = "tank was used by another machine last."
    visit = {"stage": "importing", "said": said, "blocked": True}
    value = TargetRow.objects.get().value
    TargetRow.objects.update(visit=visit, value=value | {"rotating": True})
    (cause,) = causes(made.inventory(), Evidence(waiting_disks=replicated.waiting()))
    assert (cause.title, cause.severity, cause.sure) == (
        "attic is plugged in and cannot be brought up to date", "warning", False,
    )  # fmt: skip
    assert cause.details[0] == said
    TargetRow.objects.update(visit=visit | {"said": "Job 5 holds it.", "blocked": False})
    assert replicated.waiting() == ()
    TargetRow.objects.update(visit=visit, value=value)
    assert replicated.waiting() == (), "it rotates no more"


@pytest.fixture
def row(db: None) -> TaskRow:
    target = TargetRow.objects.create(
        name="attic", value=value_of(Target(id=0, name="attic", kind="pool", dataset="b", pool_guid="1"))
    )
    task = Replication(
        id=0, key="0" * 16, name="photos", source="tank/photos", target_id=target.pk, target="b/x"
    )
    return TaskRow.objects.create(
        name="photos", key=task.key, target=target, value=value_of(task), made_at=NOW - timedelta(hours=1)
    )


@pytest.mark.parametrize(
    ("hours", "late", "age"),
    [(1, False, "60 minutes"), (26, False, "26 hours"), (27, True, "27 hours"), (96, True, "4 days")],
)
def test_the_age_of_the_oldest_copy_counts(row: TaskRow, hours: int, late: bool, age: str) -> None:
    TaskRow.objects.filter(pk=row.pk).update(copied_at=NOW - timedelta(hours=hours))
    (care,) = replicated.care(NOW)
    assert (care.late, care.age, care.aim) == (late, age, "26 hours")


@pytest.mark.parametrize(("verdict", "differs"), [("different", True), ("same", False), ("failed", False)])
def test_only_files_that_differ_are_a_copy_that_differs(row: TaskRow, verdict: str, differs: bool) -> None:
    at = NOW.isoformat()
    dataset = {"source": "tank/photos", "target": "b/x", "result": "different", "snapshot": "one"}
    proof = {"task": "0" * 16, "started_at": at, "updated_at": at, "verdict": verdict, "datasets": [dataset]}
    TaskRow.objects.filter(pk=row.pk).update(copied_at=NOW, proof=proof)
    (care,) = replicated.care(NOW)
    assert bool(care.differs) is differs


def test_one_without_a_copy_has_until_its_aim(row: TaskRow) -> None:
    assert [care.late for care in replicated.care(NOW)] == [False]
    assert [care.late for care in replicated.care(NOW + timedelta(hours=26))] == [True]


def test_a_paused_one_reports_nothing(row: TaskRow) -> None:
    TaskRow.objects.filter(pk=row.pk).update(value=row.value | {"enabled": False})
    assert replicated.care(NOW + timedelta(days=9)) == ()


def test_a_run_that_failed_says_why(row: TaskRow) -> None:
    report = {
        "task": row.key, "started_at": "2026-11-25T21:00:00+00:00", "updated_at": "2026-11-25T21:01:00+00:00",
        "verdict": "failed", "code": "connection", "words": "No route to host",
    }  # fmt: skip
    TaskRow.objects.filter(pk=row.pk).update(report=report, copied_at=NOW - timedelta(hours=2))
    RunRow.objects.create(task=row, started=NOW, finished=NOW, verdict="failed", sent_bytes=0, datasets=0)
    (care,) = replicated.care(NOW)
    assert care.failing and care.since == "2026-11-25T22:00:00Z"
    assert care.said.startswith("The connection failed or was lost.")


def test_nothing_may_be_unplugged_without_such_a_disk(api: APIClient) -> None:
    assert replicated.unpluggable(made.inventory()) == ()
