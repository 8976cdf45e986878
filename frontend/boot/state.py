"""What the system swaps to, and where it keeps /var and /home."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from frontend.access import page, why_shut
from frontend.boot.state_view import state_view, swap_view
from frontend.plans.page import propose
from jobs import cache


@page("pools:read")
def swap(request: HttpRequest) -> HttpResponseBase:
    """The choice of swap; a POST makes a plan of it."""
    if request.method == "POST":
        return propose(request, "boot.swap", {"kind": request.POST.get("kind", "")})
    inventory = cache.current()
    context = {
        "probed": inventory is not None,
        "swap": swap_view(inventory) if inventory else None,
        "why_shut": why_shut(request.user, "pools:write"),
    }
    return render(request, "boot/boot_swap.html", context)


@page("pools:read")
def state(request: HttpRequest) -> HttpResponseBase:
    """Where /var and /home lie; a POST says in `do` whether they go, come, or what is left of them goes."""
    if request.method == "POST":
        if request.POST.get("do") == "move":
            wish: dict[str, Any] = {
                "pool": request.POST.get("pool", ""),
                "folders": request.POST.getlist("folders"),
            }
            return propose(request, "boot.move-state", wish)
        if request.POST.get("do") == "discard":
            return propose(request, "boot.discard-state", {"pool": request.POST.get("pool", "")})
        return propose(request, "boot.return-state", {"as_here": request.POST.get("do") == "stay"})
    inventory = cache.current()
    context = {
        "probed": inventory is not None,
        "state": state_view(inventory) if inventory else None,
        "why_no_destroying": why_shut(request.user, "pools:write", "destroy"),
        "why_shut": why_shut(request.user, "pools:write"),
    }
    return render(request, "boot/boot_state.html", context)
