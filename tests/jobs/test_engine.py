"""Jobs: carried out once, step by step, and truthful about how far they came."""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec
import pytest
from django.contrib.sessions.models import Session
from django.db import OperationalError
from django.utils import timezone

from host.base import UnknownFormat
from host.commands.base import Command
from host.commands.datasets.zfs import ZfsCreate
from host.commands.disks.partition import UdevSettle
from jobs import cache, claims, engine, submission, tasks
from jobs.models import AuditEvent, Claim, Job, State
from tests import made
from tests.jobs.composition import Machine
from tests.jobs.conftest import Person, remember


def submit(
    person: Person, name: str = "tank/a", operation: str = "dataset.create", digest: str | None = None
) -> Job:
    return submission.submit(operation, {"name": name}, person, digest=digest)


def test_a_job_runs_its_steps_and_keeps_what_they_said(machine: Machine, ada: Person) -> None:
    job = submit(ada, "tank/a", "test.steps")
    assert (job.state, job.submitted_by) == (State.QUEUED, "ada")
    engine.run(job.pk, machine)
    view = Job.objects.get(pk=job.pk).view()
    assert (view["state"], view["error"]) == ("succeeded", None)
    assert [step["state"] for step in view["steps"]] == ["succeeded"] * 3
    assert view["steps"][0]["output"] == "ran udevadm\nran udevadm\n"
    assert view["steps"][0]["commands"] == [["udevadm", "settle", "--timeout=120"]] * 2
    assert not Claim.objects.exists()
    assert [event.action for event in AuditEvent.objects.order_by("id")] == ["test.steps", "job.succeeded"]


def test_no_job_waits_for_what_follows_its_probe(machine: Machine, ada: Person) -> None:
    seen: list[tuple[str, tuple[str, ...]]] = []

    def receiver(**_: object) -> None:
        inventory = cache.current()
        names = tuple(dataset.name for dataset in inventory.datasets) if inventory else ()
        seen.append((Job.objects.get(pk=job.pk).state, names))

    def made_by_it(command: Command) -> None:
        known = machine.inventory.datasets
        machine.inventory = msgspec.structs.replace(
            machine.inventory, datasets=(*known, made.dataset("tank/a"))
        )

    job = submit(ada)
    machine.before = made_by_it
    cache.probed.connect(receiver)
    try:
        engine.run(job.pk, machine)
    finally:
        cache.probed.disconnect(receiver)
    assert seen == [("succeeded", ("tank", "tank/a"))]


def test_a_message_delivered_twice_runs_once(machine: Machine, ada: Person) -> None:
    job = submit(ada)
    engine.run(job.pk, machine)
    engine.run(job.pk, machine)
    assert machine.ran == [ZfsCreate(name="tank/a")]


def test_a_second_worker_that_comes_in_the_middle_does_nothing(machine: Machine, ada: Person) -> None:
    job = submit(ada, "tank/a", "test.steps")
    machine.before = lambda _: engine.run(job.pk, machine)
    engine.run(job.pk, machine)
    assert machine.ran == [UdevSettle()] * 6


def test_a_failed_command_ends_the_job_with_its_raw_text(machine: Machine, ada: Person) -> None:
    job = submit(ada, "tank/broken")
    engine.run(job.pk, machine)
    view = Job.objects.get(pk=job.pk).view()
    assert view["state"] == "failed"
    assert "no reason" in view["error"]["detail"]
    assert view["steps"][0]["state"] == "failed"
    assert view["steps"][0]["output"] == "cannot create: no reason"
    assert not Claim.objects.exists()


def test_aborting_takes_effect_before_the_next_step(machine: Machine, ada: Person) -> None:
    job = submit(ada, "tank/a", "test.steps")

    def on_command(_: Command) -> None:
        if len(machine.ran) == 1:
            submission.abort(job, ada)

    machine.before = on_command
    engine.run(job.pk, machine)
    view = Job.objects.get(pk=job.pk).view()
    assert view["state"] == "aborted"
    assert [step["state"] for step in view["steps"]] == ["succeeded", "skipped", "skipped"]
    assert "before step 2 of 3" in view["error"]["detail"]
    assert not Claim.objects.exists()


def test_aborting_a_queued_job_ends_it_at_once(machine: Machine, ada: Person) -> None:
    job = submission.abort(submit(ada), ada)
    assert job.state == State.ABORTED
    engine.run(job.pk, machine)
    assert machine.ran == []
    assert not Claim.objects.exists()


