"""Exports of NFS through their pages."""

from __future__ import annotations

from django.test import Client
from rest_framework.test import APIClient

from tests.frontend.conftest import decide
from tests.frontend.shares_shown import errors, now, sent
from tests.frontend.test_key_pages import text
from tests.shares.sharing import did


def test_an_export_comes_with_its_mount_line_and_clients_come_and_go(
    browser: Client, files: APIClient
) -> None:
    form = {
        "dataset": "tank/files",
        "below": "yes",
        "enabled": "yes",
        "host-0": "10.0.0.0/8",
        "access-0": "read",
        "squash-0": "root",
        "security-0": "sys",
    }
    more = browser.post("/create/share/nfs/", form | {"do": "row-more"})
    assert [row.host for row, _ in more.context["rows"]] == ["10.0.0.0/8", ""]
    second = {"host-1": "pc1", "access-1": "write", "squash-1": "none", "security-1": "krb5:krb5i"}
    plan = browser.post("/create/share/nfs/", form | second)
    assert sent(plan)["clients"] == [
        {"host": "10.0.0.0/8", "read_only": True, "squash": "root", "security": ["sys"]},
        {"host": "pc1", "read_only": False, "squash": "none", "security": ["krb5", "krb5i"]},
    ]
    decide(browser, plan)
    (export,) = now().sharing.nfs
    page = text(browser.get(f"/shares/nfs/{export.id}/"))
    name = now().facts.name
    assert f">mount -t nfs {name}.local:/mnt/tank/files /mnt/files<" in page
    assert f">{name}.local:/mnt/tank/files /mnt/files nfs defaults,_netdev,nofail 0 0<" in page
    assert "vers=3" not in page
    assert '<option value="krb5:krb5i" selected>krb5 or krb5i</option>' in page
    dropped = browser.post(f"/shares/nfs/{export.id}/", form | second | {"do": "row-drop-0"})
    assert [row.host for row, _ in dropped.context["rows"]] == ["pc1"]
    changed = browser.post(f"/shares/nfs/{export.id}/", {"enabled": "yes", **second})
    assert (sent(changed)["below"], [one["host"] for one in sent(changed)["clients"]]) == (False, ["pc1"])
    did(files.patch("/api/v1/shares/settings/", {"nfs3": True}))
    assert ">mount -t nfs -o vers=3 " in text(browser.get(f"/shares/nfs/{export.id}/"))
    decide(browser, browser.get(f"/delete/share/nfs/{export.id}/"))
    assert now().sharing.nfs == ()


def test_a_client_that_is_none_is_told_beside_its_row(browser: Client, files: APIClient) -> None:
    form = {
        "dataset": "tank/files",
        "host-0": "",
        "host-1": "10.0.0.5/8",
        "access-1": "write",
        "squash-1": "root",
        "security-1": "sys",
    }
    answer = browser.post("/create/share/nfs/", form)
    assert errors(answer) == {
        "host-1": ("10.0.0.5/8 is an address within a network. Do you mean 10.0.0.0/8?",)
    }
    assert errors(browser.post("/create/share/nfs/", {"dataset": "tank/files", "host-0": ""})) == {
        "host-0": ("Enter who may mount it: a host, an address, or a network such as 192.168.1.0/24.",)
    }


def test_a_row_by_htmx_is_a_part_of_the_page(browser: Client, files: APIClient) -> None:
    part = text(
        browser.post("/create/share/nfs/", {"host-0": "a", "do": "row-more"}, headers={"HX-Request": "true"})
    )
    assert part.lstrip().startswith('<div class="client-rows" id="clients">')
