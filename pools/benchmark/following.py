"""Keeps what benchmarks found, for ever, and tidies after one that was cut off."""

from __future__ import annotations

from datetime import datetime

import msgspec
import structlog
from django.utils import timezone

from host.base import CommandFailed, Host, HostError
from host.benchmark.values import Benchmark
from host.commands.pools.benchmark import RemoveBenchmarkDataset
from host.mount_guard import REFUSED
from host.probe.datasets.measured import read_benchmark
from pools.models import BenchmarkRow

_log = structlog.get_logger("pools")


def follow(host: Host) -> int:
    """Read the reports of those that have no end yet; how many ended."""
    ended = 0
    for row in BenchmarkRow.objects.filter(verdict=""):
        try:
            report = read_benchmark(host, row.pool_name)
            if report is None or report.verdict == "failed":
                _tidy(host, row.pool_name)
        except HostError as error:
            _log.info("a benchmark's report cannot be read", pool=row.pool_name, error=str(error))
            continue
        ended += _note(row, report)
    return ended


def _tidy(host: Host, pool: str) -> None:
    """A power cut leaves its dataset; where none is left ZFS says so, which is no error. What bears its name
    and was made by no benchmark stays. Raises `HostError`."""
    try:
        host.run(RemoveBenchmarkDataset(pool=pool))
    except CommandFailed as failed:
        if failed.result.exit != REFUSED:
            raise


def keep_last(pool_guid: str, report: Benchmark | None) -> None:
    """Before another one begins, which replaces the report: keep what the last one found."""
    for row in BenchmarkRow.objects.filter(verdict="", pool_guid=pool_guid):
        _note(row, report)


def _note(row: BenchmarkRow, report: Benchmark | None) -> bool:
    if report is not None and report.verdict is None:
        return False
    row.verdict = "failed" if report is None else str(report.verdict)
    row.finished_at = _moment(report.finished_at if report else None)
    if report is not None:
        row.profile = report.profile
        row.report = msgspec.to_builtins(report)
    row.save()
    return True


def _moment(text: str | None) -> datetime:
    return datetime.fromisoformat(text) if text else timezone.now()
