"""`configuration/`: copies of the settings on pools, and restoring from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from django.http import FileResponse
from django.http.response import HttpResponseBase
from rest_framework.exceptions import APIException, NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from host.backup.manifest import KeptGroup, KeptPerson
from host.backup.store import read_name
from jobs import questions
from jobs.api.document import PREFER, describe
from jobs.api.operations import writes
from jobs.api.questions import StillAsking, settled, still_asking
from jobs.api.refresh import QueueDown
from jobs.api.views import View, found, inventory_now, user_of
from jobs.audit import record
from jobs.plan import Refused
from jobs.planning.findings import fault
from jobs.rights import ADMIN, need
from machine.backup import uploads
from machine.backup.create import COPIES, KeepConfiguration
from machine.backup.create import OPERATION as KEEP
from machine.backup.listing import COPY, Copies, CopyAnswer, CopyContent
from machine.backup.open_copy import opened
from machine.backup.report import CopiesAnswer, CopySettings, copies_answer, copy_settings
from machine.backup.restore import OPERATION as RESTORE
from machine.backup.restore import RestoreConfiguration
from machine.backup.set_backup import SetCopies

_BINARY = {"type": "string", "format": "binary", "description": "The copy, a packed tar archive."}
_CHUNK = 1 << 16


class UploadTooLarge(APIException):
    """More than a copy can have."""

    status_code = 413
    default_code = "too-large"


class OneCopyAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A copy that was read whole, every hash compared, with the people and groups in it."""

    copy: CopyAnswer
    people: tuple[KeptPerson, ...]
    groups: tuple[KeptGroup, ...]


class UploadAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What was sent, by the name that `configuration/restore/` takes. It is kept for an hour."""

    upload: str


class _OfSystem(View):
    area = "system"


class AllCopies(_OfSystem):
    """Every pool."""

    @describe("list_configuration_copies", {200: CopiesAnswer, 202: StillAsking}, parameters=[PREFER])
    def get(self, request: Request) -> Response:
        """The state of each pool, and the copies on it, those of other installations among them."""
        inventory = inventory_now()
        seen: Copies | None = questions.value(COPIES, settled(request, COPIES, {}))
        return still_asking() if seen is None else Response(copies_answer(seen.results, inventory))

    @writes(KEEP, KeepConfiguration)
    def post(self, request: Request) -> Mapping[str, Any]:
        """Write a copy now, to the pools that are named or to all that can take one."""
        return {}


class Settings(_OfSystem):
    """What is kept."""

    @describe("get_configuration_settings", {200: CopySettings})
    def get(self, request: Request) -> Response:
        """Whether copies are kept, and with passwords or without."""
        return Response(copy_settings())

    @writes("configuration.set-copies", SetCopies)
    def patch(self, request: Request) -> Mapping[str, Any]:
        """Change it. For admins alone."""
        return {}


class OneCopy(_OfSystem):
    """One copy."""

    @describe("get_configuration_copy", {200: OneCopyAnswer, 202: StillAsking}, parameters=[PREFER])
    def get(self, request: Request, pool: str, copy: str) -> Response:
        """Read it whole, compare every hash, and report what is in it."""
        _known(pool, copy)
        try:
            asked = settled(request, COPY, {"pool": pool, "copy": copy})
            seen: CopyContent | None = questions.value(COPY, asked)
        except Refused as refused:
            raise _absent(refused) from None
        if seen is None:
            return still_asking()
        people = seen.people
        return Response(OneCopyAnswer(copy=seen.copy, people=people.people, groups=people.groups))


class Download(_OfSystem):
    """One copy as a file."""

    def scope_for(self, _method: str) -> str:
        """Having all settings is more than reading them; the question needs an admin's scope too."""
        return "system:write"

    @describe("download_configuration_copy", {200: _BINARY})
    def get(self, request: Request, pool: str, copy: str) -> HttpResponseBase:
        """The file itself. For admins alone; each download is in the audit log."""
        _known(pool, copy)
        try:
            return attachment(pool, copy, user_of(request))
        except questions.NobodyAnswers:
            raise QueueDown from None


class Uploads(_OfSystem):
    """Copies that are sent."""

    @describe(
        "upload_configuration_copy",
        {201: UploadAnswer},
        request={"application/octet-stream": {"type": "string", "format": "binary"}},
    )
    def post(self, request: Request) -> Response:
        """Send a copy that was downloaded before, as the body itself, to restore it. For admins alone."""
        need(user_of(request), ADMIN)
        try:
            name = uploads.take_in(_body(request))
        except uploads.TooLarge as error:
            raise UploadTooLarge(str(error)) from None
        except uploads.BadCopy as error:
            raise Refused((fault("no-copy", "", str(error)),)) from None
        record(user_of(request).get_username(), "configuration.upload", name)
        return Response(UploadAnswer(upload=name), status=201)


class Restore(_OfSystem):
    """Restores all settings."""

    @writes(RESTORE, RestoreConfiguration)
    def post(self, request: Request) -> Mapping[str, Any]:
        """Restore all settings from a copy. For admins alone; the console starts again at the end."""
        return {}


def attachment(pool: str, copy: str, user: Any) -> HttpResponseBase:
    """A copy as an answer. Raises `Forbidden`, `Refused`, `questions.NobodyAnswers`."""
    handed, file = opened(pool, copy, user)
    response = FileResponse(file, content_type="application/octet-stream", as_attachment=True, filename=copy)
    response.headers["Content-Length"] = str(handed.size_bytes)
    response.headers["Cache-Control"] = "no-store, private"
    # nginx would write a part of it to the system's own disk first.
    response.headers["X-Accel-Buffering"] = "no"
    return response


def _body(request: Request) -> Iterator[bytes]:
    # As it comes, and never through a parser: it is no JSON.
    while chunk := request._request.read(_CHUNK):
        yield chunk


def _known(pool: str, copy: str) -> None:
    found(inventory_now().pool(pool), "pool")
    if read_name(copy) is None:
        raise NotFound("There is no such backup.")


def _absent(refused: Refused) -> Exception:
    """404 for what is not there; else the refusal itself."""
    if any(finding.code == "copy-none" for finding in refused.findings):
        return NotFound("There is no such backup.")
    return refused
