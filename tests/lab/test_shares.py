"""Shares in the hands of real clients: smbclient, the kernel's cifs and NFS, from networks of their own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.lab.clients import HOME, SERVER, Clients
from tests.lab.pool_life import PoolLab, until

pytestmark = pytest.mark.drill

MIB = 1 << 20
ANNA, BERT = "drill pass of anna", "drill pass of bert"
BIG = "/var/tmp/drill-big"
AT_HOME = {"host": "10.77.0.0/24"}


@pytest.fixture(scope="module")
def shared(pool_lab: PoolLab) -> Iterator[PoolLab]:
    """A pool with `tank/files`, two people, and 100 MB to be copied."""
    lab = pool_lab
    lab.create("tank", "mirror", 1, 2)
    do = lab.console.do
    do("POST", "datasets/", {"name": "tank/files"})
    for name, password in (("anna", ANNA), ("bert", BERT)):
        do("POST", "users/", {"name": name, "password": password})
    lab.machine.run(f"head -c 100000000 /dev/urandom > {BIG}")
    yield lab
    _forget(lab)
    for name in ("anna", "bert"):
        do("DELETE", f"users/{name}/")
    lab.tidy()
    lab.machine.run(f"rm -f {BIG}*")


def _forget(lab: PoolLab) -> None:
    for share in lab.console.get("shares/smb/")["results"]:
        lab.console.do("DELETE", f"shares/smb/{share['name']}/")
    for share in lab.console.get("shares/nfs/")["results"]:
        lab.console.do("DELETE", f"shares/nfs/{share['id']}/")


@pytest.fixture
def lab(shared: PoolLab) -> Iterator[PoolLab]:
    """The machine without any share, before and after."""
    yield shared
    Clients(shared.machine).go()
    _forget(shared)


@pytest.fixture
def clients(lab: PoolLab) -> Clients:
    """Two clients; anna's and bert's passwords are known to the one at home."""
    found = Clients(lab.machine)
    found.come()
    found.know("anna", ANNA)
    found.know("bert", BERT)
    return found


def digest(lab: PoolLab, path: str) -> str:
    return lab.machine.run(f"sha256sum < {path}", timeout_s=300).stdout.split()[0]


def share(lab: PoolLab, name: str, **more: Any) -> None:
    body = {"dataset": "tank/files", "name": name, "set_rights": True, **more}
    lab.console.do("POST", "shares/folder/", body)


def state(lab: PoolLab, name: str) -> str:
    lab.console.fresh()
    return str(lab.console.get(f"shares/smb/{name}/")["state"])


def test_a_hundred_megabytes_come_back_as_they_were_by_smb(lab: PoolLab, clients: Clients) -> None:
    share(lab, "Files", write=["anna"])
    said = clients.smb("Files", f"put {BIG} big; get big {BIG}.back", person="anna")
    assert said.exit == 0, said.stdout
    assert digest(lab, BIG) == digest(lab, f"{BIG}.back") == digest(lab, "/mnt/tank/files/big")
    folder = clients.mount_smb("Files", "anna")
    clients.run(f"cp {BIG} {folder}/mounted && sync {folder}/mounted && cmp {folder}/mounted {BIG}")
    assert digest(lab, "/mnt/tank/files/mounted") == digest(lab, BIG)
    clients.unmount(folder)


def test_nobody_gets_in_who_is_not_named(lab: PoolLab, clients: Clients) -> None:
    share(lab, "Files", write=["anna"])
    clients.know("stranger", "what ever")
    lab.machine.run("install -m 600 /dev/stdin /root/drill-auth-wrong", input="username=anna\npassword=no\n")
    for person, word in (
        ("wrong", "LOGON_FAILURE"),
        ("stranger", "LOGON_FAILURE"),
        ("bert", "ACCESS_DENIED"),
    ):
        said = clients.smb("Files", "ls", person=person)
        assert (said.exit, f"NT_STATUS_{word}" in said.stdout + said.stderr) == (1, True), said
    said = clients.smb("Files", "ls")
    assert said.exit == 1, said.stdout
    lab.console.do("PATCH", "shares/smb/Files/", {"read": ["bert"]})
    lab.console.do("POST", "shares/rights/", {"dataset": "tank/files", "write": ["anna"], "read": ["bert"]})
    lab.machine.run("echo there > /mnt/tank/files/there")
    assert "there" in clients.smb("Files", "ls", person="bert").stdout
    said = clients.smb("Files", f"put {BIG} no", person="bert")
    assert "NT_STATUS_ACCESS_DENIED" in said.stdout + said.stderr
    assert lab.machine.run("ls /mnt/tank/files").stdout.split().count("no") == 0


def test_guests_get_in_only_where_they_are_let_in(lab: PoolLab, clients: Clients) -> None:
    share(lab, "Open", purpose="public", write=["anna"])
    lab.machine.run("echo there > /mnt/tank/files/there; chmod 644 /mnt/tank/files/there")
    assert "there" in clients.smb("Open", "ls").stdout
    said = clients.smb("Open", f"put {BIG} no")
    assert "NT_STATUS_ACCESS_DENIED" in said.stdout + said.stderr
    lab.console.do("POST", "datasets/", {"name": "tank/closed"})
    lab.console.do("POST", "shares/smb/", {"dataset": "tank/closed", "name": "Closed", "write": ["anna"]})
    assert clients.smb("Closed", "ls").exit == 1
    assert clients.smb("Open", "ls", where="abroad").exit == 0
    lab.console.do("DELETE", "shares/smb/Closed/")
    lab.console.do("DELETE", "datasets/tank/closed/")


def test_everybody_finds_a_folder_of_their_own(lab: PoolLab, clients: Clients) -> None:
    share(lab, "Folders", purpose="homes")
    for person in ("anna", "bert"):
        said = clients.smb("Folders", f"put /etc/hostname of-{person}; ls", person=person)
        assert said.exit == 0, said
        assert [word for word in said.stdout.split() if word.startswith("of-")] == [f"of-{person}"]
    owners = lab.machine.run("stat -c '%n %U %a' /mnt/tank/files/anna /mnt/tank/files/bert").stdout
    assert owners == "/mnt/tank/files/anna anna 700\n/mnt/tank/files/bert bert 700\n"


def test_what_somebody_puts_into_a_drop_box_nobody_else_sees(lab: PoolLab, clients: Clients) -> None:
    share(lab, "Box", purpose="drop-box")
    assert clients.smb("Box", "put /etc/hostname of-anna", person="anna").exit == 0
    assert "of-anna" in clients.smb("Box", "ls", person="anna").stdout
    assert "of-anna" not in clients.smb("Box", "ls", person="bert").stdout
    assert clients.smb("Box", "rm of-anna", person="anna").exit == 0
    assert clients.smb("Box", "put /etc/hostname of-bert; rm of-bert", person="bert").exit == 0
    bins = "/mnt/tank/files/.recycle"
    kept = lab.machine.run(f"ls {bins}/anna {bins}/bert; stat -c '%a %U' {bins}/anna {bins}/bert").stdout
    assert kept.split() == [
        f"{bins}/anna:", "of-anna", f"{bins}/bert:", "of-bert", "700", "anna", "700", "bert",
    ]  # fmt: skip
    report = lab.machine.run("journalctl --boot --no-pager -t smbd_audit").stdout
    assert "anna|10.77.0.2|Box|" in report


@pytest.mark.parametrize("version", ["4.2", "3"])
def test_a_hundred_megabytes_come_back_as_they_were_by_nfs(
    lab: PoolLab, clients: Clients, version: str
) -> None:
    lab.console.do(
        "POST", "shares/nfs/", {"dataset": "tank/files", "clients": [AT_HOME | {"squash": "none"}]}
    )
    if version == "3":
        assert clients.mount_nfs("/mnt/tank/files", version=version, check=False).exit != 0
        lab.console.do("PATCH", "shares/settings/", {"nfs3": True})
    clients.mount_nfs("/mnt/tank/files", version=version)
    clients.run(f"cp {BIG} /client/nfs/big && sync /client/nfs/big && cmp /client/nfs/big {BIG}")
    assert digest(lab, "/mnt/tank/files/big") == digest(lab, BIG)
    clients.unmount("/client/nfs")
    refused = clients.mount_nfs("/mnt/tank/files", version=version, where="abroad", check=False)
    assert refused.exit != 0
    (found,) = lab.console.get("shares/nfs/")["results"]
    read_only = [AT_HOME | {"squash": "none", "read_only": True}]
    lab.console.do("PATCH", f"shares/nfs/{found['id']}/", {"clients": read_only})
    clients.mount_nfs("/mnt/tank/files", version=version)
    assert clients.run("cmp /client/nfs/big " + BIG).exit == 0
    said = clients.run("touch /client/nfs/no", check=False)
    assert "Read-only file system" in said.stderr
    clients.unmount("/client/nfs")
    if version == "3":
        lab.console.do("PATCH", "shares/settings/", {"nfs3": False})


def test_clients_of_nfs_see_the_file_systems_below(lab: PoolLab, clients: Clients) -> None:
    lab.console.do("POST", "datasets/", {"name": "tank/files/deep"})
    lab.machine.run("echo below > /mnt/tank/files/deep/it")
    reading = [AT_HOME | {"squash": "none"}]
    lab.console.do("POST", "shares/nfs/", {"dataset": "tank/files", "clients": reading})
    clients.mount_nfs("/mnt/tank/files")
    assert clients.run("cat /client/nfs/deep/it").stdout == "below\n"
    # It is removed while a client has it open: it is withdrawn first, and then nothing holds it.
    lab.console.do("POST", "datasets/tank/files/deep/unmount/")
    assert lab.console.get("datasets/tank/files/deep/")["mounted"] is False
    clients.run("umount --force --lazy /client/nfs")
    lab.console.do("DELETE", "datasets/tank/files/deep/")


def test_old_versions_are_listed_and_fetched(lab: PoolLab, clients: Clients) -> None:
    share(lab, "Files", write=["anna"])
    clients.run("echo before > /var/tmp/drill-letter")
    assert clients.smb("Files", "put /var/tmp/drill-letter letter", person="anna").exit == 0
    lab.console.do("POST", "snapshot-policies/", {"dataset": "tank/files", "policy": "hourly=24"})
    _, taken = until(
        lambda: lab.console.get("snapshots/?dataset=tank/files&kind=policy")["results"], limit_s=300
    )
    clients.run("echo after > /var/tmp/drill-letter")
    assert clients.smb("Files", "put /var/tmp/drill-letter letter", person="anna").exit == 0
    report = clients.smb("Files", "allinfo letter", person="anna").stdout
    found = re.search(r"@GMT-[0-9.]+-[0-9.]+", report)
    assert found, report
    tag = taken[0]["name"].partition("_")[2]  # 2026-11-21T14.00.00Z
    assert found[0] == f"@GMT-{tag[:10].replace('-', '.')}-{tag[11:19]}"
    said = clients.smb("Files", rf"get {found[0]}\letter /var/tmp/drill-old", person="anna")
    assert clients.run("cat /var/tmp/drill-old", check=False).stdout == "before\n", said
    lab.console.do("DELETE", "snapshot-policies/tank/files/")


def test_a_mac_finds_a_place_for_its_backups(lab: PoolLab, clients: Clients) -> None:
    share(lab, "Backups", purpose="time-machine", write=["anna"], most_bytes=2 << 30)
    browse = "avahi-browse --all --resolve --terminate --parsable --no-db-lookup"
    report = lab.machine.run(browse, timeout_s=120).stdout
    records = [line for line in report.splitlines() if line.startswith("=") and "_adisk._tcp" in line]
    assert any('"dk0=adVN=Backups,adVF=0x82"' in line for line in records), report
    assert any("_smb._tcp" in line for line in report.splitlines())
    # 60 bytes as a Mac keeps them beside a file: its type and creator (Apple's AFP reference, AfpInfo).
    lab.machine.run(
        "printf 'AFP\\0\\0\\0\\1\\0\\0\\0\\0\\0\\0\\0\\0\\200TEXTttxt' > /var/tmp/drill-afp;"
        " head -c 36 /dev/zero >> /var/tmp/drill-afp"
    )
    assert clients.smb("Backups", "put /etc/hostname note", person="anna").exit == 0
    said = clients.smb("Backups", "put /var/tmp/drill-afp note:AFP_AfpInfo", person="anna")
    assert said.exit == 0, said.stdout
    streams = clients.smb("Backups", "allinfo note", person="anna").stdout
    assert ":AFP_AfpInfo:$DATA], 60 bytes" in streams, streams
    kept = lab.machine.run("getfattr --absolute-names -d -m - /mnt/tank/files/note").stdout
    assert "AFP_AfpInfo" in kept, kept


def test_who_is_connected_goes_on_through_ten_bad_and_ten_good_changes(
    lab: PoolLab, clients: Clients
) -> None:
    share(lab, "Files", write=["anna"])
    folder = clients.mount_smb("Files", "anna", options="hard")
    lab.machine.run("rm -f /run/drill-stop /var/tmp/drill-lines")
    loop = (
        f"n=0; while [ ! -e /run/drill-stop ]; do n=$((n + 1)); echo line $n >> {folder}/log || exit 1;"
        f" echo line $n >> /var/tmp/drill-lines; done; sync {folder}/log"
    )
    lab.machine.run(
        ["systemd-run", "--unit=drill-writer", "--collect", "--expand-environment=no", "nsenter",
         "--net=/run/netns/home", "sh", "-c", loop]
    )  # fmt: skip
    process = "smbstatus --json | python3 -c 'import json,sys; print(*json.load(sys.stdin)[\"sessions\"])'"
    before = lab.machine.run(process).stdout
    for number in range(10):
        lab.console.do("PATCH", "shares/smb/Files/", {"comment": f"Number {number}"})
        bad = {"extra": {"veto files": "no slashes"}} if number % 2 else {"read": ["nobody at all"]}
        answer = lab.console.ask("PATCH", "shares/smb/Files/", bad)
        assert answer.status == 422
    lab.machine.run("touch /run/drill-stop")
    lab.machine.wait_until("! systemctl is-active --quiet drill-writer", timeout_s=120)
    clients.unmount(folder)
    assert lab.machine.run(process, check=False).stdout in {before, "\n"}
    assert digest(lab, "/mnt/tank/files/log") == digest(lab, "/var/tmp/drill-lines")
    assert int(lab.machine.run("wc -l < /var/tmp/drill-lines").stdout) > 10


def test_a_file_that_samba_cannot_read_never_reaches_it(lab: PoolLab, clients: Clients) -> None:
    share(lab, "Files", write=["anna"])
    text = lab.machine.run("cat /etc/samba/nasweb.conf").stdout
    # The checker is what says no: for the time of one job it finds fault with everything.
    lab.machine.run(
        "printf '#!/bin/sh\\necho Unknown parameter encountered >&2\\n' > /usr/local/bin/testparm;"
        " chmod 755 /usr/local/bin/testparm; mount --bind /usr/local/bin/testparm /usr/bin/testparm"
    )
    try:
        answer = lab.console.ask("PATCH", "shares/smb/Files/", {"comment": "More"}, Prefer="wait=60")
        job = lab.console.end_of(answer.body["id"])
    finally:
        lab.machine.run("umount /usr/bin/testparm; rm /usr/local/bin/testparm")
    assert job["state"] == "failed", job
    assert lab.machine.run("cat /etc/samba/nasweb.conf").stdout == text
    assert clients.smb("Files", "ls", person="anna").exit == 0


def test_shares_follow_their_dataset(lab: PoolLab, clients: Clients) -> None:
    share(lab, "Files", write=["anna"], nfs=[AT_HOME | {"squash": "none"}])
    folder = clients.mount_smb("Files", "anna")
    clients.run(f"echo open > {folder}/open")
    clients.mount_nfs("/mnt/tank/files")
    hold = "exec 3< /client/nfs/open; touch /run/drill-held; sleep 100000"
    lab.machine.run(
        [
            "systemd-run",
            "--unit=drill-holder",
            "--collect",
            "nsenter",
            "--net=/run/netns/home",
            "sh",
            "-c",
            hold,
        ]
    )
    lab.machine.wait_until("test -e /run/drill-held")
    lab.console.do("POST", "datasets/tank/files/rename/", {"to": "tank/papers"})
    found = lab.console.get("shares/smb/Files/")
    assert (found["state"], found["dataset"], found["path"]) == ("served", "tank/papers", "/mnt/tank/papers")
    assert "open" in clients.smb("Files", "ls", person="anna").stdout
    lab.machine.run("systemctl kill --signal=KILL drill-holder; rm -f /run/drill-held", check=False)
    clients.run("umount --force --lazy /client/nfs; umount --force --lazy /client/smb-files", check=False)
    clients.mount_nfs("/mnt/tank/papers")
    assert clients.run("cat /client/nfs/open").stdout == "open\n"
    clients.run("umount --force --lazy /client/nfs")
    lab.console.do("POST", "datasets/tank/papers/rename/", {"to": "tank/files"})
    lab.console.do("DELETE", "datasets/tank/files/?recursive=true")
    assert lab.console.get("shares/smb/")["results"] == []
    assert lab.console.get("shares/nfs/")["results"] == []
    lab.console.do("POST", "datasets/", {"name": "tank/files"})


def test_after_a_start_all_shares_are_back_and_the_locked_one_waits_for_its_key(
    lab: PoolLab, clients: Clients
) -> None:
    do = lab.console.do
    share(lab, "Files", write=["anna"], nfs=[AT_HOME | {"squash": "none"}])
    do("POST", "datasets/", {"name": "tank/private", "passphrase": "drill marker of the owner"})
    share(lab, "Private", dataset="tank/private", write=["anna"])
    assert clients.smb("Private", f"put {BIG} big", person="anna").exit == 0
    lab.machine.reboot()
    clients.come()
    clients.know("anna", ANNA)
    until(lab.refreshed(lambda: state(lab, "Files") == "served"), limit_s=300)
    assert clients.smb("Files", "ls", person="anna").exit == 0
    clients.mount_nfs("/mnt/tank/files")
    clients.unmount("/client/nfs")
    assert state(lab, "Private") == "waiting"
    said = clients.smb("Private", "ls", person="anna")
    assert "NT_STATUS_BAD_NETWORK_NAME" in said.stdout + said.stderr
    do("POST", "datasets/tank/private/load-key/", {"passphrase": "drill marker of the owner"})
    took, _ = until(lambda: state(lab, "Private") == "served", limit_s=120)
    assert "big" in clients.smb("Private", "ls", person="anna").stdout
    print(f"\nThe share came up {took:.1f} s after unlocking")
    do("DELETE", "shares/smb/Private/")
    do("DELETE", "datasets/tank/private/")


def test_who_is_connected_is_seen_and_taken_off(lab: PoolLab, clients: Clients) -> None:
    share(lab, "Files", write=["anna"])
    folder = clients.mount_smb("Files", "anna")
    lab.machine.run(
        ["systemd-run", "--unit=drill-holder", "--collect", "nsenter", "--net=/run/netns/home", "sh", "-c",
         f"exec 3>> {folder}/held; echo held >&3; touch /run/drill-held; sleep 100000"]
    )  # fmt: skip
    lab.machine.wait_until("test -e /run/drill-held")
    found = lab.console.get("shares/sessions/")["results"]
    (session,) = [one for one in found if one["protocol"] == "smb"]
    assert (session["person"], HOME in session["address"]) == ("anna", True)
    assert [file["path"].rpartition("/")[2] for file in session["files"]] == ["held"]
    lab.console.do("DELETE", f"shares/sessions/{session['id']}/")
    lab.machine.run("systemctl kill --signal=KILL drill-holder; rm -f /run/drill-held", check=False)
    clients.run(f"umount --force --lazy {folder}")


def test_rights_reach_the_files_that_are_there(lab: PoolLab, clients: Clients) -> None:
    share(lab, "Files", write=["anna"])
    clients.smb("Files", "mkdir sub; put /etc/hostname sub/one", person="anna")
    assert "ACCESS_DENIED" in clients.smb("Files", "ls sub/*", person="bert").stdout
    lab.console.do("PATCH", "shares/smb/Files/", {"read": ["bert"]})
    body = {"dataset": "tank/files", "write": ["anna"], "read": ["bert"], "apply_to_existing": True}
    lab.console.do("POST", "shares/rights/", body)
    until(lambda: "one" in clients.smb("Files", "ls sub/*", person="bert").stdout, limit_s=120)
    assert clients.smb("Files", "get sub/one /var/tmp/drill-one", person="bert").exit == 0
    assert "NT_STATUS_ACCESS_DENIED" in clients.smb("Files", "rm sub/one", person="bert").stdout


def test_what_somebody_wrote_by_hand_is_found_and_left_alone(lab: PoolLab, clients: Clients) -> None:
    share(lab, "Files", write=["anna"])
    lab.machine.run("echo '    guest ok = yes' >> /etc/samba/nasweb.conf")
    lab.console.fresh()
    assert lab.console.get("shares/settings/")["drift"] == ["samba"]
    lab.console.do("POST", "shares/apply/")
    lab.console.fresh()
    assert lab.console.get("shares/settings/")["drift"] == []
    assert clients.smb("Files", "ls", person="anna").exit == 0
    assert SERVER in clients.run("ip route").stdout
