"""The answers about alerts, the doctor and live pools, as documented."""

from __future__ import annotations

import msgspec

from alerts.doctor.examine import Passed, Unknown
from alerts.doctor.finding import DoctorFinding
from alerts.incidents.cause import Event, Kind, Severity, Spot
from alerts.live.progress import Progress
from alerts.live.watching import Sample
from alerts.remedy import Remedy
from jobs.api.shapes import Moment


class AlertAcknowledged(msgspec.Struct, frozen=True, kw_only=True):
    """Who has read an alert, when, and what they noted."""

    at: Moment
    by: str
    note: str


class AlertAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One cause of an incident. `details` say what happened and what that means, `steps` what to do.

    `calm_since` is set once no sign of it is left: `steps` are empty then, and it closes a minute later.
    `times` counts how often it came back. A disk that left has `here` false.
    """

    id: int
    kind: Kind
    severity: Severity
    pool: str | None
    title: str
    details: tuple[str, ...]
    steps: tuple[Remedy, ...]
    disks: tuple[Spot, ...]
    since: Moment | None
    opened_at: Moment
    updated_at: Moment
    calm_since: Moment | None
    closed_at: Moment | None
    times: int
    acknowledged: AlertAcknowledged | None
    events: tuple[Event, ...]


class AlertPage(msgspec.Struct, frozen=True, kw_only=True):
    """Alerts, newest first."""

    results: tuple[AlertAnswer, ...]
    next: str | None


class DoctorAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A page of findings, worst first; those that are acknowledged, what is well, what could not be seen."""

    results: tuple[DoctorFinding, ...]
    next: str | None
    acknowledged: tuple[DoctorFinding, ...]
    passed: tuple[Passed, ...]
    unknown: tuple[Unknown, ...]
    as_of: Moment


class LiveAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What a pool does now. Reading it asks for samples: the first come some seconds later, every three
    seconds, for as long as it is read at least every ten. `sample` is the newest, a mean over one second: its
    first activity is the pool as a whole, without a guid; `history` are the last five minutes. `percent` of
    `progress` is the kernel's; the estimate is a range in seconds, or null with the reason.
    """

    pool: str
    guid: str
    state: str
    sample: Sample | None
    progress: tuple[Progress, ...]
    as_of: Moment
