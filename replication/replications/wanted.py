"""What somebody asks of a replication, and whether it can be."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Annotated

import msgspec
from msgspec import Meta

from host.commands.replication.task import Connection, Limit, ReplicaRetention, Task, overlapping, within
from host.inventory import Dataset, Inventory
from host.replication.values import Replication, Target
from jobs.planning.findings import Findings
from jobs.schedules import cron
from jobs.schedules.change import CronText, ZoneText
from pools.names import dataset_name_fault

Text = Annotated[str, Meta(max_length=1024)]
NameText = Annotated[str, Meta(max_length=200)]
_LONGEST_NAME = 80
_Count = Annotated[int, Meta(ge=0, le=10_000)]
_LEAST_BYTES_PER_S = 1024


class WantedLimit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """No more than `bytes_per_s` from `start` to `end`, times of this machine's day such as 08:00; over
    midnight where `end` is the earlier one. Without times: always."""

    bytes_per_s: int
    start: Annotated[str, Meta(max_length=5)] = "00:00"
    end: Annotated[str, Meta(max_length=5)] = "24:00"


class WantedRetention(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the replica keeps: the last snapshot of each of the last so many hours, days, weeks, months and
    years. All others of the replica are deleted with each run; the newest one stays in any case."""

    hourly: _Count = 0
    daily: _Count = 0
    weekly: _Count = 0
    monthly: _Count = 0
    yearly: _Count = 0


