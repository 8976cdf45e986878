"""From the builder to the job."""

from __future__ import annotations

import pytest
from django.test import Client

from jobs import cache
from jobs.models import Job
from tests import made
from tests.frontend import machines
from tests.frontend.conftest import decide, free_disks, make_tank, show


def test_ticked_disks_become_a_pool(browser: Client) -> None:
    answer = make_tank(browser, name="tank")
    job = Job.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, f"/jobs/{job.pk}/")
    assert job.state == "succeeded"
    inventory = cache.current()
    assert inventory is not None
    pool = inventory.pool("tank")
    assert pool is not None
    assert [vdev.name for vdev in pool.vdevs] == ["raidz2-0"]


def test_the_layouts_are_computed_for_the_ticked_disks(browser: Client) -> None:
    answer = browser.post("/create/pool/layouts/", {"data": free_disks()}, headers={"HX-Request": "true"})
    found = answer.context["choices"]
    assert "raidz2:1" in found.keys
    assert (found.recommended, answer.context["form"].layout) == ("raidz2:1", "raidz2:1")
    assert answer.content.decode().count("<html") == 0


def test_the_recommendation_follows_the_use_until_a_layout_was_chosen(browser: Client) -> None:
    def layout(**sent: object) -> str:
        answer = browser.post("/create/pool/layouts/", {"data": free_disks()} | sent)
        return str(answer.context["form"].layout)

    assert layout(use="vms", layout="raidz2:1", advised="raidz2:1") == "mirror:3"
    assert layout(use="vms", layout="raidz3:1", advised="raidz2:1") == "raidz3:1"
    assert layout(use="nonsense", layout="x") == "raidz2:1"


def test_disks_in_no_known_bay_can_be_ticked_too(browser: Client) -> None:
    ids = free_disks()
    browser.post("/chassis/edit/", form_of_profile(browser) | {"save": "yes"})
    chassis = browser.get("/create/pool/").context["chassis"]
    assert [group.name for group in chassis.groups] == ["Drive cage", "Not mapped to a bay"]
    assert [bay.disk_id for bay in chassis.bays if bay.disk_id] == ids
    assert chassis.bays[-1].says.startswith("Not mapped to a bay, serial WD-")
    job = make_tank(browser, data=ids)
    assert job.status_code == 302


def form_of_profile(browser: Client) -> dict[str, object]:
    """What the editor sends for a tower of six bays in which nobody was taught anything."""
    form = browser.get("/chassis/edit/?profile=home-tower-6").context["form"]
    fields = ("name", "rows", "columns", "prefix", "first", "origin", "order", "labels")
    sent: dict[str, object] = {"name": form.name, "count": len(form.groups)}
    for index, group in enumerate(form.groups):
        sent |= {f"{field}-{index}": getattr(group, field) for field in fields}
    return sent


def test_a_spare_that_comes_with_a_layout_is_in_the_plan(browser: Client) -> None:
    plan = browser.post("/create/pool/", {"name": "vault", "layout": "raidz2:1+1", "data": free_disks()})
    assert [(vdev.title, vdev.bays) for vdev in plan.context["makes"]] == [
        ("raidz2", ("A1", "A2", "A3", "A4", "A5")),
        ("spare", ("A6",)),
    ]


def test_a_draid_can_be_made_with_a_mirror_for_metadata(browser: Client) -> None:
    show(machines.machine([made.disk(number) for number in range(1, 17)]))
    ids = [made.disk(number).id for number in range(1, 17)]
    form = {"name": "vault", "layout": "draid2:4d:12c:1s:1", "data": ids[:12], "special": ids[12:]}
    plan = browser.post("/create/pool/", form)
    assert [(vdev.title, vdev.width) for vdev in plan.context["makes"]] == [
        ("draid2:4d:12c:1s", "12 disks"),
        ("special, mirror", "2 disks"),
        ("special, mirror", "2 disks"),
    ]
    back = browser.post("/create/pool/", {"request": plan.context["request_json"]}).context["form"]
    assert (back.layout, back.of("special")) == ("draid2:4d:12c:1s:1", tuple(ids[12:]))


def test_a_pool_can_be_encrypted_and_what_was_typed_is_shown_nowhere(browser: Client) -> None:
    form = {
        "name": "vault", "layout": "raidz2:1", "data": free_disks(), "lock": "passphrase",
        "passphrase": "five random words typed", "passphrase_again": "five random words typed",
    }  # fmt: skip
    unequal = browser.post("/create/pool/", form | {"passphrase_again": "four"})
    assert unequal.context["errors"].by_field == {
        "passphrase_again": ("The passphrases differ. Enter them again.",)
    }
    plan = browser.post("/create/pool/", form)
    report = plan.content.decode()
    assert "encryption=aes-256-gcm" in report
    assert "five random words" not in unequal.content.decode() + report
    back = browser.post("/create/pool/", {"request": plan.context["request_json"]})
    assert back.context["lock"] == "passphrase"
    assert "five random words" not in back.content.decode()


