"""The row of tiles on the overview: what the machine does now, each with its last hour."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import batched
from statistics import fmean

import msgspec
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from disks.identity import recognise
from disks.records import all_records, series_key
from frontend.access import page, unchanged
from frontend.curve import Curve, sparkline
from frontend.units import binary, rate
from host.inventory import Inventory
from jobs import cache, series

_HOUR = timedelta(hours=1)
_NOW = timedelta(seconds=40)  # a point is of the ten seconds from its time on, and may be late
_SEEN = timedelta(minutes=15)  # temperatures are read every five
_EVERY_S = 10
_POINTS = 120  # of a curve: the hour in half minutes


class Tile(msgspec.Struct, frozen=True, kw_only=True):
    """One of them; `value` empty where nothing is known now."""

    title: str
    href: str
    value: str = ""
    detail: str = ""
    curve: Curve | None = None


@page("system:read")
def tiles(request: HttpRequest) -> HttpResponseBase:
    """The row alone; polls get nothing until there are new points."""
    if answer := unchanged(request, _mark()):
        return answer
    return render(request, "overview/_tiles.html", row(cache.current()))


def row(inventory: Inventory | None) -> dict[str, object]:
    """What the template of the row wants."""
    return {"tiles": tiles_of(inventory, datetime.now(UTC)), "tiles_mark": _mark()}


def _mark() -> str:
    return str(int(time.time()) // _EVERY_S)


def tiles_of(inventory: Inventory | None, now: datetime) -> tuple[Tile, ...]:
    """Of the pools, the processor, memory, the network and the warmest disk; none before the first probe."""
    if inventory is None:
        return ()
    pools = [pool.guid for pool in inventory.pools]
    ports = [port.name for port in inventory.network.interfaces]
    read, written = _sum("pool.read_bytes", pools, now), _sum("pool.write_bytes", pools, now)
    received, sent = _sum("port.received_bytes", ports, now), _sum("port.sent_bytes", ports, now)
    iowait = _one("cpu.iowait_percent", now)
    busy = _added(_one("cpu.user_percent", now), _one("cpu.system_percent", now), iowait)
    programs, arc = _one("memory.programs_bytes", now), _one("arc.size_bytes", now)
    pool_page = f"/charts/?of=pool:{inventory.pools[0].name}" if inventory.pools else "/charts/"
    port_page = f"/charts/?of=port:{ports[0]}" if ports else "/charts/"
    return (
        _tile("Pools", pool_page, _added(read, written), rate, _both("read", read, "written", written, rate)),
        _tile("Processor", "/charts/", busy, _percent, _said("waiting for disks", iowait, _percent)),
        _tile(
            "Memory", "/charts/", _added(programs, arc), _binary,
            _both("programs", programs, "ARC", arc, _binary),
        ),
        _tile("Network", port_page, _added(received, sent), rate, _both("in", received, "out", sent, rate)),
        _warmest(inventory, now),
    )  # fmt: skip


Points = dict[int, float]
Words = Callable[[float], str]


def _one(name: str, now: datetime) -> Points:
    """As it was recorded: of means, a series that began a moment ago would have others than its like, and
    they are added by their moments."""
    found = series.read(name, now - _HOUR, now)
    return dict(zip(found.times, found.values, strict=True))


def _sum(kind: str, subjects: list[str], now: datetime) -> Points:
    return _added(*(_one(f"{kind}:{subject}", now) for subject in subjects))


def _added(*parts: Points) -> Points:
    total: defaultdict[int, float] = defaultdict(float)
    for part in parts:
        for moment, value in part.items():
            total[moment] += value
    return dict(sorted(total.items()))


def _last(points: Points) -> float | None:
    """The newest value, if it is of now."""
    moment = max(points, default=0)
    return points[moment] if moment >= time.time() - _NOW.total_seconds() else None


def _tile(title: str, href: str, points: Points, words: Words, detail: str) -> Tile:
    value = _last(points)
    drawn = _thinned(points)
    curve = sparkline(tuple(drawn), tuple(drawn.values()), floor=0)
    return Tile(
        title=title, href=href, value="" if value is None else words(value), detail=detail, curve=curve
    )  # fmt: skip


def _thinned(points: Points) -> Points:
    """Means of as many as one point of the curve stands for."""
    some = tuple(batched(points.items(), -(-len(points) // _POINTS) or 1))
    return {part[0][0]: fmean(value for _, value in part) for part in some}


def _both(one: str, first: Points, other: str, second: Points, words: Words) -> str:
    found = (_said(one, first, words), _said(other, second, words))
    return ", ".join(filter(None, found))


def _said(name: str, points: Points, words: Words) -> str:
    value = _last(points)
    return "" if value is None else f"{words(value)} {name}"


def _percent(value: float) -> str:
    return f"{value:.0f} %"


def _binary(value: float) -> str:
    return binary(round(value))


def _warmest(inventory: Inventory, now: datetime) -> Tile:
    newest = series.newest(("disk.temperature",), since=now - _SEEN)
    records = recognise(inventory.disks, all_records(gone=False))
    found = [
        (newest[name], name, disk)
        for disk in inventory.disks
        if disk.id in records and (name := f"disk.temperature:{series_key(records[disk.id])}") in newest
    ]
    if not found:
        return Tile(title="Warmest disk", href="/disks/?view=temperature")
    celsius, name, disk = max(found, key=lambda one: one[0])
    points = series.read(name, now - _HOUR, now, most=_POINTS)
    return Tile(
        title="Warmest disk", href=f"/disks/{disk.id}/", value=f"{celsius:.0f} °C",
        detail=f"bay {disk.bay}" if disk.bay else disk.model, curve=sparkline(points.times, points.values),
    )  # fmt: skip
