"""System → Power, and what the page of its job says while the machine is away."""

from __future__ import annotations

import msgspec
from django.test import Client

from host.commands.system.power import DELAY_S
from host.simulated import SimulatedHost
from host.simulated.system.power import START_S
from jobs import cache
from jobs.models import Job
from tests.conftest import refresh
from tests.frontend.conftest import decide


def press(client: Client, do: str) -> str:
    """Read the plan and press its button; the address of the job's page."""
    answer = decide(client, client.post("/power/", {"do": do}))
    assert answer.status_code == 302, answer.content.decode()
    return str(answer["Location"])


def start(client: Client) -> str:
    return str(client.get("/power/start/").json()["start"])


def test_the_page_names_who_is_connected_and_what_stops(browser: Client, simulated: SimulatedHost) -> None:
    simulated.connect(person="ada", uid=30000, share="home", folder="/mnt/tank/home", files={"a.txt": "rw"})
    shown = browser.get("/power/").content.decode()
    assert "ada at 10.0.2.2 (SMB)" in shown
    assert "1 open file, 1 being written" in shown
    assert "a.txt" not in shown


def test_a_poll_that_has_seen_it_is_answered_by_nothing(browser: Client, simulated: SimulatedHost) -> None:
    mark = browser.get("/power/").context["mark"]
    poll = {"HTTP_HX_REQUEST": "true"}
    assert browser.get(f"/power/?seen={mark}", **poll).status_code == 204  # type: ignore[arg-type]


def test_a_restart_is_read_first_and_says_what_happens(browser: Client, simulated: SimulatedHost) -> None:
    plan = browser.post("/power/", {"do": "restart"})
    assert plan.status_code == 200
    assert plan.context["operation"] == "machine.restart"
    assert simulated.machine().power is None
    job = browser.get(decide(browser, plan)["Location"])
    shown = job.content.decode()
    assert simulated.machine().power is not None
    assert "The machine is restarting" in shown
    assert f'data-start="{start(browser)}"' in shown
    assert 'data-asks="/power/start/"' in shown


def test_the_page_is_a_record_once_the_machine_is_back(browser: Client, simulated: SimulatedHost) -> None:
    before = start(browser)
    address = press(browser, "restart")
    simulated.pass_time(DELAY_S)
    refresh()
    assert start(browser) == before
    assert "data-away" in browser.get(address).content.decode()
    simulated.pass_time(START_S)
    assert start(browser) == before  # nobody has looked at the machine yet
    refresh()
    assert start(browser) not in {before, ""}
    assert "data-away" not in browser.get(address).content.decode()


def test_a_simulated_machine_says_that_it_stays_on(browser: Client, simulated: SimulatedHost) -> None:
    plan = browser.post("/power/", {"do": "shut-down"})
    assert plan.context["operation"] == "machine.shut-down"
    assert "press its power button" in plan.content.decode()
    shown = browser.get(decide(browser, plan)["Location"]).content.decode()
    assert "This machine is simulated: it stays on" in shown
    assert "data-away" not in shown


def test_a_machine_that_is_real_says_when_it_is_off(browser: Client, simulated: SimulatedHost) -> None:
    address = press(browser, "shut-down")
    found = cache.current()
    assert found is not None
    facts = msgspec.structs.replace(found.facts, kind="local")
    cache.keep(msgspec.structs.replace(found, facts=facts))
    shown = browser.get(address).content.decode()
    assert 'data-away="shut down"' in shown
    assert "The machine no longer answers" in shown


def test_the_second_of_two_sees_whose_job_it_is(browser: Client, simulated: SimulatedHost) -> None:
    press(browser, "restart")
    refused = browser.post("/power/", {"do": "shut-down"})
    assert refused.status_code == 422
    assert "The machine restarts within seconds: job 1 of" in refused.content.decode()
    assert "The machine restarts within seconds" in browser.get("/power/").content.decode()


def test_a_viewer_reads_the_page_and_presses_nothing(viewer: Client, simulated: SimulatedHost) -> None:
    shown = viewer.get("/power/").content.decode()
    assert "Your role only allows reading." in shown
    assert viewer.post("/power/", {"do": "restart"}).status_code == 403
    assert simulated.machine().power is None


def test_an_operator_may_restart(operator: Client, simulated: SimulatedHost) -> None:
    press(operator, "restart")
    assert simulated.machine().power is not None


def test_who_is_not_signed_in_does_not_learn_which_start_this_is(simulated: SimulatedHost) -> None:
    assert Client().get("/power/start/").status_code == 302


def test_search_finds_it_by_what_people_type(browser: Client) -> None:
    for typed in ("reboot", "restart", "shutdown", "turn off"):
        assert 'href="/power/"' in browser.get("/search/", {"q": typed}).content.decode()


def test_the_other_jobs_have_no_such_words(browser: Client) -> None:
    job = Job.objects.create(
        operation="snapshot.create", request={}, plan={"steps": []}, digest="", state="succeeded",
        submitted_by="admin", submitted_at="2026-11-21T12:00:00Z",
    )  # fmt: skip
    assert browser.get(f"/jobs/{job.pk}/").context["away"] is None
