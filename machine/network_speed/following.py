"""Keeps what measurements of the network found, for ever."""

from __future__ import annotations

from datetime import datetime

import msgspec
import structlog
from django.utils import timezone

from host.base import Host, HostError
from host.inventory import Inventory
from host.kernel.files import KernelFiles
from host.kernel.ports import read_ports
from host.network_speed.values import NetworkSpeed
from host.probe.datasets.measured import read_network_speed
from machine.network_speed.models import NetworkSpeedRow

_log = structlog.get_logger("machine")


def follow(host: Host, inventory: Inventory, files: KernelFiles) -> int:
    """Read the report of the one that has no end yet; how many ended."""
    rows = list(NetworkSpeedRow.objects.filter(verdict=""))
    if not rows:
        return 0
    try:
        report = read_network_speed(host)
    except HostError as error:
        _log.info("the report on the network's speed cannot be read", error=str(error))
        return 0
    if report is not None and report.verdict is None:
        return 0
    keep_last(report, inventory, files)
    return len(rows)


def keep_last(report: NetworkSpeed | None, inventory: Inventory, files: KernelFiles) -> None:
    """Keep what it found in the row that has no end yet, also before another one replaces the report."""
    for row in NetworkSpeedRow.objects.filter(verdict=""):
        if report is not None and report.transfers:
            row.interface = _interface(report.transfers[0].local, inventory)
            port = read_ports(files).get(row.interface)
            row.mbit = port.mbit if port is not None else None
        _end(row, report)


def _end(row: NetworkSpeedRow, report: NetworkSpeed | None) -> None:
    row.verdict = "failed" if report is None else str(report.verdict)
    ended = report.finished_at if report is not None else None
    row.finished_at = datetime.fromisoformat(ended) if ended else timezone.now()
    if report is not None:
        row.report = msgspec.to_builtins(report)
    row.save()


def _interface(local: str, inventory: Inventory) -> str:
    found = (
        port.name
        for port in inventory.network.interfaces
        if any(one.address.partition("%")[0] == local for one in port.addresses)
    )
    return next(found, "")
