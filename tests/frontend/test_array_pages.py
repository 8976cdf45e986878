"""The pages of md arrays, from the empty form to the end of an array."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.test import Client

from alerts.tasks import read_md_events, watch
from host.simulated import SimulatedHost
from jobs import cache
from tests.conftest import refresh
from tests.frontend.conftest import decide

_DAY_S = 86_400.0


def free() -> list[str]:
    inventory = cache.current()
    assert inventory is not None
    return [disk.id for disk in inventory.disks if disk.free]


def create(browser: Client, disks: list[str], **fields: Any) -> Any:
    form = {"name": "backup", "level": "1", "fstype": "ext4", "disks": disks} | fields
    return browser.post("/create/array/", form)


@pytest.fixture
def backup(browser: Client, simulated: SimulatedHost) -> Client:
    """A browser on a machine with the RAID 1 `backup`, in sync."""
    refresh()
    decide(browser, create(browser, free()[:2]))
    simulated.pass_time(_DAY_S)
    refresh()
    return browser


def test_the_list_says_what_md_is_for_and_marks_the_systems_own(browser: Client) -> None:
    page = browser.get("/arrays/")
    assert "for your data, a ZFS pool is the better choice" in page.text
    assert page.text.count('<span class="tag">system</span>') == 2
    assert '"/arrays/"' in browser.get("/pools/").text


def test_an_array_of_the_system_offers_a_check_and_nothing_else(browser: Client) -> None:
    page = browser.get("/arrays/0/").text
    assert "The running system uses this array." in page and "Check now" in page
    assert "Remove" not in page and "/destroy/array/0/" not in page
    assert "md(4)" in page and "swap" in page


def test_from_the_form_to_the_array(browser: Client) -> None:
    refresh()
    plan = create(browser, free()[:2])
    assert "Create array backup as RAID 1" in plan.text and "--metadata=1.2" in plan.text
    job = browser.get(decide(browser, plan).url)
    assert 'href="/arrays/backup/"' in job.text
    refresh()
    page = browser.get("/arrays/backup/").text
    assert "ext4 at /mnt/backup" in page and "left, as estimated by the kernel" in page
    assert "synchronising" in page and "Remove" not in page


def test_what_was_typed_is_kept_and_faults_stand_beside_it(browser: Client) -> None:
    refresh()
    page = create(browser, free()[:1], name="md7", mountpoint="/etc/x")
    assert page.status_code == 422
    assert 'value="md7"' in page.text and 'id="name-error"' in page.text
    assert 'id="mountpoint-error"' in page.text and 'id="disks-error"' in page.text
    page = create(browser, [])
    assert "RAID 1 takes at least 2 disks; chosen: 0." in page.text
    page = create(browser, free()[:2], level="7")
    assert page.status_code == 422 and 'id="level-error"' in page.text


def test_a_plan_can_be_changed(browser: Client) -> None:
    refresh()
    asked = {"name": "backup", "level": 5, "disks": free()[:3], "fstype": "xfs"}
    page = browser.post("/create/array/", {"request": json.dumps(asked)})
    assert page.status_code == 200 and 'value="backup"' in page.text
    assert re.search(r'value="5" selected', page.text) and re.search(r'value="xfs" selected', page.text)


def test_a_member_is_taken_out_and_another_comes(backup: Client, simulated: SimulatedHost) -> None:
    inventory = cache.current()
    array = inventory.array("backup") if inventory else None
    assert array is not None
    leaving = array.members[1].disk
    plan = backup.post("/arrays/backup/act/", {"do": "remove", "disk": leaving})
    assert (
        "cannot survive a disk failure until" in plan.text
        and "its copy of the data in array backup" in plan.text
    )
    decide(backup, plan, agreed="yes")
    refresh()
    page = backup.get("/arrays/backup/").text
    assert "no redundancy left" in page and "Add a missing disk" in page and "1 empty place" in page
    decide(backup, backup.post("/arrays/backup/add/", {"disk": free()[0]}))
    refresh()
    assert "being rebuilt" in backup.get("/arrays/backup/").text


def test_a_former_member_is_offered_back(backup: Client, simulated: SimulatedHost) -> None:
    inventory = cache.current()
    array = inventory.array("backup") if inventory else None
    assert array is not None and array.members[0].disk is not None
    disk = array.members[0].disk
    simulated.pull(disk)
    simulated.insert(disk)
    refresh()
    assert "Former member found" in backup.get("/arrays/backup/").text
    plan = backup.post("/arrays/backup/act/", {"do": "back", "disk": disk})
    assert "--re-add" in plan.text


def test_a_disk_takes_the_place_of_another(backup: Client) -> None:
    inventory = cache.current()
    array = inventory.array("backup") if inventory else None
    assert array is not None
    old, new = array.members[0].disk or "", free()[0]
    assert "Replace WDC" in backup.get("/arrays/backup/add/", {"member": old}).text
    plan = backup.post("/arrays/backup/add/", {"member": old, "disk": new})
    assert "--replace" in plan.text and "--with" in plan.text


def test_a_disk_that_has_just_gone_is_not_replaced_by_adding_one(
    backup: Client, simulated: SimulatedHost
) -> None:
    inventory = cache.current()
    array = inventory.array("backup") if inventory else None
    assert array is not None and array.members[0].disk is not None
    old = array.members[0].disk
    simulated.pull(old)
    refresh()
    page = backup.post("/arrays/backup/add/", {"member": old, "disk": free()[0]})
    assert page.status_code == 422
    assert "That disk is not a member of backup." in page.text
    assert "Add a disk to backup" in page.text


def test_a_check_runs_at_once_and_its_number_is_explained(backup: Client, simulated: SimulatedHost) -> None:
    simulated.differ("backup", 8)
    page = backup.post("/arrays/backup/act/", {"do": "check"}, follow=True)
    assert "Check started." in page.text
    simulated.pass_time(_DAY_S)
    read_md_events()
    refresh()
    watch()
    page = backup.get("/arrays/backup/")
    assert "History" in page.text and "The check ended: 8 sectors differed" in page.text
    assert "8 sectors differed between the disks" in page.text and "mdcheck_start.timer" in page.text


def test_growing_leads_to_plans(backup: Client) -> None:
    assert backup.get("/arrays/backup/grow/").status_code == 200
    plan = backup.post("/arrays/backup/grow/", {"disks": free()[:1]})
    assert "--raid-devices=3" in plan.text
    assert backup.post("/arrays/backup/grow/", {}).status_code == 422
    assert "resize2fs" in backup.post("/arrays/backup/act/", {"do": "space"}).text


def test_an_array_that_waits_says_so(backup: Client, simulated: SimulatedHost) -> None:
    simulated.halt_array("backup")
    refresh()
    assert "not running" in backup.get("/arrays/backup/").text
    assert "--run" in backup.post("/arrays/backup/act/", {"do": "start"}).text


def test_an_array_ends_after_its_name_was_typed(backup: Client) -> None:
    plan = backup.get("/destroy/array/backup/")
    assert "--stop" in plan.text and "Unmount /mnt/backup permanently" in plan.text
    assert decide(backup, plan, typed="nothing").status_code == 422
    assert decide(backup, plan, typed="backup").status_code == 302
    refresh()
    assert backup.get("/arrays/backup/").status_code == 404


@pytest.mark.parametrize("path", ["/arrays/x/", "/arrays/x/add/", "/arrays/x/grow/", "/destroy/array/x/"])
def test_an_unknown_array_is_missed(browser: Client, path: str) -> None:
    assert browser.get(path).status_code == 404


def test_nothing_else_is_done(backup: Client) -> None:
    assert backup.post("/arrays/backup/act/", {"do": "explode"}).status_code == 400
    assert backup.post("/arrays/x/act/", {"do": "check"}).status_code == 404
    assert backup.get("/arrays/backup/act/").headers["Location"] == "/"
