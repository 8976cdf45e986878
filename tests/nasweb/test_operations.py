"""Each operation is one row: found by its name, called in words, on pages that there are."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote, urlsplit

import msgspec
import pytest
from django.test import Client
from django.urls import path, resolve
from rest_framework.request import Request

from accounts.models import User
from accounts.roles import SCOPES
from host.commands.disks.partition import UdevSettle
from host.inventory import Inventory
from host.simulated import SimulatedHost
from jobs.api.operations import writes
from jobs.api.views import View
from jobs.operation import Operation
from jobs.plan import Plan, Step
from jobs.wording import Link, Wording, at, counted, filled
from nasweb import urls
from nasweb.operations import OPERATIONS
from tests.conftest import caller

EXAMPLE = {
    "name": "tank", "to": "tank/b", "names": ["tank/a"], "dataset": "tank/a", "pool": "tank", "bay": "A1",
    "snapshot": "tank/a@x", "snapshots": ["tank/a@x"], "datasets": ["tank/a"], "session": "smb-1",
    "path": "a", "serial": "WD-1", "disk": "ata-WDC", "share": "films", "id": 7, "interface": "eno1",
    "time_zone": "Europe/Berlin", "kind": "short", "repository": "stick", "host": "192.168.1.20",
}  # fmt: skip


def test_every_operation_has_words_and_pages_that_there_are() -> None:
    for name, row in OPERATIONS.items():
        assert row.title(EXAMPLE) != name
        assert "None" not in row.title(EXAMPLE), name
        for link in (row.wording.page(EXAMPLE), row.result(EXAMPLE)):
            assert link.title, name
            assert resolve(unquote(urlsplit(link.href).path)), (name, link)


def test_a_template_is_filled_only_whole() -> None:
    assert filled("Rename {name} to {to}", {"name": "a", "to": "b"}) == "Rename a to b"
    assert filled("Rename {name} to {to}", {"name": "a"}) is None
    assert filled("Set the chassis", {}) == "Set the chassis"


def test_an_address_is_quoted_and_keeps_only_the_slashes_it_says() -> None:
    data = {"name": "tank/my files", "share": "a/b?c"}
    assert at("{name}", "/datasets/{name:/}/")(data) == Link("tank/my files", "/datasets/tank/my%20files/")
    assert at("Open {share}", "/shares/smb/{share}/")(data) == Link("Open a/b?c", "/shares/smb/a%2Fb%3Fc/")


def test_things_are_counted() -> None:
    assert counted(1, "disk") == "1 disk"
    assert counted(2, "property", "properties") == "2 properties"


class Settle(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Wait until udev has named `what`."""

    what: str


def plan(request: Settle, _inventory: Inventory) -> Plan:
    return Plan(operation="toy.settle", steps=(Step(title="Wait", commands=(UdevSettle(),)),))


TOY = Operation(
    name="toy.settle",
    request=Settle,
    plan=plan,
    scope="disks:write",
    effect="changes",
    wording=Wording(
        title="Wait for {what}", page=at("Disks", "/disks/"), result=at("See {what}", "/disks/{what}/")
    ),
)


class Toys(View):
    """The endpoint."""

    area = "disks"

    @writes("toy.settle", Settle)
    def post(self, request: Request) -> dict[str, Any]:
        """Wait for it."""
        return {}


urlpatterns = [path("api/v1/toys/", Toys.as_view()), *urls.urlpatterns]


@pytest.mark.urls("tests.nasweb.test_operations")
def test_a_module_a_row_and_an_endpoint_make_an_operation(
    simulated: SimulatedHost, admin: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(OPERATIONS, TOY.name, TOY)
    api, browser = caller(admin, *SCOPES), Client()
    job = api.post("/api/v1/toys/", {"what": "sda"}).json()
    assert (job["operation"], job["state"]) == ("toy.settle", "succeeded")
    assert api.post("/api/v1/toys/", {}).json()["findings"][0]["field"] == "what"
    browser.force_login(admin)
    page = browser.get(f"/jobs/{job['id']}/").content.decode()
    assert "Wait for sda" in page
    assert 'href="/disks/sda/">See sda' in page
