"""Files of root's in which values of the API lead to other machines or set limits of the kernel.

Such a file may be another one after any request. It is sound where its whole text is one that the helper
renders of values that it lets pass, and where root alone can write it, or read it where it is secret. Of
private keys, passwords and certificates the text is their own.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

import msgspec

from host import typed
from host.commands.backups import WriteRepository
from host.commands.peering.connections import TrustHostKeys, WriteConnection
from host.connections import FOLDER
from host.connections.authority import authority_fault
from host.contents import arc, logs, peers, ssh
from host.programs.peer.rights import read_rights
from host.repositories.places import KEPT
from host.repositories.settings import RepositorySettings

_ID = "([0-9a-f]{16})"
_CONNECTION, _REPOSITORY, _PEER = f"{FOLDER}/{_ID}", f"{KEPT}/{_ID}", f"{peers.FOLDER}/{_ID}"
_SECRET, _READ_BY_ALL = "regular file root root 600", "regular file root root 644"
RIGHTS = "%F %U %G %a"  # as stat(1) prints what `is_sound` takes


class _Rule(NamedTuple):
    path: str  # a pattern; what it finds is the connection, repository or peer
    rights: str
    holds: Callable[[str, str], bool]  # of the id and the text; raises what is listed in `_REFUSALS`


def _config(connection: str, text: str) -> bool:
    words = [line.split() for line in text.splitlines()]
    said = {found[0]: found[1] for found in words if len(found) == 2}
    where = {"host": said["HostName"], "port": int(said["Port"]), "user": said["User"]}
    return typed.convert({"connection": connection, **where}, WriteConnection).input() == text


def _hosts(connection: str, text: str) -> bool:
    keys = [line.partition(" ")[2] for line in text.splitlines()]
    return typed.convert({"connection": connection, "keys": keys}, TrustHostKeys).input() == text


def _settings(repository: str, text: str) -> bool:
    settings = typed.decode(text, RepositorySettings)
    return WriteRepository(repository=repository, settings=settings).input() == text


def _rights(_peer: str, text: str) -> bool:
    rights = read_rights(text)
    return peers.render_rights(rights.root, rights.shared) == text


def _line(peer: str, text: str) -> bool:
    key = " ".join(text.split()[-3:-1])
    return ssh.key_fault(key) is None and text == peers.render_line(peer, key)


_RULES = (
    _Rule(rf"{_CONNECTION}/ssh_config", _SECRET, _config),
    _Rule(rf"{_CONNECTION}/known_hosts", _SECRET, _hosts),
    _Rule(rf"(?:{_CONNECTION}|{_REPOSITORY})/id_ed25519", _SECRET, lambda _id, text: bool(text)),
    _Rule(
        rf"(?:{_CONNECTION}|{_REPOSITORY})/id_ed25519\.pub", _READ_BY_ALL,
        lambda _id, text: ssh.public_part(text) is not None,
    ),
    _Rule(rf"{_REPOSITORY}/repository\.json", _SECRET, _settings),
    _Rule(rf"{_REPOSITORY}/(?:password|key)", _SECRET, lambda _id, text: bool(text)),
    _Rule(rf"{_PEER}\.json", _READ_BY_ALL, _rights),
    _Rule(rf"{_PEER}\.keys", _READ_BY_ALL, _line),
    _Rule(
        re.escape(logs.FILE), _READ_BY_ALL,
        lambda _id, text: not logs.read(text, "", active=False).altered,
    ),
    _Rule(re.escape(logs.AUTHORITY), _READ_BY_ALL, lambda _id, text: authority_fault(text) is None),
    _Rule(re.escape(arc.FILE), _READ_BY_ALL, lambda _id, text: arc.read(text) is not None),
)  # fmt: skip
_REFUSALS = (KeyError, ValueError, msgspec.DecodeError)


def is_one(path: str) -> bool:
    """Whether `path` is that of such a file."""
    return any(re.fullmatch(rule.path, path) for rule in _RULES)


def is_sound(path: str, rights: str, text: str) -> bool:
    """Whether such a file is as the helper writes it. `rights`: see `RIGHTS`."""
    for rule in _RULES:
        if found := re.fullmatch(rule.path, path):
            try:
                return rights == rule.rights and rule.holds(found[1] if found.re.groups else "", text)
            except _REFUSALS:
                return False
    return False
