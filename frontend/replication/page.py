"""Replications: the list with the age of each copy, and one with its runs and settings."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from frontend import asking
from frontend.access import page, part, unchanged, why_shut
from frontend.findings import Errors, beside
from frontend.missing import missing
from frontend.plans.page import propose
from frontend.replication import form as replication_form
from frontend.replication import view
from frontend.replication.form import ReplicationForm, of_task
from frontend.replication.turning import turning_view
from frontend.units import roughly
from host.inventory import Inventory
from host.replication.values import Replication
from jobs import cache
from jobs.plan import Finding
from jobs.schedules.cron import zones
from jobs.schedules.zone import usual_zone
from replication.models import RunRow, TaskRow
from replication.replications import ways_out
from replication.replications.amount import amount_of
from replication.replications.progress import RunProgress, shown
from replication.replications.standing import report_of
from replication.replications.times import schedule_of

_RUNS = 20  # of the history
_ASKED = 3  # runs under way that a list asks about; of others it shows what was last said


@page("pools:read")
def replications(request: HttpRequest) -> HttpResponseBase:
    """All of them, those under way as they are at this moment."""
    inventory = cache.current()
    tasks = inventory.replicating.tasks if inventory else ()
    rows = {row.pk: row for row in TaskRow.objects.all()}
    cards = []
    asked = 0
    for task in tasks:
        if (row := rows.get(task.id)) is None or inventory is None:
            continue
        asked += row.running
        run = _run(request, row, live=asked <= _ASKED)
        cards.append(view.card(task, row, run, inventory))
    cards.sort(key=lambda card: view.urgency(card.state))
    mark = _mark(cards)
    if answer := unchanged(request, mark):
        return answer
    context = {
        "mark": mark,
        "cards": cards,
        "running": any(card.running for card in cards),
        "targets": inventory.replicating.targets if inventory else (),
        "has_datasets": bool(inventory and inventory.datasets),
        "why_shut": why_shut(request.user, "pools:write"),
    }
    return render(request, part(request, "replication/replications.html"), context)


@page("pools:read")
def replication(request: HttpRequest, number: int) -> HttpResponseBase:
    """One of them; a POST asks for the plan of changed settings."""
    if (known := _found(number)) is None:
        return missing(request, "There is no such replication")
    inventory, task, row = known
    now = of_task(task, schedule_of(task, inventory), usual_zone(inventory))
    if request.method != "POST":
        return _show(request, inventory, task, row, now)
    form = replication_form.of_post(request.POST)
    data, faults = replication_form.changes(form, now), replication_form.faults(form)
    if not data and not faults:
        return _show(request, inventory, task, row, form, unchanged_form=True)

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        return _show(request, inventory, task, row, form, findings)

    return propose(request, "replication.change", {"id": task.id} | data, refused=refused, faults=faults)


def _show(
    request: HttpRequest,
    inventory: Inventory,
    task: Replication,
    row: TaskRow,
    form: ReplicationForm,
    findings: tuple[Finding, ...] = (),
    *,
    unchanged_form: bool = False,
) -> HttpResponseBase:
    run = _run(request, row, live=True)
    card = view.card(task, row, run, inventory)
    report = report_of(row)
    runs = list(RunRow.objects.filter(task=row)[:_RUNS])
    estimates = not row.running and (row.copied_at is None or request.GET.get("estimate") == "yes")
    asked = {"name": row.name, "after": (report.finished_at or "") if report else ""}
    estimate = asking.ask(request, "replication.estimate", asked) if estimates else None
    rows = view.dataset_rows(run, task, row, inventory) if run else ()
    turning = turning_view(task, inventory)
    mark = _mark([card, rows, estimate, len(runs), turning])
    if answer := unchanged(request, mark):
        return answer
    context: dict[str, Any] = replication_form.context(form, inventory) | {
        "mark": mark,
        "card": card,
        "task": task,
        "run": run,
        "rows": rows,
        "hidden": view.hidden(run) if run else "",
        "turning": turning,
        "way_out": ways_out.of_run(report, task, inventory) if report else None,
        "runs": view.run_views(runs),
        **_estimate(estimate, runs),
        "here": request.path + ("?estimate=yes" if request.GET.get("estimate") == "yes" else ""),
        "remote": _is_remote(task, inventory),
        "zones": sorted(zones()),
        "errors": beside(findings, replication_form.FIELDS) if findings else Errors(),
        "unchanged_form": unchanged_form,
        "why_shut": why_shut(request.user, "pools:write"),
    }
    status = 422 if findings else 200
    return render(request, part(request, "replication/replication.html"), context, status=status)


def _estimate(asked: asking.AnswerView | None, runs: list[RunRow]) -> dict[str, Any]:
    """What the next run would send. `failure`: why nobody can say."""
    plan: RunProgress | None = asked.answer.run if asked and asked.answer else None
    amount = amount_of(plan, runs) if plan and plan.verdict is None else None
    return {
        "report": asked or asking.AnswerView(),
        "amount": amount,
        "took": roughly(amount.seconds) if amount and amount.seconds is not None else "",
        "failure": plan.words if plan and plan.verdict is not None else "",
        "available": plan.available_bytes if plan else None,
    }


def _is_remote(task: Replication, inventory: Inventory) -> bool:
    target = inventory.replicating.target(task.target_id)
    return target is not None and target.kind != "pool"


def _run(request: HttpRequest, row: TaskRow, *, live: bool) -> RunProgress | None:
    """How its last run stands: asked of the machine while it is under way, else as it was written down."""
    if row.running and live:
        asked = asking.ask(request, "replication.progress", {"name": row.name})
        row.refresh_from_db()  # the question may just have found its end
        found: RunProgress | None = asked.answer.run if asked.answer else None
        if found is not None:
            return found
    report = report_of(row)
    return None if report is None else shown(report)


def _mark(content: Any) -> str:
    """Changes whenever something is to be shown anew."""
    return sha256(msgspec.json.encode(content)).hexdigest()[:16]


def _found(number: int) -> tuple[Inventory, Replication, TaskRow] | None:
    inventory = cache.current()
    tasks = inventory.replicating.tasks if inventory else ()
    task = next((one for one in tasks if one.id == number), None)
    row = TaskRow.objects.filter(pk=number).first() if task else None
    return (inventory, task, row) if inventory and task and row else None
