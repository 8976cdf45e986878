"""What the console itself knows: incidents, the doctor's findings, jobs, and how old its picture is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

from django.db.models import Count

import nasweb
from alerts.doctor.finding import RANKS as FINDING_RANKS
from alerts.incidents.cause import RANKS as INCIDENT_RANKS
from alerts.models import Incident
from host.inventory import Inventory
from jobs.models import Job, State
from nasweb.metrics.values import Family, gauge, info


def of_console(
    inventory: Inventory, findings: Mapping[str, int], now: datetime, counted_at: float | None
) -> Iterator[Family]:
    """`findings` are counts by severity; `counted_at` is when the kernel's counters were read."""
    facts = inventory.facts
    build = {
        "version": nasweb.__version__, "kernel": facts.kernel, "zfs_module": facts.zfs_module or "",
        "zfs_userland": facts.zfs_userland or "",
    }  # fmt: skip
    yield info("build", "Versions of this software.", [build])
    yield info("machine", "What the machine is called.", [{"name": facts.name, "ecc": facts.ecc}])
    yield gauge("boot_time_seconds", "When the machine started, since 1970.", [({}, facts.booted)])
    probed = (now - datetime.fromisoformat(inventory.as_of)).total_seconds()
    yield gauge("probe_age_seconds", "How old the picture of the machine is.", [({}, max(probed, 0.0))])
    counted = None if counted_at is None else max(now.timestamp() - counted_at, 0.0)
    yield gauge("counters_age_seconds", "How old the kernel's counters are.", [({}, counted)])
    opened = Counter(Incident.objects.filter(closed_at=None).order_by().values_list("severity", flat=True))
    yield gauge(
        "incidents_open", "Open incidents, acknowledged or not.", _by("severity", INCIDENT_RANKS, opened)
    )
    yield gauge(
        "doctor_findings", "What the doctor finds, without what is acknowledged; five minutes old at most.",
        _by("severity", FINDING_RANKS, findings),
    )  # fmt: skip
    jobs = dict(Job.objects.order_by().values_list("state").annotate(Count("pk")))
    yield gauge("jobs", "Jobs that are remembered, by how they stand.", _by("state", State.values, jobs))


def no_picture() -> Iterator[Family]:
    """Before the first probe."""
    yield info("build", "Versions of this software.", [{"version": nasweb.__version__}])


def _by(
    label: str, known: Iterable[str], counts: Mapping[str, int]
) -> Iterator[tuple[Mapping[str, str], float]]:
    for one in known:
        yield {label: one}, counts.get(one, 0)
