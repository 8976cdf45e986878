"""What the drill with hostile values takes for a sound file of root's, and what it does not."""

from __future__ import annotations

import base64

import pytest

from host.commands.backups import WriteRepository
from host.connections import FOLDER
from host.contents import arc, logs, peers, ssh
from host.inventory.memory import ArcBounds
from host.repositories.places import KEPT
from host.repositories.settings import RepositorySettings, SftpServer
from tests.lab.rendered import is_one, is_sound

ID = "0123456789abcdef"
SECRET, READ_BY_ALL = "regular file root root 600", "regular file root root 644"
_FIELDS = (b"ssh-ed25519", bytes(32))
_BYTES = b"".join(len(one).to_bytes(4) + one for one in _FIELDS)
PUBLIC = f"ssh-ed25519 {base64.b64encode(_BYTES).decode()}"
CONFIG = ssh.render(ID, "offsite.home.arpa", 22, "backup")
SFTP = SftpServer(host="backup.example.org", user="nas", path="photos", host_key=PUBLIC)
SETTINGS = WriteRepository(repository=ID, settings=RepositorySettings(sftp=SFTP)).input()
GOOD = {
    f"{FOLDER}/{ID}/ssh_config": (SECRET, CONFIG),
    f"{FOLDER}/{ID}/known_hosts": (SECRET, ssh.known_hosts(ID, (PUBLIC,))),
    f"{FOLDER}/{ID}/id_ed25519": (SECRET, "a key"),
    f"{FOLDER}/{ID}/id_ed25519.pub": (READ_BY_ALL, f"{PUBLIC} nasweb-{ID}\n"),
    f"{KEPT}/{ID}/repository.json": (SECRET, SETTINGS),
    f"{KEPT}/{ID}/password": (SECRET, "a password"),
    f"{peers.FOLDER}/{ID}.json": (READ_BY_ALL, peers.render_rights("tank/replicas", ())),
    f"{peers.FOLDER}/{ID}.keys": (READ_BY_ALL, peers.render_line(ID, PUBLIC)),
    logs.FILE: (READ_BY_ALL, logs.render("tcp", "logs.example.org", 601, own_authority=False)),
    arc.FILE: (READ_BY_ALL, arc.render(ArcBounds(max_bytes=1 << 31, min_bytes=0))),
}
BAD = {
    "another keyword": (f"{FOLDER}/{ID}/ssh_config", f"{CONFIG}  ProxyCommand touch /zzevil\n"),
    "a host that is an option": (f"{FOLDER}/{ID}/ssh_config", CONFIG.replace("offsite", "-oProxyCommand")),
    "this machine itself": (f"{FOLDER}/{ID}/ssh_config", CONFIG.replace("offsite.home.arpa", "127.0.0.1")),
    "of another connection": (f"{FOLDER}/{ID[::-1]}/ssh_config", CONFIG),
    "no host": (f"{FOLDER}/{ID}/ssh_config", ""),
    "a host for all": (f"{FOLDER}/{ID}/known_hosts", f"* {PUBLIC}\n"),
    "no public key": (f"{FOLDER}/{ID}/id_ed25519.pub", "zzevil\n"),
    "another place": (f"{KEPT}/{ID}/repository.json", SETTINGS.replace("photos", "../zzevil")),
    "a field said twice": (f"{KEPT}/{ID}/repository.json", SETTINGS.replace("{", '{"local":null,', 1)),
    "another field": (f"{KEPT}/{ID}/repository.json", SETTINGS.replace("path", "command")),
    "a right too much": (f"{peers.FOLDER}/{ID}.json", '{"root":"tank","shared":[],"shell":true}'),
    "a root said twice": (f"{peers.FOLDER}/{ID}.json", '{"root":"other","root":"tank","shared":[]}\n'),
    "another command": (
        f"{peers.FOLDER}/{ID}.keys",
        peers.render_line(ID, PUBLIC).replace("host.programs.peer", "zzevil"),
    ),
    "a second line": (f"{peers.FOLDER}/{ID}.keys", peers.render_line(ID, PUBLIC) + PUBLIC),
    "a program": (logs.FILE, GOOD[logs.FILE][1] + 'action(type="omprog" binary="/zzevil")\n'),
    "no certificate": (logs.AUTHORITY, "zzevil"),
    "another module": (arc.FILE, f"{GOOD[arc.FILE][1]}install zfs /zzevil\n"),
}


@pytest.mark.parametrize("path", GOOD)
def test_what_the_helper_writes_is_sound(path: str) -> None:
    assert is_one(path)
    assert is_sound(path, *GOOD[path])


@pytest.mark.parametrize("path", GOOD)
def test_what_others_can_write_is_not(path: str) -> None:
    rights, text = GOOD[path]
    assert not is_sound(path, rights.replace("root root", "nasweb root"), text)
    assert not is_sound(path, rights[:-3] + "666", text)
    assert not is_sound(path, rights.replace("regular file", "symbolic link"), text)


@pytest.mark.parametrize("why", BAD)
def test_what_the_helper_would_not_write_is_not(why: str) -> None:
    path, text = BAD[why]
    rights = SECRET if f"/{ID}/" in path or f"/{ID[::-1]}/" in path else READ_BY_ALL
    assert is_one(path)
    assert not is_sound(path, READ_BY_ALL if path.endswith(".pub") else rights, text)


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        f"{FOLDER}/{ID}/rc",
        f"{FOLDER}/zzevil/ssh_config",
        f"{KEPT}/{ID}/x/password",
        f"{FOLDER}/{ID}",
    ],
)
def test_other_files_are_none_of_them(path: str) -> None:
    assert not is_one(path)
    assert not is_sound(path, SECRET, CONFIG)
