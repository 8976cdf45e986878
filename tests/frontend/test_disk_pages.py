"""The page of one disk, what is done there, its label, and disks that left."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from alerts.tasks import watch
from disks import tasks
from disks.models import DiskEvent, DiskRecord
from frontend.disks.label import code
from host.commands.disks.partition import WritePartition
from host.commands.pools.importing import ZpoolExport
from host.commands.pools.zpool import VdevSpec, ZpoolCreate
from host.inventory import Disk
from host.simulated import SimulatedHost
from jobs import cache, series
from jobs.models import Job
from tests.conftest import refresh
from tests.frontend.conftest import decide, make_tank

POLL = {"HX-Request": "true"}


def first() -> Disk:
    """The disk on the first port."""
    inventory = cache.current()
    assert inventory is not None
    return inventory.disks[0]


@pytest.fixture
def care(browser: Client) -> Callable[..., Any]:
    """Posts to what is done with the first disk."""
    return lambda **fields: browser.post(f"/disks/{first().id}/care/", fields)


def test_the_page_opens_by_the_serial_too(browser: Client) -> None:
    assert browser.get(f"/disks/{first().serial}/").context["disk"].id == first().id


def test_health_is_told_with_its_reasons_and_what_to_do(browser: Client, simulated: SimulatedHost) -> None:
    simulated.age(first().id, reallocated=8, pending=2)
    tasks.read_smart()
    refresh()
    answer = browser.get(f"/disks/{first().id}/")
    health = answer.context["health"]
    assert health.state.word == "warning"
    assert {reason.code for reason in health.reasons} == {"reallocated", "pending"}
    page = answer.content.decode()
    assert "8 reallocated sectors." in page
    assert "Replace the disk" in page
    assert "Reallocated sectors" in [counter.name for counter in health.counters]


def test_before_the_first_reading_nothing_is_claimed(browser: Client) -> None:
    DiskRecord.objects.update(reading=None, verdict="unknown")
    answer = browser.get(f"/disks/{first().id}/")
    assert answer.context["health"].state.word == "unknown"
    assert (answer.context["health"].life, answer.context["health"].counters) == ((), ())
    assert "No SMART reading yet." in answer.content.decode()


def test_its_incidents_stand_on_its_page(browser: Client, simulated: SimulatedHost) -> None:
    make_tank(browser)
    page = browser.get(f"/disks/{first().id}/")
    assert page.context["incidents"] == []
    simulated.fail(first().id)
    refresh()
    watch()
    (incident,) = browser.get(f"/disks/{first().id}/").context["incidents"]
    assert incident.title.startswith(f"Bay {first().bay}: ")
    other = next(disk for disk in cache.current().disks if disk.id != first().id)  # type: ignore[union-attr]
    assert browser.get(f"/disks/{other.id}/").context["incidents"] == []


def test_there_is_one_graph_of_temperature(browser: Client) -> None:
    page = browser.get(f"/disks/{first().id}/").text
    assert page.count(">Temperature</h2>") == 1
    assert page.count("data-chart=") == 1


def test_the_last_day_is_drawn_and_the_chart_knows_its_series(browser: Client) -> None:
    now = datetime.now(UTC)
    name = f"disk.temperature:{first().serial}"
    points = [
        series.Point(name, int((now - timedelta(minutes=5 * n)).timestamp()), 30 + n % 5) for n in range(20)
    ]
    series.record(points)
    answer = browser.get(f"/disks/{first().id}/")
    curve = answer.context["temperature"]
    assert (curve.least, curve.most) == (30, 34)
    assert f'data-chart="disk-temperature:{first().serial}"' in answer.content.decode()


def test_a_self_test_is_started_and_the_plan_names_the_disk(care: Callable[..., Any]) -> None:
    answer = care(test="short")
    assert answer["Location"] == f"/disks/{first().id}/#tests"
    job = Job.objects.get()
    assert (job.operation, job.state) == ("disk.smart-test", "succeeded")
    assert job.request == {"disk": first().id, "serial": first().serial, "kind": "short"}


def test_a_note_with_dates_is_kept_and_shown_again(care: Callable[..., Any], browser: Client) -> None:
    care(do="note", note="From the old box.\r\nLoud.", purchased="2025-03-01", warranty_until="2099-03-01")
    record = DiskRecord.objects.get(last_id=first().id)
    assert (record.note, record.purchased) == ("From the old box.\nLoud.", date(2025, 3, 1))
    page = browser.get(f"/disks/{first().id}/").content.decode()
    assert "From the old box.\nLoud.</textarea>" in page
    assert "until 2099-03-01, " in page


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"purchased": "2025-03-01", "warranty_until": "2024-03-01"}, "warranty_until"),
        ({"purchased": "yesterday"}, "purchased"),
        ({"note": "x" * 4001}, "note"),
    ],
)
def test_a_bad_note_is_told_beside_its_field_and_stays_typed(
    care: Callable[..., Any], fields: dict[str, str], field: str
) -> None:
    answer = care(do="note", **fields)
    assert answer.status_code == 422
    assert list(answer.context["errors"].by_field) == [field]
    assert getattr(answer.context["note"], field) == fields[field]
    assert DiskRecord.objects.get(last_id=first().id).purchased is None


def test_erasing_shows_its_plan_and_wants_the_serial(
    care: Callable[..., Any], browser: Client, simulated: SimulatedHost
) -> None:
    page = browser.get(f"/disks/{first().id}/")
    assert "Erase the disk" not in page.content.decode()
    pool = [f"{first().link}-part1"]
    simulated.run(WritePartition(disk=first().link, size_mib=1024))
    vdevs = (VdevSpec(role="data", layout="stripe", devices=tuple(pool)),)
    simulated.run(ZpoolCreate(name="old", vdevs=vdevs, mountpoint="/mnt/old"))
    simulated.run(ZpoolExport(name="old"))
    refresh()
    page = browser.get(f"/disks/{first().id}/")
    assert page.context["why_no_wipe"] is None
    plan = care(do="wipe")
    assert [loss.spot.id for loss in plan.context["plan"].losses] == [first().id]
    assert decide(browser, plan, typed="something").status_code == 422
    assert decide(browser, plan, typed=first().serial or "").status_code == 302
    assert first().free


def test_a_burn_in_wants_the_serial_of_this_very_disk(care: Callable[..., Any]) -> None:
    answer = care(do="burn-in", serial="WD-ANOTHER")
    assert answer.status_code == 422
    assert list(answer.context["errors"].by_field) == ["serial"]
    assert "WD-ANOTHER" in answer.content.decode()
    assert Job.objects.count() == 0


def test_a_burn_in_is_begun_after_its_plan_was_read(care: Callable[..., Any], browser: Client) -> None:
    serial = first().serial or ""
    plan = care(do="burn-in", serial=serial)
    assert plan.context["plan"].losses[0].spot.id == first().id
    assert decide(browser, plan, typed="something").status_code == 422
    assert decide(browser, plan, typed=serial).status_code == 302
    page = browser.get(f"/disks/{first().id}/")
    assert page.context["burn_in"].running
    assert page.context["burn_in"].phase == "long self-test"
    part = browser.get(f"/disks/{first().id}/?part=burn-in", headers=POLL).content.decode()
    assert part.strip().startswith('<section class="panel form" id="burn-in"')
    care(do="stop-burn-in")
    assert Job.objects.first().operation == "disk.stop-burn-in"  # type: ignore[union-attr]


def test_a_disk_in_a_pool_says_why_it_cannot_be_burnt_in(browser: Client) -> None:
    make_tank(browser)
    why = browser.get(f"/disks/{first().id}/").context["why_no_burn_in"]
    assert why is not None
    assert "tank" in why


def test_a_viewer_reads_why_the_buttons_are_shut(viewer: Client) -> None:
    page = viewer.get(f"/disks/{first().id}/")
    assert "Your role only allows reading." in page.content.decode()
    assert viewer.post(f"/disks/{first().id}/care/", {"test": "short"}).status_code == 403
    assert viewer.post("/locate/", {"on": first().id}).status_code == 403


def test_the_label_carries_bay_serial_and_a_code(browser: Client) -> None:
    answer = browser.get(f"/disks/{first().id}/label/")
    assert answer.context["address"] == f"http://testserver/disks/{first().id}/?serial={first().serial}"
    page = answer.content.decode()
    assert f'<p class="bay">{first().bay}</p>' in page
    assert page.count('class="qr"') == 1


def test_the_code_is_plain_markup_without_styles() -> None:
    drawn = code('https://nas/disks/"><script>/')
    assert drawn.startswith("<svg")
    assert "script" not in drawn
    assert "style" not in drawn


def test_the_label_still_finds_the_disk_after_its_links_changed_their_names(browser: Client) -> None:
    answer = browser.get("/disks/scsi-old-name/", {"serial": first().serial or ""})
    assert answer.status_code == 200
    assert answer.context["disk"].id == first().id


def test_a_disk_that_left_is_listed_with_when_and_from_where(
    browser: Client, simulated: SimulatedHost
) -> None:
    pulled = first()
    simulated.pull(pulled.id)
    refresh()
    answer = browser.get("/disks/", {"show": "gone"})
    assert [record.serial for record, _ in answer.context["gone"]] == [pulled.serial]
    page = browser.get(f"/disks/{pulled.id}/")
    assert page.status_code == 200
    assert f"from bay {pulled.bay}" in page.content.decode()
    browser.post(f"/disks/{pulled.id}/care/", {"do": "note", "note": "Sent back."})
    assert DiskRecord.objects.get(serial=pulled.serial).note == "Sent back."


def test_a_disk_that_left_is_forgotten_after_reading_what_is_lost(
    browser: Client, simulated: SimulatedHost
) -> None:
    pulled = first()
    simulated.pull(pulled.id)
    refresh()
    assert "Forget this disk" in browser.get(f"/disks/{pulled.id}/").content.decode()
    plan = browser.post(f"/disks/{pulled.id}/care/", {"do": "forget"})
    assert "Its history of 2 entries, its SMART readings and burn-in" in plan.content.decode()
    assert DiskRecord.objects.filter(serial=pulled.serial).exists()
    assert decide(browser, plan).status_code == 302
    assert not DiskRecord.objects.filter(serial=pulled.serial).exists()
    assert browser.get(f"/disks/{pulled.id}/").status_code == 404


def test_a_disk_that_is_here_cannot_be_forgotten(browser: Client) -> None:
    answer = browser.post(f"/disks/{first().id}/care/", {"do": "forget"})
    assert answer.status_code == 422
    assert "Only removed disks can be forgotten" in answer.content.decode()


@pytest.mark.parametrize(("shown", "count"), [("all", 8), ("free", 6), ("trouble", 0), ("asleep", 0)])
def test_the_list_shows_what_is_asked_for(browser: Client, shown: str, count: int) -> None:
    assert len(browser.get("/disks/", {"show": shown}).context["rows"]) == count


def test_a_light_goes_on_and_off_and_every_page_tells(browser: Client) -> None:
    browser.post("/locate/", {"on": first().id, "back": "/pools/"})
    job = Job.objects.get()
    wanted = {"disk": first().id, "serial": first().serial, "bay": first().bay, "on": True, "seconds": 300}
    assert job.request == wanted
    for path in ("/", "/pools/", f"/disks/{first().id}/"):
        page = browser.get(path).content.decode()
        assert "1 locate light on:" in page
        assert re.search(r'role="timer" datetime="[^"]+" data-left="(300|29\d)">off in 5 min</time>', page)
    browser.post("/locate/", {"off": first().id})
    assert "locate light on" not in browser.get("/").content.decode()


def test_all_lights_go_off_together(browser: Client) -> None:
    inventory = cache.current()
    assert inventory is not None
    for disk in inventory.disks[:3]:
        browser.post("/locate/", {"on": disk.id})
    part = browser.get("/lights/", {"seen": ""}, headers=POLL).content.decode()
    assert "3 locate lights on:" in part
    assert "Turn all lights off" in part
    browser.post("/locate/", {"all": "off"})
    now = cache.current()
    assert now is not None
    assert now.units == ()


def test_a_light_that_cannot_be_lit_says_why(browser: Client, simulated: SimulatedHost) -> None:
    simulated.sleep(first().id)
    tasks.read_smart()
    refresh()
    answer = browser.post("/locate/", {"on": first().id}, follow=True)
    assert "The disk is asleep." in answer.content.decode()


def test_locating_goes_back_to_the_page_and_nowhere_else(browser: Client) -> None:
    for back, to in (("/pools/", "/pools/"), ("https://evil.example/", "/disks/")):
        assert browser.post("/locate/", {"on": first().id, "back": back})["Location"] == to
    assert browser.post("/locate/", {"on": "nothing"}).status_code == 404


def test_a_long_history_shows_the_newest_hundred(browser: Client) -> None:
    record = DiskRecord.objects.get(last_id=first().id)
    at = datetime.now(UTC)
    DiskEvent.objects.bulk_create(
        DiskEvent(record=record, at=at + timedelta(seconds=n), kind="test", words=f"Entry {n}.")
        for n in range(120)
    )
    page = browser.get(f"/disks/{record.last_id}/").content.decode()
    assert "Entry 119." in page and "Entry 20." in page and "Entry 19." not in page
    assert "The newest 100 of 121. The API lists more." in page
