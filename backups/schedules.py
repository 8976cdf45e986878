"""When backups run."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import pairwise

from host.inventory import Inventory
from jobs.planning.findings import Findings
from jobs.schedules import cron


def check_times(
    line: str | None, time_zone: str, aim_hours: int, inventory: Inventory, findings: Findings
) -> None:
    """Adds findings on `cron`, `time_zone` and `aim_hours`."""
    if line is None:
        findings.info("no-schedule", "cron", "It runs only when somebody starts it.")
        return
    cron.check(line, time_zone, findings)
    findings.refuse_on_error()
    now = datetime.fromisoformat(inventory.as_of)
    coming = cron.first(8, line, time_zone, now)
    gap = max((then - before for before, then in pairwise(coming)), default=timedelta(0))
    if gap > timedelta(hours=aim_hours):
        hours = int(gap.total_seconds() // 3600)
        message = f"Up to {hours} hours pass between two runs, so it would be reported as too old each time."
        findings.warning("aim-too-short", "aim_hours", message)
