"""What owners do most, with the clicks that it takes."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from alerts import tasks
from host.commands.datasets.snapshots import ZfsSnapshot
from host.commands.datasets.zfs import ZfsCreate
from host.simulated import SimulatedHost
from jobs import cache
from jobs.models import Job
from tests.browser.accessible import violations
from tests.browser.conftest import Complaints, make_tank
from tests.browser.counted import Counted
from tests.conftest import refresh
from tests.frontend.conftest import free_disks

pytestmark = pytest.mark.browser


def done(operation: str) -> Job:
    """The one job of that operation, which must have gone well."""
    job = Job.objects.get(operation=operation)
    assert job.state == "succeeded", job.error
    return job


def test_a_snapshot_takes_one_click(
    signed_in: Callable[..., Page], simulated: SimulatedHost, complaints: Complaints
) -> None:
    page = signed_in()
    make_tank()
    page.goto("/datasets/tank/")
    user = Counted(page)
    user.click(user.button("Take a snapshot"))
    expect(page.get_by_role("status").filter(has_text="Take snapshot manual-")).to_contain_text("done")
    expect(page.get_by_role("region", name="Snapshots", exact=True)).to_contain_text("manual-")
    assert done("snapshot.create").request["datasets"] == ["tank"]
    assert user.clicks == 1
    assert violations(page) == []
    assert complaints == []


@pytest.mark.parametrize("deleted", [False, True])
def test_a_file_is_restored_with_three_clicks(
    signed_in: Callable[..., Page], simulated: SimulatedHost, complaints: Complaints, deleted: bool
) -> None:
    page = signed_in()
    make_tank()
    simulated.run(ZfsCreate(name="tank/home"))
    simulated.write_file("tank/home", b"letter.txt", b"I moved.\n")
    simulated.run(ZfsSnapshot(names=("tank/home@s1",)))
    if deleted:
        simulated.delete_file("tank/home", b"letter.txt")
    else:
        simulated.write_file("tank/home", b"letter.txt", b"Overwritten.\n")
    refresh()
    page.goto("/files/")
    user = Counted(page)
    user.click(user.link("tank/home"))
    if deleted:
        user.click(user.link("Older"))
        user.click(user.button("Restore letter.txt as a copy"))
    else:
        user.click(user.link("letter.txt"))
        user.click(user.button("Restore as copy version 2"))
    expect(page.get_by_role("status").filter(has_text="done")).to_be_visible()
    job = done("snapshot.restore")
    assert (job.request["path"], job.request["mode"]) == ("letter.txt", "beside")
    assert user.clicks <= 3
    assert violations(page) == []
    assert complaints == []


@pytest.mark.parametrize("in_its_bay", [True, False])
def test_a_pulled_disk_is_replaced_with_four_clicks(
    signed_in: Callable[..., Page],
    simulated: SimulatedHost,
    complaints: Complaints,
    monkeypatch: pytest.MonkeyPatch,
    in_its_bay: bool,
) -> None:
    page = signed_in()
    if in_its_bay:
        make_tank()
        simulated.swap(member(2), "WD-NEW")
    else:
        make_pool_of_five(page)
        simulated.pull(member(2))
    notice(monkeypatch)
    new = free_disks()[0]
    page.goto("/")
    user = Counted(page)
    user.click(page.get_by_role("main").get_by_role("link", name=re.compile("^Replace it")).first)
    expect(page.get_by_role("radio", checked=True)).to_have_value(new)
    user.click(user.button("Review changes"))
    user.click(page.locator(".decide").get_by_role("button"))
    expect(page.get_by_role("status").filter(has_text="done")).to_be_visible()
    assert done("pool.replace").request["disk"] == new
    assert user.clicks <= 4
    assert complaints == []


def test_a_user_with_a_share_takes_four_clicks_from_the_overview(
    signed_in: Callable[..., Page], simulated: SimulatedHost, complaints: Complaints
) -> None:
    page = signed_in()
    make_tank()
    page.goto("/")
    user = Counted(page)
    user.click(page.get_by_role("navigation").get_by_role("link", name="Users").first)
    user.click(user.link("New person with a private folder"))
    for field, typed in (
        ("name", "dora"),
        ("password", "words of dora"),
        ("password_again", "words of dora"),
    ):
        page.locator(f"#{field}").fill(typed)
    user.click(user.button("Review changes"))
    expect(page.get_by_text("only dora may read and write it")).to_be_visible()
    user.click(user.button("Create dora with a private folder"))
    expect(page.get_by_role("link", name="Connect to dora")).to_be_visible()
    done("person.create-with-folder")
    assert simulated.knows_password("dora", "words of dora")
    assert "[dora]\n    path = /mnt/tank/dora\n" in simulated.machine().samba
    assert user.clicks <= 4
    assert complaints == []


def test_rows_are_selected_by_ranges_and_hold_still(
    signed_in: Callable[..., Page], simulated: SimulatedHost, complaints: Complaints
) -> None:
    page = signed_in()
    make_tank()
    for number in range(6):
        simulated.run(ZfsCreate(name=f"tank/d{number}"))
    refresh()
    page.goto("/datasets/")
    button = page.get_by_role("button", name="Take a snapshot")
    expect(button).to_be_disabled()
    page.get_by_role("checkbox", name="Select tank/d1").click()
    page.get_by_role("checkbox", name="Select tank/d4").click(modifiers=["Shift"])
    expect(page.get_by_text("4 of 7 selected")).to_be_visible()
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # would ask for a fresh list
    page.get_by_role("checkbox", name="Select tank/d2").click()
    expect(page.get_by_text("3 of 7 selected")).to_be_visible()
    button.click()
    expect(
        page.get_by_role("status").filter(has_text=re.compile("Take snapshot manual-.*done"))
    ).to_be_visible()
    assert done("snapshot.create").request["datasets"] == ["tank/d1", "tank/d3", "tank/d4"]
    page.get_by_role("checkbox", name="Select all").click()
    expect(page.get_by_text("7 of 7 selected")).to_be_visible()
    assert violations(page) == []
    page.get_by_role("button", name="Change properties").click()
    expect(page.get_by_role("checkbox", checked=True)).to_have_count(7)
    assert complaints == []


def member(number: int) -> str:
    """The serial of a disk of `tank`."""
    inventory = cache.current()
    assert inventory is not None
    serials = [disk.serial for disk in inventory.disks if disk.used_by and "tank" in disk.used_by]
    serial = serials[number]
    assert serial is not None
    return serial


def notice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the worker see what became of the machine, and the watch over it say what is wrong."""
    monkeypatch.setattr(tasks._Seen, "as_of", "")
    monkeypatch.setattr(tasks._Seen, "unsure", frozenset())
    for _ in range(2):
        refresh()
        tasks.watch()


def make_pool_of_five(page: Page) -> None:
    """`tank` of all free disks but the last."""
    page.goto("/create/pool/")
    for number in range(1, 6):
        page.get_by_role("checkbox", name=f"Bay A{number}:").check()
    page.get_by_role("radio", name="raidz2 5 disks").check()
    page.get_by_role("button", name="Review changes").click()
    page.get_by_role("button", name="Create tank").click()
    page.get_by_role("link", name="Open tank").wait_for()
