"""The form of a share of SMB."""

from __future__ import annotations

import msgspec
from django.test import Client
from rest_framework.test import APIClient

from jobs.models import Job
from tests.frontend.conftest import decide, show
from tests.frontend.shares_shown import errors, fields, now, rows, sent, share, with_shares
from tests.frontend.test_key_pages import text
from tests.shares.sharing import smb


def test_only_what_was_changed_is_asked_for(browser: Client, files: APIClient) -> None:
    smb(files, "Files", read=["@nasweb-people"], write=["anna"], extra={"veto files": "/*.exe/"})
    form = fields("Files", browser) | {"extra-veto-files": "/*.exe/"}
    same = browser.post("/shares/smb/Files/", form)
    assert "Nothing was changed in the form." in text(same)
    form |= {
        "name": "Papers",
        "recycle_bin": "yes",
        "who.bert": "read",
        "who.@nasweb-people": "none",
        "hidden": "yes",
    }
    plan = browser.post("/shares/smb/Files/", form)
    assert sent(plan) == {
        "share": "Files",
        "name": "Papers",
        "recycle_bin": True,
        "hidden": True,
        "read": ["bert"],
        "write": ["anna"],
    }
    assert "Clients can no longer find it as Files" in text(plan)
    job = browser.get(decide(browser, plan).url)
    assert (job.context["job"].result.href, job.context["job"].result.title) == (
        "/shares/smb/Papers/",
        "Open Papers",
    )
    found = now().sharing.smb_share("Papers")
    assert found is not None
    assert (found.read, found.write, found.recycle_bin, found.extra) == (
        ("bert",),
        ("anna",),
        True,
        {"veto files": "/*.exe/"},
    )


def test_what_was_typed_stays_beside_what_is_wrong_with_it(browser: Client, files: APIClient) -> None:
    smb(files, "Files", write=["anna"])
    form = fields("Files", browser) | {"name": "a/b", "extra-max-connections": "many", "comment": "50%"}
    answer = browser.post("/shares/smb/Files/", form)
    assert set(errors(answer)) == {"name", "comment", "extra-max-connections"}
    page = text(answer)
    assert 'value="a/b"' in page
    assert 'value="many"' in page
    assert "max connections takes a number." in page
    nobody = browser.post("/shares/smb/Files/", fields("Files", browser) | {"who.anna": "none"})
    assert errors(nobody) == {
        "who": ("Nobody could use it. Select people or groups that may read or write.",)
    }


def test_a_time_machine_has_a_size_and_others_have_none(browser: Client, files: APIClient) -> None:
    smb(files, "Backups", purpose="time-machine", write=["anna"], most_bytes=500 << 30)
    form = fields("Backups", browser)
    assert (form["size"], form["unit"]) == ("500", "G")
    assert (
        sent(browser.post("/shares/smb/Backups/", form | {"size": "1,5", "unit": "T"}))["most_bytes"]
        == 1536 << 30
    )
    assert sent(browser.post("/shares/smb/Backups/", form | {"size": ""}))["most_bytes"] == 0
    wrong = browser.post("/shares/smb/Backups/", form | {"size": "much"})
    assert errors(wrong) == {"size": ("Type a number such as 500, or nothing for no limit.",)}
    general = sent(browser.post("/shares/smb/Backups/", form | {"purpose": "general"}))
    assert general == {"share": "Backups", "purpose": "general", "most_bytes": 0}


def test_somebody_who_is_gone_is_shown_so_that_it_can_be_mended(browser: Client) -> None:
    show(with_shares(share("Films", write=("anna", "zoe"))))
    people = browser.get("/shares/smb/Films/").context["who_rows"].people
    assert [(one.name, one.detail, one.level) for one in people][:2] == [
        ("zoe", "not there any more", "write"),
        ("anna", "Anna B.", "write"),
    ]


def test_of_many_people_those_with_rights_are_shown_and_others_are_typed(
    browser: Client, files: APIClient
) -> None:
    smb(files, "Files", write=["bert"])
    inventory = now()
    bert = inventory.accounts.person("bert")
    assert bert is not None
    crowd = tuple(msgspec.structs.replace(bert, name=f"a{number:03}") for number in range(500))
    accounts = msgspec.structs.replace(inventory.accounts, people=(*crowd, *inventory.accounts.people))
    show(msgspec.structs.replace(inventory, accounts=accounts))
    shown = browser.get("/shares/smb/Files/").context["who_rows"]
    assert (len(shown.people), shown.people[-1].name, shown.more) == (60, "bert", 442)
    form = fields("Files", browser) | {"more_read": "a400, a401"}
    assert sent(browser.post("/shares/smb/Files/", form))["read"] == ["a400", "a401"]
    unknown = browser.post("/shares/smb/Files/", form | {"more_read": "nobody9"})
    assert errors(unknown) == {"who": ("There is no person nobody9.",)}
    assert 'value="nobody9"' in text(unknown)


def test_a_share_is_deleted_by_a_plan(browser: Client, files: APIClient) -> None:
    smb(files, "Files", write=["anna"])
    plan = browser.get("/delete/share/smb/Files/")
    assert "All files of tank/files stay as they are." in text(plan)
    decide(browser, plan)
    assert browser.get("/shares/smb/Files/").status_code == 404
    assert Job.objects.order_by("-pk")[0].state == "succeeded"


def test_a_new_share_is_as_its_purpose_has_it(browser: Client, files: APIClient) -> None:
    form = {
        "name": "Films",
        "dataset": "tank/files",
        "purpose": "media",
        "who.@nasweb-people": "",
        "who.anna": "write",
    }
    plan = browser.post("/create/share/smb/", form)
    assert sent(plan) == {
        "name": "Films",
        "dataset": "tank/files",
        "purpose": "media",
        "read": ["@nasweb-people"],
        "write": ["anna"],
    }
    again = browser.post("/create/share/smb/", {"request": plan.context["request_json"]}).context["form"]
    assert (again.name, again.purpose, again.who.levels) == (
        "Films",
        "media",
        {"@nasweb-people": "read", "anna": "write"},
    )
    closed = sent(browser.post("/create/share/smb/", form | {"who.@nasweb-people": "none", "macos": "no"}))
    assert (closed["read"], closed["macos"]) == ([], False)
    job = browser.get(decide(browser, plan).url)
    assert job.context["job"].result.href == "/shares/smb/Films/"
    assert rows(browser.get("/shares/"), "smb") == [("Films", "served", "anna writes · everybody reads")]
