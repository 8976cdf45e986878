"""Submitting: digests, confirmation, claims, idempotency, permissions."""

from __future__ import annotations

import pytest

from jobs import claims, engine, submission
from jobs.claims import overlap
from jobs.models import Claim, Job
from jobs.plan import Refused
from jobs.rights import ADMIN
from tests.jobs.composition import Machine
from tests.jobs.conftest import Person

A = {"name": "tank/a"}
DESTROY = {"name": "tank/destroy"}


def test_preparing_stores_nothing(machine: Machine, ada: Person) -> None:
    plan = submission.prepare("dataset.create", A, ada)
    assert plan.digest.startswith("sha256:")
    assert (Job.objects.count(), Claim.objects.count(), machine.ran) == (0, 0, [])


def test_the_second_of_two_equal_submissions_names_the_job_that_holds_it(
    machine: Machine, ada: Person
) -> None:
    first = submission.submit("dataset.create", A, ada)
    with pytest.raises(submission.Busy) as busy:
        submission.submit("dataset.create", A, ada)
    assert (busy.value.job, busy.value.resource) == (first, "dataset:tank/a")
    assert Job.objects.count() == 1


def test_what_destroys_needs_the_digest_of_its_plan(machine: Machine, ada: Person) -> None:
    with pytest.raises(submission.ConfirmationRequired) as asked:
        submission.submit("test.steps", DESTROY, ada)
    with pytest.raises(submission.PlanStale):
        submission.submit("test.steps", DESTROY, ada, digest="sha256:0")
    assert Job.objects.count() == 0
    job = submission.submit("test.steps", DESTROY, ada, digest=asked.value.plan.digest)
    assert job.digest == asked.value.plan.digest


def test_an_idempotency_key_gives_the_same_job_back_and_refuses_another_body(
    machine: Machine, ada: Person
) -> None:
    first = submission.submit("dataset.create", A, ada, idempotency_key="k")
    assert submission.submit("dataset.create", A, ada, idempotency_key="k") == first
    with pytest.raises(submission.IdempotencyMismatch):
        submission.submit("dataset.create", {"name": "tank/b"}, ada, idempotency_key="k")
    other = submission.submit(
        "dataset.create", {"name": "tank/c"}, Person("pools:write", name="bob"), idempotency_key="k"
    )
    assert other != first


def test_roles_decide_who_may_write_and_who_may_destroy(machine: Machine) -> None:
    with pytest.raises(submission.Forbidden, match="scope pools:write, which your role or token"):
        submission.prepare("dataset.create", A, Person("pools:read"))
    operator = Person("pools:write")
    submission.prepare("dataset.create", A, operator)
    with pytest.raises(submission.Forbidden):
        submission.prepare("test.steps", DESTROY, operator)


def test_what_only_admins_may_have_done_is_refused_to_others_in_words(machine: Machine) -> None:
    elsewhere = {"name": "tank/a", "properties": {"mountpoint": "/home/ben"}}
    with pytest.raises(submission.Forbidden, match=r"tank/a would be mounted at /home/ben.*an admin"):
        submission.prepare("dataset.create", elsewhere, Person("pools:write"))
    plan = submission.prepare("dataset.create", elsewhere, Person("pools:write", ADMIN))
    (warning,) = plan.view()["findings"]
    assert (warning["code"], warning["needs"]) == ("mounts-elsewhere", ADMIN)


def test_faults_of_shape_and_of_content_come_together(machine: Machine, ada: Person) -> None:
    with pytest.raises(Refused) as refused:
        submission.prepare("dataset.create", {"name": "tank/..", "surprise": 1}, ada)
    assert {(f.code, f.field) for f in refused.value.findings} == {
        ("unknown-field", "surprise"),
        ("bad-name", "name"),
    }


@pytest.mark.parametrize(
    ("one", "other", "clash"),
    [
        ("pool:tank", "pool:tank", True),
        ("pool:tank", "dataset:tank/a/b", True),
        ("dataset:tank", "dataset:tank/a", True),
        ("dataset:tank/a", "dataset:tank/ab", False),
        ("pool:tank", "pool:tank2", False),
        ("pool:tank", "dataset:tank2/a", False),
        ("disk:ata-1", "disk:ata-1", True),
        ("disk:ata-1", "disk:ata-10", False),
        ("disk:tank", "pool:tank", False),
    ],
)
def test_a_pool_contains_its_datasets_and_nothing_else(one: str, other: str, clash: bool) -> None:
    assert overlap(one, other) is overlap(other, one) is clash


def test_what_a_plan_claims_twice_is_claimed_once(machine: Machine, ada: Person) -> None:
    job = submission.submit("dataset.create", A, ada)
    claims.release(job.pk)
    claims.take(job, ("dataset:tank/a", "dataset:tank/a"))
    assert [one.resource for one in Claim.objects.all()] == ["dataset:tank/a"]


def test_what_only_the_database_will_know_is_part_of_the_digest(machine: Machine, ada: Person) -> None:
    digest = submission.prepare("test.rows", A, ada).digest
    with pytest.raises(submission.PlanStale):
        submission.submit("test.rows", {"name": "tank/b"}, ada, digest=digest)
    job = submission.submit("test.rows", A, ada, digest=digest)
    engine.run(job.pk, machine)
    assert Job.objects.get(pk=job.pk).state == "succeeded"
