"""The plan of a stored job, made again on the machine as it is now."""

from __future__ import annotations

from typing import Any

import msgspec
from django.utils import timezone

from host.base import Host
from host.inventory import Inventory
from jobs import facts, labels
from jobs.index import reading
from jobs.models import Job
from jobs.operation import operation, take_inventory
from jobs.plan import Plan
from jobs.shape import decode


def replan(job: Job, host: Host) -> tuple[Any, Inventory, Plan]:
    """The request, the fresh inventory and the plan. Raises `Refused`, `HostError`, `UnknownOperation`."""
    asked = operation(job.operation)
    request = decode(asked.request, job.request)
    now = timezone.now().isoformat(timespec="milliseconds")
    # All that the plan reads is of now, and that is the time it reckons with.
    inventory = msgspec.structs.replace(take_inventory(host, asked.needs), as_of=now)
    inventory = reading.with_fresh(inventory, asked.wants(request), host)
    if (wanted := asked.labels(request)) is not None:
        inventory = labels.with_fresh(inventory, host, losses_of=wanted.losses_of)
    inventory = facts.with_fresh(inventory, asked.asks(request, inventory), host)
    return request, inventory, asked.plan(request, inventory)
