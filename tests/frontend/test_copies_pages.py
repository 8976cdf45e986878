"""Settings backup, on their page."""

from __future__ import annotations

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from rest_framework.test import APIClient

from host.simulated import SimulatedHost
from jobs.models import Job
from machine.backup import content
from machine.backup.places import folders
from tests.frontend.conftest import decide, make_tank
from tests.frontend.test_key_pages import text

PAGE = "/settings/copies/"


def keep(browser: Client) -> str:
    """The name of a copy on tank."""
    make_tank(browser)
    browser.post(PAGE, {"do": "keep"})
    (row,) = browser.get(PAGE).context["pools"][0].rows
    return str(row.name)


def test_without_pools_the_page_says_what_copies_are_for(browser: Client) -> None:
    page = text(browser.get(PAGE))
    assert "with new flash drives and the old disks you can restore everything" in page
    assert "No pool is imported" in page


def test_a_copy_is_written_now(browser: Client) -> None:
    make_tank(browser)
    assert "No backups yet." in text(browser.get(PAGE))
    done = browser.post(PAGE, {"do": "keep"}, follow=True)
    assert "Settings backed up." in text(done)
    page = text(browser.get(PAGE))
    assert "up to date" in page
    assert "without passwords" in page
    assert "1 account" in page


def test_a_poll_gets_the_part_that_is_new_and_nothing_else(browser: Client) -> None:
    keep(browser)
    mark = browser.get(PAGE).context["mark"]
    same = browser.get(f"{PAGE}?seen={mark}", headers={"HX-Request": "true"})
    assert (same.status_code, same.content) == (204, b"")


def test_a_restore_is_a_plan_that_wants_the_name(browser: Client, simulated: SimulatedHost) -> None:
    name = keep(browser)
    plan = browser.post(PAGE, {"do": "restore", "pool": "tank", "copy": name})
    words = text(plan)
    assert "Restore all settings" in words
    assert "This is replaced, and kept in a file" in words
    assert "It holds no passwords. You sign in as now" in words
    decide(browser, plan, typed=simulated.machine().hostname)
    job = Job.objects.filter(operation="configuration.restore").get()
    assert job.state == "succeeded", job.error


def test_what_is_kept_is_changed_by_a_plan(browser: Client) -> None:
    plan = browser.post(PAGE, {"do": "set", "enabled": "yes", "secrets": "yes"})
    assert "From now on, include passwords" in text(plan)
    decide(browser, plan)
    assert content.settings_row().secrets
    same = browser.post(PAGE, {"do": "set", "enabled": "yes", "secrets": "yes"}, follow=True)
    assert "Nothing was changed in the form." in text(same)


def test_a_copy_is_downloaded_and_sent_back(browser: Client) -> None:
    name = keep(browser)
    answer = browser.get(f"{PAGE}tank/{name}/")
    data = b"".join(answer.streaming_content)  # type: ignore[attr-defined]
    plan = browser.post(f"{PAGE}send/", {"file": SimpleUploadedFile(name, data)})
    assert "Restore all settings" in text(plan)
    assert len(list(folders().uploads.iterdir())) == 1


def test_what_is_no_copy_is_told_as_such(browser: Client) -> None:
    sent = browser.post(f"{PAGE}send/", {"file": SimpleUploadedFile("x.nasweb", b"hello")}, follow=True)
    assert "It cannot be read" in text(sent) or "damaged" in text(sent)
    sent = browser.post(f"{PAGE}send/", {}, follow=True)
    assert "Choose a backup file." in text(sent)
    assert browser.get(f"{PAGE}tank/nothing/").status_code == 404


def test_an_operator_sees_copies_and_holds_none(operator: Client, api: APIClient) -> None:
    page = text(operator.get(PAGE))
    assert "Only an admin can do this" in page
    assert operator.get(f"{PAGE}tank/nothing/").status_code == 403
    assert operator.post(f"{PAGE}send/", {}).status_code == 403
