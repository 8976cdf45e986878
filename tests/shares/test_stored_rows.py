"""A row that was changed behind the console's back reaches no file of root's, and stops no other share."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from rest_framework.test import APIClient

from host.commands.shares.sharing import PATHS
from host.simulated import SimulatedHost
from shares import tick
from shares.models import NfsShareRow, SharingRow, SmbShareRow
from tests.conftest import refresh
from tests.prepared import made_once
from tests.shares.sharing import dataset, did, faults, person, smb

pytestmark = pytest.mark.usefixtures("tank")
EVIL = "reboot-by-row"


@pytest.fixture
@made_once
def shared(api: APIClient) -> APIClient:
    """Two shares and an export."""
    dataset(api, "tank/files")
    person(api, "anna")
    smb(api, "Files", write=["anna"])
    smb(api, "Papers", write=["anna"])
    did(api.post("/api/v1/shares/nfs/", {"dataset": "tank/files", "clients": [{"host": "10.0.0.0/8"}]}))
    return api


def written(simulated: SimulatedHost) -> str:
    machine = simulated.machine()
    return "".join(machine.files.get(path, "") for path in PATHS.values())


@pytest.mark.parametrize(
    "change",
    [
        {"extra": {"root preexec": EVIL}},
        {"extra": {"create mask": f"0664\n    root preexec = {EVIL}"}},
        {"extra": {"veto files": f"/a/\n[x]\n    include = /{EVIL}"}},
        {"comment": f"x\n    root preexec = {EVIL}"},
        {"comment": f"%$({EVIL})"},
        {"write": [f"anna\n    root preexec = {EVIL}"]},
        {"read": ["root", f"@{EVIL}/x"]},
    ],
)
def test_a_changed_row_of_samba_is_not_served_and_the_others_are(
    shared: APIClient, simulated: SimulatedHost, change: dict[str, Any]
) -> None:
    row = SmbShareRow.objects.get(name="Files")
    row.value |= change
    row.save()
    refresh()
    did(shared.post("/api/v1/shares/apply/"))
    assert EVIL not in written(simulated)
    assert "[Files]" not in written(simulated)
    assert "[Papers]" in written(simulated)
    share = shared.get("/api/v1/shares/smb/Files/").json()
    assert share["state"] == "waiting"
    assert "Change the share, or delete it." in share["why"]


def test_a_changed_name_is_not_served(shared: APIClient, simulated: SimulatedHost) -> None:
    SmbShareRow.objects.filter(name="Files").update(name=f"a]\n root preexec = {EVIL}")
    refresh()
    did(shared.post("/api/v1/shares/apply/"))
    assert EVIL not in written(simulated)


@pytest.mark.parametrize("host", [f"* (rw,no_root_squash)\n/etc {EVIL}", f"{EVIL}(rw) *", f"@{EVIL}"])
def test_a_changed_client_is_not_exported(shared: APIClient, simulated: SimulatedHost, host: str) -> None:
    row = NfsShareRow.objects.get()
    row.value |= {"clients": [{"host": host}]}
    row.save()
    refresh()
    did(shared.post("/api/v1/shares/apply/"))
    assert EVIL not in written(simulated)
    assert shared.get("/api/v1/shares/nfs/").json()["results"][0]["state"] == "waiting"


@pytest.mark.parametrize(
    "stored",
    [
        {"workgroup": f"A\n    root preexec = {EVIL}"},
        {"name": f"A\n    panic action = {EVIL}"},
        {"interfaces": [f"eth0\n    include = /{EVIL}"]},
    ],
)
def test_changed_settings_refuse_with_the_way_to_mend_them(
    shared: APIClient, simulated: SimulatedHost, stored: dict[str, Any]
) -> None:
    SharingRow.objects.update_or_create(pk=1, defaults={"settings": stored})
    refresh()
    assert faults(shared.patch("/api/v1/shares/smb/Files/", {"comment": "new"})) == {("", "bad-stored")}
    assert tick.tick(datetime.now(UTC)) is None
    assert EVIL not in written(simulated)
    did(shared.patch("/api/v1/shares/settings/", {"workgroup": "HOME", "name": "", "interfaces": []}))
    did(shared.patch("/api/v1/shares/smb/Files/", {"comment": "new"}))
