"""`repositories/`: where backups are stored."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from backups import stored
from backups.answers import RepositoryAnswer, repository_answer
from backups.asking import RepositoryPublicKey
from backups.check_repository import CheckRepository
from backups.connect_repository import ConnectRepository
from backups.create_repository import CreateRepository, ImportRepository
from backups.remove_repository import RemoveRepository
from backups.restore import RestoreStored
from host.inventory import Inventory
from host.repositories.answers import RepositorySnapshots, ServerKeys, StoredFolder
from jobs.api import paging, query
from jobs.api.document import PAGING, PREFER, describe
from jobs.api.operations import writes
from jobs.api.questions import StillAsking, answered
from jobs.api.shapes import Moment
from jobs.api.views import View, found, inventory_now, user_of

_HOST = OpenApiParameter("host", str, OpenApiParameter.QUERY, required=True, description="An SSH server.")
_PORT = OpenApiParameter("port", int, OpenApiParameter.QUERY, description="22 where it is left out.")
_PATH = OpenApiParameter(
    "path", str, OpenApiParameter.QUERY, description="A folder of the snapshot; its top where it is left out."
)


class RepositoryPage(msgspec.Struct, frozen=True, kw_only=True):
    """Repositories by name."""

    results: tuple[RepositoryAnswer, ...]
    next: str | None
    as_of: Moment


def now() -> Inventory:
    """The cached inventory, with what the rows say of backups now. Raises `NotReady`."""
    return stored.complete(inventory_now())


class _OfRepositories(View):
    area = "pools"

    def named(self, name: str) -> Mapping[str, Any]:
        """The field of the path. Raises `NotFound`."""
        found(now().backups.repository(name), "repository")
        return {"name": name}


class Repositories(_OfRepositories):
    """All repositories."""

    @describe("list_repositories", {200: RepositoryPage}, parameters=PAGING)
    def get(self, request: Request) -> Response:
        """A page of repositories, with how they stand."""
        inventory, moment, user = now(), datetime.now(UTC), user_of(request)
        return paging.of_values(
            request, inventory.backups.repositories, key=lambda one: one.name,
            show=lambda one: repository_answer(one, inventory, user, moment), as_of=inventory.as_of,
        )  # fmt: skip

    @writes("repository.create", CreateRepository)
    def post(self, request: Request) -> Mapping[str, Any]:
        """Make a new repository. Keep its password elsewhere, too: it is never answered."""
        return {}


class RepositoryImport(_OfRepositories):
    """Repositories that are there already."""

    @writes("repository.import", ImportRepository)
    def post(self, request: Request) -> Mapping[str, Any]:
        """Use a repository that somebody made before."""
        return {}


class ServerKeysOf(View):
    """What an SSH server shows."""

    area = "pools"

    def scope_for(self, method: str) -> str:
        """It lets this machine knock at another."""
        return "pools:write"

    @describe("list_server_keys", {200: ServerKeys, 202: StillAsking}, parameters=[_HOST, _PORT, PREFER])
    def get(self, request: Request) -> Response:
        """The public keys of an SSH server, to be compared with what its owner says."""
        if not (host := request.query_params.get("host")):
            raise query.required("host", "Name the server: ?host=backup.example.org.")
        port = request.query_params.get("port", "22")
        data = {"host": host, "port": int(port) if port.isdecimal() and len(port) < 6 else 0}
        return answered(request, "repository.server-keys", data)


class OneRepository(_OfRepositories):
    """One repository."""

    @describe("get_repository", {200: RepositoryAnswer})
    def get(self, request: Request, name: str) -> Response:
        """The repository, and how it stands."""
        inventory = now()
        known = found(inventory.backups.repository(name), "repository")
        return Response(repository_answer(known, inventory, user_of(request), datetime.now(UTC)))

    @writes("repository.remove", RemoveRepository, by_path=("name",))
    def delete(self, request: Request, name: str) -> Mapping[str, Any]:
        """Forget the way to it with its password. Everything stored there stays."""
        return self.named(name)


class RepositoryConnect(_OfRepositories):
    """Connecting one."""

    @writes("repository.connect", ConnectRepository, by_path=("name",))
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Sign in to a server that has been given the key, and make or open the repository."""
        return self.named(name)


class RepositoryCheck(_OfRepositories):
    """Checking one."""

    @writes("repository.check", CheckRepository, by_path=("name",))
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Check its structure and read a part of its data back."""
        return self.named(name)


class RepositoryKey(_OfRepositories):
    """The key of one."""

    @describe("get_repository_key", {200: RepositoryPublicKey, 202: StillAsking}, parameters=[PREFER])
    def get(self, request: Request, name: str) -> Response:
        """The line that an SSH server needs in `~/.ssh/authorized_keys`."""
        self.named(name)
        return answered(request, "repository.key", {"repository": name})


class RepositoryContent(_OfRepositories):
    """What one holds."""

    @describe("list_repository_snapshots", {200: RepositorySnapshots, 202: StillAsking}, parameters=[PREFER])
    def get(self, request: Request, name: str) -> Response:
        """The newest thousand snapshots of restic in it."""
        self.named(name)
        return answered(request, "repository.snapshots", {"repository": name})


class RepositoryFiles(_OfRepositories):
    """Files in a snapshot of one."""

    area = "files"

    @describe("list_repository_files", {200: StoredFolder, 202: StillAsking}, parameters=[_PATH, PREFER])
    def get(self, request: Request, name: str, stored_id: str) -> Response:
        """A folder of a snapshot, at most 5,000 entries."""
        self.named(name)
        path = request.query_params.get("path", "")
        return answered(request, "repository.folder", {"repository": name, "stored": stored_id, "path": path})


class RepositoryRestore(_OfRepositories):
    """Restoring from a snapshot of one."""

    area = "files"

    @writes("backup.restore", RestoreStored, by_path=("repository", "stored"))
    def post(self, request: Request, name: str, stored_id: str) -> Mapping[str, Any]:
        """Bring a file, a folder or all of it back into a dataset, beside what is there."""
        self.named(name)
        return {"repository": name, "stored": stored_id}
