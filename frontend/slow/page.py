"""What is slow: reasons in words, and what each disk does, side by side."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from alerts.slow.figures import DiskLoad, Figures, gather
from alerts.slow.rules import reasons, slower_disks
from frontend.access import page
from frontend.units import rate
from host.inventory import Disk, Inventory, leaves
from jobs import cache

_BUSIEST = 8


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A disk of a vdev, with its figures as text."""

    disk: Disk
    vdev: str
    ms: str
    requests: str
    rate: str
    busy: str
    slow: bool


@page("alerts:read")
def slow(request: HttpRequest) -> HttpResponseBase:
    """The page; figures are of the last five minutes."""
    inventory = cache.current()
    context: dict[str, Any] = {}
    if inventory is not None:
        figures = gather(inventory, datetime.now(UTC))
        context = {
            "reasons": reasons(inventory, figures),
            "pools": rows(inventory, figures),
            "busiest": busiest(figures),
            "measured": any(load.requests for load in figures.disks.values()),
        }
    return render(request, "slow/slow.html", context)


def busiest(figures: Figures) -> list[tuple[str, str, str]]:
    """Name, and what is read from and written to it, of the datasets that move most."""
    found = sorted(figures.datasets.items(), key=lambda one: -sum(one[1]))
    return [(name, rate(read), rate(written)) for name, (read, written) in found[:_BUSIEST]]


def rows(inventory: Inventory, figures: Figures) -> list[tuple[str, list[Row]]]:
    """The disks of each pool in the order of its vdevs."""
    slower = {one.disk.id for one in slower_disks(inventory, figures)}
    return [
        (
            pool.name,
            [
                _row(disk, top.name, figures.disks.get(disk.id, DiskLoad()), slow=disk.id in slower)
                for top in pool.vdevs
                for leaf in leaves(top)
                if (disk := inventory.disk(leaf.disk or ""))
            ],
        )
        for pool in inventory.pools
    ]


def _row(disk: Disk, vdev: str, load: DiskLoad, *, slow: bool) -> Row:
    known = [ms for ms in load.ms if ms is not None]
    return Row(
        disk=disk, vdev=vdev, ms=f"{sum(known) / len(known):.1f} ms" if known else "–",
        requests=f"{load.requests:.1f}", rate=rate(load.bytes), busy=f"{load.busy_percent:.0f} %", slow=slow,
    )  # fmt: skip
