"""Locks on pages: made, unlocked, tried, locked and changed; what was typed is never on a page again."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from host.simulated import SimulatedHost
from jobs.models import Job
from tests.conftest import refresh
from tests.frontend.conftest import make_tank
from tests.prepared import made_once

PHRASE, OTHER = "marker words of an owner", "marker words of another"


@pytest.fixture
@made_once
def tank(browser: Client) -> Client:
    """A browser on a machine with the pool `tank` and an encrypted dataset."""
    make_tank(browser)
    answer = browser.post(
        "/create/dataset/",
        {"kind": "filesystem", "parent": "tank", "leaf": "private", "unit": "G", "lock": "passphrase",
         "passphrase": PHRASE, "passphrase_again": PHRASE},
    )  # fmt: skip
    assert decided(browser, answer).state == "succeeded"
    return browser


def text(answer: Any) -> str:
    said = html.unescape(answer.content.decode())
    assert PHRASE not in said
    assert OTHER not in said
    return said


def decided(client: Client, answer: Any) -> Job:
    """Press the button of a plan's page."""
    page = text(answer)
    assert answer.status_code == 200, page
    sent = dict(re.findall(r'<input type="hidden" name="(operation|digest|key)" value="([^"]*)"', page))
    request = re.findall(r'name="request" value="(.*?)">', answer.content.decode())[-1]
    client.post("/plans/run/", sent | {"request": html.unescape(request), "agreed": "yes"})
    refresh()
    return Job.objects.latest("pk")


def keys(client: Client, do: str, **more: str) -> Any:
    return client.post("/keys/tank/private/", {"do": do} | more, follow=True)


def lock(client: Client) -> None:
    assert decided(client, keys(client, "lock")).state == "succeeded"


def test_the_plan_of_a_new_one_holds_a_reference_and_goes_through(tank: Client, settings: Any) -> None:
    job = Job.objects.latest("pk")
    assert job.request["passphrase"].startswith("secret:")
    assert PHRASE not in json.dumps(job.request)
    assert list(Path(settings.NASWEB_SECRETS).iterdir()) == []
    page = text(tank.get("/datasets/tank/private/"))
    assert "unlocked" in page
    assert "AES-256-GCM" in page


def test_two_passphrases_that_differ_are_told_beside_the_field(tank: Client, settings: Any) -> None:
    answer = tank.post(
        "/create/dataset/",
        {"kind": "filesystem", "parent": "tank", "leaf": "x", "lock": "passphrase", "passphrase": PHRASE,
         "passphrase_again": OTHER},
    )  # fmt: skip
    assert answer.status_code == 422
    assert 'id="passphrase_again-error"' in text(answer)
    assert list(Path(settings.NASWEB_SECRETS).iterdir()) == []


def test_the_way_back_to_the_form_keeps_all_but_the_passphrase(tank: Client) -> None:
    answer = tank.post(
        "/create/dataset/",
        {"kind": "filesystem", "parent": "tank", "leaf": "x", "lock": "passphrase", "passphrase": PHRASE,
         "passphrase_again": PHRASE},
    )  # fmt: skip
    request = html.unescape(re.findall(r'name="request" value="(.*?)">', answer.content.decode())[-1])
    page = text(tank.post("/create/dataset/", {"request": request}))
    assert 'value="passphrase" checked' in page
    assert "secret:" not in page


def test_locked_it_says_so_and_a_wrong_passphrase_is_told_in_words(tank: Client) -> None:
    lock(tank)
    assert "1 dataset locked" in text(tank.get("/datasets/"))
    assert "locked" in text(tank.get("/datasets/tank/private/"))
    wrong = keys(tank, "unlock", passphrase=OTHER)
    assert wrong.status_code == 422
    assert "This passphrase or key is not the right one." in text(wrong)
    assert 'id="passphrase-error"' in text(wrong)
    right = keys(tank, "unlock", passphrase=PHRASE)
    assert "tank/private is unlocked." in text(right)


def test_several_are_opened_together(tank: Client) -> None:
    tank.post("/keys/tank/private/", {"do": "lock"})
    lock(tank)
    page = text(tank.get("/datasets/locked/"))
    assert 'value="tank/private" checked' in page
    answer = tank.post("/datasets/locked/", {"names": ["tank/private"], "passphrase": PHRASE}, follow=True)
    assert "tank/private is unlocked." in text(answer)
    refresh()
    assert "Nothing is locked" in text(tank.get("/datasets/locked/"))
    nothing = tank.post("/datasets/locked/", {"passphrase": PHRASE})
    assert nothing.status_code == 422


def test_a_passphrase_is_tried_without_a_change(tank: Client) -> None:
    assert "It is the right one." in text(keys(tank, "try", passphrase=PHRASE))
    assert keys(tank, "try", passphrase=OTHER).status_code == 422
    assert "Give its passphrase." in text(keys(tank, "try"))


def test_a_key_takes_the_place_of_the_passphrase(tank: Client, simulated: SimulatedHost) -> None:
    answer = keys(tank, "change", lock="key", key="1f" * 32)
    assert "not re-encrypted" in text(answer)
    assert decided(tank, answer).state == "succeeded"
    assert "with a key of its own" in text(tank.get("/keys/tank/private/"))
    bad = keys(tank, "change", lock="key", key="nonsense")
    assert (bad.status_code, 'id="key-error"' in text(bad)) == (422, True)


def test_a_plan_whose_secret_is_gone_asks_for_it_again(tank: Client, settings: Any) -> None:
    answer = keys(tank, "change", lock="passphrase", passphrase=OTHER, passphrase_again=OTHER)
    for file in Path(settings.NASWEB_SECRETS).iterdir():
        file.unlink()
    before = Job.objects.count()
    page = text(answer)
    sent = dict(re.findall(r'<input type="hidden" name="(operation|digest|key)" value="([^"]*)"', page))
    request = html.unescape(re.findall(r'name="request" value="(.*?)">', answer.content.decode())[-1])
    refused = tank.post("/plans/run/", sent | {"request": request})
    assert (refused.status_code, Job.objects.count()) == (422, before)
    assert "Enter it again" in text(refused)


def test_a_passphrase_in_the_place_of_a_reference_is_refused(tank: Client) -> None:
    request = json.dumps({"name": "tank/private", "passphrase": PHRASE})
    sent = {"operation": "dataset.change-key", "request": request, "digest": "", "key": "k"}
    answer = tank.post("/plans/run/", sent)
    assert answer.status_code == 422
    assert not Job.objects.filter(operation="dataset.change-key").exists()


def test_who_may_only_read_sees_shut_buttons(tank: Client, viewer: Client) -> None:
    page = text(viewer.get("/keys/tank/private/"))
    assert 'aria-describedby="key-change-why"' in page
    assert viewer.post("/keys/tank/private/", {"do": "lock"}).status_code == 403


def test_nothing_known_is_404_and_nothing_that_is_done_400(tank: Client) -> None:
    assert tank.get("/keys/tank/nothing/").status_code == 404
    assert keys(tank, "dance").status_code == 400
