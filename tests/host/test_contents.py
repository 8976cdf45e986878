"""The root helper takes no file with a line that the console does not write."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from host.commands.closed import decode, encode
from host.contents.samba import make_command
from host.inventory.people import EVERYBODY

MAC = "00:00:5e:00:53:fe"
SHARE = (
    "[Files]\n    path = /mnt/files\n    root preexec close = yes\n"
    "    root preexec = /usr/bin/mountpoint -q '/mnt/files'\n"
)
CLIENT = "10.0.0.0/8(rw,sync,no_subtree_check,mountpoint,root_squash,sec=sys)"
AVAHI = '<?xml version="1.0" standalone="no"?>\n<service-group>\n'
NETWORK = f"[Match]\nMACAddress={MAC}\n[Network]\nDHCP=ipv4\n"
REFUSED = [
    *(
        ("StageFile", {"file": "samba", "text": text})
        for text in (
            "[global]\n    include = /tmp/evil\n",
            "[global]\n    panic action = /tmp/evil\n",
            "[global]\n    username map script = /tmp/evil\n",
            "[global]\n    wins hook = /tmp/evil\n",
            "[global]\n    add user script = /tmp/evil\n",
            "[global]\n    log file = /etc/cron.d/evil\n",
            "[global]\n    guest account = root\n",
            "[global]\n    workgroup = A\\\n    include = /tmp/evil\n",
            "[global]\n[global]\n",
            "[homes]\n",
            "    path = /mnt/files\n",
            SHARE.replace("/usr/bin/mountpoint -q '/mnt/files'", "/tmp/evil"),
            SHARE.replace("/usr/bin/mountpoint -q '/mnt/files'", "/usr/bin/mountpoint -q '/etc'"),
            SHARE.replace("/mnt/files", "/etc"),
            SHARE.replace("/mnt/files", "/mnt/../etc"),
            SHARE.replace("/mnt/files", "/var/lib/nasweb"),
            "[Files]\n    path = /mnt/files\n",
            f"{SHARE}    preexec = /tmp/evil\n",
            f"{SHARE}    root postexec = /tmp/evil\n",
            f"{SHARE}    Root  PreExec = /tmp/evil\n",
            f"{SHARE}    root preexec = /tmp/evil\n",
            f"{SHARE}    magic script = evil\n",
            f"{SHARE}    dfree command = /tmp/evil\n",
            f"{SHARE}    force user = root\n",
            f"{SHARE}    admin users = anna\n",
            f"{SHARE}    wide links = yes\n",
            f"{SHARE}    vfs objects = /tmp/evil.so\n",
            f"{SHARE}    write list = anna, root\n",
            f"{SHARE}    comment = %U\n",
            f"{SHARE}    copy = other\n",
            f"{SHARE}root preexec=/tmp/evil\n",
        )
    ),
    *(
        ("StageFile", {"file": "exports", "text": text})
        for text in (
            f'"/etc" {CLIENT}\n',
            f'"/mnt/../etc" {CLIENT}\n',
            f"/mnt/files {CLIENT}\n",
            f'"/mnt/files" {CLIENT.replace("10.0.0.0/8", "@all")}\n',
            f'"/mnt/files" {CLIENT.replace("root_squash", "anonuid=0")}\n',
            f'"/mnt/files" {CLIENT}\\\n',
            '"/mnt/files" -rw *\n',
        )
    ),
    ("StageFile", {"file": "nfs", "text": "[nfsd]\nvers3=n\n[exportd]\nmanage-gids=y\n"}),
    ("StageFile", {"file": "nfs", "text": "include = /tmp/evil\n"}),
    ("StageFile", {"file": "avahi", "text": f"{AVAHI}<!ENTITY x SYSTEM 'file:///etc/shadow'>\n"}),
    ("StageFile", {"file": "avahi", "text": f"{AVAHI}    <host-name>bank</host-name>\n"}),
    ("StageNetwork", {"mac": MAC, "text": NETWORK.replace(MAC, "00:00:5e:00:53:ff")}),
    ("StageNetwork", {"mac": MAC, "text": f"{NETWORK}Bridge=evil\n"}),
    ("StageNetwork", {"mac": MAC, "text": f"{NETWORK}Address=1.2.3.4/24\\\n"}),
    ("StageNetwork", {"mac": MAC, "text": f"{NETWORK}[Service]\nExecStart=/tmp/evil\n"}),
    ("StageWayBack", {"mac": MAC, "interface": "eno1", "before": "not a setting\n"}),
    ("StageWayBack", {"mac": MAC, "interface": "eno1", "before": "[Network]\nDNS=1.1.1.1 \\\n"}),
    ("StageHosts", {"text": "evil\n"}),
    ("StageHosts", {"text": "127.0.1.1 nas;reboot\n"}),
]


@pytest.mark.parametrize(("kind", "fields"), REFUSED)
def test_a_file_that_the_console_does_not_write_is_no_command(kind: str, fields: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        decode(msgspec.json.encode({"type": kind, **fields}))


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("StageFile", {"file": "samba", "text": SHARE}),
        ("StageFile", {"file": "samba", "text": ""}),
        ("StageFile", {"file": "exports", "text": f'# ours\n"/mnt/my files" {CLIENT} {CLIENT}\n'}),
        ("StageFile", {"file": "nfs", "text": "[nfsd]\nvers3=n\n"}),
        ("StageNetwork", {"mac": MAC, "text": NETWORK}),
        ("StageWayBack", {"mac": MAC, "interface": "eno1", "before": "[Link]\nMTUBytes = 9000\n"}),
        ("StageHosts", {"text": "# mine\n127.0.0.1\tlocalhost\n::1 localhost ip6-loopback # v6\n"}),
    ],
)
def test_what_it_writes_is_one(kind: str, fields: dict[str, Any]) -> None:
    command = decode(msgspec.json.encode({"type": kind, **fields}))
    assert decode(encode(command)) == command


def test_the_program_that_makes_own_folders_gives_them_to_the_group_of_all_people() -> None:
    program = Path("ansible/roles/services/files/libexec/nasweb-own-folder")
    text = (Path(__file__).parents[2] / program).read_text()
    assert make_command("/mnt/a") == f"/usr/local/libexec/{program.name} '/mnt/a' '%U'"
    assert f'chown -h "$2:{EVERYBODY}" "$own"' in text
