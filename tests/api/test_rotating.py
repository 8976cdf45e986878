"""A disk that takes turns, on the simulated machine: plugged in, brought up to date, let go."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, NoReturn

import msgspec
import pytest
from rest_framework.test import APIClient

from host.commands.pools.importing import ZpoolImport
from host.replication.proof import Proof
from host.replication.values import Target
from host.simulated import SimulatedHost
from jobs import submission
from jobs.models import Job
from jobs.plan import Finding, Refused
from replication.models import TargetRow, TaskRow
from replication.replications import following, proofs
from replication.rotating import tick
from replication.stored import value_of
from tests.api.test_replications import BASE, two
from tests.api.test_snapshots import do
from tests.conftest import refresh

__all__ = ["two"]  # the fixture
NOW = datetime.now(UTC)  # as the simulated machine's clock begins


def visit(two: APIClient) -> dict[str, Any]:
    (shown,) = (one for one in two.get("/api/v1/targets/").json()["results"] if one["rotating"])
    return shown["visit"]  # type: ignore[no-any-return]


def stage() -> str:
    return str(TargetRow.objects.get(name="disk A").visit.get("stage"))


def ticked(simulated: SimulatedHost, minutes: int) -> str:
    following.follow(simulated)
    proofs.follow(simulated)
    refresh()
    proofs.start(NOW + timedelta(minutes=minutes), tick.under_way())
    tick.tick(NOW + timedelta(minutes=minutes), simulated)
    return stage()


def away(two: APIClient, simulated: SimulatedHost) -> str:
    """The disk of a target that rotates, which has just been unplugged, and has a replication."""
    simulated.furnish("tank/photos")
    pool = two.get("/api/v1/pools/second/").json()
    disk = str(pool["vdevs"][0]["disk"])
    target = Target(id=0, name="disk A", kind="pool", dataset="second", pool_guid=pool["guid"], rotating=True)
    TargetRow.objects.create(name=target.name, value=value_of(target))
    refresh()
    body = {"name": "photos", "source": "tank/photos", "target": "disk A", "own_snapshots": True}
    do(two, "post", BASE, body)
    do(two, "post", "/api/v1/pools/second/export/")
    simulated.pull(disk)
    assert ticked(simulated, 0) == "away"
    return disk


def test_a_disk_is_brought_up_to_date_and_let_go(two: APIClient, simulated: SimulatedHost) -> None:
    disk = away(two, simulated)
    simulated.insert(disk)
    assert ticked(simulated, 1) == "importing"
    (imported,) = Job.objects.filter(operation="pool.import")
    assert imported.request["unmounted"] is True and imported.state == "succeeded", imported.error
    assert ticked(simulated, 2) == "copying"
    assert ticked(simulated, 3) == "copying"
    assert two.get(BASE).json()["results"][0]["running"]
    simulated.pass_time(1000)
    assert ticked(simulated, 20) == "proving"
    assert two.get(BASE).json()["results"][0]["proving"]
    assert visit(two) == {"stage": "proving", "waits_for": "", "blocked": False}
    simulated.pass_time(1000)
    assert ticked(simulated, 40) == "exporting"
    assert ticked(simulated, 41) == "done"
    assert "second" not in simulated.machine().pools
    found = two.get(BASE).json()["results"][0]
    assert (found["last_verdict"], found["late"], found["proof_verdict"]) == ("done", False, "same")
    before = Job.objects.count()
    assert ticked(simulated, 42) == "done" and Job.objects.count() == before
    simulated.pull(disk)
    assert ticked(simulated, 43) == "away"


def proven_now() -> None:
    """All replications have found their files to be the same."""
    proof = Proof(task="x", started_at=NOW.isoformat(), updated_at=NOW.isoformat(), verdict="same", words="")
    TaskRow.objects.update(proof=msgspec.to_builtins(proof))


def test_what_was_proven_this_week_is_copied_and_let_go(two: APIClient, simulated: SimulatedHost) -> None:
    disk = away(two, simulated)
    proven_now()
    simulated.insert(disk)
    assert [ticked(simulated, minute) for minute in (1, 2, 3)] == ["importing", "copying", "copying"]
    simulated.pass_time(1000)
    assert [ticked(simulated, minute) for minute in (4, 5)] == ["exporting", "done"]
    assert not Job.objects.filter(operation=proofs.OPERATION).exists()


def test_another_disk_is_left_alone(two: APIClient, simulated: SimulatedHost) -> None:
    pool = two.get("/api/v1/pools/second/").json()
    target = Target(id=0, name="disk A", kind="pool", dataset="other", pool_guid="12345", rotating=True)
    TargetRow.objects.create(name=target.name, value=value_of(target))
    refresh()
    do(
        two,
        "post",
        BASE,
        {"name": "photos", "source": "tank/photos", "target": "disk A", "dataset": "other/x"},
    )
    do(two, "post", "/api/v1/pools/second/export/")
    before = Job.objects.count()
    assert ticked(simulated, 0) == "away"
    assert Job.objects.count() == before and pool["guid"] != "12345"


def test_a_job_that_holds_the_pool_is_no_failure_that_is_waited_out(
    two: APIClient, simulated: SimulatedHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = away(two, simulated)
    proven_now()
    simulated.insert(disk)
    assert [ticked(simulated, minute) for minute in (1, 2, 3)] == ["importing", "copying", "copying"]
    simulated.pass_time(1000)
    holding = Job.objects.latest("pk")
    with monkeypatch.context() as patched:
        patched.setattr(submission, "submit", raising(submission.Busy("pool:second", holding)))
        assert ticked(simulated, 4) == "exporting"
    assert visit(two) == {"stage": "exporting", "waits_for": f"Job {holding.pk} holds it.", "blocked": False}
    ticked(simulated, 5)
    assert ticked(simulated, 6) == "done"
    assert visit(two) == {"stage": "done", "waits_for": "", "blocked": False}


def test_what_is_refused_is_said_until_it_goes_on(
    two: APIClient, simulated: SimulatedHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = away(two, simulated)
    why = Finding(level="error", code="foreign", field="guid", message="Another machine used it last.")
    with monkeypatch.context() as patched:
        patched.setattr(submission, "submit", raising(Refused((why,))))
        simulated.insert(disk)
        assert ticked(simulated, 1) == "importing"
    refused = {"stage": "importing", "waits_for": "Another machine used it last.", "blocked": True}
    assert visit(two) == refused
    ticked(simulated, 2)
    assert visit(two) == refused, "it is tried again after ten minutes"
    ticked(simulated, 12)
    assert visit(two) == {"stage": "importing", "waits_for": "", "blocked": False}


def test_a_job_that_failed_is_said_and_tried_again(two: APIClient, simulated: SimulatedHost) -> None:
    disk = away(two, simulated)
    simulated.fail_next(ZpoolImport, stderr="cannot import: I/O error\n")
    simulated.insert(disk)
    ticked(simulated, 1)
    assert ticked(simulated, 2) == "importing"
    shown = visit(two)
    assert shown["blocked"] and shown["waits_for"].startswith("Job ") and "I/O error" in shown["waits_for"]
    ticked(simulated, 12)
    assert visit(two) == {"stage": "importing", "waits_for": "", "blocked": False}
    assert ticked(simulated, 13) == "copying"


def raising(error: Exception) -> Callable[..., NoReturn]:
    def fail(*_: object, **__: object) -> NoReturn:
        raise error

    return fail
