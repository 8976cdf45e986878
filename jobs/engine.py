"""Carries a stored job out, once, step by step. Every change of state is a conditional UPDATE."""

from __future__ import annotations

from contextlib import suppress
from threading import Lock
from typing import Any

import structlog
from django.db import transaction
from django.utils import timezone

from host.base import CommandFailed, Host, HostError, Result
from host.commands.base import Command
from host.commands.datasets.keys import ForgetSecrets
from host.families import EVERYTHING, NOTHING, Families
from host.inventory import Inventory
from jobs import cache, claims, routine, secrets
from jobs.audit import record
from jobs.models import ACTIVE, Job, JobStep, State, StepState
from jobs.operation import forget_facts, operation, take_inventory
from jobs.plan import Plan, Refused, Step
from jobs.planning.allowed import check_again
from jobs.planning.reasons import advice
from jobs.planning.replan import replan
from jobs.rights import Forbidden
from jobs.shared import Shared

type _End = tuple[State, dict[str, Any] | None]

_log = structlog.get_logger("engine")
_one_probe = Lock()  # probes never run side by side: under load that would make each of them late
_probe, _probe_again = Shared(_one_probe), Shared(_one_probe)
_unwritten: dict[int, _End] = {}  # by the ids of their jobs; those of this process, which is the only worker
_UNKNOWN: _End = (State.INTERRUPTED, {"title": "Interrupted", "detail": "Nobody knows how far it came."})
_MOST_OUTPUT = 65_536  # characters kept of what a step's commands said


class _Stop(Exception):
    """The job must end here, in `state`, for the reason `error`."""

    def __init__(self, state: State, title: str, detail: str, **more: Any) -> None:
        self.state = state
        self.error = {"title": title, "detail": detail, **more}
        super().__init__(detail)


def run(job_id: int, host: Host) -> None:
    """Carry job `job_id` out on `host`, unless another worker has taken it or it has ended."""
    taken = Job.objects.filter(pk=job_id, state=State.QUEUED)
    if not taken.update(state=State.RUNNING, started_at=timezone.now()):
        return
    end = _UNKNOWN
    try:
        job = Job.objects.get(pk=job_id)
        end = _carry_out(job, host)
        try:
            _refresh_touched(host)  # before its end is recorded: whoever sees that plans by the new inventory
        finally:
            finish(job, *end)
        cache.announce()  # now: whoever waits for the job does not wait for what follows from it
    except Exception:
        _unwritten[job_id] = end
        raise


def settle() -> None:
    """End the jobs that have ended without the database taking it, as when the disk was full. Else they would
    hold what they claimed until the worker starts again."""
    for job_id, end in tuple(_unwritten.items()):
        if (job := Job.objects.filter(pk=job_id).first()) is not None:
            finish(job, *end)
        _unwritten.pop(job_id, None)


def _carry_out(job: Job, host: Host) -> _End:
    """How it ended. Whatever goes wrong, a job must end and free what it holds; the log has the trace."""
    try:
        try:
            request, inventory, plan = _plan_again(job, host)
            for index, step in enumerate(plan.steps):
                _stop_if_asked(job, index, len(plan.steps))
                _run_step(job, index, step, host)
        finally:
            _forget_secrets(job, host)
        with transaction.atomic():
            operation(job.operation).remember(request, inventory, job.submitted_by)
    except _Stop as stop:
        return stop.state, stop.error
    except Exception as error:  # noqa: BLE001
        _log.exception("job broke", job=job.pk)
        detail = f"An unexpected error stopped the job ({type(error).__name__}). The log has the details."
        return State.FAILED, {"title": "Internal error", "detail": detail}
    return State.SUCCEEDED, None


def refresh(host: Host) -> bool:
    """Probe the machine and replace the cached inventory. False when the machine cannot be asked."""
    return _probe(lambda: _take(host, EVERYTHING, announced=True))


def _refresh_touched(host: Host) -> None:
    """Probe after a job: what its commands touched is read anew, the rest when it is due."""
    _probe_again(lambda: _take(host, NOTHING, announced=False))


def _take(host: Host, fresh: Families, *, announced: bool) -> bool:
    try:
        cache.store(take_inventory(host, fresh), host, announced=announced)
    except HostError as error:
        _log.warning("no fresh inventory", error=str(error))
        return False
    return True


