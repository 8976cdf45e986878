"""Uploads: files that an account sends piece by piece, so that what was cut off can go on."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta
from threading import BoundedSemaphore
from typing import Annotated, cast

import msgspec
from django.utils import timezone
from msgspec import Meta

from host.files.names import BadPath, components, new_name, windows_trouble
from host.files.receiving import (
    CHUNK_BYTES,
    LARGEST_BYTES,
    Abandon,
    Append,
    Begin,
    Existing,
    Finish,
    MakeFolder,
    See,
)
from jobs import questions
from jobs.audit import record
from jobs.plan import Finding, Refused
from jobs.planning.findings import Findings, fault
from jobs.rights import Forbidden, User
from pools.files.reach import PathText, Text, path_fault
from pools.files.sending import is_private, send, shut_for
from pools.models import Upload

KEPT = timedelta(days=1)  # of silence; then what has arrived is removed
_LIST = "files.list"  # the question whose answers are others then
_MOST = 100  # unfinished ones of an account
_NOTED = timedelta(minutes=10)  # the time of the last bytes is kept no more exactly: each note is a write
# Each keeps a thread of the web server busy, which has 32, for as long as its bytes take to come.
slots = BoundedSemaphore(8)
NameText = Annotated[str, Meta(max_length=765)]


class NewUpload(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Put a file of `size_bytes` into a folder. `existing` says what happens to a file of that name:
    refuse the upload, rename what is uploaded, or replace the file, which only a snapshot then keeps.
    """

    dataset: Text
    folder: PathText = ""
    name: NameText
    size_bytes: Annotated[int, Meta(ge=0, le=LARGEST_BYTES)]
    existing: Existing = "refuse"


class NewFolder(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Make a folder in `folder` of a dataset."""

    dataset: Text
    folder: PathText = ""
    name: NameText


def make_folder(wish: NewFolder, user: User) -> str:
    """Its path. Raises as `send` does."""
    check(wish, user)
    message = MakeFolder(folder=wish.folder, name=wish.name, private=is_private(wish.dataset))
    made = send(wish.dataset, user, message)
    path = within(wish.folder, made.name)
    questions.forget(_LIST)
    record(user.get_username(), "files.make-folder", f"{wish.dataset}: {path}")
    return path


def begin(wish: NewUpload, user: User) -> Upload:
    """Raises as `send` does."""
    check(wish, user)
    account = user.get_username()
    if Upload.objects.filter(account=account).count() >= _MOST:
        message = f"You have {_MOST} unfinished uploads. Finish or cancel some of them first."
        raise Refused((fault("too-many-uploads", "", message),))
    upload = Upload(key=secrets.token_hex(16), account=account, **msgspec.structs.asdict(wish))
    upload.began_at = upload.last_at = timezone.now()
    wanted = Begin(
        upload=upload.key,
        folder=wish.folder,
        name=wish.name,
        size_bytes=wish.size_bytes,
        existing=wish.existing,
        private=is_private(wish.dataset),
    )
    upload.save()  # before: what nobody remembers would lie there for ever
    try:
        send(wish.dataset, user, wanted)
    except (Refused, Forbidden, questions.NobodyAnswers):
        upload.delete()
        raise
    return upload


def append(upload: Upload, user: User, offset: int, data: bytes, sha256: str | None) -> int:
    """How much has arrived then. Raises as `send` does."""
    if not data or len(data) > CHUNK_BYTES:
        message = f"Send 1 to {CHUNK_BYTES} bytes at a time."
        raise Refused((fault("bad-length", "", message),))
    piece = Append(
        upload=upload.key,
        folder=upload.folder,
        size_bytes=upload.size_bytes,
        offset=min(offset, LARGEST_BYTES),
        length=len(data),
        sha256=sha256 or hashlib.sha256(data).hexdigest(),
    )
    arrived = send(upload.dataset, user, piece, data).offset
    now = timezone.now()
    if now - upload.last_at > _NOTED:
        Upload.objects.filter(pk=upload.pk).update(last_at=now)
    return arrived


def arrived(upload: Upload, user: User) -> int:
    """How many bytes are there. Raises as `send` does."""
    return send(upload.dataset, user, See(upload=upload.key, folder=upload.folder)).offset


def finish(upload: Upload, user: User, existing: Existing | None = None) -> str:
    """Its path. Raises as `send` does."""
    how = existing or cast("Existing", upload.existing)
    _check_replacing(how, user)
    message = Finish(
        upload=upload.key, folder=upload.folder, name=upload.name, size_bytes=upload.size_bytes, existing=how
    )
    made = send(upload.dataset, user, message)
    path = within(upload.folder, made.name)
    upload.delete()
    questions.forget(_LIST)
    subject = f"{upload.dataset}: {path}"
    record(user.get_username(), "files.upload", subject, size_bytes=made.offset, existing=how)
    return path


def cancel(upload: Upload, user: User) -> None:
    """Remove what has arrived. Raises as `send` does."""
    send(upload.dataset, user, Abandon(upload=upload.key, folder=upload.folder))
    upload.delete()


def warnings(name: str) -> tuple[Finding, ...]:
    """What is good to know of a name before."""
    trouble = windows_trouble(name)
    return (
        () if trouble is None else (Finding(level="warning", code="windows", field="name", message=trouble),)
    )


def within(folder: str, name: str) -> str:
    """The path of something in a folder."""
    return f"{folder}/{name}".removeprefix("/")


def check(wish: NewUpload | NewFolder, user: User) -> None:
    """What can be known before it is tried. Raises `Refused`, `Forbidden`."""
    found = Findings()
    try:
        components(wish.folder)
        new_name(wish.folder, wish.name)
    except BadPath as error:
        bad_folder = path_fault(wish.folder, "folder")
        found.error("bad-path" if bad_folder else "bad-name", "folder" if bad_folder else "name", str(error))
    if shut := shut_for(wish.dataset, user):
        found.error(shut.code, shut.field, shut.message)
    found.refuse_on_error()
    if isinstance(wish, NewUpload):
        _check_replacing(wish.existing, user)


def _check_replacing(existing: Existing, user: User) -> None:
    if existing == "replace" and not user.has_perm("destroy"):
        raise Forbidden("Your role does not allow replacing files. Upload it under another name.")
