"""Jobs whose worker was killed: how far they came, and what is left of what they wanted."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from host.commands.base import Command
from host.commands.disks.partition import UdevSettle
from jobs import engine, interrupted, submission, tasks
from jobs.models import Claim, Job, State
from tests import made
from tests.jobs.composition import Machine
from tests.jobs.conftest import Person, remember


def submit(person: Person, operation: str = "dataset.create", **data: Any) -> Job:
    return submission.submit(operation, {"name": "tank/a"} | data, person)


def kill(job: Job, machine: Machine, *, before: int) -> None:
    """Carry it out until its command number `before` (from 0) is about to run."""

    def die(_: Command) -> None:
        if len(machine.ran) == before:
            raise KeyboardInterrupt  # as abrupt as a kill: nothing is tidied

    machine.before = die
    with pytest.raises(KeyboardInterrupt):
        engine.run(job.pk, machine)
    machine.before = lambda _: None
    assert Job.objects.get(pk=job.pk).state == State.RUNNING


def kill_at_the_end(job: Job, machine: Machine) -> None:
    """Carry it out, but let its end not be noted."""
    engine.run(job.pk, machine)
    ended = Job.objects.filter(pk=job.pk, state=State.SUCCEEDED)
    assert ended.update(state=State.RUNNING, finished_at=None) == 1


def recovered(job: Job, machine: Machine) -> dict[str, Any]:
    """The job as the API shows it once a worker is there again."""
    assert interrupted.recover(machine) == 1
    view = Job.objects.get(pk=job.pk).view()
    assert view["state"] == "interrupted"
    assert not Claim.objects.exists()
    return view


def has(machine: Machine, *datasets: str) -> None:
    """By now the machine has these datasets too."""
    every = (*machine.inventory.datasets, *(made.dataset(name) for name in datasets))
    machine.inventory = msgspec.structs.replace(machine.inventory, datasets=every)
    remember(machine)


def test_a_killed_worker_leaves_an_interrupted_job_that_says_how_far_it_came(
    machine: Machine, ada: Person
) -> None:
    job = submit(ada, "test.steps")
    kill(job, machine, before=3)
    view = recovered(job, machine)
    assert [step["state"] for step in view["steps"]] == ["succeeded", "interrupted", "skipped"]
    assert "in step 2 of 3 (“Step 2”): 1 of its 2 commands had ended" in view["error"]["detail"]
    assert view["error"]["steps_finished"] == 1
    ran = list(machine.ran)
    engine.run(job.pk, machine)
    assert machine.ran == ran == [UdevSettle()] * 3
    assert interrupted.recover(machine) == 0


def test_what_is_left_is_found_by_planning_it_again(machine: Machine, ada: Person) -> None:
    job = submit(ada, "test.steps")
    kill(job, machine, before=3)
    error = recovered(job, machine)["error"]
    assert (error["outcome"], error["left"]) == ("left", ["Step 1", "Step 2", "Step 3"])
    assert error["detail"].endswith(
        "Planned again on the machine as it is now, this is left: “Step 1”, “Step 2”, “Step 3”."
    )


def test_a_job_whose_last_command_took_effect_before_it_could_be_noted_is_complete(
    machine: Machine, ada: Person
) -> None:
    job = submit(ada)
    kill(job, machine, before=0)
    has(machine, "tank/a")  # zfs ended, and nobody was there to hear it
    error = recovered(job, machine)["error"]
    assert (error["title"], error["outcome"]) == ("Interrupted", "complete")
    assert error["detail"].endswith(
        "Everything that it asked for is done now. (There is a dataset tank/a already.)"
    )
    assert "left" not in error


def test_a_job_whose_commands_had_all_ended_is_complete_whatever_can_be_planned(
    machine: Machine, ada: Person
) -> None:
    job = submit(ada, "test.steps")
    kill_at_the_end(job, machine)
    error = recovered(job, machine)["error"]
    assert error["outcome"] == "complete"
    assert "The worker stopped after 3 of 3 steps." in error["detail"]


def test_what_the_database_was_to_know_is_left_while_it_may_not_know_it(
    machine: Machine, ada: Person
) -> None:
    job = submit(ada, "test.remembers")
    kill_at_the_end(job, machine)
    error = recovered(job, machine)["error"]
    # All commands ended, but whether the rows were written is known only by planning it again.
    assert (error["outcome"], error["left"]) == ("left", ["Settle"])


def test_a_plan_without_steps_is_left_where_only_the_database_changes(machine: Machine, ada: Person) -> None:
    job = submit(ada, "test.rows")
    Job.objects.filter(pk=job.pk).update(state=State.RUNNING)
    assert recovered(job, machine)["error"]["outcome"] == "left"


def test_a_job_that_did_a_part_and_cannot_be_planned_again_says_why(machine: Machine, ada: Person) -> None:
    job = submit(ada, "test.two")
    kill(job, machine, before=1)
    has(machine, "tank/a")
    error = recovered(job, machine)["error"]
    # The dataset is there, but two commands were to follow: not all is done.
    assert (error["outcome"], error["findings"][0]["code"]) == ("refused", "name-taken")
    assert error["detail"].endswith("it is refused: There is a dataset tank/a already.")


def test_a_dataset_that_is_gone_was_destroyed(machine: Machine, ada: Person) -> None:
    has(machine, "tank/doomed")
    wanted = {"name": "tank/doomed"}
    plan = submission.prepare("dataset.destroy", wanted, ada)
    job = submission.submit("dataset.destroy", wanted, ada, digest=plan.digest)
    kill(job, machine, before=0)
    kept = tuple(one for one in machine.inventory.datasets if one.name != "tank/doomed")
    machine.inventory = msgspec.structs.replace(machine.inventory, datasets=kept)
    assert recovered(job, machine)["error"]["outcome"] == "complete"


def test_a_machine_that_cannot_be_asked_leaves_it_open(machine: Machine, ada: Person) -> None:
    job = submit(ada)
    kill(job, machine, before=0)
    machine.reachable = False
    error = recovered(job, machine)["error"]
    assert "outcome" not in error
    assert error["detail"].endswith("nothing runs again by itself.")


def test_an_operation_that_this_version_does_not_know_leaves_it_open(machine: Machine, ada: Person) -> None:
    job = submit(ada)
    Job.objects.filter(pk=job.pk).update(state=State.RUNNING, operation="old.one")
    assert "outcome" not in recovered(job, machine)["error"]


def test_the_machine_is_probed_before_a_job_is_marked_interrupted(
    machine: Machine, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = submit(ada)
    Job.objects.filter(pk=job.pk).update(state=State.RUNNING)
    seen = []

    def probe(_: object) -> bool:
        seen.append(Job.objects.get(pk=job.pk).state)
        raise OSError("no such socket")

    monkeypatch.setattr(engine, "refresh", probe)
    with pytest.raises(OSError, match="no such socket"):
        tasks.start()
    assert seen == [State.RUNNING]
    assert Job.objects.get(pk=job.pk).state == State.INTERRUPTED
