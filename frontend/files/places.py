"""Where files are: every dataset that can be browsed."""

from __future__ import annotations

from urllib.parse import quote

import msgspec
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from frontend.access import page
from frontend.datasets.row import mount_state
from frontend.states import StateView
from host.inventory import Dataset
from jobs import cache


class PlaceRow(msgspec.Struct, frozen=True, kw_only=True):
    """A file system; `state` says why its files cannot be read now."""

    name: str
    href: str
    mountpoint: str
    used: int
    state: StateView | None


@page("files:read")
def places(request: HttpRequest) -> HttpResponseBase:
    """The file systems by name, those that cannot be read now with the reason."""
    inventory = cache.current()
    found = inventory.datasets if inventory else ()
    text = request.GET.get("q", "").strip()[:255]
    rows = [_row(one) for one in found if one.kind == "filesystem" and text in one.name]
    context = {
        "rows": rows[:500],
        "hidden": max(0, len(rows) - 500),
        "text": text,
        "known": inventory is not None,
    }
    return render(request, "files/places.html", context)


def _row(dataset: Dataset) -> PlaceRow:
    return PlaceRow(
        name=dataset.name,
        href=f"/files/{quote(dataset.name)}/",
        mountpoint=dataset.value("mountpoint") or "",
        used=dataset.number("used"),
        state=mount_state(dataset),
    )
