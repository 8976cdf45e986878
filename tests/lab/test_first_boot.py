"""From an image on one flash drive to a shared folder, by nothing but a browser and what the screen says.

A real Chromium clicks through the wizard of a machine that started by its own firmware; axe checks
each page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from tests.browser.chromium import CHROMIUM, QUIET
from tests.browser.conftest import Complaints
from tests.browser.walk import Walk, by_steps, claim, finish, make_a_pool, name_it, share_a_folder
from tests.lab.clients import Clients
from tests.lab.disks import sata, usb
from tests.lab.machine import Machine
from tests.lab.new_machine import (
    SMALL,
    STICK,
    TIMEOUT_S,
    code_on_screen,
    codes_shown,
    failed_units,
    from_stick,
    greeting,
    rows,
    wait_until_up,
)
from tests.lab.pool_life import until

pytestmark = pytest.mark.drill
FIRST, SECOND = (usb(number, size_bytes=STICK) for number in (1, 2))
# A job of the second half writes two boot loaders, which takes minutes where the processor is emulated.
_TIMEOUT_MS = TIMEOUT_S * 1000


@pytest.fixture(scope="module")
def new() -> Iterator[Machine]:
    """A machine that nobody has claimed, with one stick and three disks."""
    with from_stick(FIRST, (sata(number, size_bytes=SMALL) for number in (1, 2, 3))) as machine:
        machine.boot()
        wait_until_up(machine)
        yield machine


@pytest.fixture
def complaints() -> Complaints:
    """Empty until a page complains."""
    return Complaints()


@pytest.fixture
def page(new: Machine, complaints: Complaints) -> Iterator[Page]:
    """A window of a Chromium with long timeouts, on the machine's own address."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        window = browser.new_context(
            base_url=f"https://127.0.0.1:{new.https_port}",
            ignore_https_errors=True,  # its certificate is self-made
            viewport={"width": 1280, "height": 900},
            reduced_motion="reduce",
        )
        window.set_default_timeout(_TIMEOUT_MS)
        expect.set_options(timeout=_TIMEOUT_MS)
        opened = window.new_page()
        complaints.watch(opened)
        yield opened
        expect.set_options(timeout=5000)
        browser.close()


def test_the_screen_shows_the_code_and_nothing_failed(new: Machine) -> None:
    code = code_on_screen(new)
    until(lambda: code in codes_shown(new), limit_s=120, every_s=2)
    assert failed_units(new) == ""
    # Nobody who reads the journal later learns it.
    assert code not in new.run("journalctl --boot --no-pager", timeout_s=300).stdout


def complete_the_pair(walk: Walk, machine: Machine) -> None:
    """Plug the second stick in, and choose it among all that could be the other half."""
    walk.at("Second flash drive")
    expect(walk.page.get_by_text("Plug in a second flash drive")).to_be_visible()
    machine.add_disk(SECOND)
    walk.follow("Choose the second drive")  # it appears by itself
    choice = walk.page.get_by_label("Add as the second half")
    stick = choice.locator(f"option[value*='{SECOND.serial}']")
    expect(stick).to_have_count(1)
    choice.select_option(stick.get_attribute("value"))
    walk.plan(re.compile("half|pair"))


def test_the_wizard_leads_from_the_code_to_a_shared_folder(
    new: Machine, page: Page, complaints: Complaints
) -> None:
    walk = Walk(page)
    claim(walk, code_on_screen(new))
    by_steps(walk)
    name_it(walk)
    complete_the_pair(walk, new)
    walk.at("Network")
    walk.press("Keep current settings")
    walk.at("Chassis and bays")
    walk.press("Skip for now")
    make_a_pool(walk, "raidz1 3 disks")
    share_a_folder(walk)
    finish(walk, SECOND.serial)
    assert not walk.found, "\n".join(walk.found)
    # A request that a slow machine could not answer in time is no fault of the page.
    assert [one for one in complaints if "blocked" in one] == []
    assert rows(new, "select username from accounts_user") == ["ada"]


def hand_over_a_file(machine: Machine, name: str) -> None:
    """anna puts a file into the share and gets it back as it was."""
    clients = Clients(machine)
    clients.come()
    clients.know("anna", "words of anna")
    clients.run(f"head -c 20000000 /dev/urandom > /var/tmp/{name}")
    said = clients.smb("films", f"put /var/tmp/{name} {name}; get {name} /var/tmp/{name}.back", person="anna")
    assert said.exit == 0, said
    clients.run(f"cmp /var/tmp/{name} /var/tmp/{name}.back && cmp /var/tmp/{name} /mnt/tank/films/{name}")


def test_a_client_writes_into_the_folder_and_reads_what_it_wrote(new: Machine) -> None:
    hand_over_a_file(new, "before")


def test_all_of_it_is_there_after_a_start(new: Machine) -> None:
    until(lambda: new.run("grep -c recovery /proc/mdstat", check=False).exit, limit_s=1800, every_s=5)
    new.reboot()
    wait_until_up(new)
    assert failed_units(new) == ""
    assert new.run("hostname").stdout == "attic\n"
    new.wait_until("test -d /mnt/tank/films && systemctl is-active --quiet smbd", timeout_s=TIMEOUT_S)
    hand_over_a_file(new, "after")
    assert "Nobody has claimed this machine" not in greeting(new)
