"""`files/` and what snapshots hold: browse, versions, differences, downloads, restores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from django.http.response import HttpResponseBase
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import APIException, NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from host.files.answers import Restored
from jobs import questions
from jobs.api import paging, query
from jobs.api.document import PAGING, PREFER, describe
from jobs.api.operations import writes
from jobs.api.questions import StillAsking, settled, still_asking
from jobs.api.refresh import QueueDown
from jobs.api.views import View, found, inventory_now, user_of
from jobs.audit import record
from jobs.models import IndexedSnapshot
from jobs.plan import Refused
from pools.api.downloads import attachment
from pools.files.answers import NOT_THERE, FileAnswer
from pools.files.compare import Difference
from pools.files.download import TooMany, Wish, opened
from pools.files.list_folder import FolderAnswer
from pools.files.reach import reachable
from pools.files.restore import RestoreFromSnapshot
from pools.files.stop_restore import StopOneRestore
from pools.files.versions import Version, VersionsAnswer

_WRITTEN = "UTF-8; a percent sign, and bytes that are no readable UTF-8, as `%XX`."


def _text(name: str, words: str, *, required: bool = False) -> OpenApiParameter:
    return OpenApiParameter(name, str, OpenApiParameter.QUERY, required=required, description=words)


_DATASET = _text("dataset", "Whose files.", required=True)
_SNAPSHOT = _text("snapshot", "Its name behind the @; left out, as it is now.")
_PATH = _text("path", f"From the dataset's own folder. {_WRITTEN}")
_THIS_PATH = _text("path", f"From the dataset's own folder. {_WRITTEN}", required=True)
_CONTAINS = _text("contains", "Only names with this text in them, in any case.")
_ARCHIVE = OpenApiParameter("archive", bool, OpenApiParameter.QUERY, description="A folder, as tar.")
_BINARY = {"type": "string", "format": "binary", "description": "The file, or a part of it."}


class FolderPageAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Entries of a folder, folders first, then by name. `count` is of all of them."""

    results: tuple[FileAnswer, ...]
    next: str | None
    count: int


class VersionPage(msgspec.Struct, frozen=True, kw_only=True):
    """What lay at a path, newest first, equal states folded. `examined` counts snapshots."""

    results: tuple[Version, ...]
    next: str | None
    examined: int


class RestoresAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The last restores into a dataset, newest first."""

    results: tuple[Restored, ...]


class DownloadsBusy(APIException):
    """Too many at once."""

    status_code = 503
    default_code = "downloads-busy"


class _OfFiles(View):
    area = "files"

    def dataset(self, request: Request) -> str:
        """The dataset that is asked for, whose files can be reached. Raises `Refused`, `NotFound`."""
        name = request.query_params.get("dataset")
        if not name:
            raise query.required("dataset", "Name the dataset: ?dataset=pool/name.")
        return _reached(name)

    def ask(self, request: Request, name: str, data: Mapping[str, Any]) -> Any:
        """The answer, None while there is none. Raises `Refused`, `NotFound`."""
        try:
            return questions.value(name, settled(request, name, data))
        except Refused as refused:
            raise _absent(refused) from None


class _Folder(_OfFiles):
    def page(self, request: Request, dataset: str, snapshot: str | None) -> Response:
        """Some entries of the folder that is asked for."""
        data = {
            "dataset": dataset,
            "snapshot": snapshot,
            "path": request.query_params.get("path", ""),
            "after": query.cursor(request),
            "limit": query.limit(request),
            "contains": request.query_params.get("contains", ""),
        }
        answer: FolderAnswer | None = self.ask(request, "files.list", data)
        if answer is None:
            return still_asking()
        return paging.answer(request, answer.results, answer.following, count=answer.count)


class Folder(_Folder):
    """A folder of a dataset."""

    @describe(
        "list_files",
        {200: FolderPageAnswer, 202: StillAsking},
        parameters=[_DATASET, _SNAPSHOT, _PATH, _CONTAINS, *PAGING, PREFER],
    )
    def get(self, request: Request) -> Response:
        """A page of a folder, in a snapshot or as it is now."""
        dataset = self.dataset(request)
        return self.page(request, dataset, _snapshot(request, dataset))


class SnapshotFolder(_Folder):
    """A folder in a snapshot, `dataset@tag`."""

    @describe(
        "list_snapshot_files",
        {200: FolderPageAnswer, 202: StillAsking},
        parameters=[_PATH, _CONTAINS, *PAGING, PREFER],
    )
    def get(self, request: Request, name: str) -> Response:
        """A page of a folder as it was then."""
        dataset, tag = _of_snapshot(name)
        return self.page(request, dataset, tag)


class Versions(_OfFiles):
    """All versions of a file."""

    @describe(
        "list_file_versions",
        {200: VersionPage, 202: StillAsking},
        parameters=[_DATASET, _THIS_PATH, *PAGING, PREFER],
    )
    def get(self, request: Request) -> Response:
        """What lay at a path in the snapshots, newest first; `limit` counts the snapshots looked at."""
        data = {
            "dataset": self.dataset(request),
            "path": request.query_params.get("path", ""),
            "after": query.cursor(request),
            "limit": min(query.limit(request), 500),
        }
        answer: VersionsAnswer | None = self.ask(request, "files.versions", data)
        if answer is None:
            return still_asking()
        return paging.answer(request, answer.results, answer.following, examined=answer.examined)


class Compare(_OfFiles):
    """How a text differs."""

    @describe(
        "compare_file",
        {200: Difference, 202: StillAsking},
        parameters=[
            _DATASET,
            _THIS_PATH,
            _text("before", "A snapshot's name behind the @; left out, now."),
            _text("then", "The same, of the other version."),
            PREFER,
        ],
    )
    def get(self, request: Request) -> Response:
        """A unified diff of two versions of a text."""
        data = {
            "dataset": self.dataset(request),
            "path": request.query_params.get("path", ""),
            "before": request.query_params.get("before") or None,
            "then": request.query_params.get("then") or None,
        }
        answer: Difference | None = self.ask(request, "files.compare", data)
        if answer is None:
            return still_asking()
        record(user_of(request).get_username(), "files.compare", f"{data['dataset']}: {data['path']}")
        return Response(answer)


class _Download(_OfFiles):
    def send(self, request: Request, dataset: str, snapshot: str | None) -> HttpResponseBase:
        """The file that is asked for."""
        path = request.query_params.get("path", "")
        wish = Wish(dataset, snapshot, path, query.flag(request, "archive"))
        try:
            download = opened(wish, user_of(request))
        except Refused as refused:
            raise _absent(refused) from None
        except questions.NobodyAnswers:
            raise QueueDown from None
        except TooMany as error:
            raise DownloadsBusy(str(error)) from None
        return attachment(
            download, asked_range=request.headers.get("Range"), if_range=request.headers.get("If-Range")
        )


class Download(_Download):
    """A file, or a folder as an archive."""

    @describe("download_file", {200: _BINARY}, parameters=[_DATASET, _SNAPSHOT, _THIS_PATH, _ARCHIVE])
    def get(self, request: Request) -> HttpResponseBase:
        """Its content, whole or (with `Range`) in part. Each download is in the audit log."""
        dataset = self.dataset(request)
        return self.send(request, dataset, _snapshot(request, dataset))


class SnapshotDownload(_Download):
    """A file of a snapshot, `dataset@tag`."""

    @describe("download_snapshot_file", {200: _BINARY}, parameters=[_THIS_PATH, _ARCHIVE])
    def get(self, request: Request, name: str) -> HttpResponseBase:
        """Its content as it was then, whole or (with `Range`) in part."""
        dataset, tag = _of_snapshot(name)
        return self.send(request, dataset, tag)


class Restore(View):
    """Brings files of a snapshot back."""

    area = "files"

    @writes("snapshot.restore", RestoreFromSnapshot, by_path=("snapshot",))
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Put one file or folder beside what is there, or over it: a snapshot taken before keeps that."""
        dataset, tag = _of_snapshot(name)
        return {"snapshot": f"{dataset}@{tag}"}


class LastRestores(_OfFiles):
    """Restores, while they go on and after."""

    @describe("list_restores", {200: RestoresAnswer, 202: StillAsking}, parameters=[_DATASET, PREFER])
    def get(self, request: Request) -> Response:
        """How the restores of the last week into a dataset stand; long ones go on in the background."""
        answer = self.ask(request, "files.restores", {"dataset": self.dataset(request)})
        return still_asking() if answer is None else Response(answer)


class EndRestore(View):
    """Ends a restore that goes on."""

    area = "files"

    @writes("snapshot.stop-restore", StopOneRestore)
    def post(self, request: Request) -> Mapping[str, Any]:
        """Stop it: what it copied so far is removed, and nothing else has changed."""
        return {}


def _reached(name: str) -> str:
    return found(reachable(inventory_now(), name), "dataset").name


def _snapshot(request: Request, dataset: str) -> str | None:
    tag = request.query_params.get("snapshot")
    return None if not tag else _known(dataset, tag)


def _of_snapshot(name: str) -> tuple[str, str]:
    dataset, _, tag = name.partition("@")
    if not tag:
        raise NotFound("There is no such snapshot.")
    _known(dataset, tag)
    return _reached(dataset), tag


def _known(dataset: str, tag: str) -> str:
    if not IndexedSnapshot.objects.filter(dataset__name=dataset, tag=tag).exists():
        raise NotFound("There is no such snapshot.")
    return tag


def _absent(refused: Refused) -> Exception:
    """404 for what is not there; else the refusal itself."""
    for finding in refused.findings:
        if finding.code in NOT_THERE:
            return NotFound(finding.message)
    return refused
