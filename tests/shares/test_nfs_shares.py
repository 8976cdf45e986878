"""Exports of NFS, the settings of all shares, and who is named by shares, through the API."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.models import User
from accounts.roles import SCOPES, Role
from host.commands.shares.sharing import PATHS
from host.inventory.shares import SharingFile
from host.simulated import SimulatedHost
from tests.conftest import caller, refresh
from tests.prepared import made_once
from tests.shares.sharing import dataset, did, faults, person, smb

LOCAL = {"host": "192.168.1.0/24"}


@pytest.fixture
@made_once
def files(api: APIClient, tank: dict[str, Any]) -> APIClient:
    dataset(api, "tank/files")
    dataset(api, "tank/files/deep")
    person(api, "anna")
    return api


def export(api: APIClient, *clients: dict[str, Any], **more: Any) -> dict[str, Any]:
    body = {"dataset": "tank/files", "clients": clients or (LOCAL,), **more}
    return did(api.post("/api/v1/shares/nfs/", body))


def lines(machine: SimulatedHost) -> list[str]:
    return machine.machine().files[PATHS["exports"]].splitlines()[1:]


def test_an_export_reaches_the_file_systems_below(files: APIClient, simulated: SimulatedHost) -> None:
    export(files)
    options = "192.168.1.0/24(rw,sync,no_subtree_check,mountpoint,root_squash,sec=sys)"
    assert lines(simulated) == [f'"/mnt/tank/files" {options}', f'"/mnt/tank/files/deep" {options}']
    (found,) = files.get("/api/v1/shares/nfs/").json()["results"]
    assert (found["state"], found["path"]) == ("served", "/mnt/tank/files")
    assert found["mount"] == "mount -t nfs nas:/mnt/tank/files /mnt/files"
    job = did(files.patch(f"/api/v1/shares/nfs/{found['id']}/", {"below": False}))
    assert ["systemctl", "reload", "nfs-server"] in [c for step in job["steps"] for c in step["commands"]]
    assert lines(simulated) == [f'"/mnt/tank/files" {options}']
    did(files.delete(f"/api/v1/shares/nfs/{found['id']}/"))
    assert simulated.machine().exported == []
    assert simulated.machine().services["nfs-server"] == "inactive"


@pytest.mark.parametrize("first", ["tank/files", "tank/files/deep"])
def test_a_file_system_below_two_exports_has_the_clients_of_the_nearer_one(
    files: APIClient, simulated: SimulatedHost, first: str
) -> None:
    dataset(files, "tank/files/deep/private")
    clients = {"tank/files": LOCAL, "tank/files/deep": {"host": "192.168.1.5"}}
    for name in (first, *(other for other in clients if other != first)):
        did(files.post("/api/v1/shares/nfs/", {"dataset": name, "clients": [clients[name]]}))
    found = {line.split('"')[1]: line.split('" ')[1].partition("(")[0] for line in lines(simulated)}
    assert found == {
        "/mnt/tank/files": "192.168.1.0/24", "/mnt/tank/files/deep": "192.168.1.5",
        "/mnt/tank/files/deep/private": "192.168.1.5",
    }  # fmt: skip


def test_each_client_has_its_own_way(files: APIClient, simulated: SimulatedHost) -> None:
    export(
        files,
        {"host": "10.0.0.7", "read_only": True, "squash": "none"},
        {"host": "pc.example.org", "squash": "all", "security": ["krb5p", "sys"]},
        below=False,
    )
    (line,) = lines(simulated)
    assert line == (
        '"/mnt/tank/files" 10.0.0.7(ro,sync,no_subtree_check,mountpoint,no_root_squash,sec=sys) '
        "pc.example.org(rw,sync,no_subtree_check,mountpoint,all_squash,sec=krb5p:sys)"
    )


def test_only_an_admin_lets_clients_be_root(files: APIClient) -> None:
    operator = caller(User.objects.create_user("olga", "x", role=Role.OPERATOR), *SCOPES)
    rooted = {"host": "10.0.0.7", "squash": "none"}
    asked = {"dataset": "tank/files", "clients": [rooted]}
    answer = operator.post("/api/v1/shares/nfs/", asked)
    assert (answer.status_code, "Root on 10.0.0.7" in answer.json()["detail"]) == (403, True)
    folder = {
        "name": "files",
        "dataset": "tank/files",
        "purpose": "general",
        "write": ["anna"],
        "nfs": [rooted],
    }
    assert operator.post("/api/v1/shares/folder/", folder).status_code == 403
    export(files, rooted)
    (found,) = files.get("/api/v1/shares/nfs/").json()["results"]
    path = f"/api/v1/shares/nfs/{found['id']}/"
    assert operator.patch(path, {"clients": [rooted, LOCAL]}).status_code == 403
    did(operator.patch(path, {"enabled": False}))
    assert operator.patch(path, {"enabled": True}).status_code == 403
    did(operator.patch(path, {"enabled": True, "clients": [LOCAL]}))


def test_only_an_admin_deletes_what_keeps_a_folder_from_clients_that_are_root(files: APIClient) -> None:
    export(files, {"host": "10.0.0.7", "squash": "none"})
    did(files.post("/api/v1/shares/nfs/", {"dataset": "tank/files/deep", "clients": [LOCAL]}))
    found = files.get("/api/v1/shares/nfs/").json()["results"]
    (deep,) = (one["id"] for one in found if one["dataset"] == "tank/files/deep")
    operator = caller(User.objects.create_user("olga", "x", role=Role.OPERATOR), *SCOPES)
    assert operator.delete(f"/api/v1/shares/nfs/{deep}/").status_code == 403
    did(operator.patch(f"/api/v1/shares/nfs/{deep}/", {"enabled": False}))
    assert operator.delete(f"/api/v1/shares/nfs/{deep}/").status_code == 403
    did(files.delete(f"/api/v1/shares/nfs/{deep}/"))


def test_what_is_open_to_all_is_warned_of(files: APIClient) -> None:
    body = {"dataset": "tank/files", "clients": [{"host": "*", "squash": "none"}], "below": False}
    plan = files.post("/api/v1/shares/nfs/?dry_run=true", body).json()
    report = {(one["code"], one["field"]) for one in plan["findings"] if one["level"] == "warning"}
    assert report == {
        ("wide-open", "clients[0].host"),
        ("no-squash", "clients[0].squash"),
        ("children-empty", "below"),
    }


@pytest.mark.parametrize(
    "host",
    ["", "a b", "10.0.0.1/8", "1.2.3.4.5", "x(rw)", "x\ny", "-bad", "a" * 254, "192.168.1.0/33", "gss/krb5",
     "@net", "*.example.org", "nas\x00", "%h", "[fe80::1]", "fe80::g"],
)  # fmt: skip
def test_no_client_can_bring_options_of_its_own(files: APIClient, host: str) -> None:
    answer = files.post("/api/v1/shares/nfs/", {"dataset": "tank/files", "clients": [{"host": host}]})
    assert faults(answer) == {("clients[0].host", "bad-client")}


@pytest.mark.parametrize("file", PATHS)
def test_a_file_of_ours_that_somebody_removed_is_written_anew(
    files: APIClient, simulated: SimulatedHost, file: SharingFile
) -> None:
    export(files)
    with simulated.change() as machine:
        text = machine.files.pop(PATHS[file])
    refresh()
    smb(files, "Files", write=["anna"])
    did(files.delete("/api/v1/shares/smb/Files/"))
    assert simulated.machine().files[PATHS[file]] == text


def test_a_dataset_is_exported_once_and_to_somebody(files: APIClient) -> None:
    export(files)
    answer = files.post("/api/v1/shares/nfs/", {"dataset": "tank/files", "clients": []})
    assert faults(answer) == {("dataset", "exported-already"), ("clients", "nobody")}


def test_settings_hold_for_all_shares(files: APIClient, simulated: SimulatedHost) -> None:
    smb(files, "Files", write=["anna"])
    export(files)
    change = {"workgroup": "home", "name": "attic", "signing": True, "interfaces": ["eno1"], "nfs3": True}
    job = did(files.patch("/api/v1/shares/settings/", change))
    asked = [command for step in job["steps"] for command in step["commands"]]
    assert ["systemctl", "restart", "smbd"] in asked
    assert ["systemctl", "restart", "nfs-server"] in asked
    text = simulated.machine().samba
    for line in (
        "workgroup = HOME", "netbios name = ATTIC", "server signing = mandatory", "interfaces = lo eno1",
        "server min protocol = SMB3_00",
    ):  # fmt: skip
        assert f"    {line}\n" in text
    assert "vers3=y" in simulated.machine().files[PATHS["nfs"]]
    report = files.get("/api/v1/shares/settings/").json()
    assert report["name"] == "ATTIC"
    assert report["services"] == {
        "smbd": "active", "nfs-server": "active", "wsdd2": "active", "avahi-daemon": "active",
    }  # fmt: skip
    answer = files.patch("/api/v1/shares/settings/", {"workgroup": "a b", "interfaces": ["eth0; rm"]})
    assert faults(answer) == {("workgroup", "bad-name"), ("interfaces[0]", "bad-value")}


def test_guests_and_signing_exclude_each_other(files: APIClient) -> None:
    smb(files, "Open", guests="read", encryption="off")
    assert faults(files.patch("/api/v1/shares/settings/", {"signing": True})) == {
        ("signing", "guests-unsigned")
    }


def test_who_goes_is_taken_out_of_the_shares(files: APIClient, simulated: SimulatedHost) -> None:
    person(files, "bert")
    smb(files, "Files", write=["anna"], read=["bert"])
    plan = files.delete("/api/v1/users/bert/?dry_run=true").json()
    did(files.delete("/api/v1/users/bert/", {"digest": plan["digest"]}))
    assert "bert" not in simulated.machine().samba
    refresh()
    assert files.get("/api/v1/shares/smb/Files/").json()["read"] == []
    assert faults(files.delete("/api/v1/users/anna/?dry_run=true")) == {("name", "last-of-share")}


def test_a_folder_is_made_given_rights_and_shared_in_one_job(
    files: APIClient, simulated: SimulatedHost
) -> None:
    body = {
        "dataset": "tank/films", "create": True, "name": "Films", "purpose": "media", "write": ["anna"],
        "nfs": [LOCAL],
    }  # fmt: skip
    job = did(files.post("/api/v1/shares/folder/", body))
    programs = [command[0] for step in job["steps"] for command in step["commands"]]
    assert programs[0] == "zfs"
    refresh()
    share = files.get("/api/v1/shares/smb/Films/").json()
    assert (share["state"], share["dataset"], share["read"]) == ("served", "tank/films", ["@nasweb-people"])
    assert [one["state"] for one in files.get("/api/v1/shares/nfs/").json()["results"]] == ["served"]
    assert "path = /mnt/tank/films\n" in simulated.machine().samba
    did(files.patch("/api/v1/shares/smb/Films/", {"comment": "for the evening"}))


def test_a_folder_that_cannot_be_made_is_refused_by_the_name_of_the_field(files: APIClient) -> None:
    body = {"dataset": "tank/files", "create": True, "name": "Films", "write": ["anna"]}
    assert faults(files.post("/api/v1/shares/folder/", body)) == {("dataset", "name-taken")}
