"""The form of a replication: fields to text and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from django.http import QueryDict

from frontend.typed_size import whole_typed
from host.inventory import Inventory, Schedule
from host.replication.values import Replication
from jobs.plan import Finding
from jobs.schedules import sentence as picker
from jobs.schedules.sentence import Picked

FIELDS = {
    "name": "name", "source": "source", "target": "target", "dataset": "dataset", "pull": "pull",
    "excluded": "excluded", "raw": "raw", "limits": "limits", "after_snapshots": "when",
    "keep": "keep", "schedule": "cron", "schedule.time_zone": "time_zone", "aim_hours": "aim_hours",
}  # fmt: skip
KEEP = ("hourly", "daily", "weekly", "monthly", "yearly")
HOURLY = "0 * * * *"
LIMITS = 10  # as many as the request may have
_MEGA = 1_000_000
_AIM_HOURS = 26
_NIGHT = Picked(every="day", time="03:00")


class LimitFields(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the form: megabytes a second, from and to a time of the day."""

    rate: str = ""
    start: str = ""
    end: str = ""


class ReplicationForm(msgspec.Struct, frozen=True, kw_only=True):
    """What stands in the fields. `when`: snapshots, hour, times or hand."""

    name: str = ""
    source: str = ""
    target: str = ""
    dataset: str = ""
    pull: bool = False
    recursive: bool = True
    excluded: str = ""  # one a line
    raw: bool = True
    properties: bool = True
    own_snapshots: bool = False
    when: str = "times"
    picked: Picked = _NIGHT
    time_zone: str = "UTC"
    limits: tuple[LimitFields, ...] = ()
    keep: dict[str, str] = {}  # of hourly, daily, …: how many; all of them empty: the copy keeps all
    aim_hours: str = str(_AIM_HOURS)

    @property
    def cron(self) -> str:
        """The line that is picked."""
        return self.picked.line()

    @property
    def limit_rows(self) -> tuple[LimitFields, ...]:
        """At least two, and one to fill."""
        return (*self.limits, LimitFields(), *(() if self.limits else (LimitFields(),)))[:LIMITS]

    @property
    def has_more(self) -> bool:
        """Whether something that is rarely needed is set."""
        return bool(
            self.excluded or self.limits or self.keep or self.pull or not (self.raw and self.properties)
        )


def of_task(task: Replication, schedule: Schedule | None, time_zone: str) -> ReplicationForm:
    """The fields of a replication as it is."""
    return ReplicationForm(
        name=task.name,
        source=task.source,
        dataset=task.target,
        pull=task.pull,
        recursive=task.recursive,
        excluded="\n".join(task.excluded),
        raw=task.raw,
        properties=task.properties,
        own_snapshots=task.own_snapshots,
        when=_when(schedule.cron if schedule else None, after_snapshots=task.after_snapshots),
        picked=picker.picked(schedule.cron) if schedule else _NIGHT,
        time_zone=schedule.time_zone if schedule else time_zone,
        limits=tuple(
            LimitFields(rate=_rate(one.bytes_per_s), start=_clock(one.start_min), end=_clock(one.end_min))
            for one in task.limits
        ),
        keep={
            name: str(count)
            for name, count in (msgspec.structs.asdict(task.retention) if task.retention else {}).items()
            if count
        },
        aim_hours=str(task.aim_hours),
    )


def of_post(post: QueryDict) -> ReplicationForm:
    """What was sent."""
    return ReplicationForm(
        name=_text(post, "name", 200),
        source=_text(post, "source", 1024),
        target=_text(post, "target", 200),
        dataset=_text(post, "dataset", 1024),
        pull=post.get("pull") == "yes",
        recursive=post.get("recursive") == "yes",
        excluded=post.get("excluded", "")[:20_000].strip(),
        raw=post.get("raw") == "yes",
        properties=post.get("properties") == "yes",
        own_snapshots=post.get("own_snapshots") == "yes",
        when=post.get("when", "hand"),
        picked=picker.typed({key: value for key, value in post.items() if isinstance(value, str)}),
        time_zone=_text(post, "time_zone", 100),
        limits=tuple(row for number in range(LIMITS) if (row := _limit(post, number)).rate),
        keep={name: typed for name in KEEP if (typed := _text(post, f"keep-{name}", 10)) not in {"", "0"}},
        aim_hours=_text(post, "aim_hours", 20),
    )


def of_request(data: Mapping[str, Any], time_zone: str) -> ReplicationForm:
    """The form that a request for a new one came from, whatever it holds."""
    schedule = data.get("schedule")
    times = schedule if isinstance(schedule, dict) else {}
    line = str(times["cron"])[:100] if "cron" in times else None
    excluded, limits = data.get("excluded"), data.get("limits")
    return ReplicationForm(
        name=str(data.get("name") or ""),
        source=str(data.get("source") or ""),
        target=str(data.get("target") or ""),
        dataset=str(data.get("dataset") or ""),
        pull=data.get("pull") is True,
        recursive=data.get("recursive") is not False,
        excluded="\n".join(str(one) for one in excluded) if isinstance(excluded, list) else "",
        raw=data.get("raw") is not False,
        properties=data.get("properties") is not False,
        own_snapshots=data.get("own_snapshots") is True,
        when=_when(line, after_snapshots=data.get("after_snapshots") is True),
        picked=_NIGHT if line is None else picker.picked(line),
        time_zone=str(times.get("time_zone") or time_zone),
        limits=_limits_of_request(limits) if isinstance(limits, list) else (),
        keep=_keep_of_request(data.get("keep")),
        aim_hours=str(data.get("aim_hours", _AIM_HOURS)),
    )


