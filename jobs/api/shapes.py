"""The answers about plans and jobs, as documented."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from jobs.plan import FileChange, Finding, Loss

Moment = Annotated[str, Meta(extra_json_schema={"format": "date-time"}, description="ISO 8601, UTC")]


class PlanStepAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Commands that belong together, and what they destroy.

    `undo` is run where one of them fails; `changes` say how files will differ. Left out where none are.
    """

    title: str
    commands: tuple[tuple[str, ...], ...]
    destroys: tuple[Loss, ...]
    undo: tuple[tuple[str, ...], ...] = ()
    changes: tuple[FileChange, ...] = ()


class PlanAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What would be done. Send `digest` with the real write to be sure that just this is done.

    `summary` says it in one to three sentences for people, `takes` how long it lasts where that is more than
    moments; both may be worded otherwise in another version.
    """

    operation: str
    digest: str
    summary: str
    takes: str
    steps: tuple[PlanStepAnswer, ...]
    findings: tuple[Finding, ...]
    claims: tuple[str, ...]


class JobStepAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A step of a job, with what its commands said."""

    title: str
    state: Literal["waiting", "running", "succeeded", "failed", "interrupted", "skipped"]
    commands: tuple[tuple[str, ...], ...]
    output: str
    started_at: Moment | None
    finished_at: Moment | None


class JobAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A job. `error` has `title` and `detail` where it did not succeed.

    Of an interrupted job it also has the `outcome`, found by planning it again on the machine as it was
    then: `complete` (all that it asked for is there), `left` (with the titles of the steps that are `left`:
    submit the same request again) or `refused` (with the `findings`). It is left out where that is not known.
    """

    id: int
    operation: str
    state: Literal["queued", "running", "succeeded", "failed", "aborted", "interrupted"]
    submitted_by: str
    submitted_at: Moment
    started_at: Moment | None
    finished_at: Moment | None
    steps: tuple[JobStepAnswer, ...]
    error: dict[str, Any] | None


class JobPage(msgspec.Struct, frozen=True, kw_only=True):
    """Jobs, newest first."""

    results: tuple[JobAnswer, ...]
    next: str | None


class AbortPlanAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What aborting would do now: when the job would end, and the steps that would be left out."""

    job: int
    ends: Literal["now", "before-next-step"]
    skips: tuple[str, ...]


class AuditEventAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Who did what, when."""

    id: int
    at: Moment
    actor: str
    action: str
    subject: str
    job: int | None
    detail: dict[str, Any]


class AuditPage(msgspec.Struct, frozen=True, kw_only=True):
    """Audit events, newest first."""

    results: tuple[AuditEventAnswer, ...]
    next: str | None


class RefreshAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """When the cached inventory was taken, and when a fresh one was asked for."""

    as_of: Moment | None
    requested_at: Moment


class ProblemAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Why a request was not fulfilled (RFC 9457)."""

    type: Annotated[
        str,
        Meta(
            description="Leads to a page that explains this type of problem; its last part is stable",
            extra_json_schema={"format": "uri-reference"},
        ),
    ]
    title: str
    status: int
    detail: str = ""
    findings: tuple[Finding, ...] = ()
    plan: PlanAnswer | None = None
    job: int | None = None
    resource: str | None = None
