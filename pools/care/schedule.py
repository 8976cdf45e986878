"""pool.schedule: scrub or trim a pool on schedule."""

from __future__ import annotations

from typing import Literal

import msgspec

from host.inventory import Inventory, Pool
from host.inventory.schedules import MissedRule
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.schedules import cron, stored
from jobs.schedules.change import AgeDays, CronText, ZoneText
from jobs.schedules.words import afterwards
from pools.care.defaults import SCRUB_CRON, TRIM_CRON, can_trim, care_of
from pools.chosen import PoolText, imported


class ScheduleCare(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Scrub or trim `pool` whenever all five fields of `cron` fit, by the clocks of `time_zone`. `missed`
    says what becomes of a time at which the machine was off."""

    pool: PoolText
    kind: Literal["scrub", "trim"] = "scrub"
    cron: CronText | None = None  # once a month when left out
    time_zone: ZoneText = "UTC"
    missed: MissedRule = "run"
    enabled: bool = True
    longest_age_days: AgeDays | None = None  # of a scrub: after 35 days when left out


def plan(request: ScheduleCare, inventory: Inventory) -> Plan:
    """Raises `Refused` where there is one of that kind already, and for times that cannot be."""
    findings = Findings()
    pool = imported(request.pool, inventory, findings, field="pool")
    operation, _ = care_of(pool, request.kind)
    same = [s for s in inventory.schedules if (s.subject, s.operation) == (f"pool:{pool.guid}", operation)]
    if same:
        message = (
            f"{pool.name} has a schedule for that already, number {same[0].id}. Change that one instead."
        )
        findings.error("has-schedule", "kind", message)
    if request.kind == "trim" and not can_trim(pool):
        message = f"No device of {pool.name} can be trimmed: that is for SSDs which support it."
        findings.error("no-trim", "kind", message)
    cron.check(_cron(request), request.time_zone, findings)
    findings.refuse_on_error()
    schedule = _schedule(request, pool)
    step = Step(title=f"Scheduled {request.kind} of {pool.name}: {_cron(request)}", commands=())
    return Plan(
        operation="pool.schedule",
        steps=(step,),
        summary=afterwards(f"The scheduled {request.kind} of {pool.name}", schedule, inventory),
        findings=findings.all(),
        claims=(f"schedule:{operation}:{pool.guid}",),
    )


def remember(request: ScheduleCare, inventory: Inventory, actor: str) -> None:
    """Write it."""
    pool = inventory.pool(request.pool)
    if pool is None:
        return
    stored.keep(_schedule(request, pool), actor)


def _schedule(request: ScheduleCare, pool: Pool) -> stored.ScheduleSpec:
    operation, wanted = care_of(pool, request.kind)
    return stored.ScheduleSpec(
        subject=f"pool:{pool.guid}", operation=operation, request=wanted, cron=_cron(request),
        time_zone=request.time_zone, missed=request.missed, enabled=request.enabled,
        longest_age_days=request.longest_age_days,
    )  # fmt: skip


def _cron(request: ScheduleCare) -> str:
    return request.cron or (SCRUB_CRON if request.kind == "scrub" else TRIM_CRON)
