"""Reads the reports of what runs, and keeps them: pages, the API and alerts read the rows."""

from __future__ import annotations

import structlog

from backups import stored
from backups.models import RunRow
from host.base import Host, HostError
from host.probe.backups import read_run

_log = structlog.get_logger("backups")


def follow(host: Host) -> int:
    """Read the reports of all runs without a verdict; how many of them ended."""
    ended = 0
    for row in RunRow.objects.filter(verdict="").select_related("backup", "repository"):
        try:
            report = read_run(host, row.run, row.action, stored.iso(row.started_at) or "")
        except HostError as error:
            _log.info("a report cannot be read", run=row.run, error=str(error))
            continue
        stored.note(row, report)
        ended += report.verdict is not None
    return ended
