"""Targets and pairings through the API: two machines that come to know each other, and who may not."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import User
from accounts.roles import Role
from host.commands.peering.connections import ReadConnectionKey
from host.contents import peers, ssh
from host.pairing import protocol
from host.probe.cache import ProbeCache
from host.programs.peer.rights import read_rights
from host.simulated import SimulatedHost
from host.simulated.replication import neighbours
from jobs.api.guesses import OF_ONE
from jobs.models import AskedQuestion, Job
from nasweb import host as composed
from replication.models import PairingRow, TargetRow
from tests.api.test_snapshots import do
from tests.conftest import caller, refresh
from tests.prepared import made_once

TARGETS, PAIRINGS = "/api/v1/targets/", "/api/v1/pairings/"
CELLAR = {"name": "cellar", "dataset": "tank/replicas/cellar", "shared": ["tank/photos"]}
KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILFGhr1QK+DW2b5h7uivW+ImLF9ug3yLZ6pbMhfH4Bj0"


@pytest.fixture
@made_once
def tank(api: APIClient, free_disks: list[str], simulated: SimulatedHost) -> APIClient:
    """A pool with tank/photos."""
    vdev = {"role": "data", "layout": "mirror", "disks": free_disks[:2]}
    do(api, "post", "/api/v1/pools/", {"name": "tank", "vdevs": [vdev]})
    do(api, "post", "/api/v1/datasets/", {"name": "tank/photos"})
    return api


def only(api: APIClient, path: str) -> dict[str, Any]:
    (found,) = api.get(path).json()["results"]
    return found  # type: ignore[no-any-return]


def code_of(api: APIClient, number: int) -> str:
    answer = api.post(f"{PAIRINGS}{number}/code/", HTTP_PREFER="wait=5")
    assert answer.status_code == 201, answer.json()
    assert answer["Cache-Control"] == "no-store"
    return str(answer.json()["code"])


@pytest.fixture
def offered(tank: APIClient) -> tuple[APIClient, str]:
    """A place for the machine cellar, and a code for it."""
    do(tank, "post", PAIRINGS, CELLAR)
    return tank, code_of(tank, only(tank, PAIRINGS)["id"])


class Two:
    """Two machines and what one sends the other's console. Rows of both are in one database: each side has
    its own tables. `on` says on which machine jobs and questions are carried out."""

    def __init__(
        self, settings: Any, shown: SimulatedHost, asking: SimulatedHost, paths: tuple[Path, Path]
    ) -> None:
        self.shown, self.asking = shown, asking
        self._settings, self._paths = settings, paths
        self.sent: list[bytes] = []

    def on(self, machine: SimulatedHost) -> None:
        self._settings.NASWEB_MACHINE_STATE = self._paths[machine is self.asking]
        composed._memory = ProbeCache()
        refresh()

    def post(self, host: str, port: int, data: bytes) -> tuple[int, bytes]:
        self.sent.append(data)
        self.on(self.shown)
        answer = APIClient().post(protocol.PATH, data, content_type="application/json")
        # Not probed now: the other machine is in the middle of a command.
        self._settings.NASWEB_MACHINE_STATE = self._paths[1]
        return answer.status_code, answer.content


@pytest.fixture
def two(simulated: SimulatedHost, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Two:
    """The machine of the other fixtures, and one that will ask it."""
    path = tmp_path / "asking.json"
    found = Two(settings, simulated, SimulatedHost(path), (settings.NASWEB_MACHINE_STATE, path))
    monkeypatch.setattr(neighbours, "post", found.post)
    return found


def test_two_machines_are_paired_by_a_code(offered: tuple[APIClient, str], two: Two) -> None:
    api, code = offered
    plain = code.replace("-", "")
    two.on(two.asking)
    job = do(api, "post", f"{TARGETS}pair/", {"name": "nas", "host": "10.9.9.9", "code": code.lower()})
    ran = two.asking.ran() + two.shown.ran()
    assert plain not in f"{list(Job.objects.values_list())} {ran} {job}".upper().replace("-", "")
    assert plain.encode() not in two.sent[0]

    pairing, target = only(api, PAIRINGS), only(api, TARGETS)
    assert (pairing["paired"], pairing["code_until"]) == (True, None)
    assert (target["kind"], target["dataset"]) == ("nasweb", CELLAR["dataset"])
    assert (target["user"], target["shared"]) == (peers.USER, ["tank/photos"])

    connection, peer = TargetRow.objects.get().value["connection"], PairingRow.objects.get().peer
    key = ssh.public_part(two.asking.run(ReadConnectionKey(connection=connection)).stdout) or ""
    files = two.shown.machine().files
    assert files[peers.keys_file(peer)] == peers.render_line(peer, key)
    assert read_rights(files[peers.rights_file(peer)]).shared == ("tank/photos",)
    assert pairing["fingerprint"] == ssh.fingerprint(key)

    probe = api.get(f"{TARGETS}{target['id']}/probe/", HTTP_PREFER="wait=5").json()
    assert (probe["ready"], probe["trouble"]) == (True, None)

    body = {"name": "once more", "host": "10.9.9.9", "code": code}
    again = api.post(f"{TARGETS}pair/", body, HTTP_PREFER="wait=5").json()
    assert (again["state"], TargetRow.objects.count()) == ("failed", 1)
    assert "does not wait for this code" in str(again["error"])

    two.on(two.asking)
    do(api, "delete", f"{TARGETS}{target['id']}/")
    assert not [path for path in two.asking.machine().files if connection in path]
    two.on(two.shown)
    do(api, "delete", f"{PAIRINGS}{pairing['id']}/")
    machine = two.shown.machine()
    assert (peers.keys_file(peer) in machine.files, machine.allowed) == (False, {})


def test_who_guesses_at_a_code_is_shut_out_and_the_code_stays(offered: tuple[APIClient, str]) -> None:
    _, code = offered
    guess, _asked = protocol.ask("mallory", KEY, protocol.make_code())
    right, _asked = protocol.ask("cellar", KEY, protocol.plain(code))
    json = "application/json"
    said = [APIClient().post(protocol.PATH, guess, content_type=json).status_code for _ in range(OF_ONE)]
    assert said == [404] * OF_ONE
    late = APIClient().post(protocol.PATH, right, content_type=json)
    assert (late.status_code, late.headers["Retry-After"]) == (429, "60")
    assert late.json()["type"].endswith("too-many-guesses")
    cellar = APIClient(REMOTE_ADDR="192.168.1.40").post(protocol.PATH, right, content_type=json)
    assert cellar.status_code == 200


def test_a_code_ends_with_its_time_and_with_the_next(offered: tuple[APIClient, str]) -> None:
    api, first = offered
    second = code_of(api, only(api, PAIRINGS)["id"])
    data, _asked = protocol.ask("cellar", KEY, protocol.plain(first))
    assert APIClient().post(protocol.PATH, data, content_type="application/json").status_code == 404
    PairingRow.objects.update(code_until=timezone.now() - timedelta(seconds=1))
    data, _asked = protocol.ask("cellar", KEY, protocol.plain(second))
    assert APIClient().post(protocol.PATH, data, content_type="application/json").status_code == 404


def test_only_admins_pair(offered: tuple[APIClient, str]) -> None:
    operator = User.objects.create_user("otto", role=Role.OPERATOR)
    number = only(offered[0], PAIRINGS)["id"]
    them = caller(operator, "pools:read", "pools:write")
    for path, body in (
        (PAIRINGS, {"name": "mine", "dataset": "tank/replicas/mine"}),
        (f"{PAIRINGS}{number}/code/", {}),
        (f"{TARGETS}pair/", {"name": "x", "host": "10.9.9.9", "code": offered[1]}),
    ):
        assert them.post(path, body).status_code == 403
    assert "code" not in them.get(f"{PAIRINGS}{number}/").json()


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"name": "a", "dataset": "tank"}, "whole-pool"),
        ({"name": "a", "dataset": "nopool/a"}, "unknown-pool"),
        ({"name": "a", "dataset": "tank/replicas/cellar/x"}, "overlaps"),
        ({"name": "a", "dataset": "tank/replicas"}, "overlaps"),
        ({"name": "cellar", "dataset": "tank/replicas/b"}, "name-taken"),
        ({"name": "a", "dataset": "tank/a", "shared": ["tank/none"]}, "unknown-dataset"),
        ({"name": "a\nb", "dataset": "tank/../b"}, "bad-name"),
    ],
)
def test_a_place_that_cannot_be_one_is_refused(offered: tuple[APIClient, str], body: Any, code: str) -> None:
    answer = offered[0].post(PAIRINGS, body)
    assert answer.status_code == 422
    assert code in {finding["code"] for finding in answer.json()["findings"]}


def test_another_host_is_added_trusted_and_probed(tank: APIClient, simulated: SimulatedHost) -> None:
    body = {"name": "offsite", "kind": "ssh", "host": "offsite.home.arpa", "dataset": "vault/nas"}
    do(tank, "post", TARGETS, body)
    path = f"{TARGETS}{only(tank, TARGETS)['id']}/"
    setup = tank.get(f"{path}setup/", HTTP_PREFER="wait=5").json()
    (shown,) = setup["host_keys"]
    assert not shown["trusted"]
    assert any(command.startswith("zfs allow -u nasweb ") for command in setup["commands"])
    assert any(setup["key"] in command for command in setup["commands"])
    probe = tank.get(f"{path}probe/", HTTP_PREFER="wait=5").json()
    assert (probe["ready"], probe["trouble"]) == (False, "host-key")
    do(tank, "post", f"{path}trust/", {"host_keys": [shown["key"]]})
    AskedQuestion.objects.all().delete()
    assert tank.get(f"{path}probe/", HTTP_PREFER="wait=5").json()["ready"] is True
    found = tank.get(path).json()
    assert (found["fingerprints"], found["ready"], found["zfs"]) == ([shown["fingerprint"]], True, "2.3.9-1")
    with simulated.change() as machine:
        machine.neighbours["offsite.home.arpa"].host_keys = [neighbours.key_of("somebody else")]
    AskedQuestion.objects.all().delete()
    probe = tank.get(f"{path}probe/", HTTP_PREFER="wait=5").json()
    assert (probe["trouble"], "another host key" in probe["words"]) == ("host-key", True)
    assert probe["shown_fingerprints"] == [ssh.fingerprint(neighbours.key_of("somebody else"))]
    do(tank, "patch", path, {"host": "10.0.0.9"})
    do(tank, "delete", path)
    assert tank.get(path).status_code == 404


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"host": "127.0.0.1"}, "bad-host"),
        ({"host": "-oProxyCommand=id"}, "bad-host"),
        ({"host": "nas", "user": "-l"}, "bad-user"),
        ({"host": "nas", "port": 0}, "bad-port"),
        ({"host": "nas", "dataset": "vault/../x"}, "bad-name"),
        ({"host": "nas", "rotating": True}, "not-with-ssh"),
    ],
)
def test_hosts_that_cannot_be_one_are_refused(tank: APIClient, more: dict[str, Any], code: str) -> None:
    answer = tank.post(TARGETS, {"name": "a", "kind": "ssh", "dataset": "vault/nas"} | more)
    assert answer.status_code == 422
    assert code in {finding["code"] for finding in answer.json()["findings"]}


def test_a_pool_is_a_target_that_is_removed_once_nothing_leads_there(tank: APIClient) -> None:
    do(tank, "post", TARGETS, {"name": "beside", "kind": "pool", "dataset": "tank/copies", "rotating": True})
    found = only(tank, TARGETS)
    assert (found["present"], found["rotating"], found["ready"]) == (True, True, None)
    copy = {"name": "photos", "source": "tank/photos", "target": "beside"}
    do(tank, "post", "/api/v1/replications/", copy)
    refresh()
    answer = tank.delete(f"{TARGETS}{found['id']}/")
    assert [finding["code"] for finding in answer.json()["findings"]] == ["in-use"]
