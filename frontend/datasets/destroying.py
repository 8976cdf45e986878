"""The plans that destroy a dataset, or several that were selected."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.views.decorators.http import require_POST

from frontend.access import page
from frontend.datasets.page import found_dataset
from frontend.missing import missing
from frontend.plans.page import propose, refusal
from jobs.plan import Finding


@page("pools:read")
def destroy(request: HttpRequest, name: str) -> HttpResponseBase:
    """The plan to destroy a dataset; what is below it and its snapshots go too if that is agreed to."""
    if found_dataset(name) is None:
        return missing(request, f"There is no dataset {name}")
    return _propose(request, "dataset.destroy", {"name": name})


@page("pools:read")
@require_POST
def destroy_many(request: HttpRequest) -> HttpResponseBase:
    """The plan to destroy those selected in the list."""
    names = request.POST.getlist("name")
    return _propose(request, "dataset.bulk-destroy", {"names": names})


def _propose(request: HttpRequest, operation: str, data: dict[str, Any]) -> HttpResponseBase:
    """The plan; where only that stands in the way, a button for what lies below and the snapshots."""

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        errors = [finding for finding in findings if finding.level == "error"]
        only_along = all(finding.field == "recursive" for finding in errors)
        wider = ("Destroy everything below and all snapshots too", data | {"recursive": True})
        return refusal(request, operation, data, findings, wider=wider if only_along else None)

    return propose(request, operation, data, refused=refused)
