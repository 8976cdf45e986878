"""`uploads/`: files that are sent piece by piece, and `datasets/…/folders/`: new folders."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from typing import Any

import msgspec
from django.http import UnreadablePostError
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import APIException, NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from host.files.receiving import CHUNK_BYTES, LARGEST_BYTES, Existing
from jobs import questions
from jobs.api import query
from jobs.api.document import DRY_RUN, describe
from jobs.api.refresh import QueueDown
from jobs.api.shapes import Moment
from jobs.api.views import View, found, inventory_now, user_of
from jobs.plan import Finding, Refused
from jobs.planning.findings import fault
from jobs.planning.shape import decode
from pools.api.dataset_actions import Action
from pools.files import uploads
from pools.files.reach import PathText
from pools.files.uploads import NameText, NewFolder, NewUpload, within
from pools.models import Upload

_DIGEST = re.compile(r"sha-256=:([A-Za-z0-9+/]{43}=):")
_OFFSET = OpenApiParameter(
    "offset",
    {"type": "integer", "minimum": 0, "maximum": LARGEST_BYTES},
    OpenApiParameter.QUERY,
    required=True,
    description="How many bytes come before these: as many as have arrived.",
)
_CONTENT_DIGEST = OpenApiParameter(
    "Content-Digest",
    {"type": "string", "pattern": r"^sha-256=:[A-Za-z0-9+/]{43}=:$"},
    OpenApiParameter.HEADER,
    description="The SHA-256 of these bytes (RFC 9530): bytes that changed on the way are refused.",
)
_BYTES = {
    "application/octet-stream": {
        "type": "string",
        "format": "binary",
        "description": f"1 to {CHUNK_BYTES} bytes.",
    }
}


class FolderBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A new folder in `folder` of the dataset."""

    folder: PathText = ""
    name: NameText


class FinishBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What happens to a file of that name; left out, as the upload was begun."""

    existing: Existing | None = None


class MadeAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What was made, and what Windows makes of its name."""

    dataset: str
    path: str
    warnings: tuple[Finding, ...] = ()


class UnfinishedUpload(msgspec.Struct, frozen=True, kw_only=True):
    """A file that has not arrived whole."""

    id: str
    dataset: str
    folder: str
    name: str
    size_bytes: int
    existing: str
    began_at: Moment
    warnings: tuple[Finding, ...] = ()


class ArrivedAnswer(UnfinishedUpload, frozen=True, kw_only=True):
    """How much has arrived; the bytes behind `offset` come next, `most_bytes` at a time."""

    offset: int
    most_bytes: int = CHUNK_BYTES


class UploadsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What the caller has not finished, oldest first."""

    results: tuple[UnfinishedUpload, ...]


class UploadsBusy(APIException):
    """Too many at once."""

    status_code = 503
    default_code = "uploads-busy"
    default_detail = "Too many uploads at once. Try again in a moment."


class PieceTooLarge(APIException):
    """More than one request may have."""

    status_code = 413
    default_code = "piece-too-large"
    default_detail = f"Send at most {CHUNK_BYTES} bytes at a time."


class _OfFiles(View):
    area = "files"
    write_scope = "files:write"

    def scope_for(self, method: str) -> str:
        """Reading them is of no use to whoever may not send."""
        return "files:write"


class Folders(Action):
    """New folders of a dataset."""

    area = "files"
    verb = "folders"

    @describe("make_folder", {200: MadeAnswer, 201: MadeAnswer}, request=FolderBody, parameters=[DRY_RUN])
    def post(self, request: Request, name: str) -> Response:
        """Make a folder as the NAS user with the caller's name. It is in the audit log."""
        asked = decode(FolderBody, request.data)
        found(inventory_now().dataset(name), "dataset")
        wish = NewFolder(dataset=name, folder=asked.folder, name=asked.name)
        if query.flag(request, "dry_run"):
            uploads.check(wish, user_of(request))
            return Response(_made(name, within(wish.folder, wish.name)))
        path = _answered(lambda: uploads.make_folder(wish, user_of(request)))
        return Response(_made(name, path), status=201)


class Uploads(_OfFiles):
    """All unfinished ones."""

    @describe("list_uploads", {200: UploadsAnswer})
    def get(self, request: Request) -> Response:
        """Unfinished uploads of the caller. They are removed after a day without new data."""
        rows = Upload.objects.filter(account=user_of(request).get_username())
        return Response(UploadsAnswer(results=tuple(UnfinishedUpload(**_fields(row)) for row in rows)))

    @describe("begin_upload", {200: MadeAnswer, 201: ArrivedAnswer}, request=NewUpload, parameters=[DRY_RUN])
    def post(self, request: Request) -> Response:
        """Begin a file, as the NAS user with the caller's name. It has its name once it is finished."""
        wish = decode(NewUpload, request.data)
        inventory_now()
        if query.flag(request, "dry_run"):
            uploads.check(wish, user_of(request))
            return Response(_made(wish.dataset, within(wish.folder, wish.name)))
        upload = _answered(lambda: uploads.begin(wish, user_of(request)))
        headers = {"Location": f"/api/v1/uploads/{upload.key}/"}
        return Response(ArrivedAnswer(**_fields(upload), offset=0), status=201, headers=headers)


