"""The chassis editor and the lesson that teaches the bays."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from disks.bays.stored import stored
from disks.profiles import PROFILES
from frontend.chassis.form import from_layout, of_layout, to_data
from frontend.chassis.picture import picture
from frontend.chassis.teach_view import lesson
from host.inventory import Absent, Disk, Inventory
from host.simulated import SimulatedHost
from jobs import cache
from jobs.models import Job
from tests import made
from tests.conftest import refresh
from tests.frontend import machines
from tests.frontend.conftest import decide

TWO = {"name": "Box", "count": "1", "name-0": "Cage", "rows-0": "2", "columns-0": "1", "first-0": "1",
       "prefix-0": "", "labels-0": "", "origin-0": "top-left", "order-0": "rows"}  # fmt: skip


def now() -> Inventory:
    inventory = cache.current()
    assert inventory is not None
    return inventory


def set_tower(browser: Client) -> None:
    form = from_layout(PROFILES["home-tower-6"])
    fields = {"name": form.name, "count": "1", "save": "yes"}
    group = form.groups[0]
    fields |= {f"{name}-0": getattr(group, name) for name in group.__struct_fields__}
    assert browser.post("/chassis/edit/", fields)["Location"] == "/disks/"


def sata() -> list[Disk]:
    return [disk for disk in now().disks if disk.transport == "sata"]


@pytest.mark.parametrize("key", sorted(PROFILES))
def test_a_profile_fills_the_form_and_is_drawn(browser: Client, key: str) -> None:
    answer = browser.get("/chassis/edit/", {"profile": key})
    assert answer.context["form"].name == PROFILES[key].name
    assert len(answer.context["chassis"].bays) == len(PROFILES[key].labels)


@pytest.mark.parametrize("key", sorted(PROFILES))
def test_the_form_of_a_layout_gives_the_same_layout(key: str) -> None:
    case = of_layout(PROFILES[key])
    assert [bay.label for bay in case.bays] == list(PROFILES[key].labels)
    data = to_data(from_layout(PROFILES[key]))
    assert [group["rows"] for group in data["groups"]] == [group.rows for group in PROFILES[key].groups]
    assert picture(case).count("<rect") == len(PROFILES[key].labels)


def test_without_a_profile_the_form_begins_with_the_case_as_it_is_drawn(browser: Client) -> None:
    form = browser.get("/chassis/edit/").context["form"]
    assert [group.labels for group in form.groups] == ["A1, A2, A3, A4, A5, A6", "U1, U2"]


def test_typing_draws_and_tells_what_is_wrong_in_place(browser: Client) -> None:
    part = browser.post("/chassis/edit/preview/", TWO | {"rows-0": "3"})
    assert [bay.label for bay in part.context["chassis"].bays] == ["1", "2", "3"]
    part = browser.post("/chassis/edit/preview/", TWO | {"labels-0": "A, A"})
    assert part.context["problems"] == ["There are two bays “A”, first as groups[0].labels[0]."]
    part = browser.post("/chassis/edit/preview/", TWO | {"rows-0": "many"})
    assert part.context["chassis"] is None


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"rows-0": "many"}, "rows-0"),
        ({"rows-0": "103"}, "rows-0"),
        ({"labels-0": "A, B, C"}, "labels-0"),
        ({"labels-0": "A, a"}, "labels-0"),
        ({"labels-0": f"A, {'x' * 1000}"}, "labels-0"),
        ({"origin-0": "middle"}, "origin-0"),
        ({"name-0": ""}, "name-0"),
        ({"name": ""}, "name"),
        ({"rows-0": "60", "columns-0": "2"}, "groups"),
    ],
)
def test_a_case_that_cannot_be_is_told_beside_the_field(
    browser: Client, wrong: dict[str, str], field: str
) -> None:
    answer = browser.post("/chassis/edit/", TWO | wrong | {"save": "yes"})
    assert answer.status_code == 422
    assert field in answer.context["errors"].by_field
    assert stored().layout is None


def test_blocks_are_added_and_removed_without_script(browser: Client) -> None:
    added = browser.post("/chassis/edit/", TWO | {"add": "yes"}).context["form"]
    assert [group.name for group in added.groups] == ["Cage", "Block 2"]
    two = TWO | {"count": "2"} | {f"{k[:-2]}-1": v for k, v in TWO.items() if k.endswith("-0")}
    left = browser.post("/chassis/edit/", two | {"name-1": "Rear", "drop": "0"}).context["form"]
    assert [group.name for group in left.groups] == ["Rear"]


def test_a_chassis_that_forgets_what_was_taught_is_shown_as_a_plan_first(browser: Client) -> None:
    set_tower(browser)
    disk = sata()[0]
    browser.post("/teach/", {"mode": "blink", "disk": disk.id, "bay": "6"})
    plan = browser.post("/chassis/edit/", TWO | {"save": "yes"})
    assert "The mapping of these bays is deleted: 6." in plan.context["plan"].warnings
    assert stored().layout == PROFILES["home-tower-6"]
    decide(browser, plan)
    assert stored().layout is not None
    assert stored().layout.name == "Box"  # type: ignore[union-attr]


def test_teaching_begins_with_the_case(browser: Client) -> None:
    assert "First, describe the case" in browser.get("/teach/").content.decode()


def test_a_click_teaches_the_bay_darkens_the_disk_and_lights_the_next(browser: Client) -> None:
    set_tower(browser)
    one, two = sata()[:2]
    browser.post("/teach/", {"mode": "blink", "blink": one.id})
    assert [unit.serial for unit in now().units] == [one.serial]
    answer = browser.post(
        "/teach/", {"mode": "blink", "disk": one.id, "bay": "5"}, headers={"HX-Request": "true"}
    )
    assert answer.context["done"] == "Bay 5 is mapped."
    assert answer.context["lesson"].disk.id == two.id
    assert [unit.serial for unit in now().units] == [two.serial]
    place = now().seat("5")
    assert place is not None
    assert (place.disk, place.known_by, place.taught) == (one.id, "path", True)


def test_it_goes_on_where_it_was_left(browser: Client) -> None:
    set_tower(browser)
    browser.post("/teach/", {"mode": "blink", "disk": sata()[0].id, "bay": "1"})
    shown = browser.get("/teach/").context["lesson"]
    assert (shown.known, shown.disk.id) == (1, sata()[1].id)
    assert shown.back == sata()[0].id


def test_going_back_teaches_again_and_says_whose_place_it_was(browser: Client) -> None:
    set_tower(browser)
    one, two = sata()[:2]
    browser.post("/teach/", {"mode": "blink", "disk": one.id, "bay": "1"})
    answer = browser.post(
        "/teach/", {"mode": "blink", "disk": two.id, "bay": "1"}, headers={"HX-Request": "true"}
    )
    assert f"Bay 1 has held the disk with serial {one.serial} so far." in answer.context["done"]
    place = now().seat("1")
    assert place is not None
    assert place.disk == two.id


def test_a_bay_that_is_not_there_is_told_and_nothing_is_taught(browser: Client) -> None:
    set_tower(browser)
    answer = browser.post(
        "/teach/", {"mode": "blink", "disk": sata()[0].id, "bay": "99"}, headers={"HX-Request": "true"}
    )
    assert answer.context["problem"] == "The chassis has no bay “99”."
    assert stored().teachings == ()


def test_a_sleeping_disk_is_not_woken_to_blink(browser: Client, simulated: SimulatedHost) -> None:
    machine = machines.placed([made.disk(1, asleep=True), made.disk(2)], b1={"known_by": "order"})
    now_asked = lesson(machine, mode="blink")
    assert now_asked.disk is not None
    assert [pupil.why_dark for pupil in now_asked.pupils if pupil.now] == ["It is asleep and is not woken."]


def test_pulling_is_noticed_from_the_moment_the_page_was_opened() -> None:
    left = Absent(id="ata-1", serial="WD-1", model="x", since="2026-11-21T12:00:05Z")
    machine = machines.placed([made.disk(2)])
    machine = _with_gone(machine, left)
    opened = datetime(2026, 11, 21, 12, 0, 0, tzinfo=UTC)
    assert lesson(machine, mode="pull", since=opened).pulled == left
    assert lesson(machine, mode="pull", since=opened.replace(minute=1)).pulled is None
    back = lesson(_with_gone(machine), mode="pull", disk_id=made.disk(2).id, since=opened)
    assert (back.pulled, back.disk) == (None, made.disk(2, bay="1"))


def test_a_viewer_cannot_teach(viewer: Client) -> None:
    assert viewer.post("/teach/", {"mode": "blink", "disk": now().disks[0].id, "bay": "1"}).status_code == 403
    assert viewer.post("/chassis/edit/", TWO | {"save": "yes"}).status_code == 403
    assert Job.objects.count() == 0


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe\x00", b"chassis: [", b"a: &a [*a]", b"[" * 5000, b"x" * 400_000]
)
def test_a_file_of_a_stranger_changes_nothing(browser: Client, content: bytes) -> None:
    set_tower(browser)
    answer = browser.post("/teach/import/", {"file": SimpleUploadedFile("bays.yaml", content)})
    assert answer.status_code == 422
    assert answer.context["errors"].by_field["file"]
    assert stored().layout == PROFILES["home-tower-6"]


def test_the_file_of_one_case_is_the_plan_of_another(browser: Client) -> None:
    set_tower(browser)
    browser.post("/teach/", {"mode": "blink", "disk": sata()[2].id, "bay": "4"})
    before = stored().teachings
    saved = browser.get("/teach/bays.yaml")
    assert saved["Content-Disposition"] == 'attachment; filename="bays.yaml"'
    browser.post("/chassis/edit/", TWO | {"save": "yes"})
    plan: Any = browser.post("/teach/import/", {"file": SimpleUploadedFile("b.yaml", saved.content)})
    decide(browser, plan)
    assert stored().layout == PROFILES["home-tower-6"]
    assert stored().teachings == before
    refresh()
    place = now().seat("4")
    assert place is not None
    assert place.disk == sata()[2].id


def _with_gone(machine: Inventory, *gone: Absent) -> Inventory:
    return msgspec.structs.replace(machine, gone=gone)
