"""A job whose worker was killed, as a page: what is there, and the way to what is left."""

from __future__ import annotations

import re

from django.test import Client

from accounts.models import User
from host.commands.datasets.zfs import ZfsSet
from host.simulated import SimulatedHost
from jobs import interrupted, submission
from jobs.models import Job, JobStep, State, StepState
from jobs.operation import the_host
from tests.conftest import refresh
from tests.frontend.conftest import decide, make_tank


def killed(client: Client, job: Job, *, done: bool) -> str:
    """The page of a job whose worker was killed at its end, or before its first command, and is back."""
    Job.objects.filter(pk=job.pk).update(state=State.RUNNING, finished_at=None)
    if not done:
        JobStep.objects.filter(job=job).update(state=StepState.WAITING, done=0)
    assert interrupted.recover(the_host()) == 1
    return str(client.get(f"/jobs/{job.pk}/").content.decode())


def test_an_interrupted_job_that_is_complete_says_so_and_leads_on(
    browser: Client, simulated: SimulatedHost
) -> None:
    make_tank(browser)
    page = killed(browser, Job.objects.get(), done=True)
    assert "Interrupted, but complete" in page and "Everything that it asked for is done now." in page
    assert '<div class="notice good" role="alert">' in page
    assert "Open tank" in page and "Run the remaining steps" not in page


def test_an_interrupted_job_leads_to_the_plan_of_what_is_left(
    browser: Client, simulated: SimulatedHost
) -> None:
    make_tank(browser)
    wanted = {"name": "tank", "properties": {"compression": "zstd"}}
    job = submission.submit("dataset.set", wanted, User.objects.get())
    simulated.run(ZfsSet(name="tank", properties={"compression": "lz4"}))
    refresh()
    page = killed(browser, job, done=False)
    assert '<div class="notice warn" role="alert">' in page and "this is left: “" in page
    form = re.search(r'action="(/plans/)".*?name="operation" value="([^"]+)"', page, re.DOTALL)
    assert form is not None and "Run the remaining steps" in page
    answer = browser.get(f"/jobs/{job.pk}/")
    sent = {"operation": form[2], "request": answer.context["request_json"]}
    plan = browser.post(form[1], sent)
    done = decide(browser, plan)
    assert Job.objects.latest("pk").state == State.SUCCEEDED
    assert done["Location"] == f"/jobs/{Job.objects.latest('pk').pk}/"


def test_one_that_cannot_go_on_says_why(browser: Client, simulated: SimulatedHost) -> None:
    make_tank(browser)
    job = Job.objects.get()
    page = killed(browser, job, done=False)
    # The pool is there, but by the record none of the commands had run: nobody can say that it is complete.
    assert "it is refused: " in page and "There is a pool tank already." in page
    assert "Plan again" in page and "Interrupted, but" not in page
