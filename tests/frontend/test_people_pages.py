"""People and groups on pages: made, changed, given passwords and deleted; a password is on no page again."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from host.simulated import SimulatedHost
from jobs.models import Job
from tests.conftest import refresh
from tests.frontend.conftest import make_tank
from tests.prepared import made_once

PASSWORD, OTHER = "marker words of anna", "other words of anna"


def text(answer: Any) -> str:
    said = html.unescape(answer.content.decode())
    assert PASSWORD not in said
    assert OTHER not in said
    return said


def decided(client: Client, answer: Any, **confirmed: str) -> Job:
    """Press the button of a plan's page."""
    page = text(answer)
    assert answer.status_code == 200, page
    sent = dict(re.findall(r'<input type="hidden" name="(operation|digest|key)" value="([^"]*)"', page))
    request = re.findall(r'name="request" value="(.*?)">', answer.content.decode())[-1]
    client.post("/plans/run/", sent | {"request": html.unescape(request)} | confirmed)
    refresh()
    return Job.objects.latest("pk")


def new(client: Client, name: str, **more: Any) -> Any:
    form = {"name": name, "full_name": "", "password": "", "password_again": "", "expires": ""}
    return client.post("/create/person/", form | more)


@pytest.fixture
@made_once
def anna(browser: Client) -> Client:
    """A browser on a machine with the group `family` and with anna in it."""
    assert decided(browser, browser.post("/create/group/", {"name": "family"})).state == "succeeded"
    answer = new(
        browser, "anna", full_name="Anna Berg", password=PASSWORD, password_again=PASSWORD, groups=["family"]
    )
    assert decided(browser, answer).state == "succeeded"
    return browser


def test_groups_are_on_the_page_of_people(browser: Client) -> None:
    answer = browser.get("/groups/")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/people/")


def test_without_people_the_page_teaches(browser: Client) -> None:
    page = text(browser.get("/people/"))
    assert "No people yet" in page
    assert 'href="/create/person/"' in page
    assert 'href="/people/" aria-current="page">People and groups' in page


def test_a_person_is_made_through_the_plan(anna: Client, simulated: SimulatedHost, settings: Any) -> None:
    job = Job.objects.latest("pk")
    assert PASSWORD not in json.dumps(job.request)
    assert list(Path(settings.NASWEB_SECRETS).iterdir()) == []
    assert simulated.knows_password("anna", PASSWORD)
    page = text(anna.get("/people/"))
    for words in ("Anna Berg", "can sign in", "30000", "family", "35000"):
        assert words in page
    assert "Open anna" in text(anna.get(f"/jobs/{job.pk}/"))


def test_a_person_gets_a_private_folder_from_the_same_form(browser: Client) -> None:
    make_tank(browser)
    assert 'href="/create/person/?folder=yes"' in text(browser.get("/people/"))
    assert '<option value="tank" selected>In tank</option>' in text(browser.get("/create/person/?folder=yes"))
    answer = new(browser, "carl", password=PASSWORD, password_again=PASSWORD, folder_in="tank")
    assert "Create carl with a private folder" in text(answer)
    assert decided(browser, answer).state == "succeeded"
    assert "carl writes" in text(browser.get("/shares/"))
    wrong = new(browser, "carl", folder_in="tank")
    assert wrong.status_code == 422
    assert {"name", "folder_in"} <= wrong.context["errors"].by_field.keys()
    assert '<option value="tank" selected>' in text(wrong)


def test_people_are_sorted_by_a_head(anna: Client) -> None:
    assert decided(anna, new(anna, "bert")).state == "succeeded"

    def names(sort: str) -> list[str]:
        return [row.person.name for row in anna.get(f"/people/?sort={sort}").context["rows"]]

    assert names("nonsense") == names("name") == ["anna", "bert"]
    assert names("-name") == names("-uid") == ["bert", "anna"]
    assert 'aria-sort="descending"' in text(anna.get("/people/?sort=-uid&q=a"))


def test_what_was_typed_is_kept_but_for_the_password(anna: Client) -> None:
    answer = new(
        anna, "ANNA", full_name="Anna: Berg", password=PASSWORD, password_again=OTHER, groups=["family"],
        disabled="yes", expires="soon",
    )  # fmt: skip
    page = text(answer)
    assert answer.status_code == 422
    for field in ("name", "full_name", "password_again", "expires"):
        assert f'id="{field}-error"' in page
    for kept in ('value="ANNA"', 'value="Anna: Berg"', 'value="family" checked', 'value="soon"'):
        assert kept in page
    assert "Enter it again" in page


def test_the_form_comes_back_from_the_plan_as_it_was(anna: Client) -> None:
    answer = new(
        anna, "bert", full_name="Bert", password=PASSWORD, password_again=PASSWORD, groups=["family"]
    )
    request = html.unescape(re.findall(r'name="request" value="(.*?)">', answer.content.decode())[0])
    page = text(anna.post("/create/person/", {"request": request}))
    for kept in ('value="bert"', 'value="Bert"', 'value="family" checked', "Enter it again"):
        assert kept in page


def change(client: Client, **fields: Any) -> Any:
    usual = {"do": "change", "full_name": "Anna Berg", "groups": ["family"], "expires": ""}
    return client.post("/people/anna/", usual | fields)


