"""Root's folders for repositories on a simulated machine, and what is answered about repositories at once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import sha256

import msgspec

from host.base import Result
from host.commands.backups import (
    ForgetRepository,
    InitRepository,
    ListStoredFolder,
    ListStoredSnapshots,
    MakeRepositoryFolder,
    MakeRepositoryKey,
    OpenRepository,
    ReadRepositoryKey,
    ReadServerKeys,
    StoreRepositorySecret,
    WriteRepository,
)
from host.programs.backup.saving import tag_of
from host.repositories.answers import (
    RepositoryFault,
    RepositorySnapshot,
    RepositorySnapshots,
    ServerKey,
    ServerKeys,
    StoredEntry,
    StoredFolder,
)
from host.repositories.places import KEPT, SSH_KEY
from host.repositories.settings import fingerprint
from host.repositories.words import RepositoryProblem, place_of, problem
from host.simulated.backups.places import DARK, kept, opened, reach, server_keys
from host.simulated.backups.state import KeptRepository, StoredRepository, StoredState
from host.simulated.datasets.file_tree import put
from host.simulated.datasets.values import mountpoint
from host.simulated.handlers import fed, on
from host.simulated.refusal import Refusal, done
from host.simulated.state import Dataset, FileState, Machine, Pool

_REFUSED = 3
_OWN_BYTES = 155  # of each file that a new repository has


def _make_folder(machine: Machine, command: MakeRepositoryFolder) -> Result:
    path = f"{KEPT}/{command.repository}"
    if command.repository in machine.backups.kept:
        raise Refusal(f"mkdir: cannot create directory ‘{path}’: File exists\n")
    machine.backups.kept[command.repository] = KeptRepository()
    return done()


def _folder(machine: Machine, key: str, name: str) -> KeptRepository:
    found = machine.backups.kept.get(key)
    if found is None:
        raise Refusal(
            f"install: cannot create regular file '{KEPT}/{key}/{name}': No such file or directory\n"
        )
    return found


def _write(machine: Machine, command: WriteRepository) -> Result:
    _folder(machine, command.repository, "repository.json").settings = command.settings
    return done()


def _store_secret(machine: Machine, command: StoreRepositorySecret, given: bytes) -> Result:
    setattr(_folder(machine, command.repository, command.what), command.what, sha256(given).hexdigest())
    return done()


def _make_key(machine: Machine, command: MakeRepositoryKey) -> Result:
    key = server_keys(command.repository)[0]
    found = _folder(machine, command.repository, SSH_KEY)
    found.public_key = f"{key} nasweb-backup-{command.repository}\n"
    return done()


def _read_key(machine: Machine, command: ReadRepositoryKey) -> Result:
    found = machine.backups.kept.get(command.repository)
    if found is None or not found.public_key:
        path = f"{KEPT}/{command.repository}/{SSH_KEY}.pub"
        raise Refusal(f"cat: {path}: No such file or directory\n")
    return done(found.public_key)


def _forget(machine: Machine, command: ForgetRepository) -> Result:
    machine.backups.kept.pop(command.repository, None)
    return done()


def _init(machine: Machine, command: InitRepository) -> Result:
    try:
        way, settings = kept(machine, command.repository)
        reach(machine, settings)
        if settings.location in machine.backups.places:
            raise RepositoryProblem(
                "exists",
                f"There is a repository at {place_of(settings)} already, and it stays as it is. Import it, "
                "or choose another folder or path.",
            )
    except RepositoryProblem as error:
        raise Refusal(f"{error}\n", exit_status=_REFUSED) from None
    machine.backups.places[settings.location] = StoredRepository(password=way.password)
    _show_folder(machine, place_of(settings))
    return done('{"done":"init"}\n')


def _show_folder(machine: Machine, path: str) -> None:
    """A repository in a dataset is a folder there."""
    for pool in machine.pools.values():
        for dataset in pool.datasets.values():
            place = mountpoint(machine, dataset)
            if dataset.mounted and path.startswith(f"{place}/"):
                inside = path.removeprefix(f"{place}/")
                if not any(path.startswith(f"{mountpoint(machine, one)}/") for one in _below(pool, dataset)):
                    folder = FileState(path=inside, kind="folder", mode=0o700, modified_ns=machine.now_ns())
                    put(machine, pool, dataset, folder)
                    for own in ("config", f"keys/{sha256(inside.encode()).hexdigest()}"):
                        mine = FileState(path=f"{inside}/{own}", kind="file", mode=0o400, size=_OWN_BYTES)
                        put(machine, pool, dataset, mine)


def _below(pool: Pool, dataset: Dataset) -> list[Dataset]:
    return [one for one in pool.datasets.values() if one.name.startswith(f"{dataset.name}/") and one.mounted]


def _open(machine: Machine, command: OpenRepository) -> Result:
    try:
        opened(machine, command.repository)
    except RepositoryProblem as error:
        raise Refusal(f"{error}\n", exit_status=_REFUSED) from None
    return done('{"done":"open"}\n')


def _answered[C](answer: Callable[[Machine, C], msgspec.Struct]) -> Callable[[Machine, C], str]:
    def read(machine: Machine, command: C) -> str:
        try:
            found = answer(machine, command)
        except RepositoryProblem as error:
            found = RepositoryFault(code=error.code, message=str(error))
        return f"{msgspec.json.encode(found).decode()}\n"

    return read


def _server_keys(_machine: Machine, command: ReadServerKeys) -> ServerKeys:
    if command.host.endswith(DARK):
        raise problem("unreachable", f"The server {command.host}, port {command.port},")
    keys = server_keys(command.host)
    return ServerKeys(
        results=tuple(ServerKey(key=key, fingerprint=mark) for key in keys if (mark := fingerprint(key)))
    )


def finished(machine: Machine, repository: StoredRepository) -> list[StoredState]:
    """The snapshots that are there now, newest first."""
    there = [one for one in repository.snapshots if one.from_s <= machine.now()]
    return sorted(there, key=lambda one: one.made_at, reverse=True)


def _snapshots(machine: Machine, command: ListStoredSnapshots) -> RepositorySnapshots:
    found = finished(machine, opened(machine, command.repository))
    rows = (
        RepositorySnapshot(
            id=one.id, made_at=one.made_at, host=one.host, paths=(f"/run/nasweb-backups/data/{one.dataset}",),
            tags=(tag_of(one.backup), f"dataset:{one.dataset}"), dataset=one.dataset, backup=one.backup,
            size_bytes=sum(file.size for file in one.files),
        )
        for one in found
    )  # fmt: skip
    return RepositorySnapshots(results=tuple(rows), total=len(found))


def stored_state(machine: Machine, key: str, stored: str) -> StoredState:
    """The snapshot of that id. Raises `RepositoryProblem`."""
    repository = opened(machine, key)
    found = [one for one in finished(machine, repository) if one.id.startswith(stored)]
    if not found:
        raise problem(
            "other", "", f'Fatal: failed to find snapshot: no matching ID found for prefix "{stored}"'
        )
    return found[0]


def _list_folder(machine: Machine, command: ListStoredFolder) -> StoredFolder:
    files = stored_state(machine, command.repository, command.snapshot).files
    prefix = f"{command.path}/" if command.path else ""
    if command.path and not any(one.path == command.path for one in files):
        raise problem("not-found", f"{command.path} in that snapshot")
    entries = [
        StoredEntry(
            name=one.path.removeprefix(prefix), kind=one.kind, path=one.path,
            size_bytes=one.size if one.kind == "file" else 0,
            modified_at=datetime.fromtimestamp(one.modified_ns // 10**9, UTC).isoformat(timespec="seconds"),
        )
        for one in files
        if one.path.startswith(prefix) and "/" not in one.path.removeprefix(prefix)
    ]  # fmt: skip
    ordered = sorted(entries, key=lambda one: (one.kind != "folder", one.name.casefold()))
    return StoredFolder(results=tuple(ordered))


HANDLERS = (
    on(MakeRepositoryFolder, _make_folder)
    | on(WriteRepository, _write)
    | fed(StoreRepositorySecret, _store_secret)
    | on(MakeRepositoryKey, _make_key)
    | on(ReadRepositoryKey, _read_key)
    | on(ForgetRepository, _forget)
    | on(InitRepository, _init)
    | on(OpenRepository, _open)
    | on(ReadServerKeys, _answered(_server_keys))
    | on(ListStoredSnapshots, _answered(_snapshots))
    | on(ListStoredFolder, _answered(_list_folder))
)
