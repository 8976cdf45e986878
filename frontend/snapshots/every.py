"""Datasets with how many snapshots they have: where a list of snapshots begins."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, NamedTuple

import msgspec
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from frontend.access import page
from host.inventory import Dataset, Inventory
from jobs import cache
from jobs.index import reading
from pools.links import snapshots_href
from pools.policies.rules.effective import effective

_PER_PAGE = 200


class DatasetRow(msgspec.Struct, frozen=True, kw_only=True):
    """A dataset and its snapshots; `count` is None while they are being listed for the first time."""

    name: str
    href: str
    count: int | None
    newest: datetime | None
    used_bytes: int
    policy: bool


_NEVER = datetime.fromtimestamp(0, UTC)


class Order(NamedTuple):
    """What a list is sorted by."""

    title: str
    key: Callable[[DatasetRow], Any]
    descending: bool = False


SORTS: dict[str, Order] = {
    "name": Order("Name", lambda row: row.name),
    "count": Order("Most snapshots", lambda row: row.count or 0, descending=True),
    "newest": Order("Newest snapshot", lambda row: row.newest or _NEVER, descending=True),
    "oldest": Order("Longest without a snapshot", lambda row: row.newest or _NEVER),
    "used": Order("Most space", lambda row: row.used_bytes, descending=True),
}


@page("pools:read")
def every(request: HttpRequest) -> HttpResponseBase:
    """`?q=` is part of the dataset's name, `?sort=` the order, `?after=` how many rows come before."""
    inventory = cache.current()
    text, sort = request.GET.get("q", "").strip()[:255], request.GET.get("sort", "")
    sort = sort if sort in SORTS else "name"
    after = request.GET.get("after", "0")
    start = int(after) if after.isascii() and after.isdecimal() and len(after) < 9 else 0
    rows = _rows(inventory, text) if inventory else []
    rows.sort(key=lambda row: SORTS[sort].key(row), reverse=SORTS[sort].descending)
    context: dict[str, Any] = {
        "known": inventory is not None,
        "total": len(inventory.datasets) if inventory else 0,
        "rows": rows[start : start + _PER_PAGE],
        "next": start + _PER_PAGE if len(rows) > start + _PER_PAGE else None,
        "text": text,
        "sort": sort,
        "sorts": {name: one.title for name, one in SORTS.items()},
    }
    return render(request, "snapshots/every.html", context)


def _rows(inventory: Inventory, text: str) -> list[DatasetRow]:
    tallies = reading.tallies()
    return [_row(one, inventory, tallies.get(one.guid)) for one in inventory.datasets if text in one.name]


def _row(dataset: Dataset, inventory: Inventory, tally: reading.Tally | None) -> DatasetRow:
    newest = tally.newest if tally else None
    return DatasetRow(
        name=dataset.name,
        href=snapshots_href(dataset.name),
        count=tally.count if tally else None,
        newest=datetime.fromtimestamp(newest, UTC) if newest else None,
        used_bytes=dataset.number("usedbysnapshots"),
        policy=effective(dataset, inventory).policy is not None,
    )
