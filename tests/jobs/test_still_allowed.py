"""A job that waits is carried out only while whoever asked for it may still do it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts import people, tokens
from accounts.actor import TokenActor
from accounts.models import Token, User
from accounts.roles import Role
from jobs import engine, submission
from jobs.models import Claim, Job
from jobs.rights import Clockwork
from tests.jobs.composition import Machine

DATA = {"name": "tank/a"}


@pytest.fixture
def ada(db: None) -> User:
    User.objects.create_user("boss", "correct horse battery", role=Role.ADMIN)
    return User.objects.create_user("ada", role=Role.ADMIN)


def ended(job: Job, host: Machine) -> dict[str, Any]:
    engine.run(job.pk, host)
    assert not Claim.objects.exists()
    return Job.objects.get(pk=job.pk).view()


@pytest.mark.parametrize(
    ("happens", "said"),
    [
        (lambda ada: people.delete("boss", ada), "account of ada"),
        (lambda ada: people.change("boss", ada, people.AccountChange(active=False)), "account of ada"),
        (lambda ada: people.change("boss", ada, people.AccountChange(role=Role.VIEWER)), "pools:write"),
        (lambda ada: people.change("boss", ada, people.AccountChange(role=Role.OPERATOR)), "destroying"),
    ],
)
def test_a_job_of_somebody_who_lost_the_right_does_not_run(
    machine: Machine, ada: User, happens: Callable[[User], Any], said: str
) -> None:
    digest = submission.prepare("test.steps", {"name": "tank/destroy"}, ada).digest
    job = submission.submit("test.steps", {"name": "tank/destroy"}, ada, digest=digest)
    happens(ada)
    view = ended(job, machine)
    assert (view["state"], view["error"]["title"]) == ("failed", "Not allowed any more")
    assert said in view["error"]["detail"]
    assert machine.ran == []


def test_a_job_of_a_token_that_was_revoked_does_not_run(machine: Machine, ada: User) -> None:
    token, _ = tokens.create(name="script", scopes=["pools:write"], user=ada)
    job = submission.submit("dataset.create", DATA, TokenActor(token))
    tokens.revoke(token)
    assert "account or token of ada" in ended(job, machine)["error"]["detail"]
    assert machine.ran == []


def test_a_job_of_a_token_is_held_to_its_scopes_and_runs(machine: Machine, ada: User) -> None:
    token, _ = tokens.create(name="script", scopes=["pools:write"], user=ada)
    job = submission.submit("dataset.create", DATA, TokenActor(token))
    assert ended(job, machine)["state"] == "succeeded"
    other = submission.submit("dataset.create", {"name": "tank/b"}, TokenActor(token))
    Token.objects.update(scopes=["pools:read"])
    assert ended(other, machine)["error"]["title"] == "Not allowed any more"


def test_what_the_clock_submitted_runs_whoever_has_its_name(machine: Machine, ada: User) -> None:
    job = submission.submit("dataset.create", DATA, Clockwork("policies", "pools:write"))
    User.objects.create_user("policies", role=Role.VIEWER)
    assert ended(job, machine)["state"] == "succeeded"
