"""The time machine's pages: folders, versions, differences, downloads, and the way to a restore."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from host.commands import ZfsCreate, ZfsSnapshot
from host.simulated import SimulatedHost
from jobs.models import AuditEvent
from nasweb.accounts.models import User
from nasweb.accounts.roles import Role
from tests.conftest import refresh

HOME = "tank/home"


@pytest.fixture
def home(simulated: SimulatedHost, api: Any) -> SimulatedHost:
    """A dataset whose letter was rewritten after its first snapshot."""
    free = [disk["id"] for disk in api.get("/api/v1/disks/").json()["results"] if disk["used_by"] is None]
    vdevs = [{"role": "data", "layout": "raidz2", "disks": free}]
    assert api.post("/api/v1/pools/", {"name": "tank", "vdevs": vdevs}).json()["state"] == "succeeded"
    simulated.run(ZfsCreate(name=HOME))
    simulated.furnish(HOME)
    simulated.run(ZfsSnapshot(names=(f"{HOME}@s1",)))
    simulated.write_file(HOME, b"Letters/neighbour.txt", b"I moved.\n")
    refresh()
    return simulated


@pytest.fixture
def browser(home: SimulatedHost, admin: User, client: Client) -> Client:
    client.force_login(admin)
    return client


def text(answer: Any) -> str:
    return str(answer.content.decode())


def test_a_folder_shows_names_of_any_bytes_and_leads_on(browser: Client) -> None:
    page = text(browser.get(f"/files/{HOME}/?snapshot=s1&path=Letters"))
    assert "b%E4ckerei.txt" in page and "path=Letters%2Fb%25E4ckerei.txt" in page
    assert "As they were when <b>s1</b> was taken" in page


def test_a_part_is_answered_to_a_poll(browser: Client) -> None:
    page = text(browser.get(f"/files/{HOME}/", headers={"hx-request": "true"}))
    assert page.lstrip().startswith("<section") and "<html" not in page and "Letters" in page


def test_versions_offer_what_can_be_done(browser: Client) -> None:
    page = text(browser.get(f"/versions/{HOME}/?path=Letters/neighbour.txt"))
    assert "As it is now; no snapshot holds it yet. Its content changed" in page
    assert page.count('value="beside"') == 1 and page.count('value="over"') == 1
    assert "&amp;before=s1" in page


def test_the_way_to_a_restore_is_a_plan(browser: Client) -> None:
    wish = {"snapshot": "s1", "path": "Letters/neighbour.txt", "mode": "over"}
    page = text(browser.post(f"/restore/{HOME}/", wish))
    assert "Restore Letters/neighbour.txt" in page and "This is replaced, and kept by a snapshot" in page
    refused = browser.post(f"/restore/{HOME}/", {"snapshot": "gone", "path": "x", "mode": "beside"})
    assert "There is no snapshot" in text(refused)


def test_a_difference_marks_what_came_and_went(browser: Client) -> None:
    page = text(browser.get(f"/difference/{HOME}/?path=Letters/neighbour.txt&before=s1"))
    assert "<ins>+I moved.</ins>" in page and "<del>-Dear neighbour,</del>" in page
    assert AuditEvent.objects.filter(action="files.compare").exists()


def test_a_download_is_an_attachment_and_a_refusal_is_a_page(browser: Client) -> None:
    answer: Any = browser.get(f"/download/{HOME}/?path=Letters/neighbour.txt")
    assert b"".join(answer.streaming_content) == b"I moved.\n"
    assert answer["Content-Security-Policy"].startswith("sandbox")
    refused = browser.get(f"/download/{HOME}/?path=Letters")
    assert refused.status_code == 422 and "no regular file" in text(refused)


@pytest.mark.parametrize("path", ["../x", "gone", "Photos/newest/x"])
def test_what_cannot_be_shown_is_said(browser: Client, path: str) -> None:
    assert "This cannot be shown" in text(browser.get(f"/files/{HOME}/?path={path}"))


@pytest.mark.parametrize("page", ["files", "versions", "difference", "download"])
def test_what_is_not_there_is_missing(browser: Client, page: str) -> None:
    assert browser.get(f"/{page}/tank/gone/?path=x").status_code == 404


def test_a_viewer_is_told_why_not(home: SimulatedHost, client: Client) -> None:
    client.force_login(User.objects.create_user("viewer", "correct horse battery", role=Role.VIEWER))
    assert client.get(f"/files/{HOME}/").status_code == 403
    assert "does not read people's files" in text(client.get(f"/datasets/{HOME}/")).replace("&#x27;", "'")
