"""A system on one disk, on its way onto a pair; and what a pair made elsewhere lacks."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from host.simulated import SimulatedHost
from tests.conftest import refresh
from tests.frontend.conftest import decide, signed_in
from tests.frontend.test_key_pages import text


@pytest.fixture
def plain(single: SimulatedHost, admin: User) -> Client:
    """Signed in as an admin, on a machine whose system is on one stick."""
    return signed_in(admin)


def probe(client: Client) -> Any:
    """The page, of a machine that was looked at just now."""
    refresh()
    return client.get("/boot/")


def states(answer: Any) -> list[str]:
    return [step.state.word for step in answer.context["convert"].steps]


def asked(client: Client, do: str, **fields: str) -> Any:
    return client.post("/boot/", {"do": do} | fields)


def test_a_system_on_one_stick_can_be_copied(plain: Client) -> None:
    answer = probe(plain)
    page = text(answer)
    assert "The system is on one disk." in page
    assert "serial 4C530001041125113540" in page
    assert "2.25 GiB" in page
    assert states(answer) == ["Next", "Later", "Later"]
    second = answer.context["convert"].candidates[0].id
    assert "4C530001090512106411" in second
    plan = asked(plain, "convert", disk=second)
    shown = text(plan)
    assert "Copy the system to a second disk" in shown
    assert "/dev/md/root" in shown
    assert "nasweb-boot-convert" in shown


def test_the_page_follows_it_from_step_to_step(plain: Client, single: SimulatedHost) -> None:
    second = probe(plain).context["convert"].candidates[0].id
    decide(plain, asked(plain, "convert", disk=second))
    single.pass_time(30)
    answer = probe(plain)
    assert states(answer) == ["Under way", "Later", "Later"]
    assert 45 <= answer.context["convert"].percent <= 60
    assert "Discard the copy" in text(answer)
    single.pass_time(31)
    answer = probe(plain)
    assert states(answer) == ["Done", "Next", "Later"]
    assert "Restart into the copy" in text(answer)
    decide(plain, asked(plain, "convert-restart"))
    answer = probe(plain)
    assert states(answer) == ["Done", "Under way", "Later"]
    assert "Discard the copy" not in text(answer)
    single.pass_time(21)
    answer = probe(plain)
    assert answer.context["convert"] is None
    page = text(answer)
    assert "The system has one copy." in page
    assert "Add as the second half" in page
    assert "4C530001041125113540" in page


def test_a_copy_that_did_not_start_is_told(plain: Client, single: SimulatedHost) -> None:
    second = probe(plain).context["convert"].candidates[0].id
    decide(plain, asked(plain, "convert", disk=second))
    single.pass_time(61)
    single.spoil_copy()
    probe(plain)
    decide(plain, asked(plain, "convert-restart"))
    single.pass_time(21)
    answer = probe(plain)
    assert "came back with the old system" in text(answer)
    assert states(answer) == ["Done", "Next", "Later"]


def test_a_copy_that_was_cut_off_begins_anew(plain: Client, single: SimulatedHost) -> None:
    second = probe(plain).context["convert"].candidates[0].id
    decide(plain, asked(plain, "convert", disk=second))
    with single._store.change() as machine:
        assert machine.conversion is not None
        machine.conversion.stopped = machine.now()
    answer = probe(plain)
    assert "The last copy did not finish: It was stopped." in text(answer)
    assert states(answer) == ["Next", "Later", "Later"]
    assert answer.context["convert"].candidates[0].id == second


def test_a_pair_that_lacks_boot_loaders_is_adopted(browser: Client, simulated: SimulatedHost) -> None:
    assert "Managed by the console: nothing is missing." in text(browser.get("/boot/"))
    with simulated._store.change() as machine:
        machine.loaders = []
    answer = probe(browser)
    assert text(answer).count("does not have the boot loader as Nasweb writes it") == 2
    plan = asked(browser, "adopt")
    assert "Adopt the boot pair" in text(plan)
    decide(browser, plan)
    assert "Managed by the console: nothing is missing." in text(probe(browser))
