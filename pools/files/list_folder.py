"""files.list: a page of a folder, in a snapshot or as it is now."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from host.base import Host
from host.commands.files import ReadFolder
from host.files.answers import FolderPage
from pools.files.answers import FileAnswer, ask, shown_file
from pools.files.reach import PathText, Text


class ListFolder(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """List `path` of `dataset` in `snapshot` (its name behind the @), or as it is now."""

    dataset: Text
    snapshot: Text | None = None
    path: PathText = ""
    after: Annotated[str, Meta(max_length=3_070)] | None = None
    limit: Annotated[int, Meta(ge=1, le=1000)] = 100
    contains: Annotated[str, Meta(max_length=255)] = ""


class FolderAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Entries of a folder, folders first. `count` is of all of them; `following` leads on."""

    results: tuple[FileAnswer, ...]
    count: int
    following: str | None


def answer(request: ListFolder, host: Host) -> FolderAnswer:
    """Raises `Refused` where there is no such folder, `HostError`."""
    command = ReadFolder(
        dataset=request.dataset,
        tag=request.snapshot,
        path=request.path,
        after=request.after,
        limit=request.limit,
        contains=request.contains,
    )
    page = ask(host, command, FolderPage)
    prefix = f"{request.path}/" if request.path else ""
    return FolderAnswer(
        results=tuple(shown_file(entry, f"{prefix}{entry.name}") for entry in page.entries),
        count=page.count,
        following=page.following,
    )
