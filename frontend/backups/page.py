"""Backups: the list, a new one, and the page of one."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from backups import stored
from backups.answers import backup_answer, run_answer, schedule_of
from backups.create_backup import NIGHTLY
from backups.models import RunRow
from frontend.access import page, part, unchanged, why_shut
from frontend.backups import form as backup_form
from frontend.backups.form import FIELDS, BackupForm
from frontend.backups.view import backup_card, cards, repository_cards, run_view
from frontend.findings import Errors, beside
from frontend.missing import missing
from frontend.plans.page import propose
from host.inventory import Backup, Inventory
from jobs import cache
from jobs.plan import Finding
from jobs.schedules import sentence as picker

_SHOWN_RUNS = 30


def known() -> Inventory | None:
    """The cached inventory, with what the rows say of backups now."""
    inventory = cache.current()
    return stored.complete(inventory) if inventory else None


def mark_of(inventory: Inventory | None) -> str:
    """What tells one state of all backups from another."""
    if inventory is None:
        return ""
    runs = RunRow.objects.order_by("-pk").values_list("pk", "verdict", "report__updated_at").first()
    return f"{inventory.as_of} {runs}"


@page("pools:read")
def backups(request: HttpRequest) -> HttpResponseBase:
    """What is stored where, and how old it is."""
    inventory = known()
    mark = mark_of(inventory)
    if answer := unchanged(request, mark):
        return answer
    now = datetime.now(UTC)
    context = {
        "mark": mark, "known": inventory is not None,
        "cards": cards(inventory, request.user, now) if inventory else (),
        "repositories": repository_cards(inventory, request.user, now) if inventory else (),
        "why_shut": why_shut(request.user, "pools:write"),
    }  # fmt: skip
    return render(request, part(request, "backups/backups.html"), context)


@page("pools:read")
def create(request: HttpRequest) -> HttpResponseBase:
    """The empty form, the form as it was left, or the plan for it."""
    if request.method != "POST":
        return _new(request, backup_form.first(request.GET.dict()))
    form = backup_form.of_post(request.POST)
    data = backup_form.content(form) | {
        "name": form.name, "repository": form.repository,
        "cron": None if request.POST.get("every") == "never" else form.picked.line(),
    }  # fmt: skip

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        return _new(request, form, errors=beside(findings, FIELDS))

    return propose(request, "backup.create", data, refused=refused)


def _new(request: HttpRequest, form: BackupForm, errors: Errors | None = None) -> HttpResponseBase:
    inventory = known()
    context = _fields(inventory, form, errors) | {
        "repositories": [one for one in inventory.backups.repositories if one.ready] if inventory else (),
        "why_shut": why_shut(request.user, "pools:write"), "new": True,
    }  # fmt: skip
    return render(request, "backups/backup_form.html", context, status=422 if errors else 200)


def _fields(inventory: Inventory | None, form: BackupForm, errors: Errors | None) -> dict[str, Any]:
    return {
        "form": form, "errors": errors, "choices": backup_form.choices(inventory), "picked": form.picked,
        "every": {**picker.EVERY, "never": "Only when I start it"}, "weeks": picker.WEEKS,
        "days": picker.DAYS,
    }  # fmt: skip


@page("pools:read")
def backup(request: HttpRequest, name: str) -> HttpResponseBase:
    """One backup; a POST runs, stops, changes or deletes it."""
    inventory = known()
    found = inventory.backups.backup(name) if inventory else None
    if inventory is None or found is None:
        return missing(request, f"There is no backup {name}")
    if request.method == "POST":
        return _act(request, inventory, found)
    mark = mark_of(inventory)
    return unchanged(request, mark) or _one(request, inventory, found, _form_of(found, inventory))


def _form_of(found: Backup, inventory: Inventory) -> BackupForm:
    schedule = schedule_of(f"backup:{found.name}", inventory)
    return backup_form.of_backup(found, schedule.cron if schedule else NIGHTLY)


def _act(request: HttpRequest, inventory: Inventory, found: Backup) -> HttpResponseBase:
    do, form = request.POST.get("do", ""), _form_of(found, inventory)

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        return _one(request, inventory, found, form, errors=beside(findings, FIELDS))

    match do:
        case "run":
            return propose(request, "backup.run", {"name": found.name}, refused=refused)
        case "stop":
            run = {"run": request.POST.get("run", "")}
            return propose(request, "backup.stop", run, refused=refused)
        case "delete":
            return propose(request, "backup.delete", {"name": found.name}, refused=refused)
        case "change":
            form = backup_form.of_post(request.POST)
            data = {"name": found.name} | backup_form.content(form)
            return propose(request, "backup.change", data, refused=refused)
        case "times":
            schedule = schedule_of(f"backup:{found.name}", inventory)
            form = _with_times(form, request)
            data = {"id": schedule.id if schedule else 0, "cron": form.picked.line()}
            return propose(request, "schedule.change", data, refused=refused)
        case _:
            raise SuspiciousOperation("Unknown action.")


def _with_times(form: BackupForm, request: HttpRequest) -> BackupForm:
    return BackupForm(
        name=form.name, repository=form.repository, datasets=form.datasets, exclusions=form.exclusions,
        aim_hours=form.aim_hours, kept=form.kept, picked=picker.typed(request.POST.dict()),
    )  # fmt: skip


def _one(
    request: HttpRequest, inventory: Inventory, found: Backup, form: BackupForm, errors: Errors | None = None
) -> HttpResponseBase:
    user = request.user
    rows = RunRow.objects.filter(backup__name=found.name).select_related("repository", "backup")
    schedule = schedule_of(f"backup:{found.name}", inventory)
    context = _fields(inventory, form, errors) | {
        "mark": mark_of(inventory), "every": picker.EVERY,
        "card": backup_card(backup_answer(found, inventory, user, datetime.now(UTC))),
        "runs": [run_view(run_answer(stored.run_of(row), user)) for row in rows[:_SHOWN_RUNS]],
        "schedule": schedule, "when": picker.sentence(schedule.cron) if schedule else "",
        "why_shut": why_shut(user, "pools:write"),
    }  # fmt: skip
    template = part(request, "backups/backup.html")
    return render(request, template, context, status=422 if errors else 200)
