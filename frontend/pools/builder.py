"""The pool builder: pick disks in their bays, choose a layout, read the plan."""

from __future__ import annotations

from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from frontend.access import page, why_shut
from frontend.bays.chassis_view import draw_to_pick
from frontend.datasets import encryption_form
from frontend.findings import Errors
from frontend.findings import beside as beside_fields
from frontend.plans.page import propose
from frontend.plans.sent_request import sent_request
from frontend.pools.form import ROLES, PoolForm, beside, from_post, from_request, to_request
from frontend.pools.layout_choices import USES, Choices, choices
from host import typed
from host.inventory import Inventory
from jobs import cache
from jobs.plan import Finding
from pools.advice.arrangements import from_key
from pools.create_pool import NewVdev

_FIELDS = {
    "name": "name", "vdevs": "disks", "ashift": "ashift", "mountpoint": "mountpoint",
    "properties.autotrim": "autotrim", "root_properties.compression": "compression",
    "root_properties.atime": "atime",
}  # fmt: skip
_ROLE_HINTS = {
    "data": "Stores the data of the pool.",
    "spare": "Takes over automatically when a disk fails.",
    "log": "A fast SSD that speeds up synchronous writes (NFS, databases).",
    "cache": "An SSD that caches frequently read data. Its failure loses no data.",
    "special": "SSDs for metadata. If they fail, the pool is lost: use a mirror.",
    "dedup": "SSDs for the dedup table. If they fail, the pool is lost: use a mirror.",
}


_ASHIFTS = (
    ("12", "4 KiB (ashift 12)"),
    ("13", "8 KiB (ashift 13)"),
    ("9", "512 bytes (ashift 9)"),
)


class RoleOption(msgspec.Struct, frozen=True, kw_only=True):
    """A role that disks can be ticked for."""

    name: str
    hint: str


@sensitive_post_parameters()
@page("pools:read")
def build(request: HttpRequest) -> HttpResponseBase:
    """The empty form, the form as it was left, or the plan for it."""
    inventory = cache.current()
    if inventory is None:
        return render(request, "pools/pool_builder.html", {})
    if request.method != "POST":
        usual = "" if inventory.pool("tank") else "tank"
        return _show(request, inventory, PoolForm(name=request.GET.get("name", usual)[:255]))
    if "request" in request.POST:
        sent = sent_request(request)
        return _show(request, inventory, from_request(sent), lock=encryption_form.mode_of(sent))
    form = _sent(request, inventory)
    if "recompute" in request.POST:
        return _show(request, inventory, form)
    missing = _missing(form)
    if missing:
        return _show(request, inventory, form, missing, status=422)

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        return _show(request, inventory, form, findings, status=422)

    chosen = encryption_form.chosen({key: str(value) for key, value in request.POST.items()})
    data = to_request(form, _sizes(inventory)) | chosen.fields
    return propose(request, "pool.create", data, refused=refused, faults=chosen.faults)


@sensitive_post_parameters()
@page("pools:read")
@require_POST
def recompute(request: HttpRequest) -> HttpResponseBase:
    """The layouts for the disks that are ticked now: the part of the page that changes."""
    inventory = cache.current()
    if inventory is None:
        return render(request, "pools/pool_builder.html", {})
    return render(request, "pools/pool_builder.html#choices", _choices(inventory, _sent(request, inventory)))


def _show(
    request: HttpRequest,
    inventory: Inventory,
    form: PoolForm,
    findings: tuple[Finding, ...] = (),
    *,
    status: int = 200,
    lock: str = "",
) -> HttpResponseBase:
    context = {
        "chassis": draw_to_pick(inventory),
        "roles": [RoleOption(name=role, hint=_ROLE_HINTS[role]) for role in ROLES],
        "role_of": form.role_of,
        "errors": beside_fields(findings, _FIELDS | encryption_form.FIELDS) if findings else Errors(),
        "why_shut": why_shut(request.user, "pools:write"),
        "ashifts": _ASHIFTS,
        "uses": USES,
        "lock": lock or request.POST.get("lock", "inherit"),
        "compressions": ("zstd", "zstd-9", "zstd-19", "gzip", "zle", "off"),
        "free": sum(disk.free for disk in inventory.disks),
    }
    return render(request, "pools/pool_builder.html", context | _choices(inventory, form), status=status)


def _choices(inventory: Inventory, form: PoolForm) -> dict[str, Any]:
    found = _advice(inventory, form)
    # What was recommended and left as it was follows the disks; what was chosen stays.
    if form.layout not in found.keys or form.layout == form.advised:
        form = msgspec.structs.replace(form, layout=found.recommended)
    holding = [disk for disk in inventory.disks if disk.id in form.role_of and not disk.free]
    return {
        "form": form,
        "picked": len(form.of("data")),
        "extras": [(role, len(form.of(role))) for role in ROLES[1:] if form.of(role)],
        "choices": found,
        "more_chosen": any(choice.key == form.layout for choice in found.more),
        "erased": holding,
    }


def _advice(inventory: Inventory, form: PoolForm) -> Choices:
    others = typed.convert(
        [vdev | {"disks": known} for vdev in beside(form)
         if (known := [disk for disk in vdev["disks"] if inventory.disk(disk)])],
        tuple[NewVdev, ...],
    )  # fmt: skip
    return choices(form.of("data"), inventory, use=form.use, ashift=form.ashift_number, beside=others)


def _sizes(inventory: Inventory) -> dict[str, int]:
    return {disk.id: disk.size_bytes for disk in inventory.disks}


def _sent(request: HttpRequest, inventory: Inventory) -> PoolForm:
    order = [bay.disk_id for bay in draw_to_pick(inventory).bays if bay.disk_id]
    return from_post(request.POST, order=order)


def _missing(form: PoolForm) -> tuple[Finding, ...]:
    # Only what the form itself leaves open; every rule on the content is the plan's.
    found: list[Finding] = []
    if not form.of("data"):
        message = "Select the disks for the pool."
        found.append(Finding(level="error", code="required", field="vdevs", message=message))
    elif from_key(form.layout) is None:
        message = "Choose one of the layouts."
        found.append(Finding(level="error", code="required", field="vdevs", message=message))
    return tuple(found)
