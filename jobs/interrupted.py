"""Jobs whose worker was killed: how far they came, and what is left to do.

What is left is found by planning the same request again: a plan is what there is still to do. Nothing of it
is run here; whoever reads it decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from host.base import Host, HostError
from jobs.engine import finish
from jobs.models import Job, State, StepState
from jobs.operation import UnknownOperation, nothing_to_remember, operation
from jobs.plan import Plan, Refused
from jobs.planning.replan import replan

_MOST_TITLES = 5
_AGAIN = "Planned again on the machine as it is now,"
_COMPLETE = "Everything that it asked for is done now."
# Codes by which a plan is refused because what is asked for is there already.
_THERE = frozenset({
    "name-taken", "nothing-changes", "nothing-to-do", "nothing-to-change", "same-name", "unchanged",
})  # fmt: skip


def recover(host: Host) -> int:
    """At the worker's start: whatever was running is interrupted; say how far it came and what is left.

    Returns how many jobs that were. Whatever goes wrong with a plan, each job ends and frees its claims.
    """
    running = list(Job.objects.filter(state=State.RUNNING))
    left: dict[int, dict[str, Any]] = {}
    try:
        for job in running:
            left[job.pk] = _left(job, host)
    finally:
        for job in running:
            _end(job, left.get(job.pk, {}))
    return len(running)


def _end(job: Job, left: dict[str, Any]) -> None:
    steps = list(job.steps.all())
    step = next((step for step in steps if step.state == StepState.RUNNING), None)
    finished = sum(step.state == StepState.SUCCEEDED for step in steps)
    where = f"after {finished} of {len(steps)} steps"
    if step is not None:
        where = (
            f"in step {step.index + 1} of {len(steps)} (“{step.title}”): "
            f"{step.done} of its {len(step.commands)} commands had ended"
        )
    detail = f"The worker stopped {where}. Finished steps are not undone; nothing runs again by itself."
    more = f" {said}" if (said := left.pop("said", "")) else ""
    error = {"title": "Interrupted", "detail": detail + more, "steps_finished": finished, **left}
    finish(job, State.INTERRUPTED, error)


def _left(job: Job, host: Host) -> dict[str, Any]:
    """`outcome` and its details, with the sentence `said`; nothing where it cannot be determined."""
    steps = list(job.steps.all())
    waiting = sum(len(step.commands) - step.done for step in steps)
    try:
        # Its rows are written after the last command, and nobody noted whether they were.
        rows = operation(job.operation).remember is not nothing_to_remember
        if steps and not waiting and not rows:
            return {"outcome": "complete", "said": _COMPLETE}
        plan = replan(job, host)[2]
    except Refused as refused:
        return _refused(job, refused, waiting, rows=rows)
    except (HostError, UnknownOperation):
        return {}
    if not plan.steps and not rows:
        return {"outcome": "complete", "said": _COMPLETE}
    return _of_plan(plan)


def _refused(job: Job, refused: Refused, waiting: int, *, rows: bool) -> dict[str, Any]:
    errors = [finding for finding in refused.findings if finding.level == "error"]
    said = " ".join(finding.message for finding in errors)
    gone = not rows and any(step.get("destroys") for step in job.plan.get("steps", ()))
    # With at most its last command not noted, what stands in the way now is what that command did.
    if waiting <= 1 and all(_is_done(finding.code, gone=gone) for finding in errors):
        return {"outcome": "complete", "said": f"{_COMPLETE} ({said})"}
    findings = [{"code": f.code, "field": f.field, "message": f.message} for f in refused.findings]
    return {"outcome": "refused", "findings": findings, "said": f"{_AGAIN} it is refused: {said}"}


def _is_done(code: str, *, gone: bool) -> bool:
    return code in _THERE or "already" in code or (gone and code.startswith("unknown-"))


def _of_plan(plan: Plan) -> dict[str, Any]:
    titles = [step.title for step in plan.steps]
    return {"outcome": "left", "left": titles, "said": f"{_AGAIN} this is left: {_listed(titles)}."}


def _listed(titles: Sequence[str]) -> str:
    named = [f"“{title}”" for title in titles[:_MOST_TITLES]]
    more = [f"and {len(titles) - _MOST_TITLES} more"] if len(titles) > _MOST_TITLES else []
    return ", ".join(named + more) or "what the console itself was to keep of it"
