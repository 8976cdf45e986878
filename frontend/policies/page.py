"""Snapshot policies: all of them, and the editor of one with what it would keep."""

from __future__ import annotations

from datetime import UTC, datetime

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_POST

from frontend.access import page, part, unchanged, why_shut
from frontend.findings import Errors
from frontend.missing import missing
from frontend.plans.page import propose
from frontend.policies.form import DAY_CHOICES, EVERY_CHOICES, PolicyForm, of_policy, of_post, read, text
from frontend.policies.view import PreviewView, keeps, policy_row, preview_view
from host.inventory import Dataset, Inventory
from jobs import cache
from jobs.plan import Finding
from jobs.schedules.cron import zones
from jobs.schedules.zone import usual_zone
from pools.models import PolicyRun
from pools.policies import index
from pools.policies.presets import PRESETS
from pools.policies.preview import preview
from pools.policies.rules.effective import effective
from pools.policies.rules.policy import TIERS, Policy, parse
from pools.policies.standing import standings

_MOST_ROWS = 300
_PERIODS = {"frequent": "every few minutes", "hourly": "hours", "daily": "days", "weekly": "weeks",
            "monthly": "months", "yearly": "years"}  # fmt: skip


@page("pools:read")
def policies(request: HttpRequest) -> HttpResponseBase:
    """Where each policy comes from, what it took last, what is next."""
    inventory = cache.current()
    runs = {row.pool_guid: row for row in PolicyRun.objects.all()}
    mark = f"{inventory.as_of if inventory else ''}.{'.'.join(str(row.last_job_id) for row in runs.values())}"
    if answer := unchanged(request, mark):
        return answer
    found = standings(inventory, datetime.now(UTC)) if inventory else ()
    rows = [policy_row(one) for one in found]
    covered = {row.dataset for row in rows}
    bare = [d.name for d in inventory.datasets if d.name not in covered] if inventory else []
    runs_of = [(p, runs[p.guid]) for p in inventory.pools if p.guid in runs] if inventory else []
    context = {
        "mark": mark,
        "known": inventory is not None,
        "rows": rows[:_MOST_ROWS],
        "hidden": max(0, len(rows) - _MOST_ROWS),
        "bare": bare[:12],
        "more_bare": max(0, len(bare) - 12),
        "runs": runs_of,
        "presets": PRESETS,
        "why_shut": why_shut(request.user, "pools:write"),
        "why_no_destroying": why_shut(request.user, "pools:write", "destroy"),
    }
    return render(request, part(request, "policies/policies.html"), context)


@page("pools:read")
def policy(request: HttpRequest, name: str) -> HttpResponseBase:
    """The editor; a POST asks for the plan."""
    if (known := _found(name)) is None:
        return missing(request, f"There is no dataset {name}")
    inventory, dataset = known
    if request.method != "POST":
        chosen = next((one for one in PRESETS if one.name == request.GET.get("preset")), None)
        start = (
            parse(f"{chosen.policy} tz={usual_zone(inventory)}") if chosen else _present(dataset, inventory)
        )
        return _editor(request, inventory, dataset, of_policy(start, usual_zone(inventory)))
    form = of_post(request.POST)
    do = request.POST.get("do", "")

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        others = tuple(finding.message for finding in findings if finding.level == "error")
        return _editor(request, inventory, dataset, form, errors=Errors(others=others), status=422)

    if do in {"off", "inherit"}:
        wanted = {"dataset": name, "policy": "off" if do == "off" else None}
        return propose(request, "policy.set", wanted, refused=refused)
    _, wrong = read(form)
    if wrong:
        return _editor(request, inventory, dataset, form, errors=Errors(by_field=wrong), status=422)
    if do == "preview":
        return _editor(request, inventory, dataset, form)
    return propose(request, "policy.set", {"dataset": name, "policy": text(form)}, refused=refused)


@page("pools:read")
@require_POST
def live_preview(request: HttpRequest, name: str) -> HttpResponseBase:
    """The calendars of what is typed."""
    if (known := _found(name)) is None:
        return missing(request, f"There is no dataset {name}")
    inventory, dataset = known
    wanted, wrong = read(of_post(request.POST))
    messages = [message for found in wrong.values() for message in found]
    shown = _preview(wanted, dataset, inventory) if wanted else None
    return render(request, "policies/policy.html#preview", {"preview": shown, "problems": messages})


@page("pools:write")
@require_POST
def prune(request: HttpRequest) -> HttpResponseBase:
    """The plan to delete what waits to be looked at."""
    return propose(request, "policy.prune", {"pool": request.POST.get("pool", "")})


def _editor(
    request: HttpRequest,
    inventory: Inventory,
    dataset: Dataset,
    form: PolicyForm,
    *,
    errors: Errors | None = None,
    status: int = 200,
) -> HttpResponseBase:
    current = effective(dataset, inventory)
    wanted, _ = read(form)
    context = {
        "dataset": dataset,
        "current": current,
        "keeps": keeps(current.policy) if current.policy else "",
        "own": current.source == dataset.name,
        "followers": len(inventory.below(dataset.name)),
        "form": form.values,
        "tiers": [(tier, _PERIODS[tier], form.values[tier]) for tier in TIERS],
        "days": DAY_CHOICES,
        "every": EVERY_CHOICES,
        "zones": sorted(zones()),
        "presets": PRESETS,
        "preview": _preview(wanted, dataset, inventory) if wanted else None,
        "problems": (),
        "errors": errors or Errors(),
        "why_shut": why_shut(request.user, "pools:write"),
    }
    return render(request, "policies/policy.html", context, status=status)


def _preview(policy: Policy, dataset: Dataset, inventory: Inventory) -> PreviewView:
    now = datetime.now(UTC)
    return preview_view(preview(policy, dataset.name, index.known(dataset.name, inventory), now), policy, now)


def _present(dataset: Dataset, inventory: Inventory) -> Policy:
    """The policy that holds now; the first of the presets where none does, or it takes nothing."""
    found = effective(dataset, inventory).policy
    usual = parse(f"{PRESETS[0].policy} tz={usual_zone(inventory)}")
    return found if found is not None and not found.off else usual


def _found(name: str) -> tuple[Inventory, Dataset] | None:
    inventory = cache.current()
    found = inventory.dataset(name) if inventory else None
    return (inventory, found) if inventory and found else None
