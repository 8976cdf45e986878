"""The care of a pool, its schedules and history, and pools that wait to be imported."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from host.simulated import SimulatedHost
from jobs import cache
from jobs.models import Job
from jobs.schedules.cron import next_after
from jobs.schedules.models import StoredSchedule
from jobs.schedules.sentence import on_the_wall
from tests.conftest import refresh
from tests.frontend.conftest import decide, make_tank
from tests.jobs.test_due import at


@pytest.fixture
def tank(browser: Client) -> Client:
    """A browser on a machine with the pool `tank`."""
    make_tank(browser)
    return browser


def do(client: Client, what: str) -> Any:
    return client.post("/pools/tank/care/", {"do": what}, follow=True)


def guid() -> str:
    inventory = cache.current()
    assert inventory is not None
    return inventory.pools[0].guid


def test_a_scrub_is_started_paused_and_stopped_from_the_pools_page(
    tank: Client, simulated: SimulatedHost
) -> None:
    page = tank.get("/pools/tank/")
    assert "Never scrubbed" in page.text and " (default)" in page.text
    simulated.write("tank", 4 << 40)
    page = do(tank, "scrub")
    assert "Scrub started." in page.text and "scrub-pause" in page.text
    page = do(tank, "scrub-pause")
    assert "paused at" in page.text and "Go on" in page.text
    do(tank, "scrub")
    assert "Scrub stopped." in do(tank, "scrub-stop").text


def test_what_cannot_be_done_is_said(tank: Client) -> None:
    assert "tank is not being scrubbed." in do(tank, "scrub-stop").text
    assert tank.post("/pools/tank/care/", {"do": "explode"}).status_code == 400
    assert tank.post("/pools/nothing/care/", {"do": "scrub"}).status_code == 404


@pytest.mark.parametrize(
    ("what", "title"),
    [
        ("export", "Export tank"),
        ("checkpoint", "Take a checkpoint of tank"),
        ("initialize", "Initialize tank"),
    ],
)
def test_what_matters_is_first_a_plan(tank: Client, what: str, title: str) -> None:
    page = do(tank, what)
    assert f"<h1>{title}</h1>" in page.text
    assert not Job.objects.exclude(operation="pool.create").exists()
    job = decide(tank, page)
    assert Job.objects.get(pk=int(job.url.strip("/").rpartition("/")[2])).state == "succeeded"


def test_an_initialization_under_way_can_be_suspended_and_goes_on(tank: Client) -> None:
    decide(tank, do(tank, "initialize"))
    assert "running on 6 disks" in tank.get("/pools/tank/").text
    page = do(tank, "initialize-suspend")
    assert "Initialization suspended." in page.text and "Go on" in page.text
    assert "running on 6 disks" not in page.text


def test_a_viewer_sees_all_and_may_nothing(tank: Client, viewer: Client) -> None:
    page = viewer.get("/pools/tank/")
    assert 'value="scrub" disabled aria-describedby="care-why"' in page.text
    assert "Your role only allows reading." in page.text
    assert viewer.post("/pools/tank/care/", {"do": "scrub"}).status_code == 403
    assert viewer.get("/pools/tank/schedule/scrub/").status_code == 200
    assert viewer.get("/import/").status_code == 200


def test_history_names_what_scrubs_found(tank: Client, simulated: SimulatedHost) -> None:
    assert "No finished scrubs yet" in tank.get("/pools/tank/scrubs/").text
    do(tank, "scrub")
    refresh()
    page = tank.get("/pools/tank/scrubs/")
    assert "no errors" in page.text and page.text.count("<tr>") == 2
    assert tank.get("/pools/nothing/scrubs/").status_code == 404


def test_the_next_times_are_shown_and_kept_only_when_asked(tank: Client) -> None:
    address = "/pools/tank/schedule/scrub/"
    typed = {"cron": "30 4 1 * *", "time_zone": "Europe/Berlin", "missed": "skip", "longest_age_days": "60"}
    page = tank.post(address, typed | {"do": "preview"})
    assert page.status_code == 200 and page.text.count(" 04:30 Europe/Berlin</li>") == 5
    assert StoredSchedule.objects.get().cron == "0 2 1-7 * sun"
    assert tank.post(address, typed | {"do": "keep"}).headers["location"] == "/pools/tank/#care"
    row = StoredSchedule.objects.get()
    assert (row.cron, row.time_zone, row.missed, row.longest_age_days) == (
        "30 4 1 * *", "Europe/Berlin", "skip", 60,
    )  # fmt: skip


@pytest.mark.parametrize("do_", ["keep", "preview"])
def test_bad_times_are_said_beside_their_fields_and_kept_typed(tank: Client, do_: str) -> None:
    typed = {"cron": "99 4 1 * <b>", "time_zone": "Mars", "missed": "run", "do": do_}
    page = tank.post("/pools/tank/schedule/scrub/", typed)
    assert page.status_code == 422
    assert "minute: use numbers from 0 to 59." in page.text and "There is no such time zone." in page.text
    assert 'value="99 4 1 * &lt;b&gt;"' in page.text
    page = tank.post("/pools/tank/schedule/scrub/", {"cron": "0 2 1 * *", "time_zone": "UTC", "missed": "run",
                     "longest_age_days": "many", "do": "keep"})  # fmt: skip
    assert page.status_code == 422 and "longest_age_days-error" in page.text


def test_a_schedule_is_paused_goes_on_and_is_deleted(tank: Client) -> None:
    address = "/pools/tank/schedule/scrub/"
    tank.post(address, {"do": "pause"})
    assert "The schedule is paused." in tank.get("/pools/tank/").text
    tank.post(address, {"do": "resume"})
    assert StoredSchedule.objects.get().enabled
    decide(tank, tank.post(address, {"do": "delete"}))
    assert "Not scheduled." in tank.get("/pools/tank/").text
    typed = {"cron": "0 2 1 * *", "time_zone": "UTC", "missed": "run", "do": "keep"}
    assert tank.post(address, typed).status_code == 302
    assert StoredSchedule.objects.get().owner == "admin"
    assert tank.get("/pools/tank/schedule/nonsense/").status_code == 404


def test_times_are_told_by_the_clock_on_the_wall() -> None:
    time = next_after("0 2 1-7 * sun", "Europe/Berlin", at("2026-11-21T12:00"))
    assert on_the_wall(time, "Europe/Berlin") == "Sun 2026-12-06 02:00 Europe/Berlin"


def test_an_exported_pool_is_known_looked_at_and_imported(tank: Client) -> None:
    assert "No pools to import" in tank.get("/import/").text
    number = guid()
    decide(tank, do(tank, "export"))
    page = tank.get("/import/")
    assert "not scanned" in page.text and "Review changes" not in page.text
    page = tank.post("/import/scan/", follow=True)
    assert "complete" in page.text and ">A1<" in page.text
    plan = tank.post("/import/", {"guid": number, "name": "tank", "new_name": "attic"})
    assert "<h1>Import tank as attic</h1>" in plan.text
    job = decide(tank, plan)
    record = tank.get(job.url)
    assert 'href="/pools/attic/"' in record.text
    assert tank.get("/pools/attic/").status_code == 200


def test_a_bad_import_is_said_beside_its_field(tank: Client, simulated: SimulatedHost) -> None:
    number = guid()
    simulated.move_away("tank", host="attic-nas")
    refresh()
    page = tank.post("/import/scan/", follow=True)
    assert "Last used by attic-nas" in page.text
    page = tank.post("/import/", {"guid": number, "name": "tank", "new_name": "mirror 1"})
    assert page.status_code == 422
    assert f'id="new_name-{number}-error"' in page.text and f'id="force-{number}-error"' in page.text
    assert 'value="mirror 1"' in page.text
    assert tank.post("/import/", {"guid": "x"}).status_code == 422


def test_a_destroyed_pool_is_brought_back(tank: Client) -> None:
    number = guid()
    decide(tank, tank.get("/destroy/pool/tank/"), typed="tank")
    page = tank.post("/import/scan/", follow=True)
    assert "Review changes" in page.text
    plan = tank.post("/import/", {"guid": number, "name": "tank", "destroyed": "yes"})
    assert "<h1>Recover tank</h1>" in plan.text
    decide(tank, plan)
    assert tank.get("/pools/tank/").status_code == 200


def test_what_a_rewind_would_give_up_is_asked_for_and_offered(tank: Client, simulated: SimulatedHost) -> None:
    number = guid()
    simulated.move_away("tank", torn_s=40)
    refresh()
    page = tank.post("/import/scan/", {"guid": number}, follow=True)
    assert "about 40 seconds of" in page.text
    plan = tank.post("/import/", {"guid": number, "name": "tank", "rewind": "yes"})
    assert (
        "This will be permanently deleted" in plan.text and "Type <code>tank</code> to confirm" in plan.text
    )
    assert tank.post("/import/scan/", {"guid": "'; --"}).status_code == 302
