"""Share a folder: from a dataset, or from nothing."""

from __future__ import annotations

import msgspec
from django.test import Client
from rest_framework.test import APIClient

from host.inventory import NfsShare, Sharing
from host.simulated import SimulatedHost
from tests import made
from tests.frontend.conftest import decide, show
from tests.frontend.shares_shown import errors, rows, sent
from tests.frontend.test_key_pages import text
from tests.shares.people import machine as with_people
from tests.shares.sharing import smb


def test_a_folder_is_shared_by_three_answers_and_one_job(
    browser: Client, files: APIClient, simulated: SimulatedHost
) -> None:
    form = {
        "where": "new",
        "parent": "tank",
        "leaf": "Films",
        "name": "",
        "purpose": "media",
        "who.@nasweb-people": "",
        "who.anna": "write",
        "set_rights": "yes",
        "host-0": "10.0.0.0/8",
        "access-0": "read",
        "squash-0": "root",
        "security-0": "sys",
    }
    plan = browser.post("/share/folder/", form)
    assert sent(plan) == {
        "dataset": "tank/Films",
        "create": True,
        "name": "Films",
        "purpose": "media",
        "read": ["@nasweb-people"],
        "write": ["anna"],
        "set_rights": True,
        "nfs": [{"host": "10.0.0.0/8", "read_only": True, "squash": "root", "security": ["sys"]}],
    }
    assert plan.context["plan"].title == "Create tank/Films and share it as Films"
    job = browser.get(decide(browser, plan).url)
    assert job.context["job"].result.href == "/shares/smb/Films/"
    answer = browser.get("/shares/")
    assert rows(answer, "smb") == [("Films", "served", "anna writes · everybody reads")]
    assert rows(answer, "nfs") == [("/mnt/tank/Films", "served", "10.0.0.0/8 (read-only)")]


def test_what_was_answered_of_a_folder_is_kept(browser: Client, files: APIClient) -> None:
    form = {
        "where": "new",
        "parent": "tank",
        "leaf": "bad name@",
        "purpose": "general",
        "who.@nasweb-people": "",
        "who.anna": "write",
        "set_rights": "yes",
        "host-0": "",
    }
    wrong = browser.post("/share/folder/", form)
    assert "leaf" in errors(wrong)
    assert 'value="bad name@"' in text(wrong)
    plan = browser.post("/share/folder/", form | {"leaf": "Letters"})
    again = browser.post("/share/folder/", {"request": plan.context["request_json"]}).context["folder"]
    assert (again.where, again.parent, again.leaf, again.share.who.levels) == (
        "new",
        "tank",
        "Letters",
        {"anna": "write"},
    )


def test_a_dataset_lists_its_shares_and_leads_to_one_more(browser: Client, files: APIClient) -> None:
    page = text(browser.get("/datasets/tank/files/"))
    assert "Not shared." in page
    assert 'href="/share/folder/?dataset=tank%2Ffiles"' in page
    smb(files, "Films", write=["anna"])
    assert 'href="/shares/smb/Films/"' in text(browser.get("/datasets/tank/files/"))
    chosen = browser.get("/share/folder/?dataset=tank/files").context["folder"]
    assert (chosen.where, chosen.dataset, chosen.name) == ("existing", "tank/files", "files")


def test_datasets_that_cannot_be_shared_say_why(browser: Client) -> None:
    datasets = (
        made.dataset("tank", mounted="yes"),
        made.dataset("tank/vm", kind="volume"),
        made.dataset("tank/odd", mountpoint="/mnt/50%", mounted="yes"),
        made.dataset("tank/none", mountpoint="none"),
        made.dataset("tank/late", mounted="no"),
        made.dataset("tank/shut", keystatus="unavailable"),
    )
    exported = NfsShare(id=1, guid=made.dataset("tank").guid, dataset="tank")
    show(msgspec.structs.replace(with_people(), datasets=datasets, sharing=Sharing(nfs=(exported,))))
    places = browser.get("/create/share/smb/").context["places"]
    assert [(one.words, bool(one.why_not)) for one in places] == [
        ("tank", False),
        ("tank/vm – a volume has no files", True),
        ("tank/odd – its folder cannot be shared", True),
        ("tank/none – has no folder", True),
        ("tank/late – not mounted, the share would not be available yet", False),
        ("tank/shut – locked, the share would not be available yet", False),
    ]
    assert browser.get("/create/share/nfs/").context["places"][0].words == "tank – exported already"


def test_a_folder_without_a_name_is_told_as_that(browser: Client, files: APIClient) -> None:
    wrong = browser.post(
        "/share/folder/", {"where": "new", "parent": "tank", "purpose": "general", "who.anna": "write"}
    )
    assert errors(wrong) == {"leaf": ("Enter a name for the new folder.",)}
