"""The boot pair: which disks the system runs from, and the buttons that add, exchange and remove one."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import msgspec
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from frontend.access import page, part, unchanged, why_shut
from frontend.boot.convert_view import adopt_view, convert_view
from frontend.boot.view import boot_view
from frontend.plans.page import propose
from jobs import cache

_FIELDS: dict[str, tuple[str, ...]] = {
    "add": ("disk",), "replace": ("old", "disk"), "remove": ("disk",), "copies": (), "adopt": (),
    "convert": ("disk",), "convert-restart": (), "convert-leave": (),
}  # fmt: skip


@page("pools:read")
def boot(request: HttpRequest) -> HttpResponseBase:
    """The page; a POST says in `do` what is to be planned."""
    if request.method == "POST":
        do = request.POST.get("do", "")
        if do not in _FIELDS:
            raise SuspiciousOperation("Unknown action.")
        wish: dict[str, Any] = {name: request.POST.get(name, "") for name in _FIELDS[do]}
        return propose(request, f"boot.{do}", wish)
    inventory = cache.current()
    seen = boot_view(inventory) if inventory else None
    alone = convert_view(inventory) if inventory else None
    lacking = adopt_view(inventory) if inventory and seen else None
    # By what is shown and not by the time of the look: a choice that is being made is not disturbed.
    mark = sha256(msgspec.json.encode((seen, alone, lacking))).hexdigest()[:16]
    if answer := unchanged(request, mark):
        return answer
    context = {
        "mark": mark,
        "probed": inventory is not None,
        "boot": seen,
        "convert": alone,
        "adoption": lacking,
        "why_shut": why_shut(request.user, "pools:write"),
    }
    return render(request, part(request, "boot/boot.html"), context)
