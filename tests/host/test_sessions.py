"""Who is connected to the shares: what Samba and the kernel's NFS server report, and who is disconnected."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from host.base import CommandFailed, UnknownFormat
from host.commands.closed import decode, encode
from host.commands.shares.sessions import NFS_CLIENTS, EndSmbd, ExpireNfsClient
from host.inventory.sessions import OpenFile
from host.probe.shares.sessions import parse_nfs_clients, parse_smbstatus, read_sessions
from host.simulated import SimulatedHost

COMPOSED = Path(__file__).parents[1] / "composed" / "clients"


def nfs() -> str:
    """As grep gives it."""
    rows = (line.split("|", 2) for line in (COMPOSED / "nfs.txt").read_text().splitlines())
    return "".join(f"{NFS_CLIENTS}/{number}/{kind}\0{line}\n" for kind, number, line in rows)


@pytest.fixture
def machine(tmp_path: Path) -> SimulatedHost:
    return SimulatedHost(tmp_path / "machine.json", "home")


def test_sessions_of_samba_have_their_shares_and_the_files_of_their_person() -> None:
    ada_elsewhere, bob, ada = parse_smbstatus((COMPOSED / "smbstatus.json").read_text())
    assert (ada.id, ada.person, ada.number, ada.machine, ada.address, ada.dialect) == (
        "smb-3639217376", "ada", 4711, "10.0.2.2", "10.0.2.2", "SMB3_11",
    )  # fmt: skip
    assert ada.since == "2026-11-21T20:02:13+00:00"
    assert (ada.shares, bob.shares, ada_elsewhere.shares) == (("home",), ("safe",), ())
    assert ada.files == (
        OpenFile(path='/mnt/tank/home/Letters/a "b".txt', mode="both", since="2026-11-21T20:14:59+00:00"),
    )
    assert [(one.path, one.mode) for one in ada_elsewhere.files] == [
        ('/mnt/tank/home/Letters/a "b".txt', "read")
    ]


def test_a_file_that_samba_opened_itself_is_of_the_processs_first_session() -> None:
    _, bob, _ = parse_smbstatus((COMPOSED / "smbstatus.json").read_text())
    assert [(one.path, one.mode) for one in bob.files] == [("/mnt/tank/home", "none")]


def test_partial_is_no_signing_and_a_share_may_be_encrypted_by_itself() -> None:
    ada_elsewhere, bob, ada = parse_smbstatus((COMPOSED / "smbstatus.json").read_text())
    assert (ada.signed, ada.encrypted) == (False, False)
    assert (bob.signed, bob.encrypted) == (True, True)
    assert (ada_elsewhere.signed, ada_elsewhere.encrypted) == (True, True)


def test_an_odd_time_is_unknown_and_an_ipv6_address_keeps_its_colons() -> None:
    ada_elsewhere = parse_smbstatus((COMPOSED / "smbstatus.json").read_text())[0]
    assert (ada_elsewhere.since, ada_elsewhere.address) == (None, "fd00::17")


@pytest.mark.parametrize(
    "text", ["", "\n", '{"timestamp": "x", "sessions": {}, "tcons": {}, "open_files": {}}']
)
def test_nobody_is_connected(text: str) -> None:
    assert parse_smbstatus(text) == ()


@pytest.mark.parametrize("text", ["Samba version 4", '{"sessions": {"1": {}}}', '{"sessions": []}x'])
def test_what_is_not_understood_is_reported(text: str) -> None:
    with pytest.raises(UnknownFormat, match="smbstatus"):
        parse_smbstatus(text)


def test_nfs_clients_have_what_the_kernel_reports() -> None:
    linux, mac = parse_nfs_clients(nfs())
    assert (linux.id, linux.number, linux.machine, linux.address, linux.dialect, linux.renewed_s) == (
        "nfs-3", 3, "Linux NFSv4.2 host", "10.0.2.2", "NFSv4.2", 5,
    )  # fmt: skip
    assert [(one.path, one.mode) for one in linux.files] == [
        ("tank/a.txt", "both"), ("tank/only-locked", "none"), ('tank/say "hi".txt', "read"),
    ]  # fmt: skip
    assert (mac.machine, mac.address, mac.dialect, mac.renewed_s, mac.files) == (
        "mac", "fd00::17", "NFSv4", None, (),
    )  # fmt: skip
    assert (linux.encrypted, linux.signed, linux.person) == (None, None, None)


def test_a_client_that_went_while_it_was_read_is_none() -> None:
    assert parse_nfs_clients("") == ()
    only_states = f'{NFS_CLIENTS}/7/states\0- 0x1: {{ type: open, access: r-, deny: --, filename: "a" }}\n'
    assert parse_nfs_clients(only_states) == ()


def test_the_simulated_machine_reports_its_clients_in_both_formats(machine: SimulatedHost) -> None:
    assert read_sessions(machine) == ()
    smb = machine.connect(
        person="ada", uid=30000, share="home", folder="/mnt/tank/home", files={"a.txt": "rw"}, degree="full"
    )
    nfs_id = machine.connect(protocol="nfs", address="fd00::2", name="lab", files={"tank/b": "r"})
    ada, lab = read_sessions(machine)
    assert (ada.id, ada.person, ada.shares, ada.encrypted, ada.signed) == (smb, "ada", ("home",), True, True)
    assert [(one.path, one.mode) for one in ada.files] == [("/mnt/tank/home/a.txt", "both")]
    assert (lab.id, lab.machine, lab.address, lab.dialect) == (nfs_id, "lab", "fd00::2", "NFSv4.2")
    machine.run(EndSmbd(process=ada.number))
    machine.run(ExpireNfsClient(client=lab.number))
    assert read_sessions(machine) == ()


def test_who_is_gone_cannot_be_disconnected(machine: SimulatedHost) -> None:
    for command in (EndSmbd(process=4711), ExpireNfsClient(client=3)):
        with pytest.raises(CommandFailed):
            machine.run(command)


def test_one_process_and_one_client_are_named_and_nothing_else() -> None:
    assert EndSmbd(process=4711).argv() == ("smbcontrol", "4711", "shutdown")
    expire = ExpireNfsClient(client=3)
    assert (expire.argv(), expire.input()) == (("tee", "/proc/fs/nfsd/clients/3/ctl"), "expire\n")
    for wrong in (EndSmbd(process=1), EndSmbd(process=-9), ExpireNfsClient(client=-1)):
        with pytest.raises(msgspec.ValidationError):
            decode(encode(wrong))
