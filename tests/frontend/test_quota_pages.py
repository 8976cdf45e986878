"""Quotas on pages: what is taken, what may be taken, and by whom."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from host.simulated import SimulatedHost
from jobs.models import Job
from tests.conftest import refresh
from tests.frontend.conftest import make_tank
from tests.frontend.test_key_pages import decided, text
from tests.prepared import made_once

GIB = 1 << 30


@pytest.fixture
@made_once
def tank(browser: Client) -> Client:
    """A browser on a machine with the pool `tank` and a dataset in it."""
    make_tank(browser)
    answer = browser.post("/create/dataset/", {"kind": "filesystem", "parent": "tank", "leaf": "media"})
    assert decided(browser, answer).state == "succeeded"
    return browser


def send(client: Client, **fields: str) -> Any:
    return client.post("/quotas/tank/media/", {"do": "limits"} | fields)


def test_only_what_was_changed_is_planned(tank: Client, simulated: SimulatedHost) -> None:
    answer = send(tank, quota="1.5", **{"quota-unit": "T"}, refquota="", reservation="10", refreservation="")
    job = decided(tank, answer)
    assert job.request["limits_bytes"] == {"quota": 3 << 39, "reservation": 10 * GIB}
    page = text(tank.get("/quotas/tank/media/"))
    assert 'value="1536"' in page
    assert simulated.machine().pools["tank"].datasets["tank/media"].values["reservation"] == str(10 * GIB)
    lifted = decided(tank, send(tank, quota="", refquota="", reservation="10", refreservation=""))
    assert lifted.request["limits_bytes"] == {"quota": None}


def test_a_quota_below_what_is_there_is_told_beside_the_field(tank: Client, simulated: SimulatedHost) -> None:
    simulated.write("tank/media", 5 * GIB)
    refresh()
    answer = send(tank, quota="1")
    assert answer.status_code == 422
    assert 'id="quota-error"' in text(answer)
    assert "already uses 5 GiB" in text(answer)
    assert send(tank, quota="much").status_code == 422
    assert send(tank).status_code == 422


def test_a_quota_that_is_reached_is_told_on_both_pages(tank: Client, simulated: SimulatedHost) -> None:
    decided(tank, send(tank, quota="5"))
    simulated.write("tank/media", 5 * GIB)
    refresh()
    for path in ("/datasets/tank/media/", "/quotas/tank/media/"):
        assert "Quota reached: writes fail." in text(tank.get(path))
    assert "tank/media has reached its quota" in text(tank.get("/doctor/"))


def test_accounts_are_listed_and_bounded(tank: Client, simulated: SimulatedHost) -> None:
    page = text(tank.get("/quotas/tank/media/"))
    assert "root" in page
    account = {"do": "account", "whose": "user", "account": "backup", "limit": "2", "limit-unit": "G"}
    job = decided(tank, tank.post("/quotas/tank/media/", account))
    assert job.state == "succeeded"
    assert simulated.machine().pools["tank"].datasets["tank/media"].limits == {"userquota@34": 2 * GIB}
    bad = tank.post("/quotas/tank/media/", account | {"account": "a b", "limit": "x"})
    assert (bad.status_code, 'id="account-error"' in text(bad), 'id="limit-error"' in text(bad)) == (
        422, True, True,
    )  # fmt: skip


def test_a_poll_gets_the_accounts_alone(tank: Client) -> None:
    answer = tank.get("/quotas/tank/media/", headers={"HX-Request": "true"})
    assert text(answer).lstrip().startswith("<section")
    assert "<html" not in text(answer)


def test_nothing_known_is_404(tank: Client) -> None:
    before = Job.objects.count()
    assert tank.get("/quotas/tank/nothing/").status_code == 404
    assert tank.post("/quotas/tank/nothing/", {"quota": "1"}).status_code == 404
    assert Job.objects.count() == before
