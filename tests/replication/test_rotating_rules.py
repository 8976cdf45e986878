"""A pool that is plugged in now and then: what follows what."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from replication.rotating.rules import Act, Copying, Visit, next_act

NOW = datetime(2026, 11, 25, 22, 0, tzinfo=UTC)
BEFORE = 7  # the number of a run


def act(visit: Visit, *, plugged: bool = True, imported: bool = False, tasks: Any = None) -> Act:
    known = [Copying(name="photos", running=False, last_run=BEFORE)] if tasks is None else tasks
    return next_act(visit, plugged=plugged, imported=imported, tasks=known, now=NOW)


def visit(stage: Any, *, tried: datetime | None = None) -> Visit:
    return Visit(stage=stage, runs={"photos": BEFORE}, tried=tried)


def test_a_whole_visit_in_its_order() -> None:
    first = act(Visit())
    assert (first.visit.stage, first.job, first.run) == ("importing", "import", ())
    here = act(first.visit, plugged=False, imported=True)
    assert (here.visit.stage, here.job) == ("copying", None)
    begun = act(here.visit, plugged=False, imported=True)
    assert (begun.run, begun.job, begun.visit.stage) == (("photos",), None, "copying")
    assert act(begun.visit, plugged=False, imported=True) == Act(visit=begun.visit), "its job has just begun"
    at_work = [Copying(name="photos", running=True, last_run=BEFORE)]
    assert act(here.visit, plugged=False, imported=True, tasks=at_work) == Act(visit=here.visit)
    ended = [Copying(name="photos", running=False, last_run=BEFORE + 1)]
    leaving = act(here.visit, plugged=False, imported=True, tasks=ended)
    assert (leaving.job, leaving.visit.stage) == ("export", "exporting")
    done = act(leaving.visit)
    assert (done.visit.stage, done.job) == ("done", None)
    assert act(done.visit) == Act(visit=done.visit), "it may be unplugged, and nothing more happens before"
    assert act(done.visit, plugged=False).visit == Visit()


def test_a_run_that_failed_is_begun_again_twice_before_the_disk_goes() -> None:
    now, last = visit("copying"), BEFORE
    for again in (1, 2):
        last += 1
        failed = [Copying(name="photos", running=False, last_run=last, failed=True)]
        found = act(now, imported=True, tasks=failed)
        assert (found.run, found.job, found.visit.again) == (("photos",), None, again)
        assert act(found.visit, imported=True, tasks=failed) == Act(visit=found.visit), "it has just begun"
        now = found.visit
    ended = [Copying(name="photos", running=False, last_run=last + 1, failed=True)]
    assert act(now, imported=True, tasks=ended).job == "export", "the message says why"
    arrived = [Copying(name="photos", running=False, last_run=last + 1)]
    assert act(now, imported=True, tasks=arrived).job == "export"


def test_what_is_due_is_proven_before_it_goes() -> None:
    ended = [Copying(name="photos", running=False, last_run=BEFORE + 1, proof_due=True)]
    proving = act(visit("copying"), imported=True, tasks=ended)
    assert (proving.visit.stage, proving.prove, proving.job) == ("proving", ("photos",), None)
    at_work = [Copying(name="photos", running=False, last_run=BEFORE + 1, proving=True)]
    assert act(proving.visit, imported=True, tasks=at_work) == Act(visit=proving.visit)
    proven = [Copying(name="photos", running=False, last_run=BEFORE + 1)]
    leaving = act(proving.visit, imported=True, tasks=proven)
    assert (leaving.visit.stage, leaving.job) == ("exporting", "export")


def test_a_proof_that_cannot_begin_does_not_keep_the_disk() -> None:
    due = [Copying(name="photos", running=False, last_run=BEFORE + 1, proof_due=True)]
    soon = act(visit("proving", tried=NOW - timedelta(minutes=9)), imported=True, tasks=due)
    assert (soon.prove, soon.job) == (("photos",), None)
    held = act(visit("proving"), imported=True, tasks=due)  # another job held it a moment ago
    assert (held.prove, held.visit.tried) == (("photos",), NOW)
    late = act(visit("proving", tried=NOW - timedelta(minutes=11)), imported=True, tasks=due)
    assert (late.prove, late.job, late.visit.stage) == ((), "export", "exporting")


def test_what_a_person_does_with_it_is_theirs() -> None:
    assert act(Visit(), plugged=False, imported=True).visit.stage == "left"
    assert act(visit("done"), imported=True).visit.stage == "left"
    for stage in ("copying", "proving"):
        assert act(visit(stage), imported=False).visit.stage == "left"
    left = visit("left")
    assert act(left) == Act(visit=left), "exported by hand, it stays so until it was unplugged"
    assert act(left, plugged=False).visit == Visit()


def test_unplugged_in_the_middle_it_is_away_and_the_next_visit_begins_anew() -> None:
    for stage in ("importing", "copying", "proving", "exporting"):
        assert act(visit(stage), plugged=False).visit == Visit()


def test_without_a_replication_to_it_nothing_is_touched() -> None:
    assert act(Visit(), tasks=[]) == Act(visit=Visit())


def test_a_run_that_could_not_begin_is_tried_again_later() -> None:
    later = act(visit("copying", tried=NOW - timedelta(minutes=11)), imported=True)
    assert (later.run, later.visit.tried) == (("photos",), NOW)


@pytest.mark.parametrize("stage", ["importing", "exporting"])
def test_a_job_that_failed_is_tried_again_later(stage: Any) -> None:
    imported = stage == "exporting"
    soon = act(visit(stage, tried=NOW - timedelta(minutes=2)), imported=imported)
    assert soon.job is None
    later = act(visit(stage, tried=NOW - timedelta(minutes=11)), imported=imported)
    assert later.job == {"importing": "import", "exporting": "export"}[stage] and later.visit.tried == NOW
