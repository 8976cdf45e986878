"""The page of all charts of one subject: the machine, a port, a pool or a disk."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from alerts.memory import labels
from disks.identity import recognise
from disks.records import all_records, series_key
from frontend.access import page
from frontend.charts.asked import RANGES, Wrong, range_of
from frontend.charts.kinds import Kind, Of, of
from host.inventory import Dataset, Interface, Inventory, Pool
from jobs import cache
from pools.links import dataset_href, pool_href


class Subject(msgspec.Struct, frozen=True, kw_only=True):
    """Something that has charts. `value` is its name in the page's address, `series` what the names of its
    series end in."""

    kind: Of
    value: str
    series: str
    title: str
    href: str = ""


_LISTED = 200  # of a kind; of what is not in the list its own page leads here
MACHINE = Subject(kind="machine", value="machine", series="", title="This machine")


@page("system:read")
def charts(request: HttpRequest) -> HttpResponseBase:
    """`?of=<subject>&with=<another of its kind>&range=<name>`."""
    inventory = cache.current()
    known = subjects(inventory)
    try:
        chosen_range = range_of(request)
        chosen = _chosen(request, "of", known) or MACHINE
        beside = _chosen(request, "with", known)
        if beside and (beside.kind != chosen.kind or beside.kind == "machine"):
            beside = None  # another kind of subject was chosen since
    except Wrong as wrong:
        return render(request, "charts/wrong.html", {"wrong": wrong}, status=422)
    context: dict[str, Any] = {
        "chosen": chosen,
        "beside": beside,
        "range": chosen_range,
        "ranges": [(name, title) for name, (title, _) in RANGES.items()],
        "groups": _groups(known),
        "same_kind": [one for one in known if one.kind == chosen.kind and one != chosen],
        "charts": drawn(chosen, beside),
    }
    return render(request, "charts/charts.html", context)


class Drawn(msgspec.Struct, frozen=True, kw_only=True):
    """A chart on a page: its kind, its name for the script, and the second subject's."""

    kind: Kind
    name: str
    beside: str
    subjects: tuple[str, ...]  # their titles, where there are two


def drawn(chosen: Subject, beside: Subject | None = None) -> tuple[Drawn, ...]:
    """All charts of a subject."""
    return tuple(
        Drawn(
            kind=kind, name=f"{kind.key}:{chosen.series}" if chosen.series else kind.key,
            beside=beside.series if beside else "",
            subjects=(chosen.title, beside.title) if beside else (),
        )
        for kind in of(chosen.kind)
    )  # fmt: skip


def subjects(inventory: Inventory | None) -> list[Subject]:
    """The machine, and what it has."""
    if inventory is None:
        return [MACHINE]
    return [
        MACHINE,
        *(_memory(label) for label in labels(datetime.now(UTC))),
        *(_port(one) for one in inventory.network.interfaces),
        *(_pool(one) for one in inventory.pools),
        *(_dataset(one) for one in inventory.datasets),
        *_disks(inventory),
    ]


def subject_of(kind: Of, name: str, inventory: Inventory) -> Subject | None:
    """A port, pool or dataset by its name; None where it is not there."""
    found: dict[Of, Iterable[Subject]] = {
        "port": (_port(one) for one in inventory.network.interfaces if one.name == name),
        "pool": (_pool(one) for one in inventory.pools if one.name == name),
        "dataset": (_dataset(one) for one in inventory.datasets if one.name == name),
    }
    return next(iter(found[kind]), None)


def _memory(label: str) -> Subject:
    return Subject(kind="memory", value=f"memory:{label}", series=label, title=label)


def _port(port: Interface) -> Subject:
    return Subject(kind="port", value=f"port:{port.name}", series=port.name, title=port.name)


def _pool(pool: Pool) -> Subject:
    return Subject(
        kind="pool", value=f"pool:{pool.name}", series=pool.guid, title=pool.name, href=pool_href(pool.name)
    )


def _dataset(dataset: Dataset) -> Subject:
    return Subject(
        kind="dataset", value=f"dataset:{dataset.name}", series=dataset.guid, title=dataset.name,
        href=dataset_href(dataset.name),
    )  # fmt: skip


def _disks(inventory: Inventory) -> list[Subject]:
    records = recognise(inventory.disks, all_records(gone=False))
    return [
        Subject(
            kind="disk", value=f"disk:{disk.id}", series=series_key(records[disk.id]),
            title=f"{disk.bay or disk.path.rpartition('/')[2]} · {disk.model}", href=f"/disks/{disk.id}/",
        )
        for disk in inventory.disks
        if disk.id in records
    ]  # fmt: skip


def _groups(known: list[Subject]) -> list[tuple[str, list[Subject]]]:
    titles = {
        "machine": "Machine",
        "memory": "Memory modules",
        "port": "Network",
        "pool": "Pools",
        "dataset": "Datasets",
        "disk": "Disks",
    }
    found = [(title, [one for one in known if one.kind == kind][:_LISTED]) for kind, title in titles.items()]
    return [(title, group) for title, group in found if group]


def _chosen(request: HttpRequest, field: str, known: list[Subject]) -> Subject | None:
    value = request.GET.get(field, "")
    if not value:
        return None
    found = next((one for one in known if one.value == value), None)
    if found is None:
        raise Wrong(field, "This machine has nothing of that name now. Choose it from the list.")
    return found
