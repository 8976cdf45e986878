"""files.versions: what lay at a path in the snapshots of its dataset, newest first, equal ones folded."""

from __future__ import annotations

import time
from typing import Annotated

import msgspec
from django.db.models import Q
from msgspec import Meta

from host.base import Host
from host.commands.files import SeeVersions
from host.files.answers import ProblemCode, Sightings
from jobs.api.shapes import Moment
from jobs.models import IndexedSnapshot
from jobs.plan import Refused
from jobs.planning.findings import fault
from pools.files.answers import FileAnswer, ask, moment, shown_file
from pools.files.reach import PathText, Text
from pools.files.stretches import Change, Sight, Stretch, fold


class SeeFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Look at `path` of `dataset` now and in up to `limit` snapshots, or in those older than `after`."""

    dataset: Text
    path: PathText
    after: Annotated[str, Meta(pattern=r"\A[0-9]{1,12}\.[0-9]{1,18}\Z")] | None = None
    limit: Annotated[int, Meta(ge=1, le=500)] = 100


class Version(msgspec.Struct, frozen=True, kw_only=True):
    """What lay there through one or more snapshots in a row; `file` null where nothing did.

    `newest` and `oldest` name the snapshots (`newest` null: it is so now). `change` tells what sets it apart
    from the version before it: content, attributes (owner, rights or name alone, as far as size and time
    tell), appeared or gone; null where that is not known. `like` is the place in this list of a newer
    version of the same size and time.
    """

    file: FileAnswer | None
    problem: ProblemCode | None
    newest: str | None
    oldest: str | None
    newest_at: Moment
    oldest_at: Moment
    snapshots: int
    change: Change | None
    like: int | None
    now: bool


class VersionsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Versions, newest first. `examined` counts the snapshots; `following` leads to older ones."""

    results: tuple[Version, ...]
    examined: int
    following: str | None


def answer(request: SeeFile, host: Host) -> VersionsAnswer:
    """Raises `Refused`, `HostError`."""
    if not request.path:
        raise Refused((fault("required", "path", "Name the file: ?path=folder/name."),))
    rows = _rows(request)
    page = rows[: request.limit]
    command = SeeVersions(
        dataset=request.dataset,
        path=request.path,
        tags=tuple(tag for tag, _, _ in page),
        live=request.after is None,
    )
    sightings = ask(host, command, Sightings)
    times = {tag: created for tag, created, _ in page}
    now = int(time.time())
    sights = [
        Sight(seen.tag, now if seen.tag is None else times[seen.tag], seen.entry, seen.problem)
        for seen in sightings.seen
    ]
    examined = sum(seen.tag is not None for seen in sightings.seen)
    last = page[examined - 1] if examined else None
    more = len(rows) > examined
    return VersionsAnswer(
        results=tuple(_version(stretch, request.path) for stretch in fold(sights)),
        examined=examined,
        following=f"{last[1]}.{last[2]}" if last and more else None,
    )


def _rows(request: SeeFile) -> list[tuple[str, int, int]]:
    rows = IndexedSnapshot.objects.filter(dataset__name=request.dataset)
    if request.after is not None:
        created, _, key = request.after.partition(".")
        rows = rows.filter(Q(created__lt=int(created)) | Q(created=int(created), createtxg__lt=int(key)))
    found = rows.order_by("-created", "-createtxg").values_list("tag", "created", "createtxg")
    return list(found[: request.limit + 1])


def _version(stretch: Stretch, path: str) -> Version:
    newest, oldest = stretch.sights[0], stretch.sights[-1]
    return Version(
        file=shown_file(stretch.entry, path) if stretch.entry else None,
        problem=newest.problem,
        newest=newest.tag,
        oldest=oldest.tag,
        newest_at=moment(newest.at * 10**9),
        oldest_at=moment(oldest.at * 10**9),
        snapshots=sum(one.tag is not None for one in stretch.sights),
        change=stretch.change,
        like=stretch.like,
        now=newest.tag is None,
    )
