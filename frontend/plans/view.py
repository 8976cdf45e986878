"""A plan, and the job it becomes, as values for the eye: one look for both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from frontend.bays.lights import Spot
from frontend.findings import messages
from frontend.plans.difference import DiffLine, diff_lines
from frontend.states import StateView, job_state
from frontend.units import moment, span
from host.lines import lines
from jobs import withheld
from jobs.models import Job
from jobs.operation import operation, page_of, result_of, title_of
from jobs.plan import Plan
from jobs.rights import User
from jobs.wording import Link


class ChangeView(msgspec.Struct, frozen=True, kw_only=True):
    """How a file will differ."""

    path: str
    lines: tuple[DiffLine, ...]


class StepView(msgspec.Struct, frozen=True, kw_only=True):
    """A step; `state` is None while it is only planned."""

    title: str
    commands: tuple[tuple[str, ...], ...]
    undo: tuple[tuple[str, ...], ...] = ()
    changes: tuple[ChangeView, ...] = ()
    state: StateView | None = None
    output: str = ""
    took: str = ""


class LossView(msgspec.Struct, frozen=True, kw_only=True):
    """Something that will be gone: where it is, what it is, what it holds."""

    bay: str
    spot: Spot | None  # the disk, where one is lost
    what: str
    holds: str
    size_bytes: int | None


class PlanView(msgspec.Struct, frozen=True, kw_only=True):
    """A plan to be read and decided on."""

    title: str
    summary: str
    takes: str
    button: str
    steps: tuple[StepView, ...]
    losses: tuple[LossView, ...]
    lost: str
    warnings: tuple[str, ...]
    notes: tuple[str, ...]
    confirm: str | None  # the name to type
    origin: Link

    @property
    def command_count(self) -> int:
        """Over all steps."""
        return sum(len(step.commands) for step in self.steps)


class JobView(msgspec.Struct, frozen=True, kw_only=True):
    """A job: progress while it is active, then its record."""

    id: int
    title: str
    summary: str
    takes: str
    state: StateView
    active: bool
    stopping: bool
    steps: tuple[StepView, ...]
    losses: tuple[LossView, ...]
    lost: str
    by: str
    submitted_at: str | None
    started_at: str | None
    finished_at: str | None
    took: str
    error: Mapping[str, Any] | None
    result: Link
    origin: Link  # where it was asked for
    complete: bool  # it was interrupted, and yet all that it asked for is there
    again: str  # what the button says that plans it again; empty where there is none


class JobRow(msgspec.Struct, frozen=True, kw_only=True):
    """A job in one line."""

    job: Job
    title: str
    state: StateView


def plan_view(plan: Plan, data: Mapping[str, Any]) -> PlanView:
    """A fresh plan for the request `data`."""
    asked, view = operation(plan.operation), plan.view()
    losses = [loss for step in view["steps"] for loss in step["destroys"]]
    return PlanView(
        title=asked.title(data),
        summary=plan.summary,
        takes=plan.takes,
        button=asked.button(data, losses),
        steps=tuple(StepView(**_planned(step)) for step in view["steps"]),
        losses=loss_views(losses),
        lost=lost_words(losses),
        warnings=messages(plan.findings, "warning"),
        notes=messages(plan.findings, "info"),
        confirm=plan.confirm if plan.destroys else None,
        origin=asked.wording.page(data),
    )


def job_view(job: Job, user: User) -> JobView:
    """A stored job with its steps, as `user` may see it."""
    view = withheld.job_view(job, user)
    if withheld.names_files(job.operation, user):
        job.request, job.plan = {}, {}
    losses = [loss for step in job.plan.get("steps", ()) for loss in step.get("destroys", ())]
    error = view["error"]
    return JobView(
        id=job.pk,
        title=title_of(job.operation, job.request),
        summary=job.plan.get("summary", ""),
        takes=job.plan.get("takes", "") if job.active else "",
        state=job_state(job.state),
        active=job.active,
        stopping=job.active and job.abort_requested,
        steps=tuple(_step(*pair) for pair in zip(view["steps"], _plans_of(job, view), strict=False)),
        losses=loss_views(losses),
        lost=lost_words(losses),
        by=job.submitted_by,
        submitted_at=view["submitted_at"],
        started_at=view["started_at"],
        finished_at=view["finished_at"],
        took=_took(view["started_at"], view["finished_at"]),
        error=error,
        result=result_of(job.operation, job.request),
        origin=page_of(job.operation, job.request),
        complete=bool(error and error.get("outcome") == "complete"),
        again=_again(error),
    )


def job_row(job: Job, user: User) -> JobRow:
    """A stored job in one line, as `user` may see it."""
    request = {} if withheld.names_files(job.operation, user) else job.request
    return JobRow(job=job, title=title_of(job.operation, request), state=job_state(job.state))


def _again(error: Mapping[str, Any] | None) -> str:
    if error and error.get("outcome") == "left":
        return "Run the remaining steps"
    return "Plan again" if error and ("plan" in error or "findings" in error) else ""


def loss_views(losses: Sequence[Mapping[str, Any]]) -> tuple[LossView, ...]:
    """What is lost, each with its place."""
    return tuple(
        LossView(
            bay=loss.get("bay") or "",
            spot=Spot(id=loss["disk"], bay=loss.get("bay")) if "disk" in loss else None,
            what=_what(loss),
            holds=loss["holds"],
            size_bytes=loss.get("size_bytes"),
        )
        for loss in losses
    )


def lost_words(losses: Sequence[Mapping[str, Any]]) -> str:
    """`This erases 2 disks`: the heading over what is lost."""
    disks = sum("disk" in loss for loss in losses)
    if disks:
        return "This erases a disk" if disks == 1 else f"This erases {disks} disks"
    if losses and all("settings" in loss for loss in losses):
        return "This is replaced, and kept in a file"
    if losses and all(loss.get("kept_by") for loss in losses):
        return "This is replaced, and kept by a snapshot"
    if losses and all("session" in loss for loss in losses):
        return "Unsaved work may be lost"
    return "This will be permanently deleted"


def _what(loss: Mapping[str, Any]) -> str:
    if "disk" in loss:
        return " · ".join(filter(None, [loss.get("model"), loss.get("serial")])) or str(loss["disk"])
    return str(
        loss.get("session")
        or loss.get("account")
        or loss.get("settings")
        or loss.get("snapshot")
        or loss.get("dataset")
        or loss.get("pool")
        or ""
    )


def _plans_of(job: Job, view: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The steps as they were planned; nothing of a job that keeps no plan."""
    return job.plan.get("steps") or [{} for _ in view["steps"]]


def _planned(step: Mapping[str, Any]) -> dict[str, Any]:
    """What a step of a plan shows."""
    return {
        "title": step["title"],
        "commands": tuple(tuple(command) for command in step["commands"]),
        "undo": tuple(tuple(command) for command in step.get("undo", ())),
        "changes": tuple(
            ChangeView(path=change["path"], lines=diff_lines(tuple(lines(change["diff"]))))
            for change in step.get("changes", ())
        ),
    }


def _step(step: Mapping[str, Any], planned: Mapping[str, Any]) -> StepView:
    return StepView(
        **_planned({**planned, **step}),
        state=job_state(step["state"]),
        output=step["output"],
        took=_took(step["started_at"], step["finished_at"]),
    )


def _took(started: str | None, finished: str | None) -> str:
    start, end = moment(started), moment(finished)
    if start is None or end is None:
        return ""
    seconds = (end - start).total_seconds()
    if seconds < 0.1:
        return "less than 0.1 s"
    return f"{seconds:.1f} s" if seconds < 60 else span(seconds)
