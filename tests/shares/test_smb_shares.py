"""Shares of SMB through the API, on the simulated machine."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from host.commands import CheckSamba, ReloadService, ShareAnswers
from host.commands.sharing import PATHS
from host.simulated import SimulatedHost
from tests.conftest import refresh
from tests.shares.sharing import dataset, did, faults, person, smb

pytestmark = pytest.mark.usefixtures("tank")
SAMBA = PATHS["samba"]


@pytest.fixture
def files(api: APIClient, tank: dict[str, Any]) -> APIClient:
    dataset(api, "tank/files")
    person(api, "anna")
    return api


def served(simulated: SimulatedHost) -> str:
    return simulated.machine().samba


def test_a_share_is_rendered_checked_put_in_place_and_asked_for(files: APIClient, simulated: SimulatedHost) -> None:
    job = smb(files, "Files", write=["anna"])
    assert [step["title"] for step in job["steps"]] == [
        "Remember the share Files of tank/files",
        "Write the files beside those in use, and check them",
        "Put them in place, have them read, and ask whether all is served",
    ]
    words = [" ".join(command[:3]) for step in job["steps"] for command in step["commands"]]
    assert f"testparm --suppress-prompt {SAMBA}.next" in words
    assert "systemctl enable --now" in words
    assert "smbclient //127.0.0.1/Files --no-pass" in words
    assert "[Files]\n    path = /mnt/tank/files\n" in served(simulated)
    share = files.get("/api/v1/shares/smb/Files/").json()
    assert (share["state"], share["path"], share["write"]) == ("served", "/mnt/tank/files", ["anna"])
