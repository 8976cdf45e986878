"""Which jobs a list shows: of one kind, person or state, with or without those that nobody asks for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import or_
from typing import NamedTuple
from urllib.parse import urlencode

from django.db.models import Q, QuerySet

from jobs import routine
from jobs.models import ACTIVE, Job, State

# The first words of operations, by what people call them.
KINDS: dict[str, tuple[str, tuple[str, ...]]] = {
    "pools": ("Pools", ("pool", "array")),
    "datasets": ("Datasets", ("dataset",)),
    "snapshots": ("Snapshots and policies", ("snapshot", "policy")),
    "disks": ("Disks and bays", ("disk", "bays", "chassis")),
    "shares": ("Shares and permissions", ("smb", "nfs", "sharing", "folder", "rights", "session")),
    "people": ("Users", ("person", "group")),
    "machine": ("System", ("machine", "network", "configuration", "boot")),
    "alerts": ("Alerts and schedules", ("alert", "doctor", "schedule")),
}
STATES: dict[str, tuple[str, tuple[str, ...]]] = {
    "active": ("Running", tuple(ACTIVE)),
    "failed": ("Not succeeded", (State.FAILED, State.ABORTED, State.INTERRUPTED)),
    "succeeded": ("Succeeded", (State.SUCCEEDED,)),
}


class Chosen(NamedTuple):
    """What was asked for; empty fields take everything."""

    kind: str = ""
    by: str = ""
    state: str = ""
    every: bool = False

    @property
    def query(self) -> str:
        """The same as parameters of an address, with a leading `&`; empty for the usual list."""
        fields = {"kind": self.kind, "by": self.by, "state": self.state, "every": "yes" if self.every else ""}
        given = {name: value for name, value in fields.items() if value}
        return f"&{urlencode(given)}" if given else ""


def chosen(sent: Mapping[str, str]) -> Chosen:
    """What of an address is a choice; the rest of it counts as none."""
    kind, state = sent.get("kind", ""), sent.get("state", "")
    return Chosen(
        kind=kind if kind in KINDS else "",
        by=sent.get("by", "")[:150],
        state=state if state in STATES else "",
        every=sent.get("every") == "yes",
    )


def narrowed(jobs: QuerySet[Job], asked: Chosen) -> QuerySet[Job]:
    """Those of `jobs` that were asked for."""
    if not asked.every:
        jobs = jobs.exclude(operation__in=routine.folded(), state=State.SUCCEEDED)
    if asked.by:
        jobs = jobs.filter(submitted_by=asked.by)
    if asked.state:
        jobs = jobs.filter(state__in=STATES[asked.state][1])
    if asked.kind:
        starts = [Q(operation__startswith=f"{word}.") for word in KINDS[asked.kind][1]]
        jobs = jobs.filter(reduce(or_, starts))
    return jobs
