"""The editor of rights: what it shows, what it asks for, and what goes on in the background."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from host.commands.datasets.zfs import ZfsUnmount
from host.commands.shares.accounts import AddGroup, AddPerson, SetMembers
from host.simulated import SimulatedHost
from jobs.models import Job
from tests.conftest import refresh
from tests.frontend.conftest import make_tank
from tests.frontend.test_key_pages import decided, text
from tests.prepared import made_once

HERE = "/rights/tank/home/"


@pytest.fixture
@made_once
def home(browser: Client, simulated: SimulatedHost) -> Client:
    """A browser on a machine with the dataset tank/home, its files, ada and bob in family, and eve."""
    make_tank(browser)
    made = browser.post("/create/dataset/", {"kind": "filesystem", "parent": "tank", "leaf": "home"})
    assert decided(browser, made).state == "succeeded"
    simulated.furnish("tank/home")
    for number, name in enumerate(("ada", "bob", "eve")):
        simulated.run(AddPerson(name=name, uid=30000 + number))
    simulated.run(AddGroup(name="family", gid=35000))
    simulated.run(SetMembers(group="family", members=("ada", "bob")))
    refresh()
    return browser


def send(client: Client, **fields: str) -> Any:
    form = {"right:@family": "none", "right:ada": "none", "right:bob": "none", "right:eve": "none"}
    sent = {f"right:{key}" if key in {"ada", "bob", "eve"} else key: value for key, value in fields.items()}
    return client.post(HERE, form | {"everyone": "none"} | sent)


def test_the_editor_is_planned_carried_out_and_shown_again(home: Client) -> None:
    page = text(home.get(HERE))
    assert [word in page for word in ("family", "ada", "bob", "eve", "Everyone else")] == [True] * 5
    answer = home.post(HERE, {"right:@family": "read", "right:ada": "write", "everyone": "none"})
    words = text(answer)
    assert "eve loses reading; after: nothing." in words
    assert "+ group:family:r-x" in words
    job = decided(home, answer)
    assert job.state == "succeeded"
    assert (job.request["read"], job.request["write"]) == (["@family"], ["ada"])
    after = text(home.get(HERE))
    assert 'name="right:ada" value="write" checked' in after
    assert 'name="right:@family" value="read" checked' in after
    assert 'name="right:eve" value="none" checked' in after


def test_everybody_keeps_what_everybody_had(home: Client) -> None:
    everybody = "right:@nasweb-people"
    decided(home, home.post(HERE, {everybody: "read", "right:ada": "write", "everyone": "none"}))
    page = text(home.get(HERE))
    assert f'name="{everybody}" value="read" checked' in page
    again = home.post(HERE, {everybody: "read", "right:ada": "none", "everyone": "none"})
    assert decided(home, again).request["read"] == ["@nasweb-people"]


def test_the_effective_right_tells_why(home: Client) -> None:
    decided(home, home.post(HERE, {"right:@family": "write", "everyone": "none"}))
    assert "bob may read and write, because family may." in text(home.get(f"{HERE}?of=bob"))
    part = home.get(f"{HERE}?part=why&of=eve", headers={"HX-Request": "true"})
    assert "<html" not in text(part)
    assert "eve has no access: they are in nasweb-people" in text(part)
    assert "Unknown name." in text(home.get(f"{HERE}?of=zoe"))


def test_files_that_are_there_are_followed_on_the_page(home: Client, simulated: SimulatedHost) -> None:
    assert "files and folders that exist now" in text(home.get(HERE)).replace("\n", " ")
    decided(home, send(home, ada="read", apply="yes"))
    simulated.pass_time(10)
    poll = text(home.get(f"{HERE}?part=run", headers={"HX-Request": "true"}))
    assert "Permissions are being set" in poll
    assert "hx-trigger" in poll
    assert decided(home, home.post("/stop-rights/tank/home/")).operation == "rights.stop"
    over = text(home.get(f"{HERE}?part=run", headers={"HX-Request": "true"}))
    assert "It was stopped." in over
    assert "hx-trigger" not in over


def test_a_run_comes_to_its_end(home: Client, simulated: SimulatedHost) -> None:
    decided(home, send(home, ada="read", apply="yes"))
    simulated.pass_time(60)
    page = text(home.get(HERE))
    assert "All rights are set." in page
    assert "left out (links, devices, other datasets)" in page


def test_nothing_new_is_told_and_keeps_what_was_chosen(home: Client) -> None:
    decided(home, send(home, ada="read"))
    same = send(home, ada="read")
    assert same.status_code == 422
    assert "already has these permissions" in text(same)
    assert 'name="right:ada" value="read" checked' in text(same)


def test_what_cannot_be_reached_is_told(home: Client, simulated: SimulatedHost) -> None:
    assert "There is nothing at this path." in text(home.get(f"{HERE}?folder=gone"))
    simulated.run(ZfsUnmount(name="tank/home"))
    refresh()
    assert "tank/home is not mounted" in text(home.get(HERE))
    before = Job.objects.count()
    assert home.get("/rights/tank/nothing/").status_code == 404
    assert home.post("/rights/tank/nothing/", {}).status_code == 404
    assert Job.objects.count() == before


def test_a_viewer_reads_and_does_not_change(home: Client, viewer: Client) -> None:
    assert "Your role only allows reading" in text(viewer.get(HERE))
    assert send(viewer, ada="read").status_code == 403
