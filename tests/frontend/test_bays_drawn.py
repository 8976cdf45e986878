"""Bays that are more than a disk in a slot: missing, new, guessed, asleep, lit; and the views."""

from __future__ import annotations

import msgspec
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from frontend.bays.chassis_view import VIEWS, ChassisView, draw
from frontend.bays.lights import lit_disks
from frontend.bays.view import Vitals, activity_step, age_step
from host.inventory import Absent, DiskClaim, Enclosure, Slot, Unit
from tests import made
from tests.frontend import machines
from tests.frontend.conftest import show

GONE = Absent(id="ata-old", serial="WD-OLD", model="WDC WD30EFRX-68", since="2026-11-21T10:03:00Z", bay="2")


def bays(drawn: ChassisView) -> dict[str, str]:
    return {bay.label: bay.says for bay in drawn.bays}


def test_a_bay_whose_disk_left_says_which_and_since_when() -> None:
    drawn = draw(machines.placed([made.disk(1), made.disk(2)], b2={"disk": None, "missing": GONE}))
    bay = drawn.bays[1]
    assert bay.says == "Bay 2: missing, was WD-OLD since 2026-11-21 10:03 UTC, WDC WD30EFRX-68"
    assert (bay.missing, bay.disk_id, bay.word) == (True, "ata-old", "missing")
    assert drawn.count == "1 disk in 2 bays"


def test_a_new_disk_in_a_taught_bay_is_new_here_until_it_joins_a_pool() -> None:
    free = machines.placed([made.disk(1)], b1={"fresh": True})
    assert draw(free).bays[0].word == "new here"
    assert "new here" in draw(free).bays[0].says
    joined = msgspec.structs.replace(
        free, pools=(made.pool(vdevs=(machines.vdev("mirror-0", machines.leaf(free.disks[0])),)),)
    )
    assert draw(joined).bays[0].word == "online"


def test_only_guessed_bays_ask_to_be_taught() -> None:
    assert draw(machines.machine([made.disk(1), made.disk(2)])).guessed == 4  # with both boot drives
    known = draw(machines.placed([made.disk(1), made.disk(2)]))
    assert (known.guessed, known.unplaced) == (0, 0)
    assert "guessed" not in known.bays[0].classes.split()


def test_a_guessed_bay_is_marked_on_the_drawing_and_wherever_its_label_stands(browser: Client) -> None:
    show(machines.machine([made.disk(1)]))
    page = browser.get("/disks/").content.decode()
    assert page.count('<span class="bay-badge guessed" title="Guessed">A1</span>') == 1
    assert draw(machines.machine([made.disk(1)])).bays[0].classes.split()[-1] == "guessed"
    show(machines.placed([made.disk(1)]))
    assert "bay-badge guessed" not in browser.get("/disks/").content.decode()


def test_what_is_broken_or_missing_is_framed() -> None:
    machine = machines.placed([made.disk(1), made.disk(2)], b2={"disk": None, "missing": GONE})
    assert draw(machine).bays[1].classes == "s-bad"
    warned = draw(machines.placed([made.disk(1, health="warning"), made.disk(2, health="failing")]))
    assert [bay.word for bay in warned.bays] == ["warning", "failing"]


def test_disks_in_no_bay_are_counted_while_a_bay_is_empty() -> None:
    full = machines.placed([made.disk(1)])
    full = msgspec.structs.replace(full, disks=(*full.disks, made.disk(2, bay=None)))
    assert draw(full).unplaced == 0
    roomy = machines.placed([made.disk(1), made.disk(3)], b2={"disk": None})
    roomy = msgspec.structs.replace(roomy, disks=(*roomy.disks, made.disk(2, bay=None)))
    assert draw(roomy).unplaced == 1


def test_the_drives_that_the_system_runs_from_need_no_bay() -> None:
    roomy = machines.placed([made.disk(1)], b1={"disk": None})
    claim = DiskClaim(kind="boot", words="the running system (/)", active=True)
    root = made.disk(2, bay=None, claims=(claim,))
    roomy = msgspec.structs.replace(roomy, disks=(root, made.disk(3, bay=None)))
    assert draw(roomy).unplaced == 1


def test_a_doubt_is_told_with_the_bay() -> None:
    drawn = draw(machines.placed([made.disk(1)], b1={"doubt": "By its slot this bay would hold WD-9."}))
    assert drawn.bays[0].says.endswith("free. By its slot this bay would hold WD-9.")


def test_a_sleeping_disk_says_so_and_has_no_temperature() -> None:
    bay = draw(machines.placed([made.disk(1, asleep=True)])).bays[0]
    assert bay.asleep
    assert "asleep" in bay.classes.split()
    assert bay.says.endswith("free, asleep")


def test_smart_shows_even_where_the_pool_has_noticed_nothing() -> None:
    disks = [made.disk(1, health="failing"), made.disk(2, health="warning")]
    bays = draw(machines.placed(disks)).bays
    assert "failing" in bays[0].classes.split()
    assert "ill" in bays[1].classes.split()
    assert bays[1].says.endswith("SMART warns")


def test_the_hottest_disk_is_named_by_its_bay() -> None:
    disks = [made.disk(n, temperature_celsius=30 + n) for n in (1, 2, 3)]
    assert draw(machines.placed(disks)).hottest == "3 at 33 °C"
    assert draw(machines.placed([made.disk(1)])).hottest == ""


