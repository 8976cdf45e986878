"""The plan of a stored job, made again on the machine as it is now."""

from __future__ import annotations

from typing import Any

import msgspec
from django.utils import timezone

from host.base import Host
from host.inventory import Inventory
from jobs.models import Job
from jobs.needs import complete
from jobs.operation import operation, take_inventory
from jobs.plan import Plan
from jobs.planning.planned import planned
from jobs.planning.shape import decode
from jobs.planning.sources import Fresh


def replan(job: Job, host: Host) -> tuple[Any, Inventory, Plan]:
    """The request, the fresh inventory and the plan. Raises `Refused`, `HostError`, `UnknownOperation`."""
    asked = operation(job.operation)
    request = decode(asked.request, job.request)
    now = timezone.now().isoformat(timespec="milliseconds")
    # All that the plan reads is of now, and that is the time it reckons with.
    inventory = msgspec.structs.replace(take_inventory(host, asked.facts), as_of=now)
    inventory = complete(inventory, asked.needs(request, inventory), Fresh(host))
    return request, inventory, planned(asked, request, inventory)
