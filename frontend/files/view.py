"""Files and their versions as values for the eye."""

from __future__ import annotations

from datetime import UTC, datetime
from urllib.parse import urlencode

import msgspec
from django.db.models import Q
from django.urls import reverse

from jobs.models import IndexedSnapshot
from pools.files.versions import Version

_AROUND = 6  # snapshots that are shown on either side of the chosen one


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """A state of a dataset that can be looked at: a snapshot, or now (`tag` empty)."""

    tag: str
    taken: datetime | None
    href: str
    chosen: bool = False


class Moments(msgspec.Struct, frozen=True, kw_only=True):
    """The chosen moment with its neighbours. `near` is newest first."""

    chosen: Moment
    older: Moment | None
    newer: Moment | None
    near: tuple[Moment, ...]
    count: int


class Crumb(msgspec.Struct, frozen=True, kw_only=True):
    """A folder on the way."""

    name: str
    href: str


def address(name: str, dataset: str, **parameters: str | None) -> str:
    """The page `name` of a dataset's files."""
    known = {key: value for key, value in parameters.items() if value}
    query = f"?{urlencode(known)}" if known else ""
    return f"{reverse(name, args=[dataset])}{query}"


def moments(page: str, dataset: str, tag: str, path: str) -> Moments | None:
    """The snapshots around `tag` (empty: now), for the page of that name; None where there is none such."""
    rows = IndexedSnapshot.objects.filter(dataset__name=dataset)
    chosen = rows.filter(tag=tag).values_list("tag", "created", "createtxg").first() if tag else None
    if tag and chosen is None:
        return None
    older = rows.order_by("-created", "-createtxg").values_list("tag", "created", "createtxg")
    newer: list[tuple[str, int, int]] = []
    if chosen is not None:
        created, key = chosen[1], chosen[2]
        after = Q(created__gt=created) | Q(created=created, createtxg__gt=key)
        before = Q(created__lt=created) | Q(created=created, createtxg__lt=key)
        newer = list(
            rows.filter(after)
            .order_by("created", "createtxg")
            .values_list("tag", "created", "createtxg")[:_AROUND]
        )
        older = older.filter(before)
    found_older = list(older[:_AROUND])

    def shown(row: tuple[str, int, int] | None) -> Moment:
        name = row[0] if row else ""
        taken = datetime.fromtimestamp(row[1], UTC) if row else None
        href = address(page, dataset, snapshot=name, path=path)
        return Moment(tag=name, taken=taken, href=href, chosen=name == tag)

    now = shown(None)
    before_now = [shown(row) for row in reversed(newer)]
    if chosen is not None and len(newer) < _AROUND:
        before_now.insert(0, now)
    here = shown(chosen)
    return Moments(
        chosen=here,
        older=shown(found_older[0]) if found_older else None,
        newer=None if chosen is None else (shown(newer[0]) if newer else now),
        near=(*before_now, here, *(shown(row) for row in found_older)),
        count=rows.count(),
    )


def crumbs(dataset: str, tag: str, path: str) -> tuple[Crumb, ...]:
    """The folders from the dataset's own to `path`."""
    names = path.split("/") if path else []
    return tuple(
        Crumb(name=name, href=address("files", dataset, snapshot=tag, path="/".join(names[: depth + 1])))
        for depth, name in enumerate(names)
    )


_CHANGES = {
    "content": "Content changed",
    "attributes": "Only owner, permissions or name changed, judging by size and time",
    "appeared": "Created",
    "gone": "Deleted",
}


def change_words(version: Version) -> str:
    """What set a version apart from the one before."""
    return _CHANGES.get(version.change or "", "")


def seen_words(version: Version) -> str:
    """In which snapshots it lies."""
    if version.now and not version.snapshots:
        return "Current version; not in any snapshot yet"
    if version.now:
        return f"Now, and in {_counted(version.snapshots)} back to {version.oldest}"
    if version.snapshots == 1:
        return f"In the snapshot {version.newest}"
    return f"In {_counted(version.snapshots)}, from {version.oldest} to {version.newest}"


def _counted(count: int) -> str:
    return "1 snapshot" if count == 1 else f"{count} snapshots"