def test_the_machine_is_probed_before_a_broken_job_is_marked_failed(
    machine: Machine, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = submit(ada)
    seen = []

    def probe(_: object) -> bool:
        seen.append(Job.objects.get(pk=job.pk).state)
        return True

    def breaks(_: Command) -> None:
        raise ZeroDivisionError

    machine.before = breaks
    monkeypatch.setattr(engine, "_refresh_touched", probe)
    engine.run(job.pk, machine)
    assert seen == [State.RUNNING]
    assert Job.objects.get(pk=job.pk).state == State.FAILED


@pytest.mark.parametrize(("name", "state"), [("tank/a", State.SUCCEEDED), ("tank/broken", State.FAILED)])
def test_an_end_that_could_not_be_written_is_written_by_the_sweep(
    machine: Machine, ada: Person, monkeypatch: pytest.MonkeyPatch, name: str, state: State
) -> None:
    job = submit(ada, name)

    def locked(_: int) -> None:
        raise OperationalError("database is locked")

    with monkeypatch.context() as patch:
        patch.setattr(claims, "release", locked)
        with pytest.raises(OperationalError):
            engine.run(job.pk, machine)
        with pytest.raises(OperationalError):
            tasks.sweep()
        assert Job.objects.get(pk=job.pk).state == State.RUNNING
        assert Claim.objects.exists()
    tasks.sweep()
    assert Job.objects.get(pk=job.pk).state == state
    assert not Claim.objects.exists()
    tasks.sweep()
    assert AuditEvent.objects.filter(action=f"job.{state}").count() == 1


def test_sessions_that_have_ended_are_deleted_each_hour(machine: Machine) -> None:
    now = timezone.now()
    for key, left in (("ended", -1), ("goes-on", 1)):
        Session.objects.create(session_key=key, session_data="", expire_date=now + timedelta(hours=left))
    tasks.forget_routine()
    assert [one.session_key for one in Session.objects.all()] == ["goes-on"]


def test_the_sweep_leaves_a_job_alone_that_is_carried_out(machine: Machine, ada: Person) -> None:
    job = submit(ada)
    seen = []

    def sweep(_: Command) -> None:
        tasks.sweep()
        seen.append(Job.objects.get(pk=job.pk).state)

    machine.before = sweep
    engine.run(job.pk, machine)
    assert seen == [State.RUNNING]
    assert Job.objects.get(pk=job.pk).state == State.SUCCEEDED


def test_no_step_of_a_job_that_broke_goes_on(machine: Machine, ada: Person) -> None:
    job = submit(ada, "tank/a", "test.steps")

    def breaks(_: Command) -> None:
        if len(machine.ran) == 3:
            raise OperationalError("database or disk is full")

    machine.before = breaks
    engine.run(job.pk, machine)
    view = Job.objects.get(pk=job.pk).view()
    assert view["state"] == "failed"
    assert [step["state"] for step in view["steps"]] == ["succeeded", "interrupted", "skipped"]


def test_a_pulled_disk_between_preview_and_run_stops_the_job_before_anything(
    machine: Machine, ada: Person
) -> None:
    ids = [disk.id for disk in machine.inventory.disks]
    data = {"name": "pond", "vdevs": [{"layout": "raidz2", "disks": ids}]}
    job = submission.submit("pool.create", data, ada)
    machine.inventory = msgspec.structs.replace(machine.inventory, disks=machine.inventory.disks[1:])
    engine.run(job.pk, machine)
    view = Job.objects.get(pk=job.pk).view()
    assert (view["state"], machine.ran) == ("failed", [])
    assert ids[0] in view["error"]["detail"]
    assert view["error"]["findings"][0]["code"] == "unknown-disk"


def test_a_disk_that_got_content_between_preview_and_run_stops_the_job(machine: Machine, ada: Person) -> None:
    ids = [disk.id for disk in machine.inventory.disks]
    data = {"name": "pond", "vdevs": [{"layout": "raidz2", "disks": ids}]}
    filled = (made.disk(1, claims=made.with_file_system(1).claims), *machine.inventory.disks[1:])
    job = submission.submit("pool.create", data, ada)
    machine.inventory = msgspec.structs.replace(machine.inventory, disks=filled)
    engine.run(job.pk, machine)
    view = Job.objects.get(pk=job.pk).view()
    assert (view["state"], view["error"]["title"], machine.ran) == ("failed", "The plan changed", [])
    assert "ntfs file system “Backup”" in view["error"]["detail"]


def test_a_machine_that_cannot_be_asked_fails_the_job_and_frees_its_claims(
    machine: Machine, ada: Person
) -> None:
    job = submit(ada)
    machine.reachable = False
    engine.run(job.pk, machine)
    view = Job.objects.get(pk=job.pk).view()
    assert (view["state"], view["error"]["detail"]) == ("failed", "nobody answers")
    assert not Claim.objects.exists()


def test_a_cache_older_than_the_stored_one_is_dropped(machine: Machine) -> None:
    newest = cache.current()
    assert newest is not None
    before = datetime.fromisoformat(newest.as_of) - timedelta(minutes=1)
    old = msgspec.structs.replace(newest, as_of=before.isoformat(), pools=())
    cache.store(old, machine)
    assert cache.current() == newest
    remember(machine)
    assert cache.current() == machine.inventory


def test_an_inventory_that_nobody_could_read_is_not_cached(machine: Machine) -> None:
    newest = cache.current()
    odd = msgspec.structs.replace(made.disk(1), logical_sector_bytes=None)
    wrong = msgspec.structs.replace(machine.inventory, as_of="2126-11-21T12:00:00.000+00:00", disks=(odd,))
    with pytest.raises(UnknownFormat, match="does not fit"):
        cache.store(wrong, machine)
    assert cache.current() == newest
