"""The form for a new dataset or volume."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.debug import sensitive_post_parameters

from frontend.access import page, why_shut
from frontend.datasets import encryption_form
from frontend.findings import Errors, beside
from frontend.plans.page import propose
from frontend.plans.sent_request import sent_request
from host.inventory import Inventory
from jobs import cache
from jobs.plan import Finding
from pools.datasets.presets import PRESETS

_FIELDS = {
    "name": "leaf", "properties.compression": "compression", "properties.recordsize": "recordsize",
    "properties.quota": "quota", "volume_bytes": "size", "sparse": "sparse", "kind": "kind",
    "preset": "preset",
}  # fmt: skip
_PROPERTIES = ("compression", "recordsize", "quota")
_BYTES = {"M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


class DatasetForm(msgspec.Struct, frozen=True, kw_only=True):
    """What stands in the form. `leaf` is the name below `parent`; `size` counts `unit`s."""

    parent: str = ""
    leaf: str = ""
    kind: str = "filesystem"
    preset: str = ""
    compression: str = ""
    recordsize: str = ""
    quota: str = ""
    size: str = ""
    unit: str = "G"
    sparse: bool = False


@sensitive_post_parameters()
@page("pools:read")
def create(request: HttpRequest) -> HttpResponseBase:
    """The empty form, the form as it was left, or the plan for it."""
    inventory = cache.current()
    if request.method != "POST":
        kind = "volume" if request.GET.get("kind") == "volume" else "filesystem"
        return _show(request, inventory, DatasetForm(parent=request.GET.get("in", ""), kind=kind))
    if "request" in request.POST:
        sent = sent_request(request)
        return _show(request, inventory, from_request(sent), lock=encryption_form.mode_of(sent))
    texts = {
        field: request.POST.get(field, "").strip()
        for field in ("parent", "leaf", "kind", "preset", *_PROPERTIES, "size", "unit")
    }
    form = DatasetForm(sparse=request.POST.get("sparse") == "yes", **texts)

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        return _show(request, inventory, form, findings)

    chosen = encryption_form.chosen({key: str(value) for key, value in request.POST.items()})
    data = to_request(form) | chosen.fields
    return propose(request, "dataset.create", data, refused=refused, faults=chosen.faults)


def to_request(form: DatasetForm) -> dict[str, Any]:
    """The data of `dataset.create`. What is left to be inherited is left out."""
    request: dict[str, Any] = {
        "name": f"{form.parent}/{form.leaf}",
        "kind": form.kind,
        "properties": {
            name: getattr(form, name)
            for name in _PROPERTIES
            if getattr(form, name) and (form.kind == "filesystem" or name == "compression")
        },
    }
    if form.preset:
        request["preset"] = form.preset
    if form.kind == "volume":
        number = form.size.replace(",", ".")
        try:
            request["volume_bytes"] = int(float(number) * _BYTES.get(form.unit, 1 << 30))
        except (ValueError, OverflowError):
            request["volume_bytes"] = None
        request["sparse"] = form.sparse
    return request


def from_request(data: Mapping[str, Any]) -> DatasetForm:
    """The form that a request came from."""
    parent, _, leaf = str(data.get("name", "")).rpartition("/")
    properties = data.get("properties") or {}
    size, unit = data.get("volume_bytes"), "G"
    shown = ""
    if isinstance(size, int):
        unit = next((letter for letter in "TGM" if size % _BYTES[letter] == 0), "M")
        shown = str(size // _BYTES[unit]) if size % _BYTES[unit] == 0 else repr(size / _BYTES[unit])
    return DatasetForm(
        parent=parent, leaf=leaf, kind=str(data.get("kind", "filesystem")),
        preset=str(data.get("preset") or ""), size=shown, unit=unit,
        sparse=data.get("sparse") is True,
        **{name: str(properties.get(name, "")) for name in _PROPERTIES},
    )  # fmt: skip


def _show(
    request: HttpRequest,
    inventory: Inventory | None,
    form: DatasetForm,
    findings: tuple[Finding, ...] = (),
    *,
    lock: str = "",
) -> HttpResponseBase:
    parents = [d.name for d in inventory.datasets if d.kind == "filesystem"] if inventory else []
    context = {
        "form": form,
        "presets": PRESETS,
        "parents": parents,
        "parent": inventory.dataset(form.parent or (parents[0] if parents else "")) if inventory else None,
        "errors": beside(findings, _FIELDS | encryption_form.FIELDS) if findings else Errors(),
        "lock": lock or request.POST.get("lock", "inherit"),
        "units": ("M", "G", "T"),
        "compressions": ("lz4", "zstd", "zstd-9", "zstd-19", "gzip", "zle", "off"),
        "recordsizes": ("16K", "32K", "64K", "128K", "256K", "512K", "1M", "4M"),
        "why_shut": why_shut(request.user, "pools:write"),
    }
    return render(request, "datasets/dataset_form.html", context, status=422 if findings else 200)
