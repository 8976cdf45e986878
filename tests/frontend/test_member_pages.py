"""Pages of the members of a pool: menus, the replace assistant, larger disks one at a time."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from accounts.roles import Role
from host.simulated import SimulatedHost
from jobs import cache
from tests.conftest import refresh
from tests.frontend.conftest import decide, free_disks, signed_in


@pytest.fixture
def rack(rack24: SimulatedHost, admin: User) -> Client:
    return signed_in(admin)


def text(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def make(client: Client, layout: str, count: int) -> list[str]:
    disks = free_disks()[:count]
    done = decide(client, client.post("/create/pool/", {"name": "tank", "layout": layout, "data": disks}))
    assert done.status_code == 302, text(done)
    refresh()
    return disks


def guid_of(disk: str) -> str:
    inventory = cache.current()
    assert inventory is not None
    (pool,) = inventory.pools
    return next(m.guid for top in pool.vdevs for m in top.children or (top,) if m.disk == disk)


def test_the_failed_disk_is_chosen_and_followed_until_it_may_leave(
    rack: Client, rack24: SimulatedHost
) -> None:
    disks = make(rack, "raidz2:1", 6)
    rack24.write("tank", 4 << 40)
    rack24.fail(disks[3])
    refresh()
    page = rack.get("/pools/tank/replace/")
    old, new = page.context["source"], page.context["possible"][0].disk
    assert (old.guid, old.works, old.spot.id) == (guid_of(disks[3]), False, disks[3])
    assert "Type <code>" not in text(page)
    plan = rack.post("/pools/tank/replace/", {"vdev": old.guid, "disk": new.id})
    title = plan.context["plan"].steps[1].title
    assert f"bay {old.bay}, {old.name.split()[0]}" in title and f"bay {new.bay}" in title
    assert decide(rack, plan).status_code == 302
    refresh()
    page = rack.get("/pools/tank/replace/")
    (running,) = page.context["running"]
    assert (running.old.guid, running.new.spot.id, running.spare) == (old.guid, new.id, False)
    assert "Leave both disks in." in text(page)
    rack24.pass_time(1e6)
    refresh()
    page = rack.get("/pools/tank/replace/")
    assert page.context["running"] == ()
    assert f"Bay {old.bay}: {old.name} can be removed" in text(page)
    rack24.pull(disks[3])
    refresh()
    assert "has left" in text(rack.get("/pools/tank/replace/"))


def test_the_disk_that_was_put_in_for_one_that_left_is_chosen_and_the_end_is_told(
    rack: Client, rack24: SimulatedHost
) -> None:
    disks = make(rack, "raidz2:1", 6)
    bay = bay_of(disks[3])
    rack24.swap(disks[3], "K5HNEW01")
    refresh()
    page = rack.get("/pools/tank/replace/")
    new = next(one.disk for one in page.context["possible"] if one.disk.serial == "K5HNEW01")
    assert (new.bay, page.context["source"].spot) == (bay, None)
    assert page.context["chosen"] == new.id
    assert f'value="{new.id}" checked' in text(page)
    plan = rack.post("/pools/tank/replace/", {"vdev": page.context["source"].guid, "disk": new.id})
    notes = " ".join(plan.context["plan"].notes)
    assert "Leave it in" not in notes
    assert "has left the machine already" in notes
    assert decide(rack, plan).status_code == 302
    refresh()
    if running := rack.get("/pools/tank/replace/").context["running"]:
        assert running[0].old.spot is None
        assert "Leave both disks in" not in text(rack.get("/pools/tank/replace/"))
    rack24.pass_time(1e6)
    refresh()
    page = rack.get("/pools/tank/replace/")
    assert "The replacement is finished" in text(page)
    assert f"{new.model}, serial K5HNEW01 has all the data" in text(page)
    assert "has failed" not in text(page)


def test_nothing_is_chosen_where_several_disks_could_come(rack: Client, rack24: SimulatedHost) -> None:
    disks = make(rack, "raidz2:1", 6)
    rack24.pull(disks[3])
    refresh()
    assert rack.get("/pools/tank/replace/").context["chosen"] == ""


def test_a_warning_of_several_vdevs_is_said_once(rack: Client) -> None:
    form = {"name": "tank", "layout": "raidz1:3", "data": free_disks()[:15]}
    plan = rack.post("/create/pool/", form).context["plan"]
    large = [message for message in plan.warnings if message.startswith("A rebuild reads")]
    assert len(large) == 1


def bay_of(disk: str) -> str | None:
    inventory = cache.current()
    found = inventory.disk(disk) if inventory else None
    return found.bay if found else None


def test_a_disk_that_works_is_replaced_only_after_typing(rack: Client) -> None:
    disks = make(rack, "raidz1:1", 3)
    guid = guid_of(disks[0])
    page = rack.get(f"/pools/tank/replace/?vdev={guid}")
    assert "This disk has no errors" in text(page)
    target = page.context["possible"][0].disk.id
    for typed in ("", "yes", guid_of(disks[1])):
        answer = rack.post("/pools/tank/replace/", {"vdev": guid, "disk": target, "confirm": typed})
        assert answer.status_code == 422
        assert "confirm" in answer.context["errors"].by_field
        assert answer.context["sent"]["disk"] == target
    plan = rack.post("/pools/tank/replace/", {"vdev": guid, "disk": target, "confirm": guid})
    assert plan.status_code == 200
    assert decide(rack, plan).status_code == 302


def test_why_a_disk_cannot_be_taken_is_said(rack: Client, rack24: SimulatedHost) -> None:
    disks = make(rack, "raidz1:1", 3)
    page = rack.get(f"/pools/tank/replace/?vdev={guid_of(disks[0])}")
    why = {one.disk.id: one.why for one in page.context["others"]}
    assert why[disks[1]] == "In use: member of pool tank."
    assert any(one.startswith("In use: the running system") for one in why.values())


def test_menus_offer_what_can_be_done_and_say_why_not(rack: Client) -> None:
    disks = make(rack, "raidz1:1", 3)
    page = rack.get("/pools/tank/")
    entries = {entry.title: entry.why for entry in page.context["menus"][guid_of(disks[0])]}
    assert entries == {"Replace…": "", "Take offline": ""}
    top = page.context["pool"].vdevs[0]
    entries = {entry.title: entry.why for entry in page.context["menus"][top.guid]}
    assert entries == {"Expand by a disk…": "", "Replace disks with larger ones…": ""}


def test_resting_a_disk_asks_for_its_guid_where_nothing_more_is_survived(rack: Client) -> None:
    disks = make(rack, "raidz1:1", 3)
    guid = guid_of(disks[0])
    page = rack.get(f"/pools/tank/offline/?vdev={guid}")
    assert (page.status_code, page.templates[0].name) == (200, "pools/member_confirm.html")
    wrong = rack.post("/pools/tank/offline/", {"vdev": guid, "confirm": "tank"})
    assert wrong.status_code == 422 and "confirm" in wrong.context["errors"].by_field
    plan = rack.post("/pools/tank/offline/", {"vdev": guid, "confirm": guid})
    assert decide(rack, plan).status_code == 302
    refresh()
    plan = rack.get(f"/pools/tank/online/?vdev={guid}")
    assert decide(rack, plan).status_code == 302


def test_what_cannot_be_done_is_refused_in_words(rack: Client) -> None:
    disks = make(rack, "raidz1:1", 3)
    for verb in ("detach", "online", "remove"):
        answer = rack.get(f"/pools/tank/{verb}/?vdev={guid_of(disks[0])}")
        assert (answer.status_code, answer.templates[0].name) == (422, "plans/refused.html")
    assert rack.get("/pools/tank/expand/").status_code == 422
    for page in ("replace", "grow", "add", "attach", "clear"):
        assert rack.get(f"/pools/nothing/{page}/").status_code == 404
    assert rack.get("/pools/tank/attach/?vdev=1").status_code == 404


def test_a_raidz_is_expanded_with_its_space_explained(rack: Client) -> None:
    make(rack, "raidz1:1", 3)
    inventory = cache.current()
    assert inventory is not None
    top = inventory.pools[0].vdevs[0]
    page = rack.get(f"/pools/tank/attach/?vdev={top.guid}")
    assert page.context["gain"].new_width == 4
    nothing = rack.post("/pools/tank/attach/", {"vdev": top.guid})
    assert (nothing.status_code, list(nothing.context["errors"].by_field)) == (422, ["disk"])
    disk = page.context["possible"][0].disk.id
    plan = rack.post("/pools/tank/attach/", {"vdev": top.guid, "disk": disk})
    assert decide(rack, plan).status_code == 302


def test_a_single_disk_is_added_only_after_the_pools_name_was_typed(rack: Client) -> None:
    make(rack, "raidz1:1", 3)
    disk = free_disks()[0]
    form = {"role": "data", "layout": "stripe", "disks": [disk]}
    answer = rack.post("/pools/tank/add/", form)
    assert answer.status_code == 422
    assert "Type <code>tank</code>" in text(answer)
    assert "whole pool" in " ".join(answer.context["warnings"])
    plan = rack.post("/pools/tank/add/", form | {"confirm": "tank"})
    assert plan.status_code == 200
    assert decide(rack, plan).status_code == 302


def test_larger_disks_come_one_at_a_time_and_the_pool_grows(rack: Client, rack24: SimulatedHost) -> None:
    disks = make(rack, "raidz1:1", 3)
    with rack24._store.change() as machine:  # three larger disks come into free bays
        free = [disk for disk in machine.disks if not disk.partitions and disk.size > 1 << 40][:3]
        for disk in free:
            disk.size *= 2
    refresh()
    page = rack.get("/pools/tank/grow/")
    series, before = page.context["series"], page.context["series"].usable_now
    assert (page.context["done"], series.started) == (0, False)
    assert series.usable_then > 1.9 * before
    for count in range(3):
        step = page.context["next"].guid
        assistant = rack.get(f"/pools/tank/replace/?vdev={step}")
        larger = max(assistant.context["possible"], key=lambda one: one.disk.size_bytes).disk.id
        sent = {"vdev": step, "disk": larger, "confirm": step}
        assert decide(rack, rack.post("/pools/tank/replace/", sent)).status_code == 302
        rack24.pass_time(1e6)
        refresh()
        page = rack.get("/pools/tank/grow/")
        assert page.context["done"] == count + 1
        assert page.context["series"].started is (count < 2)
    assert page.context["next"] is None
    assert page.context["series"].usable_now == series.usable_then
    inventory = cache.current()
    former = inventory.disk(disks[0]) if inventory else None
    assert former is not None and not former.in_use


def test_a_viewer_sees_why_the_buttons_are_shut(rack: Client, rack24: SimulatedHost) -> None:
    disks = make(rack, "raidz1:1", 3)
    viewer = signed_in(User.objects.create_user("vera", role=Role.VIEWER))
    for path in ("replace", "add", "offline"):
        answer = viewer.get(f"/pools/tank/{path}/?vdev={guid_of(disks[0])}")
        assert answer.status_code == (403 if path == "offline" else 200)
        assert path == "offline" or "Your role only allows reading." in text(answer)
    assert viewer.post("/pools/tank/replace/", {"vdev": guid_of(disks[0])}).status_code == 403
