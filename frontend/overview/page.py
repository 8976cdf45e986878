"""The overview: the chassis, the pools, what is running, what the machine is."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from frontend.access import page, part, unchanged, why_shut
from frontend.alerts.view import Troubles, troubles
from frontend.bays.chassis_view import draw
from frontend.bays.vitals import vitals
from frontend.boot.view import boot_view
from frontend.overview import tiles
from frontend.overview.running import running
from frontend.plans.view import job_row
from frontend.pools.view import pool_lines
from frontend.states import Tone, pool_state
from frontend.units import binary, span
from frontend.welcome import going_back as welcome_return
from frontend.welcome.banner import welcome_banner
from host.inventory import HostFacts, Inventory
from jobs import cache
from jobs.models import ACTIVE, Job
from jobs.wording import counted


class Fact(msgspec.Struct, frozen=True, kw_only=True):
    """Something about the machine, with the icon before it."""

    icon: str
    text: str


class Headline(msgspec.Struct, frozen=True, kw_only=True):
    """The machine's state in one sentence."""

    tone: Tone
    icon: str
    text: str


@page("system:read")
def overview(request: HttpRequest) -> HttpResponseBase:
    """The whole page; polls get nothing while nothing changed."""
    inventory = cache.current()
    active = list(Job.objects.filter(state__in=ACTIVE).prefetch_related("steps")[:5])
    recent = list(Job.objects.exclude(state__in=ACTIVE)[:3])
    mark = f"{inventory.as_of if inventory else ''}.{'.'.join(f'{j.pk}{j.state}' for j in active + recent)}"
    if active:
        mark += "".join(step.state[0] for job in active for step in job.steps.all())
    wrong = troubles(request.user, inventory)
    mark += wrong.mark
    setting_up = welcome_banner(request.user, inventory)
    mark += f".{setting_up}"
    if answer := unchanged(request, mark):
        return answer
    welcome_return.leave(request)
    context: dict[str, object] = {
        "mark": mark,
        "setting_up": setting_up,
        "running": running(inventory, active, request.user),
        "job_rows": [job_row(job, request.user) for job in recent],
    }
    if inventory is not None:
        lines = pool_lines(inventory)
        context |= tiles.row(inventory)
        context |= {
            "chassis": draw(inventory, vitals=vitals(inventory), view=request.GET.get("view")),
            "pools": lines,
            "facts": facts(inventory.facts),
            "boot": boot_view(inventory),
            "verdict": verdict(inventory, wrong),
            "troubles": wrong,
            "why_no_acknowledging": why_shut(request.user, "alerts:write"),
            "free_disks": sum(disk.free for disk in inventory.disks),
        }
    return render(request, part(request, "overview/overview.html"), context)


def verdict(inventory: Inventory, wrong: Troubles) -> Headline:
    """The worst thing there is to say, else that all is well."""
    if wrong.loud:
        first, more = wrong.loud[0], len(wrong.loud) - 1
        text = first.title + (f", and {counted(more, 'more', 'more')}" if more else "")
        return Headline(tone=first.tone, icon=first.icon, text=text)
    if wrong.quiet:
        return Headline(tone="warn", icon="triangle-alert", text=f"Known: {wrong.quiet[0].title}")
    if not inventory.pools:
        return Headline(tone="idle", icon="circle-dashed", text="No pool yet")
    if unwell := [pool for pool in inventory.pools if pool.health != "healthy"]:
        # An alert waits until a second look is sure of it; what is not whole is not called healthy meanwhile.
        worst = max((pool_state(pool) for pool in unwell), key=lambda state: state.tone == "bad")
        text = f"{_listed([pool.name for pool in unwell])} {'is' if len(unwell) == 1 else 'are'} {worst.word}"
        return Headline(tone=worst.tone, icon=worst.icon, text=text)
    names = [pool.name for pool in inventory.pools]
    text = f"{_listed(names)} {'is' if len(names) == 1 else 'are'} healthy"
    return Headline(tone="good", icon="circle-check", text=text)


def facts(host: HostFacts) -> tuple[Fact, ...]:
    """What the machine is, apart from its disks."""
    zfs = (host.zfs_userland or "not installed").removeprefix("zfs-")
    module = (host.zfs_module or "not loaded").removeprefix("zfs-").removeprefix("kmod-")
    if module != zfs:
        zfs += f", but the kernel's module is {module}"
    ecc = "ECC" if host.ecc == "yes" else "ECC not proven"
    up = span((datetime.now(UTC) - datetime.fromtimestamp(host.booted, UTC)).total_seconds())
    return (
        Fact(icon="server", text=f"{host.name}{' (simulated)' if host.kind == 'simulated' else ''}"),
        Fact(icon="memory-stick", text=f"{binary(host.memory_bytes)} memory, {ecc}"),
        Fact(icon="layers", text=f"OpenZFS {zfs}"),
        Fact(icon="cpu", text=f"Linux {host.kernel}"),
        Fact(icon="clock", text=f"up {up}"),
    )


def _listed(names: list[str]) -> str:
    if len(names) > 3:
        return f"{', '.join(names[:2])} and {counted(len(names) - 2, 'more', 'more')}"
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
