"""What is withheld of jobs and audit events that name people's files, from those who may not read files."""

from __future__ import annotations

from typing import Any

from jobs.models import AuditEvent, Job
from jobs.operation import operations
from jobs.rights import User

SCOPE = "files:read"
TITLE = "What it does is shown to those who may read files"


def names_files(operation: str, user: User) -> bool:
    """Whether a job of that operation says what `user` may not read."""
    known = operations().get(operation)
    return known is not None and known.names_files and not user.has_perm(SCOPE)


def job_view(job: Job, user: User) -> dict[str, Any]:
    """`Job.view` as `user` may see it: how it went in any case, and what it did unless that names files."""
    view = job.view()
    if names_files(job.operation, user):
        view["steps"] = [{**step, "title": TITLE, "commands": [], "output": ""} for step in view["steps"]]
        view["error"] = view["error"] and {"title": view["error"].get("title", ""), "detail": ""}
    return view


def event_view(event: AuditEvent, user: User) -> dict[str, Any]:
    """`AuditEvent.view` as `user` may see it: of what happened to files, the dataset alone."""
    view = event.view()
    if event.action.startswith("files.") and not user.has_perm(SCOPE):
        view["subject"] = event.subject.partition(": ")[0]
    return view
