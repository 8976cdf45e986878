"""The list of disks: sorted, narrowed down, and what is done with several."""

from __future__ import annotations

import re
from typing import Any

from django.test import Client

from disks import tasks
from host.simulated import SimulatedHost
from jobs import cache
from jobs.models import Job
from tests.conftest import refresh
from tests.frontend.conftest import free_disks, make_tank


def shown(client: Client, query: str = "") -> list[Any]:
    return list(client.get(f"/disks/{query}").context["rows"])


def bays(client: Client, query: str) -> list[str | None]:
    return [row.disk.bay for row in shown(client, query)]


def test_disks_stand_in_the_order_of_their_bays(browser: Client) -> None:
    places = [row.at for row in shown(browser) if row.at]
    assert places == sorted(places) and len(places) > 3
    assert bays(browser, "?sort=nonsense&show=nonsense") == bays(browser, "")


def test_a_head_sorts_by_its_column_and_keeps_the_filter(browser: Client) -> None:
    sizes = [row.disk.size_bytes for row in shown(browser, "?sort=-size")]
    assert sizes == sorted(sizes, reverse=True) and len(set(sizes)) > 1
    page = browser.get("/disks/?sort=-size&show=free").content.decode()
    assert re.search(
        r'aria-sort="descending" class="number"><a class="sorts" href="\?sort=size&amp;show=free"', page
    )
    assert 'href="?sort=-size&amp;show=pool"' in page


def test_the_worst_health_comes_first_and_power_on_time_is_told(
    browser: Client, simulated: SimulatedHost
) -> None:
    worst = free_disks()[2]
    simulated.age(worst, pending=8, uncorrectable=2)
    tasks.read_smart()
    refresh()
    rows = shown(browser, "?sort=health")
    assert rows[0].disk.id == worst and rows[0].health.tone in {"warn", "bad"}
    assert all(row.power_on for row in rows if row.hours is not None) and rows[0].hours is not None


def test_filters_leave_what_they_name(browser: Client) -> None:
    free = set(free_disks())
    assert {row.disk.id for row in shown(browser, "?show=free")} == free
    assert shown(browser, "?show=pool") == []
    make_tank(browser)
    assert {row.disk.id for row in shown(browser, "?show=pool")} == free
    assert shown(browser, "?show=free") == [] and shown(browser, "?show=failing") == []


def test_all_selected_disks_are_located_and_tested_each_by_a_job(browser: Client) -> None:
    chosen = free_disks()[:3]
    answer = browser.post(
        "/act/disks/", {"do": "locate", "disk": chosen, "back": "/disks/?show=free"}, follow=True
    )
    assert answer.redirect_chain == [("/disks/?show=free", 302)]
    assert "Locate light started on 3 disks." in answer.content.decode()
    answer = browser.post("/act/disks/", {"do": "test", "disk": [*chosen, chosen[0]]}, follow=True)
    assert "Short self-test started on 3 disks." in answer.content.decode()
    jobs = Job.objects.filter(operation="disk.smart-test", state="succeeded")
    assert sorted(job.request["disk"] for job in jobs) == sorted(chosen)
    assert {job.request["kind"] for job in jobs} == {"short"}


def test_what_one_disk_refuses_is_told_with_its_bay(browser: Client) -> None:
    first, second = free_disks()[:2]
    browser.post("/act/disks/", {"do": "test", "disk": [first]})
    tasks.read_smart()
    refresh()
    page = browser.post("/act/disks/", {"do": "test", "disk": [first, second]}, follow=True).content.decode()
    inventory = cache.current()
    assert inventory is not None and (disk := inventory.disk(first)) is not None
    assert "Short self-test started on 1 disk." in page and f"{disk.bay}: " in page


def test_nothing_selected_and_nothing_known_is_refused(browser: Client) -> None:
    page = browser.post("/act/disks/", {"do": "test"}, follow=True).content.decode()
    assert "Select at least one disk." in page
    assert browser.post("/act/disks/", {"do": "wipe", "disk": free_disks()}).status_code == 400
    assert not Job.objects.exists()


def test_a_viewer_starts_nothing(viewer: Client) -> None:
    assert viewer.post("/act/disks/", {"do": "test", "disk": free_disks()[:1]}).status_code == 403
    assert 'aria-describedby="several-why"' in viewer.get("/disks/").content.decode()