class OneUpload(_OfFiles):
    """An unfinished file."""

    @describe("get_upload", {200: ArrivedAnswer})
    def get(self, request: Request, key: str) -> Response:
        """How much has arrived: after an interruption send what follows."""
        upload = _own(request, key)
        arrived = _answered(lambda: uploads.arrived(upload, user_of(request)))
        return Response(ArrivedAnswer(**_fields(upload), offset=arrived))

    @describe("send_to_upload", {200: ArrivedAnswer}, request=_BYTES, parameters=[_OFFSET, _CONTENT_DIGEST])
    def put(self, request: Request, key: str) -> Response:
        """Send the next bytes, as the body itself."""
        upload, offset, digest = _own(request, key), _offset(request), _digest(request)
        if not uploads.slots.acquire(blocking=False):
            raise UploadsBusy
        try:
            data = _body(request)
            arrived = _answered(lambda: uploads.append(upload, user_of(request), offset, data, digest))
        finally:
            uploads.slots.release()
        return Response(ArrivedAnswer(**_fields(upload), offset=arrived))

    @describe("cancel_upload", {200: UnfinishedUpload, 204: None}, parameters=[DRY_RUN])
    def delete(self, request: Request, key: str) -> Response:
        """Remove what has arrived."""
        upload = _own(request, key)
        if query.flag(request, "dry_run"):
            return Response(UnfinishedUpload(**_fields(upload)))
        _answered(lambda: uploads.cancel(upload, user_of(request)))
        return Response(status=204)


class FinishUpload(_OfFiles):
    """The end of one."""

    @describe("finish_upload", {200: MadeAnswer}, request=FinishBody, parameters=[DRY_RUN])
    def post(self, request: Request, key: str) -> Response:
        """Give the file its name, once all of it has arrived. It is in the audit log."""
        asked = decode(FinishBody, request.data)
        upload = _own(request, key)
        if query.flag(request, "dry_run"):
            return Response(_made(upload.dataset, within(upload.folder, upload.name)))
        path = _answered(lambda: uploads.finish(upload, user_of(request), asked.existing))
        return Response(_made(upload.dataset, path))


def _own(request: Request, key: str) -> Upload:
    """The caller's own upload. Raises `NotFound`, also for those of others."""
    row = Upload.objects.filter(key=key, account=user_of(request).get_username()).first()
    if row is None:
        raise NotFound("There is no such upload. Unfinished uploads are removed after a day.")
    return row


def _made(dataset: str, path: str) -> MadeAnswer:
    name = path.rpartition("/")[2]
    return MadeAnswer(dataset=dataset, path=path, warnings=uploads.warnings(name))


def _fields(row: Upload) -> dict[str, Any]:
    return {
        "id": row.key,
        "dataset": row.dataset,
        "folder": row.folder,
        "name": row.name,
        "size_bytes": row.size_bytes,
        "existing": row.existing,
        "began_at": row.began_at.isoformat(),
        "warnings": uploads.warnings(row.name),
    }


def _offset(request: Request) -> int:
    text = request.query_params.get("offset", "")
    if not (text.isascii() and text.isdecimal() and len(text) < 20):
        raise query.bad_value("offset", "Give the offset of these bytes: ?offset=0 for the first.")
    return int(text)


def _digest(request: Request) -> str | None:
    """The SHA-256 in hexadecimal digits, None where none was sent. Raises `Refused`."""
    text = request.headers.get("Content-Digest")
    if text is None:
        return None
    match = _DIGEST.fullmatch(text.strip())
    try:
        return base64.b64decode(match[1], validate=True).hex() if match else _no_digest()
    except binascii.Error:
        return _no_digest()


def _no_digest() -> str:
    raise Refused((fault("bad-value", "Content-Digest", "Send sha-256=:…: with the digest in base64."),))


def _body(request: Request) -> bytes:
    # As it comes, and never through a parser: it is no JSON.
    try:
        data: bytes = request._request.read(CHUNK_BYTES + 1)
    except UnreadablePostError:
        raise Refused((fault("cut-off", "", "The connection ended before all bytes came."),)) from None
    if len(data) > CHUNK_BYTES:
        raise PieceTooLarge
    return data


def _answered[T](ask: Callable[[], T]) -> T:
    try:
        return ask()
    except questions.NobodyAnswers:
        raise QueueDown from None
