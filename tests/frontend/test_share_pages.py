"""Shares through their pages."""

from __future__ import annotations

import pytest
from django.test import Client
from rest_framework.test import APIClient

from accounts.models import User
from frontend.search.find import find
from host.commands.shares.sharing import PATHS
from host.inventory import NfsClient, NfsShare
from host.simulated import SimulatedHost
from shares.sealing import sealed
from tests import made
from tests.conftest import refresh
from tests.frontend.anybody import ANYBODY
from tests.frontend.conftest import decide, make_tank, show
from tests.frontend.shares_shown import errors, rows, sent, share, with_shares
from tests.frontend.test_key_pages import text
from tests.shares.sharing import smb


def test_the_first_visit_teaches_and_leads_on(browser: Client) -> None:
    page = text(browser.get("/shares/"))
    assert "No shares yet" in page
    assert "Create one first" in page
    make_tank(browser)
    page = text(browser.get("/shares/"))
    assert 'href="/share/folder/"' in page
    assert "Filter" not in page


def test_each_row_says_where_it_stands_and_who_may(browser: Client) -> None:
    running = {"smbd": "active", "wsdd2": "active", "nfs-server": "active"}
    files = {"samba": sealed("[Films]\n    path = /mnt/tank/files\n")}
    show(
        with_shares(
            share("Films", read=("@nasweb-people",), write=("anna", "@family")),
            share("Away", "tank/away", write=("anna",)),
            share("Off", write=("anna",), enabled=False),
            share("Lost", write=("anna", "bert", "carla", "@crew"), guests="read"),
            nfs=(
                NfsShare(
                    id=7,
                    guid=made.dataset("tank/files").guid,
                    dataset="tank/files",
                    clients=(NfsClient(host="10.0.0.0/8", read_only=True),),
                ),
            ),
            services=running,
            files=files,
            exported=("/mnt/tank/files",),
        )
    )
    answer = browser.get("/shares/")
    assert rows(browser.get("/shares/?sort=-name"), "smb") == rows(answer, "smb")[::-1]
    assert rows(answer, "smb") == [
        ("Away", "waiting", "anna writes"),
        ("Films", "served", "anna and family write · everybody reads"),
        (
            "Lost",
            "not served",
            "anna, bert and 2 more write · everybody on the network may read, without a name",
        ),
        ("Off", "off", "anna writes"),
    ]
    assert rows(answer, "nfs") == [("/mnt/tank/files", "served", "10.0.0.0/8 (read-only)")]
    page = text(answer)
    assert "tank/away is not mounted. The share comes back once it is mounted." in page
    assert answer.context["notices"] == ()


def test_what_does_not_run_is_said_and_mended(
    browser: Client, files: APIClient, simulated: SimulatedHost
) -> None:
    smb(files, "Files", write=["anna"])
    with simulated._store.change() as machine:
        machine.services["smbd"] = "failed"
    refresh()
    answer = browser.get("/shares/")
    assert [(one.title, one.tone) for one in answer.context["notices"]] == [("Samba does not run", "bad")]
    decide(browser, browser.post("/shares/apply/"))
    assert rows(browser.get("/shares/"), "smb") == [("Files", "served", "anna writes")]


def test_a_change_by_hand_is_shown_and_written_over(
    browser: Client, files: APIClient, simulated: SimulatedHost
) -> None:
    smb(files, "Files", write=["anna"])
    with simulated._store.change() as machine:
        machine.files[PATHS["samba"]] += "# mine\n"
    refresh()
    page = text(browser.get("/shares/"))
    assert "1 file changed by hand" in page
    assert PATHS["samba"] in page
    plan = browser.post("/shares/apply/")
    assert "# mine" in text(plan)
    decide(browser, plan)
    assert browser.get("/shares/").context["notices"] == ()
    assert "All shares are already served correctly." in text(browser.post("/shares/apply/"))


def test_many_are_filtered_by_name_or_dataset(browser: Client) -> None:
    show(with_shares(*(share(f"Share {number}", write=("anna",)) for number in range(20)), share("Films")))
    assert "Filter 21 shares by name" in text(browser.get("/shares/"))
    assert [row[0] for row in rows(browser.get("/shares/?q=films"), "smb")] == ["Films"]
    assert len(rows(browser.get("/shares/?q=tank/files"), "smb")) == 21
    assert "No share has “zz”" in text(browser.get("/shares/?q=zz"))


def test_shares_that_somebody_else_defined_are_named(browser: Client) -> None:
    show(with_shares(smb_conf="[global]\n[printers]\n[homes]\n[Old Share]\n path = /srv\n"))
    assert browser.get("/shares/").context["foreign"] == ("old share",)


