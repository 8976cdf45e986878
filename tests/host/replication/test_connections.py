"""The files of a connection, what may stand in them, and commands that go through one."""

from __future__ import annotations

import msgspec
import pytest

from host.base import Result
from host.commands.closed import decode, encode
from host.commands.peering.connections import TrustHostKeys, WriteConnection
from host.commands.peering.peers import AcceptPeerKey, WritePeerRights
from host.commands.replication.over import EndShared, Over, trouble
from host.commands.replication.points import ListDatasets
from host.contents import ssh
from host.contents.peers import render_line
from host.programs.peer.rights import read_rights

ID = "00000000000000aa"
KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILFGhr1QK+DW2b5h7uivW+ImLF9ug3yLZ6pbMhfH4Bj0"
CONFIG = f"/etc/nasweb/replication/{ID}/ssh_config"


def test_over_another_nasweb_the_word_is_json() -> None:
    over = Over(connection=ID, kind="nasweb", command=ListDatasets(name="tank/my files"))
    word = '{"type":"ListDatasets","name":"tank/my files","recursive":true}'
    assert over.argv() == ("ssh", "-F", CONFIG, ID, "--", word)
    assert (over.timeout_s, over.reads, over.good_exits) == (360.0, True, (0,))


def test_over_a_shell_the_words_are_quoted() -> None:
    socket = "/run/nasweb-replication/run-1/ssh"
    over = Over(connection=ID, kind="ssh", command=ListDatasets(name="tank/a b"), socket=socket)
    *words, last = over.argv()
    assert words == ["ssh", "-F", CONFIG, "-S", socket, ID, "--"]
    assert last.endswith("-s name 'tank/a b'")
    assert EndShared(connection=ID, socket=socket).argv()[:3] == ("ssh", "-O", "exit")


@pytest.mark.parametrize(
    ("exit_status", "stderr", "why"),
    [
        (0, "", None),
        (1, "Connection refused\n", None),
        (255, "ssh: Could not resolve hostname nas: Name or service not known\n", "name-unknown"),
        (255, "ssh: connect to host 192.0.2.1 port 22: Connection refused\n", "unreachable"),
        (255, "ssh: connect to host 192.0.2.1 port 22: No route to host\n", "unreachable"),
        (255, "WARNING: REMOTE HOST IDENTIFICATION…\nHost key verification failed.\n", "host-key"),
        (255, "nasweb-peer@192.0.2.1: Permission denied (publickey).\n", "key-refused"),
        (255, "Timeout, server 192.0.2.1 not responding.\n", "cut-off"),
    ],
)
def test_says_why_a_connection_failed(exit_status: int, stderr: str, why: str | None) -> None:
    assert trouble(Result(exit=exit_status, stderr=stderr)) == why


@pytest.mark.parametrize(
    "host",
    [
        "nas.home.arpa", "nas", "192.168.1.7", "fd00::7", "10.0.0.1",
    ],
)  # fmt: skip
def test_these_may_be_reached(host: str) -> None:
    assert ssh.host_fault(host) is None


@pytest.mark.parametrize(
    "host",
    [
        "-oProxyCommand=id", "nas\nProxyCommand id", "nas home", "", "NAS", "localhost",
        "a.localhost", "127.0.0.1", "127.1", "0x7f000001", "::1", "::ffff:127.0.0.1", "0.0.0.0",
        "169.254.169.254", "fe80::1", "fe80::1%eth0", "224.0.0.1", "nas`id`", "nas;id", "a" * 254,
        "192.168.1.07", "x.local\0",
    ],
)  # fmt: skip
def test_these_are_refused_at_both_sides_of_the_door(host: str) -> None:
    assert ssh.host_fault(host) is not None
    good = encode(WriteConnection(connection=ID, host="nas", user="backup"))
    value = msgspec.json.decode(good) | {"host": host}
    with pytest.raises(msgspec.DecodeError):
        decode(msgspec.json.encode(value))


@pytest.mark.parametrize("user", ["-l", "root\nProxyCommand id", "a b", "Root", "", "$(id)"])
def test_an_account_is_a_plain_name(user: str) -> None:
    good = msgspec.json.decode(encode(WriteConnection(connection=ID, host="nas", user="backup")))
    with pytest.raises(msgspec.DecodeError):
        decode(msgspec.json.encode(good | {"user": user}))


@pytest.mark.parametrize(
    "key",
    [
        f"{KEY} comment", f"command=\"id\" {KEY}", f"{KEY}\n{KEY}", KEY.replace("ssh-ed25519", "ssh-rsa"),
        "ssh-dss AAAAB3NzaC1kc3MAAACBAAAAAAAAAAAAAA", KEY[:40], f"@cert-authority {KEY}", "ssh-ed25519 ????",
    ],
)  # fmt: skip
def test_a_key_is_a_key_and_nothing_else(key: str) -> None:
    assert ssh.key_fault(key) is not None
    for command in (
        {"type": "TrustHostKeys", "connection": ID, "keys": [key]},
        {"type": "AcceptPeerKey", "peer": ID, "key": key},
    ):
        with pytest.raises(msgspec.DecodeError):
            decode(msgspec.json.encode(command))


def test_writes_the_files() -> None:
    text = WriteConnection(connection=ID, host="fd00::7", port=2222, user="backup").input()
    assert "  HostName fd00::7\n  Port 2222\n  User backup\n" in text
    assert "  StrictHostKeyChecking yes\n" in text and "  ProxyCommand none\n" in text
    assert TrustHostKeys(connection=ID, keys=(KEY,)).input() == f"{ID} {KEY}\n"
    line = AcceptPeerKey(peer=ID, key=KEY).input()
    assert line == render_line(ID, KEY)
    assert line.startswith(
        'restrict,command="env --chdir=/opt/nasweb/current .venv/bin/python -m host.programs'
    )
    rights = WritePeerRights(peer=ID, root="tank/replicas/b", shared=("tank/photos",)).input()
    assert read_rights(rights).shared == ("tank/photos",)


def test_reads_keys_and_their_fingerprints() -> None:
    assert ssh.public_part(f"{KEY} nasweb-1\n") == KEY
    assert ssh.fingerprint(KEY) == "SHA256:2ZoeUt6UEbZX/EBX2QsaZhV68kGuadphbjdaS4+v5k0"
    said = f"# nas:22 SSH-2.0-OpenSSH\nnas {KEY}\nnas {KEY}\nnas ssh-ed25519 AAAAshort\nnonsense\n"
    assert ssh.scanned_keys(said) == (KEY,)