def to_request(form: ReplicationForm) -> dict[str, Any]:
    """What `replication.create` is asked. Without a name it is called after what goes where."""
    leaf = form.source.rpartition("/")[2]
    return settings_of(form) | {
        "name": form.name or f"{leaf} to {form.target}",
        "source": form.source,
        "target": form.target,
        "dataset": form.dataset or None,
        "pull": form.pull,
        "raw": form.raw,
        "properties": form.properties,
    }


def settings_of(form: ReplicationForm) -> dict[str, Any]:
    """What can be changed later too."""
    return {
        "name": form.name,
        "recursive": form.recursive,
        "excluded": [line.strip() for line in form.excluded.splitlines() if line.strip()],
        "own_snapshots": form.own_snapshots,
        "after_snapshots": form.when == "snapshots",
        "limits": [_wanted(row) for row in form.limits],
        "schedule": schedule_of(form),
        "keep": _kept(form),
        "aim_hours": hours if isinstance(hours := whole_typed(form.aim_hours), int) else _AIM_HOURS,
    }


def changes(form: ReplicationForm, now: ReplicationForm) -> dict[str, Any]:
    """What `replication.change` is asked to change: only what differs."""
    before = settings_of(now)
    return {name: value for name, value in settings_of(form).items() if value != before[name]}


def faults(form: ReplicationForm) -> tuple[Finding, ...]:
    """What was typed and is no number; the request has something else in its place."""
    found = []
    if not isinstance(whole_typed(form.aim_hours), int):
        message = "Type a number of hours such as 26."
        found.append(Finding(level="error", code="bad-number", field="aim_hours", message=message))
    if any(not isinstance(whole_typed(count), int) for count in form.keep.values()):
        message = "Type how many as whole numbers such as 30, or nothing."
        found.append(Finding(level="error", code="bad-number", field="keep", message=message))
    for index, row in enumerate(form.limits):
        if _bytes(row.rate) is None:
            message = "Type megabytes a second such as 5 or 2.5, or nothing for no limit."
            found.append(Finding(level="error", code="bad-number", field=f"limits[{index}]", message=message))
    return tuple(found)


def schedule_of(form: ReplicationForm) -> dict[str, str] | None:
    """When it runs by the clock; None where it does not."""
    if form.when == "hour":
        return {"cron": HOURLY, "time_zone": form.time_zone}
    if form.when == "times":
        return {"cron": form.picked.line(), "time_zone": form.time_zone}
    return None


def context(form: ReplicationForm, inventory: Inventory | None) -> dict[str, Any]:
    """What the fields need beside what was typed."""
    datasets = [one.name for one in inventory.datasets] if inventory else []
    return {
        "form": form,
        "keep": [(name, form.keep.get(name, "")) for name in KEEP],
        "picked": form.picked,
        "datasets": datasets,
        "every": picker.EVERY,
        "weeks": picker.WEEKS,
        "days": picker.DAYS,
    }


def _kept(form: ReplicationForm) -> dict[str, int] | None:
    counts = {name: whole_typed(count) for name, count in form.keep.items()}
    return {name: count for name, count in counts.items() if isinstance(count, int)} or None


def _keep_of_request(keep: Any) -> dict[str, str]:
    found = keep if isinstance(keep, dict) else {}
    return {name: str(found[name])[:10] for name in KEEP if isinstance(found.get(name), int) and found[name]}


def _when(line: str | None, *, after_snapshots: bool) -> str:
    if line is not None:
        return "hour" if line == HOURLY else "times"
    return "snapshots" if after_snapshots else "hand"


def _wanted(row: LimitFields) -> dict[str, Any]:
    rate = _bytes(row.rate)
    return {
        "bytes_per_s": _MEGA if rate is None else rate,
        "start": row.start or "00:00",
        "end": row.end or "24:00",
    }


def _bytes(typed: str) -> int | None:
    try:
        return min(round(float(typed.replace(",", ".")) * _MEGA), 1 << 60)
    except (ValueError, OverflowError):
        return None


def _limits_of_request(limits: list[Any]) -> tuple[LimitFields, ...]:
    return tuple(
        LimitFields(
            rate=_rate(one["bytes_per_s"]),
            start=str(one.get("start") or ""),
            end=str(one.get("end") or ""),
        )
        for one in limits[:LIMITS]
        if isinstance(one, dict) and isinstance(one.get("bytes_per_s"), int)
    )


def _limit(post: QueryDict, number: int) -> LimitFields:
    return LimitFields(
        rate=_text(post, f"rate-{number}", 20),
        start=_text(post, f"start-{number}", 5),
        end=_text(post, f"end-{number}", 5),
    )


def _rate(bytes_per_s: int) -> str:
    return f"{bytes_per_s / _MEGA:.12g}"


def _clock(minute: int) -> str:
    """As a form has it; empty where the day begins and ends."""
    return "" if minute in {0, 1440} else f"{minute // 60:02}:{minute % 60:02}"


def _text(post: QueryDict, field: str, most: int) -> str:
    return post.get(field, "").strip()[:most]