def test_nothing_ticked_is_told_beside_the_disks_and_the_form_keeps_what_was_typed(browser: Client) -> None:
    answer = browser.post("/create/pool/", {"name": "vault", "mountpoint": "/mnt/x"})
    assert answer.status_code == 422
    assert answer.context["errors"].by_field == {"disks": ("Select the disks for the pool.",)}
    assert (answer.context["form"].name, answer.context["form"].mountpoint) == ("vault", "/mnt/x")


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"name": "mirror"}, "name"),
        ({"name": "x" * 10_000}, "name"),
        ({"name": "a;rm -rf /"}, "name"),
        ({"mountpoint": "/etc"}, "mountpoint"),
        ({"ashift": "9"}, "ashift"),
        ({"ashift": "x"}, "ashift"),
        ({"compression": "best"}, "compression"),
        ({"layout": "raidz3:2"}, "disks"),
        ({"data": ["/dev/sda", "no-such-disk"]}, "disks"),
    ],
)
def test_what_is_wrong_is_told_beside_its_field(
    browser: Client, fields: dict[str, object], field: str
) -> None:
    form = {"name": "tank", "layout": "raidz2:1", "data": free_disks()} | fields
    answer = browser.post("/create/pool/", form)
    assert answer.status_code == 422
    assert field in answer.context["errors"].by_field
    assert not Job.objects.exists()


def test_the_boot_drive_is_refused_even_when_its_box_is_forged(browser: Client) -> None:
    inventory = cache.current()
    assert inventory is not None
    boot = next(disk.id for disk in inventory.disks if disk.in_use)
    answer = browser.post("/create/pool/", {"name": "tank", "layout": "stripe:1", "data": [boot]})
    assert answer.status_code == 422
    assert "in use" in answer.context["errors"].by_field["disks"][0]


def test_a_plan_can_be_changed_and_comes_back_as_it_was_typed(browser: Client) -> None:
    plan = browser.post("/create/pool/", {"name": "vault", "layout": "raidz1:2", "data": free_disks()})
    back = browser.post("/create/pool/", {"request": plan.context["request_json"]})
    form = back.context["form"]
    assert (form.name, form.layout, form.of("data")) == ("vault", "raidz1:2", tuple(free_disks()))


def test_pressing_twice_makes_one_job(browser: Client) -> None:
    plan = browser.post("/create/pool/", {"name": "tank", "layout": "raidz2:1", "data": free_disks()})
    first, second = decide(browser, plan), decide(browser, plan)
    assert first["Location"] == "/jobs/1/" or Job.objects.count() == 1
    assert second.status_code in {302, 422}
    assert Job.objects.count() == 1


def test_a_plan_that_is_no_longer_true_is_shown_anew(browser: Client) -> None:
    plan = browser.post("/create/pool/", {"name": "tank", "layout": "raidz2:1", "data": free_disks()})
    answer = decide(browser, plan, digest="sha256:old")
    assert answer.status_code == 409
    assert "The machine has changed; review the new plan" in answer.content.decode()
    assert not Job.objects.exists()


def test_a_disk_that_holds_data_is_named_and_erased_only_after_a_tick(browser: Client) -> None:
    show(machines.machine([made.with_file_system(1), made.disk(2)]))
    ids = [made.disk(1).id, made.disk(2).id]
    plan = browser.post("/create/pool/", {"name": "tank", "layout": "mirror:1", "data": ids})
    shown = plan.context["plan"]
    assert (shown.button, shown.lost) == ("Create tank, erase 1 disk", "This erases a disk")
    assert [(loss.bay, loss.what) for loss in shown.losses] == [("A1", "WDC WD30EFRX · WD-0001")]
    answer = decide(browser, plan)
    assert answer.status_code == 422
    assert "Tick the box to confirm." in answer.content.decode()
    assert not Job.objects.exists()


def test_the_plan_says_which_bays_become_which_vdev(browser: Client) -> None:
    plan = browser.post("/create/pool/", {"name": "tank", "layout": "raidz1:2", "data": free_disks()})
    assert [(vdev.title, vdev.bays) for vdev in plan.context["makes"]] == [
        ("raidz1", ("A1", "A2", "A3")),
        ("raidz1", ("A4", "A5", "A6")),
    ]