def test_age_and_traffic_are_drawn_where_they_are_known() -> None:
    disks = [made.disk(1), made.disk(2)]
    vitals = {disks[0].id: Vitals(hours=30_000, bytes_per_second=12_000_000)}
    drawn = draw(machines.placed(disks), vitals=vitals)
    assert (drawn.bays[0].age, drawn.bays[0].activity) == ("3.4 y", "12.0 MB/s")
    assert {"g3", "a3"} <= set(drawn.bays[0].classes.split())
    assert (drawn.bays[1].age, drawn.bays[1].activity) == ("", "")
    assert drawn.available == {"pools", "activity", "age"}


def test_scales_begin_at_nothing_and_end_open() -> None:
    assert [age_step(h) for h in (0, 8765, 8766, 43_830, 200_000)] == [0, 0, 1, 5, 5]
    assert [activity_step(b) for b in (0, 1, 999_999, 10_000_000, 150_000_000, 10**10)] == [0, 1, 1, 3, 5, 5]


def test_an_unknown_view_is_the_first_one() -> None:
    machine = machines.placed([made.disk(1)])
    assert draw(machine, view="heat").view == "heat"
    assert draw(machine, view="<script>").view == "pools"
    assert [view.name for view in VIEWS] == ["pools", "heat", "health", "activity", "age"]


def test_a_light_is_known_by_the_unit_or_by_the_slot() -> None:
    disks = [made.disk(1), made.disk(2, hctl="0:0:2:0"), made.disk(3, hctl=None, serial=None)]
    slots = (
        Slot(path="/sys/devices/a", folder="a", number=0, hctl="0:0:2:0", locating=True),
        Slot(path="/sys/devices/b", folder="b", number=1, hctl=None, locating=True),
    )
    machine = msgspec.structs.replace(
        machines.placed(disks),
        units=(
            Unit(kind="blink", serial="WD-0001", state="running"),
            Unit(kind="burn-in", serial="WD-0002", state="running"),
        ),
        enclosures=(Enclosure(id="e", hctl="0:0:9:0", slots=slots),),
    )
    assert lit_disks(machine) == {disks[0].id, disks[1].id}
    assert draw(machine).bays[0].says.endswith("light on")


def test_an_ended_unit_shines_no_longer() -> None:
    machine = msgspec.structs.replace(
        machines.placed([made.disk(1)]), units=(Unit(kind="blink", serial="WD-0001", state="succeeded"),)
    )
    assert lit_disks(machine) == frozenset()


@pytest.mark.parametrize("view", ["heat", "health", "activity", "age"])
def test_a_view_is_a_parameter_that_the_page_keeps(browser: Client, view: str) -> None:
    page = browser.get("/disks/", {"view": view}).content.decode()
    assert f'value="{view}" checked' in page
    assert page.count(" checked>") == 1


def test_labels_that_look_like_markup_stay_text(browser: Client) -> None:
    show(machines.placed([made.disk(1, model="<img src=x>")]))
    assert "<img src=x>" not in browser.get("/disks/").content.decode()


@pytest.mark.parametrize("path", ["/", "/disks/"])
def test_a_hundred_and_two_bays_weigh_less_than_150_kb(browser: Client, path: str) -> None:
    disks = [
        machines.in_pool(made.disk(n, temperature_celsius=30, health="good"), "tank") for n in range(1, 103)
    ]
    groups = [disks[start : start + 17] for start in range(0, 102, 17)]
    tops = tuple(machines.vdev(f"raidz3-{i}", *map(machines.leaf, group)) for i, group in enumerate(groups))
    machine = msgspec.structs.replace(
        machines.placed(disks, columns=17),
        pools=(made.pool(vdevs=tops),),
        datasets=(machines.root("tank"),),
    )
    show(machine)
    answer = browser.get(path)
    assert answer.content.decode().count('class="bay ') == 102
    assert len(answer.content) < 150_000


def test_a_pool_that_lost_a_disk_says_from_which_bay(browser: Client) -> None:
    disks = [machines.in_pool(made.disk(n), "tank") for n in (1, 2)]
    gone = Absent(
        id="ata-WDC_WD30EFRX_WD-0009", serial="WD-0009", model="WDC WD30EFRX", since="2026-11-21T10:03:00Z",
        bay="3",
    )  # fmt: skip
    lost = machines.leaf(made.disk(9), state="REMOVED", disk=None)
    top = machines.vdev("raidz1-0", *map(machines.leaf, disks), lost, state="DEGRADED")
    machine = msgspec.structs.replace(
        machines.placed(disks), pools=(made.pool(state="DEGRADED", vdevs=(top,)),), gone=(gone,),
        datasets=(machines.root("tank"),),
    )  # fmt: skip
    show(machine)
    row = browser.get("/pools/tank/").context["rows"][-1]
    assert (row.bay, row.disk_id, row.spot) == ("3", gone.id, None)


def test_a_badge_for_each_bay_asks_the_database_for_nothing(browser: Client) -> None:
    browser.get("/disks/")
    with CaptureQueriesContext(connection) as asked:
        rows = browser.get("/disks/").context["rows"]
    reads = [query for query in asked.captured_queries if "jobs_cachedinventory" in query["sql"]]
    assert len(rows) == 8
    assert len(reads) < len(rows) / 2
