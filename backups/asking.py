"""Questions about repositories, which the worker has the machine answer."""

from __future__ import annotations

import secrets

import msgspec

from backups.models import RepositoryRow
from backups.names import NameText
from host.base import Host
from host.commands.backups import (
    ListStoredFolder,
    ListStoredSnapshots,
    ReadRepositoryKey,
    ReadServerKeys,
    StoredId,
)
from host.commands.base import Command
from host.probe.backups import ask_repository
from host.repositories.answers import RepositorySnapshots, ServerKeys, StoredFolder
from host.repositories.settings import HostName, Port, RestServer, server_fault
from host.repositories.words import RepositoryProblem
from jobs.plan import Refused
from jobs.planning.findings import fault
from pools.files.reach import PathText, path_fault


class AskServerKeys(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which keys an SSH server shows."""

    host: HostName
    port: Port = 22


class AskStoredSnapshots(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a repository holds."""

    repository: NameText


class AskStoredFolder(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What lies in a folder of a snapshot."""

    repository: NameText
    stored: StoredId
    path: PathText = ""


class AskRepositoryKey(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The public key that a repository's server has to know."""

    repository: NameText


class RepositoryPublicKey(msgspec.Struct, frozen=True, kw_only=True):
    """A line for `~/.ssh/authorized_keys` on the server; empty where there is none."""

    line: str


def server_keys(request: AskServerKeys, host: Host) -> ServerKeys:
    """Raises `Refused`, `HostError`."""
    if why := server_fault(RestServer(host=request.host)):
        raise Refused((fault("bad-host", "host", why),))
    return _ask(host, ReadServerKeys(host=request.host, port=request.port, key=_new()), ServerKeys)


def stored_snapshots(request: AskStoredSnapshots, host: Host) -> RepositorySnapshots:
    """Raises `Refused`, `HostError`."""
    command = ListStoredSnapshots(repository=_key(request.repository), key=_new())
    return _ask(host, command, RepositorySnapshots)


def stored_folder(request: AskStoredFolder, host: Host) -> StoredFolder:
    """Raises `Refused`, `HostError`."""
    if wrong := path_fault(request.path, "path"):
        raise Refused((wrong,))
    command = ListStoredFolder(
        repository=_key(request.repository), key=_new(), snapshot=request.stored, path=request.path
    )
    return _ask(host, command, StoredFolder)


def public_key(request: AskRepositoryKey, host: Host) -> RepositoryPublicKey:
    """Raises `Refused`, `HostError`."""
    said = host.run(ReadRepositoryKey(repository=_key(request.repository))).stdout.strip()
    return RepositoryPublicKey(line=f"restrict {said}" if said else "")


def _ask[T: msgspec.Struct](host: Host, command: Command, kind: type[T]) -> T:
    try:
        return ask_repository(host, command, kind)
    except RepositoryProblem as problem:
        raise Refused((fault(problem.code or "other", "", str(problem)),)) from None


def _key(name: str) -> str:
    row = RepositoryRow.objects.filter(name=name).first()
    if row is None:
        raise Refused((fault("unknown-repository", "repository", "There is no such repository."),))
    return row.key


def _new() -> str:
    return secrets.token_hex(8)
