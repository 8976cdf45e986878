"""The pages of backups: each is there, and what they send makes the plan that was meant."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from accounts.models import User
from backups.models import RunRow
from host.repositories.settings import fingerprint
from host.simulated import SimulatedHost
from host.simulated.backups.places import server_keys
from host.simulated.network.certificate import pem
from tests.backups.conftest import PASSWORD, end


@pytest.fixture
def person(admin: User) -> Client:
    client = Client()
    client.force_login(admin)
    return client


def test_each_page_is_there_while_a_backup_runs_and_after_it(stick: SimulatedHost, person: Client) -> None:
    assert person.post("/backups/Photos/", {"do": "run"}).status_code == 302
    pages = (
        "/backups/", "/backups/Photos/", "/repositories/stick/", "/create/backup/", "/create/repository/",
        "/create/repository/?kind=sftp", "/create/repository/?kind=s3&existing=yes", "/schedules/",
    )  # fmt: skip
    for page in pages:
        assert person.get(page).status_code == 200, page
    assert "Stop</button>" in person.get("/backups/Photos/").content.decode()
    end(stick)
    report = RunRow.objects.get().report or {}
    found = report["saved"][0]["snapshot"]
    for page in (*pages, f"/repositories/stick/{found}/", f"/repositories/stick/{found}/?path=Letters"):
        assert person.get(page).status_code == 200, page
    sent = {"dataset": "tank/photos", "path": "Letters"}
    assert person.post(f"/repositories/stick/{found}/", sent).status_code == 302
    assert person.get("/backups/nothing/").status_code == 404


def test_a_dataset_says_how_often_its_data_exists(stick: SimulatedHost, person: Client) -> None:
    def page() -> str:
        return person.get("/datasets/tank/photos/").content.decode()

    assert "not stored yet in the repository stick" in page()
    assert "This data exists" not in page()
    person.post("/backups/Photos/", {"do": "run"})
    end(stick)
    assert "This data exists 2 times: here and in the repository stick." in page()
    assert "none was proven yet" in page()
    person.post("/repositories/stick/", {"do": "check"})
    end(stick)
    assert "one was last proven" in page()


def test_a_password_is_written_down_before_it_counts(stick: SimulatedHost, person: Client) -> None:
    shown = person.get("/create/repository/").content.decode()
    password = re.findall(r'name="password" value="([^"]+)"', shown)[0]
    assert re.fullmatch(r"(?:[a-z2-9]{4}-){4}[a-z2-9]{4}", password)
    sent = {"kind": "local", "name": "two", "path": "/media/stick/two", "password": password, "checks": "yes"}
    refused = person.post("/create/repository/", sent)
    assert refused.status_code == 422
    assert "Write the password down first" in refused.content.decode()
    plan = person.post("/create/repository/", sent | {"written_down": "yes"}).content.decode()
    assert "A new repository is made at /media/stick/two" in plan
    assert password not in plan


def test_a_server_is_known_by_the_key_that_was_confirmed(stick: SimulatedHost, person: Client) -> None:
    sent = {
        "kind": "sftp", "name": "far", "host": "backup.example.org", "user": "nas", "path": "photos",
        "password": "apples and pears", "written_down": "yes", "checks": "yes",
    }  # fmt: skip
    key = server_keys("backup.example.org")[0]
    plan = person.post("/create/repository/", sent | {"host_key": key}).content.decode()
    assert (mark := fingerprint(key)) is not None
    assert mark in plan
    assert person.post("/create/repository/", sent).status_code == 422  # none was confirmed


def test_a_form_that_is_refused_keeps_what_was_typed(stick: SimulatedHost, person: Client) -> None:
    sent = {
        "name": "Photos", "repository": "stick", "datasets": ["tank/photos"], "exclusions": "*.tmp\n/etc",
        "aim_hours": "36", "keep_daily": "7", "every": "day", "time": "01:30",
    }  # fmt: skip
    answer = person.post("/create/backup/", sent)
    assert answer.status_code == 422
    assert "*.tmp" in answer.content.decode()
    done_before = person.post("/create/backup/", sent | {"name": "Other", "exclusions": "*.tmp"})
    assert "tank/photos is stored in stick every day at 01:30" in done_before.content.decode()


def test_an_authority_that_is_none_is_said_beside_its_field(stick: SimulatedHost, person: Client) -> None:
    sent = {
        "kind": "rest", "name": "store", "host": "store.internal", "authority": "my own",
        "password": PASSWORD, "written_down": "yes", "checks": "yes",
    }  # fmt: skip
    refused = person.post("/create/repository/", sent)
    text = refused.content.decode()
    assert refused.status_code == 422 and ">my own</textarea>" in text
    assert 'href="#authority"' in text and "Paste one to four certificates" in text
    plan = person.post("/create/repository/", sent | {"authority": pem("store")})
    assert "A new repository is made at rest:https://store.internal" in plan.content.decode()
