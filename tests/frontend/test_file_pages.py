"""The time machine's pages: folders, versions, differences, downloads, and the way to a restore."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from accounts.roles import Role
from host.commands.datasets.snapshots import ZfsSnapshot
from host.commands.datasets.zfs import ZfsCreate
from host.simulated import SimulatedHost
from jobs import questions
from jobs.models import AuditEvent
from tests.conftest import refresh
from tests.frontend.conftest import decide
from tests.prepared import made_once

HOME = "tank/home"


@pytest.fixture
@made_once
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


@pytest.fixture
def percent(home: SimulatedHost, browser: Client) -> Client:
    """A folder `50% off` with a file `100%.txt`, which was rewritten after the snapshot s2."""
    home.write_file(HOME, b"50% off/100%.txt", b"first\n")
    home.run(ZfsSnapshot(names=(f"{HOME}@s2",)))
    home.write_file(HOME, b"50% off/100%.txt", b"second\n")
    refresh()
    return browser


@pytest.mark.parametrize(
    "address",
    [
        f"/files/{HOME}/",
        f"/files/{HOME}/?path=50%2525 off",
        f"/files/{HOME}/?path=50%2525 off&contains=0%25.t",
        f"/versions/{HOME}/?path=50%2525 off/100%2525.txt",
        f"/difference/{HOME}/?path=50%2525 off/100%2525.txt&before=s2",
        f"/download/{HOME}/?path=50%2525 off",
    ],
)
def test_a_percent_sign_in_a_name_is_shown_as_it_is(percent: Client, address: str) -> None:
    page = text(percent.get(address))
    seen = re.sub(r"<[^>]*>", " ", page)  # addresses and hidden fields hold it as it has to be sent
    assert "50% off" in seen and "%25" not in seen
    assert ("100%.txt" in seen) == ("off" in address and "download" not in address)


def test_a_percent_sign_goes_all_the_way_through_a_restore(percent: Client) -> None:
    folder = text(percent.get(f"/files/{HOME}/?path=50%2525 off"))
    link = re.search(r'href="(/download/[^"]+)"', folder)
    assert link is not None
    download: Any = percent.get(link[1].replace("&amp;", "&"))
    assert download["Content-Disposition"].endswith("filename*=UTF-8''100%25.txt")
    assert b"".join(download.streaming_content) == b"second\n"
    plan = percent.post(
        f"/restore/{HOME}/", {"snapshot": "s2", "path": "50%25 off/100%25.txt", "mode": "over"}
    )
    assert "Restore 50% off/100%.txt" in text(plan)
    job = percent.get(decide(percent, plan, agreed="yes")["Location"])
    assert job.context["job"].state.word == "done"
    questions.forget("files.restores")  # asked by the folder's page before
    for page in (text(plan), text(job), text(percent.get(f"/files/{HOME}/"))):
        seen = re.sub(r"<pre.*?</pre>|<[^>]*>", " ", page, flags=re.DOTALL)
        assert "100%.txt" in seen and "%25" not in seen


def test_a_part_is_answered_to_a_poll(browser: Client) -> None:
    page = text(browser.get(f"/files/{HOME}/", headers={"hx-request": "true"}))
    assert page.lstrip().startswith("<section") and "<html" not in page and "Letters" in page


def test_versions_offer_what_can_be_done(browser: Client) -> None:
    page = text(browser.get(f"/versions/{HOME}/?path=Letters/neighbour.txt"))
    assert "Current version; not in any snapshot yet. Content changed" in page
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
    assert "cannot read files" in text(client.get(f"/datasets/{HOME}/")).replace("&#x27;", "'")