def test_a_person_is_changed_and_nothing_else(anna: Client) -> None:
    answer = change(anna, groups=[], disabled="yes", expires="2031-05-01")
    assert "A connection that is open now stays open" in text(answer)
    job = decided(anna, answer)
    assert [command[0] for step in job.plan["steps"] for command in step["commands"]] == [
        "gpasswd", "pdbedit", "smbpasswd",
    ]  # fmt: skip
    page = text(anna.get("/people/anna/"))
    assert "disabled" in page
    assert 'value="2031-05-01"' in page
    assert 'name="disabled" value="yes" checked' in page


def test_a_change_of_nothing_is_told(anna: Client) -> None:
    answer = change(anna)
    assert answer.status_code == 422
    assert "nothing would change" in text(answer)


def test_another_password_is_typed_twice(anna: Client, simulated: SimulatedHost) -> None:
    wrong = anna.post("/people/anna/", {"do": "password", "password": OTHER, "password_again": PASSWORD})
    assert (wrong.status_code, 'id="password_again-error"' in text(wrong)) == (422, True)
    short = anna.post("/people/anna/", {"do": "password", "password": "short", "password_again": "short"})
    assert (short.status_code, 'id="password-error"' in text(short)) == (422, True)
    answer = anna.post("/people/anna/", {"do": "password", "password": OTHER, "password_again": OTHER})
    assert decided(anna, answer).state == "succeeded"
    assert simulated.knows_password("anna", OTHER)


def test_who_has_no_password_has_no_day_to_end_on(anna: Client) -> None:
    assert decided(anna, new(anna, "bert")).state == "succeeded"
    page = text(anna.get("/people/bert/"))
    assert "no password yet" in page
    assert 'name="expires"' not in page
    answer = anna.post("/people/bert/", {"do": "change", "full_name": "Bert", "groups": []})
    assert decided(anna, answer).state == "succeeded"


def test_deleting_a_person_asks_for_the_name(anna: Client, simulated: SimulatedHost) -> None:
    answer = anna.post("/people/anna/", {"do": "delete"})
    page = text(answer)
    assert "“Anna Berg”, number 30000, with the password, in family" in page
    before = Job.objects.count()
    decided(anna, answer, typed="ann")
    assert Job.objects.count() == before
    assert decided(anna, answer, typed="anna").state == "succeeded"
    assert simulated.machine().people == {}
    assert anna.get("/people/anna/").status_code == 404


def test_a_group_is_filled_emptied_and_deleted(anna: Client) -> None:
    assert decided(anna, new(anna, "bert")).state == "succeeded"
    page = text(anna.get("/groups/family/"))
    assert 'value="anna" checked' in page
    assert 'value="bert" checked' not in page
    answer = anna.post("/groups/family/", {"do": "change", "members": ["bert"]})
    assert "In: bert." in text(answer)
    assert decided(anna, answer).state == "succeeded"
    assert anna.post("/groups/family/", {"do": "change", "members": ["bert"]}).status_code == 422
    assert decided(anna, anna.post("/groups/family/", {"do": "delete"}), typed="family").state == "succeeded"
    assert anna.get("/groups/family/").status_code == 404


def test_a_group_of_a_bad_name_keeps_who_was_ticked(anna: Client) -> None:
    answer = anna.post("/create/group/", {"name": "Con", "members": ["anna"]})
    page = text(answer)
    assert answer.status_code == 422
    for kept in ('id="name-error"', 'value="Con"', 'value="anna" checked'):
        assert kept in page


def test_people_are_found_by_name_and_group(anna: Client) -> None:
    assert decided(anna, new(anna, "bert")).state == "succeeded"
    found = text(anna.get("/people/?q=family")).partition('id="live"')[2]
    assert ('href="/people/anna/"' in found, 'href="/people/bert/"' in found) == (True, False)
    assert "No match for “zzz”" in text(anna.get("/people/?q=zzz"))
    assert 'href="/people/anna/"' in text(anna.get("/search/?q=berg"))
    assert 'href="/groups/family/"' in text(anna.get("/search/?q=family"))


def test_a_machine_without_samba_is_told(anna: Client, simulated: SimulatedHost) -> None:
    simulated.lose_samba()
    refresh()
    for path in ("/people/", "/people/anna/"):
        page = text(anna.get(path))
        assert "Samba does not answer" in page
        assert "not known" in page


def test_a_viewer_sees_and_changes_nothing(anna: Client, viewer: Client) -> None:
    page = text(viewer.get("/people/anna/"))
    assert page.count(" disabled aria-describedby=") == 3
    assert viewer.post("/people/anna/", {"do": "delete"}).status_code == 403


def test_what_nobody_offers_is_refused(anna: Client) -> None:
    assert anna.post("/people/anna/", {"do": "promote"}).status_code == 400
    assert anna.post("/groups/family/", {"do": "promote"}).status_code == 400
    for path in ("/people/zoe/", "/people/root/", "/groups/users/"):
        assert anna.get(path).status_code == 404


@pytest.mark.parametrize(
    "path", ["/people/", "/people/anna/", "/create/person/", "/create/group/", "/groups/family/"]
)
def test_every_label_has_its_field_and_no_id_comes_twice(anna: Client, path: str) -> None:
    page = text(anna.get(path))
    ids = re.findall(r' id="([^"]+)"', page)
    assert sorted(ids) == sorted(set(ids))
    assert set(re.findall(r'<label for="([^"]+)"', page)) <= set(ids)
    described = {one for found in re.findall(r'aria-describedby="([^"]+)"', page) for one in found.split()}
    assert described <= set(ids)
