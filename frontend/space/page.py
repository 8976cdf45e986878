"""What takes the space of a pool: a treemap, and the same as a table."""

from __future__ import annotations

from typing import Literal

import msgspec
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render

from frontend.access import page
from frontend.csv_file import csv_file
from frontend.missing import missing
from frontend.space.treemap import Rect, squarified
from frontend.units import binary
from host.inventory import Inventory
from jobs import cache
from pools.space.use import DatasetSpace, space_of

_WHOLE = Rect(0, 0, 1000, 420)
_MOST = 80  # rectangles: more would be too small to see
_LEAST_SHARE = 0.001  # of the area
_ROWS = 200
_LETTER = 7.5  # width of a letter in the picture's unit, and what a label needs
_LABEL_HEIGHT = 34
_EDGE = 8
What = Literal["data", "snapshots", "reserved", "internal"]
# After a size, where there is room: not everybody can tell the colours apart.
_IN_WORDS: dict[What, str] = {
    "data": "", "snapshots": " in snapshots", "reserved": " reserved", "internal": " internal",
}  # fmt: skip


class Tile(msgspec.Struct, frozen=True, kw_only=True):
    """A rectangle; without a dataset it stands for all that are too small."""

    rect: Rect
    what: What | Literal["others"]
    dataset: str
    label: str
    size: str
    title: str


@page("pools:read")
def space(request: HttpRequest) -> HttpResponseBase:
    """Of the pool `?pool=`, the first where none is named; with `?format=csv` its table as a file."""
    inventory = cache.current()
    pools = [one.name for one in inventory.pools] if inventory else []
    name = request.GET.get("pool", pools[0] if pools else "")
    if name and name not in pools:
        return missing(request, f"There is no pool {name}")
    rows = space_of(inventory, name) if inventory and name else ()
    if request.GET.get("format") == "csv":
        return _csv(name, rows)
    context = {
        "known": inventory is not None,
        "pools": pools,
        "pool": name,
        "rows": rows[:_ROWS],
        "more": len(rows[_ROWS:]),
        "may_scan": request.user.has_perm("files:read"),
        "tiles": tiles(rows),
        "own": any(row.kind == "system" for row in rows),
        "whole": _WHOLE,
        "sums": _sums(inventory, name, rows) if inventory and name else (),
    }
    return render(request, "space/space.html", context)


def tiles(rows: tuple[DatasetSpace, ...]) -> list[Tile]:
    """The largest, and one for all the rest."""
    parts = sorted(
        (
            (size, what, row.dataset)
            for row in rows
            for what, size in _parts(row)
            if size
        ),
        key=lambda one: (-one[0], one[2], one[1]),
    )  # fmt: skip
    least = _LEAST_SHARE * sum(size for size, _, _ in parts)
    shown = [one for one in parts[:_MOST] if one[0] >= least]
    rest = parts[len(shown) :]
    own = {row.dataset for row in rows if row.kind == "system"}  # these have no pages
    sizes = [size for size, _, _ in shown]
    others = sum(size for size, _, _ in rest)
    # Last, whatever its size: it is no dataset. So its row is a little less square.
    rects = squarified([*sizes, *([others] if others else [])], _WHOLE)
    found = [
        _tile(rect, what, dataset, size, linked=dataset not in own)
        for rect, (size, what, dataset) in zip(rects, shown, strict=False)
    ]
    if others:
        title = f"{len(rest)} smaller: {binary(others)}"
        last = Tile(rect=rects[-1], what="others", dataset="", label="", size="", title=title)
        found.append(last)
    return found


def _parts(row: DatasetSpace) -> tuple[tuple[What, int], ...]:
    return (
        ("data", row.data_bytes), ("snapshots", row.snapshots_bytes), ("reserved", row.reserved_bytes),
        ("internal", row.internal_bytes),
    )  # fmt: skip


def _tile(rect: Rect, what: What, dataset: str, size: int, *, linked: bool) -> Tile:
    room = rect.width - 2 * _EDGE
    leaf = dataset.rpartition("/")[2]
    label = next((text for text in (dataset, leaf) if len(text) * _LETTER <= room), "")
    if rect.height < _LABEL_HEIGHT + _EDGE:
        label = ""
    words = binary(size)
    amounts = (words + _IN_WORDS[what], words) if label else ()
    return Tile(
        rect=rect, what=what, dataset=dataset if linked else "", label=label,
        size=next((text for text in amounts if len(text) * _LETTER <= room), ""),
        title=f"{dataset}, {what}: {words}",
    )  # fmt: skip


def _sums(inventory: Inventory, pool: str, rows: tuple[DatasetSpace, ...]) -> tuple[tuple[str, int], ...]:
    root = inventory.dataset(pool)
    return (
        ("data", sum(row.data_bytes for row in rows)),
        ("snapshots", sum(row.snapshots_bytes for row in rows)),
        ("reserved", sum(row.reserved_bytes for row in rows)),
        ("internal", sum(row.internal_bytes for row in rows)),
        ("free", root.number("available") if root else 0),
    )


def _csv(pool: str, rows: tuple[DatasetSpace, ...]) -> HttpResponse:
    return csv_file(f"space-{pool}", DatasetSpace.__struct_fields__, map(msgspec.structs.astuple, rows))
