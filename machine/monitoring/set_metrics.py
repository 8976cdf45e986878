"""machine.set-metrics: whether Prometheus may read `/metrics`."""

from __future__ import annotations

import msgspec

from host.inventory import Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.rights import ADMIN
from machine.monitoring.models import MetricsRow


class SetMetrics(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Answer at `/metrics` to tokens with the scope metrics:read (`enabled`), or to nobody."""

    enabled: bool


def metrics_enabled() -> bool:
    """Whether it answers now."""
    return MetricsRow.objects.filter(pk=1, enabled=True).exists()


def also_needs(_request: SetMetrics) -> tuple[str, ...]:
    """An admin's right: from then on another machine reads serials and names of datasets."""
    return (ADMIN,)


def plan(request: SetMetrics, _inventory: Inventory) -> Plan:
    """Pure; what is set already may be set again."""
    findings = Findings()
    if request.enabled:
        message = "Whoever holds such a token reads models and serials of disks, and the names of datasets."
        findings.info("names-things", "enabled", message)
    done = "Answer at /metrics" if request.enabled else "Stop answering at /metrics"
    return Plan(
        operation="machine.set-metrics",
        steps=(Step(title=done, commands=()),),
        summary=_summary(request),
        findings=findings.all(),
        claims=("machine:metrics",),
    )


def _summary(request: SetMetrics) -> str:
    if request.enabled:
        return "Prometheus can read /metrics with an API token that has the scope metrics:read."
    return "/metrics no longer answers, whatever token is sent. Tokens with the scope metrics:read stay."


def remember(request: SetMetrics, _inventory: Inventory, _actor: str) -> None:
    """Store it in the row with id 1."""
    MetricsRow.objects.update_or_create(pk=1, defaults={"enabled": request.enabled})