def finish(job: Job, state: State, error: dict[str, Any] | None) -> None:
    """End an active job in `state`, and free what it holds. Nothing happens to one that has ended."""
    with transaction.atomic():
        active = Job.objects.filter(pk=job.pk, state__in=ACTIVE)
        now = timezone.now()
        if not active.update(state=state, error=error, finished_at=now):
            return
        running = job.steps.filter(state=StepState.RUNNING)
        running.update(state=StepState.INTERRUPTED, finished_at=now)
        job.steps.filter(state=StepState.WAITING).update(state=StepState.SKIPPED)
        claims.release(job.pk)
        if state != State.SUCCEEDED or not routine.is_one(job):
            record("worker", f"job.{state}", job.operation, job=job)


def _plan_again(job: Job, host: Host) -> tuple[Any, Inventory, Plan]:
    try:
        request, inventory, plan = replan(job, host)
    except Refused as refused:
        said = " ".join(f.message for f in refused.findings if f.level == "error")
        detail = f"The machine has changed since the plan was shown, so nothing was run. {said}"
        findings = [{"code": f.code, "field": f.field, "message": f.message} for f in refused.findings]
        raise _Stop(State.FAILED, "Refused on the fresh state", detail, findings=findings) from None
    except HostError as error:
        raise _Stop(State.FAILED, "The machine could not be read", str(error)) from None
    if plan.digest != job.digest:
        detail = (
            f"Nothing was run, because the plan differs from the one you reviewed: {_difference(job, plan)}"
        )
        raise _Stop(State.FAILED, "The plan changed", detail, plan=plan.view())
    try:
        check_again(job, operation(job.operation), request, plan)
    except Forbidden as forbidden:
        raise _Stop(State.FAILED, "Not allowed any more", f"Nothing was run. {forbidden}") from None
    return request, inventory, plan


def _difference(job: Job, plan: Plan) -> str:
    before = _lines(job.plan)
    after = _lines(plan.view())
    gone = [line for line in before if line not in after]
    new = [line for line in after if line not in before]
    parts = [f"no longer “{line}”" for line in gone[:3]] + [f"now “{line}”" for line in new[:3]]
    return "; ".join(parts) or "its warnings differ."


def _lines(view: dict[str, Any]) -> list[str]:
    return [
        line
        for step in view["steps"]
        for line in (
            step["title"],
            *(" ".join(command) for command in step["commands"]),
            *(loss["holds"] for loss in step["destroys"]),
        )
    ]


def _stop_if_asked(job: Job, index: int, count: int) -> None:
    if Job.objects.filter(pk=job.pk, abort_requested=True).exists():
        detail = f"Stopped on request before step {index + 1} of {count}. Finished steps are not undone."
        raise _Stop(State.ABORTED, "Aborted", detail)


def _run_step(job: Job, index: int, step: Step, host: Host) -> None:
    row = JobStep.objects.filter(job=job, index=index)
    row.update(state=StepState.RUNNING, started_at=timezone.now())
    output = ""
    for done, command in enumerate(step.commands, start=1):
        try:
            result = _do(command, host)
        except HostError as error:
            raw = error.result if isinstance(error, CommandFailed) else None
            output += str(error) if raw is None else raw.stdout + raw.stderr
            output += _undo(step, done, host)
            row.update(state=StepState.FAILED, output=output[-_MOST_OUTPUT:], finished_at=timezone.now())
            helps = advice(output) if raw is not None else None
            more = {"advice": helps} if helps else {}
            raise _Stop(State.FAILED, f"“{step.title}” failed", str(error), step=index, **more) from None
        output += result.stdout + result.stderr
        if done < len(step.commands):  # the last one is written with the end of its step
            row.update(done=done, output=output[-_MOST_OUTPUT:])
    ended = {"done": len(step.commands), "output": output[-_MOST_OUTPUT:], "finished_at": timezone.now()}
    row.update(state=StepState.SUCCEEDED, **ended)


def _do(command: Command, host: Host) -> Result:
    """Run it. However it ends, what was known of the facts that it touches is discarded: a probe that began
    meanwhile may have seen them as they were before. Raises `HostError`."""
    touched = NOTHING if command.reads else command.touches
    forget_facts(touched)
    try:
        return host.run(command)
    finally:
        forget_facts(touched)


def _undo(step: Step, failed: int, host: Host) -> str:
    """Undo a step whose command number `failed` did not succeed; what was said of it.

    One that fails keeps no other from being tried: each brings back a part of what was there before.
    """
    said = ""
    for command in step.undo if failed > 1 else ():
        try:
            _do(command, host)
            said += f"\nUndone: {' '.join(command.shown())}\n"
        except HostError as error:
            said += f"\nCould not be undone: {error}\n"
    return said


def _forget_secrets(job: Job, host: Host) -> None:
    """However it went, nobody needs them any more. If the machine cannot be asked, they go by themselves."""
    if found := secrets.of_job(job):
        with suppress(HostError):
            host.run(ForgetSecrets(references=found))