class WantedTimes(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When it runs by itself: five fields of `cron`, by the clocks of `time_zone`."""

    cron: CronText
    time_zone: ZoneText = "UTC"


def check_name(name: str, inventory: Inventory, findings: Findings, *, own: int | None = None) -> None:
    """Adds findings on `name`; `own` is the number of the replication that has it already."""
    if not name.strip() or len(name) > _LONGEST_NAME or not name.isprintable():
        message = f"Give it a name of 1 to {_LONGEST_NAME} characters, without control characters."
        findings.error("bad-name", "name", message)
    taken = inventory.replicating.task(name)
    if taken is not None and taken.id != own:
        findings.error("name-taken", "name", f"There is a replication called {name} already.")


def check_source(wanted: Replication, inventory: Inventory, findings: Findings) -> Dataset | None:
    """The dataset, if it is here; adds findings on `source` and `excluded`."""
    if fault := dataset_name_fault(wanted.source, spaces=True):
        findings.error("bad-name", "source", fault)
        return None
    source = None if wanted.pull else inventory.dataset(wanted.source)
    if source is None and not wanted.pull:
        findings.error("unknown-dataset", "source", f"There is no dataset {wanted.source[:60]}.")
    for index, name in enumerate(wanted.excluded):
        field = f"excluded[{index}]"
        if fault := dataset_name_fault(name, spaces=True):
            findings.error("bad-name", field, fault)
        elif name == wanted.source or not within(name, wanted.source):
            message = f"{name} does not lie below {wanted.source}, so there is nothing to leave out."
            findings.error("not-below", field, message)
    if wanted.excluded and not wanted.recursive:
        message = (
            "Without what lies below there is nothing to leave out. Set “recursive”, or leave this empty."
        )
        findings.error("not-recursive", "excluded", message)
    return source


def guids_of(excluded: Iterable[str], inventory: Inventory) -> dict[str, str]:
    """By which what is left out is known again after it was renamed; of this machine's datasets, by name."""
    found = ((name, inventory.dataset(name)) for name in excluded)
    return {name: dataset.guid for name, dataset in found if dataset is not None}


def check_target(
    wanted: Replication, target: Target, source: Dataset | None, inventory: Inventory, findings: Findings
) -> None:
    """Adds findings on `dataset`, the place of the replica: loops, overlaps, and what is in the way."""
    if fault := dataset_name_fault(wanted.target, spaces=True):
        findings.error("bad-name", "dataset", fault)
        return
    if wanted.pull:
        if inventory.dataset(wanted.target.rpartition("/")[0]) is None:
            findings.error("unknown-dataset", "dataset", "The dataset above it has to be there.")
    elif not within(wanted.target, target.dataset):
        message = f"The replica has to lie below {target.dataset}, the place of {target.name}."
        findings.error("outside-target", "dataset", message)
    if target.kind == "pool":
        if overlapping(wanted.source, wanted.target):
            message = "The source and its replica must not lie within each other."
            findings.error("within-itself", "dataset", message)
        elif wanted.source.partition("/")[0] == wanted.target.partition("/")[0]:
            message = "Both lie in one pool: a replica there is lost together with the pool."
            findings.warning("same-pool", "dataset", message)
    _check_others(wanted, target, inventory, findings)
    if source is not None and source.value("encryption") not in {"", "off"} and not wanted.raw:
        message = f"{source.name} is encrypted, and its replica would not be. Set “raw” to keep it encrypted."
        findings.warning("not-encrypted", "raw", message)


def _check_others(wanted: Replication, target: Target, inventory: Inventory, findings: Findings) -> None:
    for other in inventory.replicating.tasks:
        if other.id == wanted.id:
            continue
        same_place = other.target_id == target.id or (target.kind == "pool" and not other.pull)
        if same_place and overlapping(other.target, wanted.target):
            message = f"{other.name} puts its replica at {other.target} already."
            findings.error("overlaps", "dataset", message)
        back = overlapping(other.target, wanted.source) and overlapping(other.source, wanted.target)
        if back and target.kind == "pool" and not other.pull:
            message = f"{other.name} leads the other way: the two would replicate each other's replicas."
            findings.error("loop", "dataset", message)


def limits_of(wanted: tuple[WantedLimit, ...], findings: Findings) -> tuple[Limit, ...]:
    """As the program reads them; adds findings on `limits`."""
    found = []
    for index, one in enumerate(wanted):
        start, end = _minute(one.start), _minute(one.end)
        if one.bytes_per_s < _LEAST_BYTES_PER_S:
            message = f"Give at least {_LEAST_BYTES_PER_S} bytes a second, or leave the limit out."
            findings.error("bad-limit", f"limits[{index}].bytes_per_s", message)
        for field, minute in (("start", start), ("end", end)):
            if minute is None:
                message = "Give a time of the day such as 08:00, up to 24:00."
                findings.error("bad-time", f"limits[{index}].{field}", message)
        if start is not None and start == end:
            findings.error("bad-time", f"limits[{index}].end", "The limit ends when it begins.")
        if start is not None and end is not None and one.bytes_per_s >= _LEAST_BYTES_PER_S:
            found.append(Limit(bytes_per_s=one.bytes_per_s, start_min=start, end_min=end))
    return tuple(found)


def _minute(text: str) -> int | None:
    hours, colon, minutes = text.partition(":")
    if not (colon and len(text) == 5 and hours.isdecimal() and minutes.isdecimal() and text.isascii()):
        return None
    minute = int(hours) * 60 + int(minutes)
    return minute if int(minutes) < 60 and minute <= 1440 else None


def retention_of(keep: WantedRetention | None, findings: Findings) -> ReplicaRetention | None:
    """As the program reads it; adds a finding on `keep`."""
    if keep is None:
        return None
    counts = msgspec.structs.asdict(keep)
    if not any(counts.values()):
        message = "This would keep nothing. Say how many hours, days, weeks, months or years are kept."
        findings.error("keeps-nothing", "keep", message)
        return None
    return ReplicaRetention(**counts)


def check_times(times: WantedTimes | None, findings: Findings) -> None:
    """Adds findings on `schedule.cron` and `schedule.time_zone`."""
    if times is None:
        return
    own = Findings()
    cron.check(times.cron, times.time_zone, own)
    for one in own.all():
        findings.error(one.code, f"schedule.{one.field}", one.message)


def new_key(name: str, apart: str) -> str:
    """What its unit and marks are called for good. `apart` tells it from others of that name, such as the
    time at which it was made."""
    return hashlib.sha256(f"{name}\n{apart}".encode()).hexdigest()[:16]


def task_of(wanted: Replication, target: Target) -> Task:
    """What its program is told. Raises `ValueError` for what no task can be."""
    connection = None
    if target.kind != "pool":
        connection = Connection(id=target.connection, kind=target.kind)
    if wanted.back:
        # A replica that was worked with on this machine is sent as it is now. What comes back keeps all.
        return Task(
            id=wanted.key, source=wanted.target, target=wanted.source, recursive=wanted.recursive,
            root=wanted.source.rpartition("/")[0] or wanted.source,
            excluded=tuple(f"{wanted.target}{one.removeprefix(wanted.source)}" for one in wanted.excluded),
            connection=connection, pull=connection is not None, raw=wanted.raw, properties=wanted.properties,
            limits=wanted.limits, own_snapshots=connection is None,
        )  # fmt: skip
    return Task(
        id=wanted.key, source=wanted.source, target=wanted.target, recursive=wanted.recursive,
        root=wanted.target.rpartition("/")[0] if wanted.pull else target.dataset, excluded=wanted.excluded,
        connection=connection, pull=wanted.pull, raw=wanted.raw, properties=wanted.properties,
        limits=wanted.limits, retention=wanted.retention, own_snapshots=wanted.own_snapshots,
    )  # fmt: skip
