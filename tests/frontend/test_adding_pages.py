"""What a folder's page offers to add, and why not."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from accounts.roles import Role
from host.commands.datasets.zfs import ZfsCreate
from host.commands.shares.accounts import AddPerson
from host.commands.shares.rights import SetFolderRights
from host.inventory.people import EVERYBODY_GID, FIRST_PERSON
from host.simulated import SimulatedHost
from pools.models import Upload
from tests.conftest import refresh
from tests.frontend.conftest import make_tank

HOME = "tank/home"
OPEN = "user::rwx,group::rwx,mask::rwx,other::---"


@pytest.fixture
def home(simulated: SimulatedHost, browser: Client) -> SimulatedHost:
    """A dataset whose files all NAS users may write, and a NAS user with the account's name."""
    make_tank(browser)
    simulated.run(ZfsCreate(name=HOME))
    simulated.run(AddPerson(name="admin", uid=FIRST_PERSON, full_name="Admin"))
    simulated.run(SetFolderRights(dataset=HOME, path="", owner=0, group=EVERYBODY_GID, acl=OPEN))
    refresh()
    return simulated


def text(answer: Any) -> str:
    return str(answer.content.decode())


def create(browser: Client, name: str, folder: str = "") -> Any:
    return browser.post(f"/create/folder/{HOME}/", {"folder": folder, "name": name}, follow=True)


def test_a_new_folder_is_in_the_list_at_once(home: SimulatedHost, browser: Client) -> None:
    assert "This folder is empty" in text(browser.get(f"/files/{HOME}/"))
    page = create(browser, "50% off")
    assert page.redirect_chain == [(f"/files/{HOME}/", 302)]
    assert "Folder “50% off” created." in text(page)
    assert "path=50%2525%20off" in text(page)
    inner = create(browser, "2026", "50%25 off")
    assert inner.redirect_chain == [(f"/files/{HOME}/?path=50%2525+off", 302)]


def test_a_name_that_cannot_be_is_said_beside_its_field(home: SimulatedHost, browser: Client) -> None:
    create(browser, "Photos")
    for name, said in (
        ("Photos", "“Photos” already exists."),
        ("..", "lead nowhere"),
        ("", "Enter a name."),
    ):
        page = create(browser, name)
        assert page.status_code == 422
        assert said in text(page) and f'value="{name}"' in text(page)


def test_a_name_that_windows_cannot_open_is_made_with_a_warning(home: SimulatedHost, browser: Client) -> None:
    page = text(create(browser, "AUX"))
    assert "Folder “AUX” created. Windows cannot open “AUX”" in page


def test_who_has_no_nas_user_is_told_how_to_get_one(home: SimulatedHost, client: Client) -> None:
    client.force_login(User.objects.create_user("anna", "correct horse battery", role=Role.ADMIN))
    page = text(client.get(f"/files/{HOME}/"))
    assert "Add a NAS user called anna." in page
    assert 'href="/create/person/?name=anna"' in page and "Upload files" not in page
    assert 'value="anna"' in text(client.get("/create/person/?name=anna"))
    refused = create(client, "a")
    assert refused.status_code == 422 and "Add a NAS user called anna." in text(refused)


def test_snapshots_and_viewers_get_nothing_to_add_with(home: SimulatedHost, browser: Client) -> None:
    assert "Upload files" in text(browser.get(f"/files/{HOME}/"))
    viewer = Client()
    viewer.force_login(User.objects.create_user("victor", "correct horse battery", role=Role.VIEWER))
    assert create(viewer, "a").status_code == 403


def test_only_who_may_destroy_is_offered_to_replace(home: SimulatedHost, browser: Client) -> None:
    assert "data-replaces" in text(browser.get(f"/files/{HOME}/"))
    home.run(AddPerson(name="otto", uid=FIRST_PERSON + 1, full_name=""))
    refresh()
    operator = Client()
    operator.force_login(User.objects.create_user("otto", "correct horse battery", role=Role.OPERATOR))
    page = text(operator.get(f"/files/{HOME}/"))
    assert "Upload files" in page and "data-replaces" not in page


def test_what_was_not_finished_is_listed_and_cancelled(
    home: SimulatedHost, browser: Client, api: Any
) -> None:
    wish = {"dataset": HOME, "name": "film.mkv", "size_bytes": 3_000_000_000}
    key = api.post("/api/v1/uploads/", wish).json()["id"]
    page = text(browser.get(f"/files/{HOME}/"))
    assert "unfinished upload" in page
    assert "film.mkv" in page and "not finished" in page and f'data-unfinished="{key}"' in page
    assert "film.mkv" not in text(browser.get(f"/files/{HOME}/?path=elsewhere"))
    done = browser.post(f"/cancel-upload/{HOME}/", {"upload": key}, follow=True)
    assert "Upload of “film.mkv” cancelled." in text(done)
    assert Upload.objects.count() == 0
    assert browser.post(f"/cancel-upload/{HOME}/", {"upload": key}).status_code == 404
