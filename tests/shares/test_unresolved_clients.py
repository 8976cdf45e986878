"""A client of NFS whose name does not resolve now keeps nobody from changing and withdrawing exports."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from host.commands.shares.sharing import CheckExports
from host.simulated import SimulatedHost
from tests.conftest import refresh
from tests.prepared import made_once
from tests.shares.sharing import Answer, dataset, did

LAN, PC = {"host": "192.168.1.0/24"}, {"host": "pc.lan"}


@pytest.fixture
@made_once
def files(api: APIClient, tank: dict[str, Any]) -> APIClient:
    """Two exports, one of them to a name."""
    for name, clients in (("tank/files", [LAN, PC]), ("tank/papers", [PC]), ("tank/films", [LAN])):
        dataset(api, name)
        did(api.post("/api/v1/shares/nfs/", {"dataset": name, "clients": clients}))
    return api


@pytest.fixture
def gone(files: APIClient, simulated: SimulatedHost) -> APIClient:
    """The same, with a name that resolves no more."""
    with simulated.change() as machine:
        machine.unresolved = ["pc.lan", "new.lan"]
    refresh()
    return files


def number(api: APIClient, name: str) -> int:
    found: list[Answer] = api.get("/api/v1/shares/nfs/").json()["results"]
    return next(int(one["id"]) for one in found if one["dataset"] == name)


def test_other_exports_are_deleted_and_changed(gone: APIClient, simulated: SimulatedHost) -> None:
    did(gone.delete(f"/api/v1/shares/nfs/{number(gone, 'tank/films')}/"))
    did(gone.patch(f"/api/v1/shares/nfs/{number(gone, 'tank/files')}/", {"clients": [LAN]}))
    lines = simulated.machine().exported
    assert [line.partition("(")[0] for line in lines] == ["/mnt/tank/files\t192.168.1.0/24"]


def test_access_is_withdrawn_also_where_that_name_alone_is_left(gone: APIClient) -> None:
    did(gone.patch(f"/api/v1/shares/nfs/{number(gone, 'tank/files')}/", {"clients": [PC]}))


def test_a_new_name_that_does_not_resolve_is_a_fault(gone: APIClient) -> None:
    path = f"/api/v1/shares/nfs/{number(gone, 'tank/films')}/"
    job = gone.patch(path, {"clients": [LAN, {"host": "new.lan"}]}).json()
    assert job["state"] == "failed"
    assert "Failed to resolve new.lan" in str(job["error"])


def test_only_that_is_passed_over() -> None:
    check = CheckExports(known=("pc.lan",))
    assert check.fault("", "exportfs: Failed to resolve pc.lan\n") is None
    for said in ("exportfs: Failed to resolve pc.lan.evil", "exportfs: /etc/exports:1: unknown keyword"):
        assert check.fault("", f"exportfs: Failed to resolve pc.lan\n{said}\n") == said
