"""A disk that counts errors: not ticked by itself, named on the forms, and asked for on a page of its own."""

from __future__ import annotations

import pytest
from django.test import Client

from disks.smart import readings
from host.simulated import SimulatedHost
from jobs import cache
from jobs.models import Job
from tests.conftest import refresh
from tests.frontend.conftest import decide, free_disks, make_tank

WORDS = "8 pending sectors; 2 uncorrectable sectors"


@pytest.fixture
def sick(browser: Client, simulated: SimulatedHost) -> str:
    """The id of the last free disk, which has begun to count."""
    disk = free_disks()[-1]
    simulated.age(disk, pending=8, uncorrectable=2)
    inventory = cache.current()
    assert inventory is not None
    readings.read_all(simulated, inventory)
    refresh()
    return disk


def test_all_free_disks_leaves_it_out_and_its_bay_says_why(browser: Client, sick: str) -> None:
    bays = [bay for bay in browser.get("/create/pool/").context["chassis"].bays if bay.disk_id]
    assert [bay.disk_id for bay in bays if not bay.free and not bay.why_not] == [sick]
    assert [bay.disk_id for bay in bays if WORDS in bay.says] == [sick]


def test_its_use_has_to_be_confirmed_with_its_counts_in_sight(browser: Client, sick: str) -> None:
    form = {"name": "tank", "layout": "raidz2:1", "data": free_disks()}
    asked = browser.post("/create/pool/", form)
    assert (asked.status_code, [disk.id for disk in asked.context["disks"]]) == (200, [sick])
    assert WORDS in asked.content.decode()
    sent = {
        field: asked.context[name]
        for field, name in (("operation", "operation"), ("request", "request_json"))
    }
    again = browser.post("/plans/", sent | {"asked_unwell": "yes"})
    assert again.status_code == 422
    assert "Select each disk you want to use anyway" in again.content.decode()
    assert '<button class="button" formaction="/create/pool/">' in asked.content.decode()
    back = browser.post("/create/pool/", sent)
    assert back.context["form"].of("data") == tuple(form["data"])
    plan = browser.post("/plans/", sent | {"asked_unwell": "yes", "accept_unwell": sick})
    assert any(WORDS in message for message in plan.context["plan"].warnings)
    decide(browser, plan)
    job = Job.objects.get()
    assert (job.state, job.request["accept_unwell"]) == ("succeeded", [sick])


def test_a_passphrase_that_was_typed_is_kept_while_that_is_asked(
    browser: Client, sick: str, simulated: SimulatedHost
) -> None:
    locked = {"lock": "passphrase", "passphrase": "correct horse", "passphrase_again": "correct horse"}
    asked = browser.post(
        "/create/pool/", {"name": "tank", "layout": "raidz2:1", "data": free_disks()} | locked
    )
    assert asked.status_code == 200
    assert "correct horse" not in asked.content.decode()
    sent = {"operation": "pool.create", "request": asked.context["request_json"], "asked_unwell": "yes"}
    decide(browser, browser.post("/plans/", sent | {"accept_unwell": sick}))
    assert Job.objects.get().state == "succeeded"
    assert simulated.machine().pools["tank"].datasets["tank"].key is not None


def test_as_a_replacement_it_comes_last_and_is_asked_for(browser: Client, sick: str) -> None:
    make_tank(browser, data=free_disks()[:4])
    refresh()
    inventory = cache.current()
    assert inventory is not None
    pool = inventory.pool("tank")
    assert pool is not None
    guid = pool.vdevs[0].children[0].guid
    page = browser.get(f"/pools/tank/replace/?vdev={guid}")
    assert page.context["possible"][-1].disk.id == sick
    assert f"Not well: {WORDS}" in page.content.decode()
    asked = browser.post("/pools/tank/replace/", {"vdev": guid, "disk": sick, "confirm": guid})
    assert [disk.id for disk in asked.context["disks"]] == [sick]
