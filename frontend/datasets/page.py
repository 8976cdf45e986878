"""Datasets: the tree, and one dataset with its settings."""

from __future__ import annotations

from datetime import UTC, datetime

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from frontend.access import page, part, unchanged, why_shut
from frontend.datasets.copied import existing, stored
from frontend.datasets.keys_view import key_view, locked_views
from frontend.datasets.narrowing import KINDS, ONLY, columns
from frontend.datasets.property_view import as_typed
from frontend.datasets.quotas_view import quotas_view
from frontend.datasets.row import Around, lock_of, mount_state, quota_of, shares_by_dataset
from frontend.datasets.tree import MOST_OPEN, Tree, tree_rows
from frontend.datasets.view import changes, settings, whence
from frontend.findings import Errors, beside
from frontend.missing import missing
from frontend.plans.page import propose
from frontend.snapshots.view import rows as snapshot_rows
from frontend.sorting import chosen, heads
from host.inventory import Dataset, Inventory, Property
from jobs import cache
from jobs.index import reading
from jobs.plan import Finding
from pools.datasets.mount_dataset import why_not
from replication.replications.copies import copies, replica_of

_LAST = 5  # snapshots that a dataset's page shows


@page("pools:read")
def datasets(request: HttpRequest) -> HttpResponseBase:
    """The datasets as a tree: `?open=` its open branches, `?in=` a level by itself, `?sort=` a column.

    What `?q=`, `?kind=` and `?only=` leave is a list.
    """
    inventory = cache.current()
    mark = inventory.as_of if inventory else ""
    if answer := unchanged(request, mark):
        return answer
    tree = _asked(request)
    around = _around(request, inventory) if inventory else Around()
    context = {
        "mark": mark,
        "known": inventory is not None,
        "rows": tree_rows(inventory, tree, around) if inventory else (),
        "tree": tree,
        "heads": heads(columns(around), tree.sort, lambda sort: tree.address(sort=sort, after="")),
        "kinds": KINDS,
        "only": {name: one.title for name, one in ONLY.items()},
        "address": tree.address(),
        "count": len(inventory.datasets) if inventory else 0,
        "locked": locked_views(inventory) if inventory else (),
        "why_shut": why_shut(request.user, "pools:write"),
        "why_no_destroying": why_shut(request.user, "pools:write", "destroy"),
    }
    return render(request, part(request, "datasets/datasets.html"), context)


@page("pools:read")
def dataset(request: HttpRequest, name: str) -> HttpResponseBase:
    """One dataset; a POST asks for the plan of changed settings."""
    if (known := found_dataset(name)) is None:
        return missing(request, f"There is no dataset {name}")
    inventory, found = known
    if request.method != "POST":
        return _show(request, inventory, found)
    sent = {key: value for key, value in request.POST.items() if isinstance(value, str)}
    wanted = changes(settings(found), sent)
    if not wanted:
        return _show(request, inventory, found, sent=sent, unchanged_form=True)

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        return _show(request, inventory, found, sent=sent, findings=findings)

    return propose(request, "dataset.set", {"name": name, "properties": wanted}, refused=refused)


def _show(
    request: HttpRequest,
    inventory: Inventory,
    found: Dataset,
    *,
    sent: dict[str, str] | None = None,
    findings: tuple[Finding, ...] = (),
    unchanged_form: bool = False,
) -> HttpResponseBase:
    shown = settings(found)
    names = {f"properties.{setting.name}": setting.name for setting in shown}
    created = found.value("creation") or ""
    tally = reading.tallies([found.guid]).get(found.guid)
    context = {
        "dataset": found,
        "settings": [(setting, (sent or {}).get(setting.name, setting.chosen)) for setting in shown],
        "errors": beside(findings, names) if findings else Errors(),
        "unchanged_form": unchanged_form,
        "used": found.number("used"),
        "available": found.number("available"),
        "referenced": found.number("referenced"),
        "by_snapshots": found.number("usedbysnapshots"),
        "by_children": found.number("usedbychildren"),
        "ratio": found.value("compressratio"),
        "compression": found.value("compression"),
        "mountpoint": found.value("mountpoint"),
        "created": datetime.fromtimestamp(int(created), UTC) if created.isdigit() else None,
        "children": [child for child in inventory.below(found.name) if child.parent == found.name],
        "quota": quota_of(found),
        "lock": lock_of(found),
        "mount": mount_state(found),
        "why_no_mount": _why_no_mount(found),
        "origin": _origin(found),
        "clones": [one.name for one in inventory.datasets if _origin(one).partition("@")[0] == found.name],
        "snapshots": snapshot_rows(reading.page(inventory, found.name, limit=_LAST)[0], {}),
        "snapshot_count": tally.count if tally else None,
        "count": len(found.properties),
        "own": [
            (key, as_typed(key, value.value), whence(value))
            for key, value in sorted(found.properties.items())
            if _own(value)
        ],
        "copies": copies(inventory, datetime.now(UTC)).of(found.name),
        "existing": existing(found, inventory, datetime.now(UTC)),
        "backups": stored(found, inventory),
        "replica_of": replica_of(found.name, inventory),
        "keys": key_view(found, inventory),
        "quotas": quotas_view(found),
        "why_shut": why_shut(request.user, "pools:write"),
        "why_no_destroying": why_shut(request.user, "pools:write", "destroy"),
    }
    return render(request, "datasets/dataset.html", context, status=422 if findings else 200)


def _asked(request: HttpRequest) -> Tree:
    opened = tuple(name for name in request.GET.getlist("open") if name)
    kind, only = request.GET.get("kind", ""), request.GET.get("only", "")
    return Tree(
        top=request.GET.get("in", ""),
        opened=opened[:MOST_OPEN] if "open" in request.GET else None,
        text=request.GET.get("q", "").strip()[:255],
        kind=kind if kind in KINDS else "",
        only=only if only in ONLY else "",
        sort=chosen(request.GET.get("sort", ""), columns(Around()), otherwise="name"),
        after=request.GET.get("after", ""),
    )


def _around(request: HttpRequest, inventory: Inventory) -> Around:
    shares = shares_by_dataset(inventory) if request.user.has_perm("shares:read") else {}
    return Around(tallies=reading.tallies(), shares=shares, copies=copies(inventory, datetime.now(UTC)))


def _origin(dataset: Dataset) -> str:
    origin = dataset.value("origin") or "-"
    return "" if origin == "-" else origin


def _own(value: Property) -> bool:
    return value.source in {"local", "received", "temporary"}


def _why_no_mount(dataset: Dataset) -> str:
    reason = why_not(dataset)
    return "" if dataset.mounted or reason is None else reason[1]


def found_dataset(name: str) -> tuple[Inventory, Dataset] | None:
    """A dataset of the newest inventory, with that inventory; None where there is no such dataset."""
    inventory = cache.current()
    found = inventory.dataset(name) if inventory else None
    return (inventory, found) if inventory and found else None
