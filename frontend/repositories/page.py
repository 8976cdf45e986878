"""Repositories: a new one, the page of one, and what lies in it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables

from backups import stored
from backups.answers import repository_answer, run_answer
from backups.models import RunRow
from frontend.access import page, part, unchanged, why_shut
from frontend.asking import AnswerView, ask
from frontend.backups.form import choices
from frontend.backups.page import known, mark_of
from frontend.backups.view import KINDS, repository_card, run_view
from frontend.findings import Errors, beside
from frontend.missing import missing
from frontend.plans.page import propose
from frontend.repositories import form as repository_form
from frontend.repositories.form import FIELDS, KEYS, RepositoryForm
from host.inventory import Inventory, Repository
from jobs.plan import Finding

_SHOWN_RUNS = 30
_KEYS_WITHIN_S = 20.0
_UNWRITTEN = "Write the password down first, and tick the box."


@sensitive_post_parameters()
@page("pools:read")
@sensitive_variables()
def create(request: HttpRequest) -> HttpResponseBase:
    """The form of one kind, the keys of an SSH server, or the plan."""
    if request.method != "POST":
        return _new(request, repository_form.first(request.GET), repository_form.new_password())
    form, password = repository_form.of_post(request.POST), request.POST.get("password", "")
    if request.POST.get("do") == "keys":
        return _new(request, form, password, keys=_keys(request, form))

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        return _new(request, form, password, errors=beside(findings, FIELDS))

    if not form.existing and not form.written_down:
        errors = Errors(by_field={"written_down": (_UNWRITTEN,)})
        return _new(request, form, password, errors=errors)
    operation = "repository.import" if form.existing else "repository.create"
    return propose(request, operation, repository_form.data_of(form, request.POST), refused=refused)


def _keys(request: HttpRequest, form: RepositoryForm) -> AnswerView:
    port = form.values.get("port") or "22"
    data = {"host": form.values.get("host", ""), "port": int(port) if port.isdecimal() else 0}
    return ask(request, "repository.server-keys", data, timeout_s=_KEYS_WITHIN_S)


@sensitive_variables()
def _new(
    request: HttpRequest, form: RepositoryForm, password: str, errors: Errors | None = None,
    keys: AnswerView | None = None,
) -> HttpResponseBase:  # fmt: skip
    if keys is not None and keys.findings:
        errors = Errors(by_field={"host": tuple(one.message for one in keys.findings)})
    elif keys is not None and keys.waiting:
        errors = Errors(by_field={"host": ("The server has not answered yet. Try again.",)})
    context = {
        "form": form, "errors": errors, "kinds": KINDS, "key_title": KEYS.get(form.kind, ""),
        "password": "" if form.existing else password,
        "keys": keys.answer.results if keys and keys.answer else (),
        "why_shut": why_shut(request.user, "pools:write"),
    }  # fmt: skip
    return render(request, "repositories/repository_form.html", context, status=422 if errors else 200)


@page("pools:read")
def repository(request: HttpRequest, name: str) -> HttpResponseBase:
    """One repository; a POST connects, checks, stops or removes it."""
    inventory = known()
    found = inventory.backups.repository(name) if inventory else None
    if inventory is None or found is None:
        return missing(request, f"There is no repository {name}")
    if request.method == "POST":
        return _act(request, inventory, found)
    return unchanged(request, mark_of(inventory)) or _one(request, inventory, found)


def _act(request: HttpRequest, inventory: Inventory, found: Repository) -> HttpResponseBase:
    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        return _one(request, inventory, found, errors=beside(findings, {}))

    do = request.POST.get("do", "")
    if do == "stop":
        return propose(request, "backup.stop", {"run": request.POST.get("run", "")}, refused=refused)
    if do not in {"connect", "check", "remove"}:
        raise SuspiciousOperation("Unknown action.")
    return propose(request, f"repository.{do}", {"name": found.name}, refused=refused)


def _one(
    request: HttpRequest, inventory: Inventory, found: Repository, errors: Errors | None = None
) -> HttpResponseBase:
    user = request.user
    rows = RunRow.objects.filter(repository__name=found.name).select_related("repository", "backup")
    key = ask(request, "repository.key", {"repository": found.name}) if found.settings.sftp else None
    polls = "seen" in request.GET
    holds = None
    if found.ready and not polls:
        holds = ask(request, "repository.snapshots", {"repository": found.name})
    context = {
        "mark": mark_of(inventory), "errors": errors, "here": request.path,
        "card": repository_card(repository_answer(found, inventory, user, datetime.now(UTC))),
        "running": run_view(run_answer(found.running, user)) if found.running else None,
        "runs": [run_view(run_answer(stored.run_of(row), user)) for row in rows[:_SHOWN_RUNS]],
        "key": key, "report": holds,
        "users": [one for one in inventory.backups.backups if one.repository == found.name],
        "why_shut": why_shut(user, "pools:write"),
    }  # fmt: skip
    return render(
        request, part(request, "repositories/repository.html"), context, status=422 if errors else 200
    )


@page("files:read")
def stored_files(request: HttpRequest, name: str, stored_id: str) -> HttpResponseBase:
    """A folder of a snapshot; a POST brings something back."""
    inventory = known()
    found = inventory.backups.repository(name) if inventory else None
    if inventory is None or found is None:
        return missing(request, f"There is no repository {name}")
    path = request.GET.get("path", "")
    if request.method != "POST":
        return _folder(request, inventory, found, stored_id, path)
    sent = request.POST
    data: dict[str, Any] = {
        "repository": name, "stored": stored_id, "dataset": sent.get("dataset", ""),
        "path": sent.get("path", ""),
    }  # fmt: skip
    if sent.get("folder"):
        data["folder"] = sent["folder"]

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        fields = {"dataset": "dataset", "folder": "folder"}
        return _folder(request, inventory, found, stored_id, path, errors=beside(findings, fields))

    return propose(request, "backup.restore", data, refused=refused)


def _folder(
    request: HttpRequest, inventory: Inventory, found: Repository, stored_id: str, path: str,
    errors: Errors | None = None,
) -> HttpResponseBase:  # fmt: skip
    here = reverse("stored-files", args=(found.name, stored_id))
    names = path.split("/") if path else []
    trail = [
        (one, f"{here}?{urlencode({'path': '/'.join(names[: index + 1])})}")
        for index, one in enumerate(names)
    ]
    data = {"repository": found.name, "stored": stored_id, "path": path}
    held = ask(request, "repository.snapshots", {"repository": found.name}, timeout_s=0.2).answer
    known_as = next((one for one in held.results if one.id.startswith(stored_id)), None) if held else None
    context = {
        "repository": found, "stored": stored_id, "path": path, "trail": trail, "top": here, "errors": errors,
        "here": f"{here}?{urlencode({'path': path})}", "report": ask(request, "repository.folder", data),
        "snapshot": known_as, "choices": [one for one in choices(inventory) if one.mounted],
        "chosen": request.POST.get("dataset") or (known_as.dataset if known_as else ""),
        "why_shut": why_shut(request.user, "pools:write", "files:write"),
    }  # fmt: skip
    template = "repositories/stored_files.html"
    return render(request, template, context, status=422 if errors else 200)
