"""Whether somebody may have a plan carried out: asked before it is shown, and again before it runs."""

from __future__ import annotations

from typing import Any, cast

from django.conf import settings
from django.utils.module_loading import import_string

from jobs.models import Job
from jobs.operation import Operation
from jobs.plan import Plan
from jobs.rights import Forbidden, User, need


def check_plan(user: User, plan: Plan) -> None:
    """Raises `Forbidden` where what the plan does needs a right that `user` does not have."""
    if plan.destroys and not user.has_perm("destroy"):
        raise Forbidden("Your role does not allow destroying anything.")
    for finding in plan.findings:
        if finding.needs is not None and not user.has_perm(finding.needs):
            raise Forbidden(f"{finding.message} This needs the right {finding.needs}, as admins have it.")


def check_again(job: Job, asked: Operation[Any], request: Any, plan: Plan) -> None:
    """Raises `Forbidden` where whoever submitted the job may not have it carried out any more.

    What no person submitted has no account: the clock may still do what it might do then.
    """
    if job.account is None:
        return
    user = cast("User | None", import_string(settings.NASWEB_ACTOR)(job.account, job.token))
    if user is None:
        what = "account" if job.token is None else "account or token"
        raise Forbidden(f"The {what} of {job.submitted_by} that asked for it may not be used any more.")
    need(user, asked.scope, *asked.also_needs(request))
    check_plan(user, plan)
