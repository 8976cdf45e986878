"""What is done with the members of a pool: each page leads to a plan, or says why there is none."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils import timezone

from frontend.access import page, why_shut
from frontend.findings import beside, messages
from frontend.missing import missing
from frontend.plans.page import propose, refusal
from frontend.pools.replace_view import end_of
from host.inventory import Inventory, Pool
from host.layouts import Layout
from jobs import cache
from jobs.operation import title_of
from jobs.plan import Finding
from pools.advice.device_figures import gather
from pools.advice.devices import device_advice
from pools.members.candidates import to_add, to_attach
from pools.members.expansion import gain
from pools.members.places import MemberPosition, find

VERBS = ("clear", "detach", "expand", "offline", "online", "remove")
ROLES = (
    ("data", "more space"),
    ("spare", "takes over when a disk fails"),
    ("special", "metadata, on flash"),
    ("log", "speeds up synchronous writes"),
    ("cache", "caches reads that do not fit in memory"),
    ("dedup", "the deduplication table"),
)
LAYOUTS: tuple[Layout, ...] = ("mirror", "raidz1", "raidz2", "raidz3", "stripe")


@page("pools:read")
def act(request: HttpRequest, name: str, *, verb: str) -> HttpResponseBase:
    """The plan of a change that needs no form but, where it weakens the pool, a guid that is typed."""
    if (known := pool_of(name)) is None:
        return missing(request, f"There is no pool {name}")
    inventory, pool = known
    sent = request.POST if request.method == "POST" else request.GET
    data: dict[str, Any] = {"name": pool.name}
    data |= {"vdev": sent["vdev"]} if sent.get("vdev") else {}
    data |= {"cancel": True} if verb == "remove" and sent.get("cancel") else {}
    data |= {"confirm": sent["confirm"].strip()} if sent.get("confirm") else {}

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        errors = [finding for finding in findings if finding.level == "error"]
        place = find(pool, data.get("vdev", ""))
        if place is None or any(not finding.code.startswith("confirmation-") for finding in errors):
            return refusal(request, f"pool.{verb}", data, findings)
        context = {
            "pool": pool, "end": end_of(place.vdev, inventory), "verb": verb,
            "title": title_of(f"pool.{verb}", data), "typed": data.get("confirm", ""),
            "warnings": messages(findings, "warning"),
            "notes": messages(findings, "info"),
            "errors": beside(errors, {"confirm": "confirm"}) if "confirm" in data else "",
            "why_shut": why_shut(request.user, "pools:write"),
        }  # fmt: skip
        return render(request, "pools/member_confirm.html", context, status=422 if "confirm" in data else 200)

    return propose(request, f"pool.{verb}", data, refused=refused)


@page("pools:read")
def attach(request: HttpRequest, name: str) -> HttpResponseBase:
    """Choose the disk that joins a vdev."""
    if (known := pool_of(name)) is None:
        return missing(request, f"There is no pool {name}")
    inventory, pool = known
    sent = request.POST if request.method == "POST" else request.GET
    place = find(pool, sent.get("vdev", ""))
    if place is None:
        return missing(request, f"{name} has no such vdev")
    chosen = sent.get("disk", "")
    if request.method != "POST":
        return _attach_page(request, inventory, pool, place, chosen)

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        return _attach_page(request, inventory, pool, place, chosen, findings)

    data = {"name": pool.name, "vdev": place.vdev.guid} | ({"disk": chosen} if chosen else {})
    return propose(request, "pool.attach", data, refused=refused)


def _attach_page(
    request: HttpRequest,
    inventory: Inventory,
    pool: Pool,
    place: MemberPosition,
    chosen: str,
    findings: tuple[Finding, ...] = (),
) -> HttpResponseBase:
    raidz = place.vdev.kind == "raidz"
    found = to_attach(pool, place, inventory)
    context = {
        "pool": pool, "vdev": place.vdev, "top": place.top, "raidz": raidz, "chosen": chosen,
        "gain": gain(pool, place.vdev) if raidz else None,
        "possible": [one for one in found if not one.why], "others": [one for one in found if one.why],
        "errors": beside(findings, {"disk": "disk"}) if findings else "",
        "why_shut": why_shut(request.user, "pools:write"),
    }  # fmt: skip
    return render(request, "pools/member_attach.html", context, status=422 if findings else 200)


@page("pools:read")
def add(request: HttpRequest, name: str) -> HttpResponseBase:
    """Choose role, layout and disks of a vdev that is added."""
    if (known := pool_of(name)) is None:
        return missing(request, f"There is no pool {name}")
    inventory, pool = known
    form = {
        "role": request.POST.get("role", "data"), "layout": request.POST.get("layout", ""),
        "disks": request.POST.getlist("disks"), "confirm": request.POST.get("confirm", "").strip(),
    }  # fmt: skip
    if request.method != "POST":
        return _add_page(request, inventory, pool, form)

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        return _add_page(request, inventory, pool, form, findings)

    vdev = {"role": form["role"], "layout": form["layout"] or "stripe", "disks": form["disks"]}
    data: dict[str, Any] = {"name": pool.name, "vdevs": [vdev]}
    data |= {"confirm": form["confirm"]} if form["confirm"] else {}
    return propose(request, "pool.add", data, refused=refused)


def _add_page(
    request: HttpRequest, inventory: Inventory, pool: Pool, form: Any, findings: tuple[Finding, ...] = ()
) -> HttpResponseBase:
    found = to_add(inventory)
    data = [vdev for vdev in pool.vdevs if vdev.role == "data"]
    fields = {
        "vdevs[0].disks": "disks", "vdevs[0].layout": "layout", "vdevs[0].role": "role",
        "vdevs": "disks", "confirm": "confirm",
    }  # fmt: skip
    context = {
        "pool": pool, "form": form, "roles": ROLES, "layouts": LAYOUTS,
        "like": data[0].name.rpartition("-")[0] if data and data[0].children else "",
        "possible": [one for one in found if not one.why], "others": [one for one in found if one.why],
        "asks": any(finding.field == "confirm" for finding in findings),
        "warnings": messages(findings, "warning"),
        "errors": beside(findings, fields) if findings else "",
        "why_shut": why_shut(request.user, "pools:write"),
        "advice": device_advice(pool, inventory, gather(pool, timezone.now())),
    }  # fmt: skip
    return render(request, "pools/member_add.html", context, status=422 if findings else 200)


def pool_of(name: str) -> tuple[Inventory, Pool] | None:
    """The newest inventory and the pool of that name, if both are known."""
    inventory = cache.current()
    pool = inventory.pool(name) if inventory else None
    return (inventory, pool) if inventory and pool else None