def test_a_share_tells_how_to_connect_from_each_system(browser: Client) -> None:
    show(with_shares(share("My Films", write=("anna",), encryption="required")))
    page = text(browser.get("/shares/smb/My%20Films/", headers={"host": "192.168.1.5:8000"}))
    for line in (
        r">\\NAS\My Films<",
        r'>net use Z: "\\NAS\My Films" /persistent:yes<',
        ">smb://nas.local/My%20Films<",
        ">sudo mount -t cifs '//nas.local/My Films' /mnt -o username=YOUR-NAME,",
        ",uid=$(id -u),gid=$(id -g),seal<",
    ):
        assert line in page
    by_address = text(browser.get("/shares/smb/My%20Films/?by=address", headers={"host": "192.168.1.5:8000"}))
    assert r">\\192.168.1.5\My Films<" in by_address
    assert "the address in your browser" in by_address


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8000", "[::1]:80", "nas.local"])
def test_an_address_that_leads_back_to_the_client_is_not_told(browser: Client, host: str) -> None:
    show(with_shares(share("Films", write=("anna",))))
    answer = browser.get("/shares/smb/Films/?by=address", headers={"host": host})
    assert (answer.context["names"].by, answer.context["names"].asked) == ("name", "")


def test_a_mac_is_told_in_its_own_words(browser: Client) -> None:
    show(with_shares(share("Backups", purpose="time-machine", write=("anna",))))
    page = text(browser.get("/shares/smb/Backups/"))
    assert "System Settings, General, Time Machine, Add Backup Disk: choose “Backups” on NAS" in page
    assert ">sudo tmutil setdestination -ap 'smb://YOUR-NAME@nas.local/Backups'<" in page


def test_guests_need_no_name(browser: Client) -> None:
    show(with_shares(share("Films", guests="read")))
    assert "-o guest,uid=$(id -u),gid=$(id -g)<" in text(browser.get("/shares/smb/Films/"))


def test_what_holds_for_all_is_changed(browser: Client, files: APIClient) -> None:
    form = {"workgroup": "HOME", "name": "", "interfaces": "eno1, 10.0.0.5", "nfs3": "yes"}
    plan = browser.post("/settings/shares/", form)
    assert sent(plan) == {"workgroup": "HOME", "interfaces": ["eno1", "10.0.0.5"], "nfs3": True}
    decide(browser, plan)
    assert "Nothing was changed" in text(browser.post("/settings/shares/", form))
    wrong = browser.post(
        "/settings/shares/", form | {"name": "much too long for netbios", "interfaces": "a b$"}
    )
    assert set(errors(wrong)) == {"name", "interfaces"}
    assert 'value="a b$"' in text(wrong)


def test_the_search_finds_shares() -> None:
    machine = with_shares(share("My Films"), nfs=(NfsShare(id=3, guid="1", dataset="tank/vm"),))
    found = [(hit.title, hit.href) for hit in find("films", machine, ANYBODY)]
    assert found == [("My Films", "/shares/smb/My%20Films/")]
    assert ("tank/vm", "/shares/nfs/3/") in [
        (hit.title, hit.href) for hit in find("export", machine, ANYBODY)
    ]


def test_a_viewer_reads_and_changes_nothing(viewer: Client, admin: User) -> None:
    show(with_shares(share("Films", write=("anna",)), nfs=(NfsShare(id=3, guid="1", dataset="tank/files"),)))
    for path in (
        "/shares/",
        "/shares/smb/Films/",
        "/shares/nfs/3/",
        "/settings/shares/",
        "/create/share/smb/",
        "/create/share/nfs/",
        "/share/folder/",
    ):
        answer = viewer.get(path)
        assert answer.status_code == 200
        assert "Your role only allows reading." in text(answer)
        assert 'href="/delete/share/' not in text(answer)
    assert viewer.get("/delete/share/smb/Films/").status_code == 403
    assert viewer.post("/shares/apply/").status_code == 403
    form = {"name": "Films", "purpose": "general", "who.anna": "read", "guests": "no"}
    assert viewer.post("/shares/smb/Films/", form).status_code == 403


@pytest.mark.parametrize(
    "path", ["/shares/smb/None/", "/shares/nfs/9/", "/delete/share/smb/x/", "/delete/share/nfs/9/"]
)
def test_what_is_not_there_is_said(browser: Client, path: str) -> None:
    answer = browser.get(path)
    assert answer.status_code == 404
    assert "There is no" in text(answer)


def test_nothing_typed_answers_with_an_error_of_ours(browser: Client, files: APIClient) -> None:
    smb(files, "Files", write=["anna"])
    odd = "%[x]\u2028" + "y" * 1200
    names = (
        "name",
        "dataset",
        "purpose",
        "guests",
        "encryption",
        "size",
        "unit",
        "host-0",
        "security-0",
        "leaf",
        "workgroup",
        "interfaces",
        "extra-veto-files",
    )
    form = dict.fromkeys(names, odd) | {f"who.{odd[:40]}": "write", "who.anna": odd}
    for path in (
        "/shares/smb/Files/",
        "/create/share/smb/",
        "/create/share/nfs/",
        "/share/folder/",
        "/settings/shares/",
    ):
        assert browser.post(path, form).status_code == 422, path
