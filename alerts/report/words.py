"""The report as a message: lines that a phone can show too. Pure but for the titles of operations."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from zoneinfo import ZoneInfo

from alerts.channels.words import Message, Sender
from alerts.doctor.words import days_range, size, span
from alerts.report.titles import title_of
from alerts.report.value import (
    DAYS,
    ChangeHealth,
    CopyHealth,
    DiskHealth,
    HealthReport,
    IncidentHealth,
    PoolHealth,
)
from jobs.wording import counted

_MOST_DISKS, _MOST_LINES = 24, 15
_HOURS_A_YEAR = 8766


def message(report: HealthReport, sender: Sender) -> Message:
    """What is sent: the sums first, then pools, disks, snapshots, alerts, the doctor and changes."""
    parts = [
        [verdict(report)],
        _machine(report),
        ["Pools:", *(f"- {line}" for line in map(pool_line, report.pools))] if report.pools else [],
        _disks(report),
        _snapshots(report),
        _copies(report),
        _list(f"Alerts of the last {DAYS} days:", (_incident(one) for one in report.incidents)),
        _list("The doctor says:", (one.title for one in report.findings if one.severity != "advice")),
        _list("Schedules that failed:", (f"{one.what} of {one.pool}" for one in report.schedules)),
        _list("What people changed:", map(_change, report.changes)),
        [f"The whole report: {sender.address}/health/"],
    ]
    day = datetime.fromisoformat(report.as_of).astimezone(ZoneInfo(sender.time_zone))
    summary = verdict(report).rstrip(".")
    return Message(
        severity="info" if report.state == "good" else report.state,
        subject=f"{heading(sender)} of {day:%Y-%m-%d}: {summary[:1].lower()}{summary[1:]}",
        text="\n\n".join("\n".join(part) for part in parts if part),
    )


def heading(sender: Sender) -> str:
    """What the subject of each report begins with."""
    return f"[{sender.machine}] Health report"


def verdict(report: HealthReport) -> str:
    """One sentence."""
    if report.state == "good":
        return "Everything is in good health."
    things = counted(report.attention, "thing needs", "things need")
    return f"{things} attention{', some of it now' if report.state == 'critical' else ''}."


def pool_line(pool: PoolHealth) -> str:
    """A pool in one line."""
    words = [f"{pool.name}: {pool.health}"]
    if pool.used_bytes is not None and pool.available_bytes is not None:
        whole = pool.used_bytes + pool.available_bytes
        words.append(f"{100 * pool.used_bytes / whole:.0f} % full, {size(pool.available_bytes)} free")
    if pool.growth_bytes_per_day is not None:
        words.append(growth(pool))
    if pool.data_errors:
        words.append(counted(pool.data_errors, "data error"))
    scrub = pool.last_scrub
    words.append(f"scrubbed {scrub.finished_at[:10]}, {_found(scrub.errors)}" if scrub else "never scrubbed")
    return ", ".join(words)


def growth(pool: PoolHealth) -> str:
    """How it fills up, in words."""
    earliest, latest = pool.full_in_days
    if earliest is None:
        return "not growing"
    return f"full in {days_range(earliest, latest)}"


def ill(disk: DiskHealth) -> list[str]:
    """What speaks against a disk, in words."""
    counts = (
        (disk.read_errors, "read error"), (disk.write_errors, "write error"),
        (disk.checksum_errors, "checksum error"), (disk.reallocated_sectors, "reallocated sector"),
        (disk.pending_sectors, "pending sector"), (disk.uncorrectable_sectors, "uncorrectable sector"),
    )  # fmt: skip
    words = [counted(count, noun) for count, noun in counts if count]
    verdicts = [f"health {disk.health}"] if disk.health in {"warning", "failing"} else []
    return verdicts + (["SMART failed"] if disk.smart_passed is False else []) + words


def _machine(report: HealthReport) -> list[str]:
    machine, boot = report.machine, report.boot
    pair = "The system is on one disk."
    if boot is not None:
        whole = f"whole, {boot.in_sync} of {boot.members}"
        pair = f"Boot pair: {'degraded' if boot.degraded else whole}."
    shares = f"Shares: {report.smb_shares} by SMB, {report.nfs_shares} by NFS."
    running = f"{machine.name}, Nasweb {machine.version}, OpenZFS {machine.zfs_module_version or 'unknown'}"
    return [f"{running}, running since {machine.booted_at[:10]}.", f"{pair} {shares}"]


def _disks(report: HealthReport) -> list[str]:
    bad = [disk for disk in report.disks if ill(disk)]
    shown = list(report.disks) if len(report.disks) <= _MOST_DISKS else bad
    rest = len(report.disks) - len(shown)
    lines = ["Disks:", *(f"- {_disk(disk)}" for disk in shown)] if shown else []
    if rest:
        others = f"- {counted(rest, 'disk')} without a finding"
        lines += [others if lines else f"Disks: {rest}, none of them with a finding."]
    return lines


def _disk(disk: DiskHealth) -> str:
    words = [f"{f'bay {disk.bay}' if disk.bay else disk.id}: {disk.model}, serial {disk.serial or 'unknown'}"]
    if disk.power_on_hours is not None:
        words.append(f"{disk.power_on_hours / _HOURS_A_YEAR:.1f} years")
    if disk.lowest_celsius is not None:
        words.append(f"{disk.lowest_celsius} to {disk.highest_celsius} °C")
    return ", ".join([*words, *(ill(disk) or ["good" if disk.health == "good" else "health unknown"])])


def _copies(report: HealthReport) -> list[str]:
    """Late ones by name; of the others how many there are."""
    late = [one for one in report.copies if one.late]
    if not report.copies:
        return ["There is no second copy of any dataset."] if report.pools else []
    if not late:
        return [f"Second copies: {len(report.copies)}, none late."]
    return _list("Second copies that are late:", map(_copy, late))


def _copy(one: CopyHealth) -> str:
    age = f"of {one.copied_at[:10]}" if one.copied_at else "not copied yet"
    return f"{one.name}, to {one.target}: {age}, should be at most {span(one.longest_age_s)} old"


def _snapshots(report: HealthReport) -> list[str]:
    late = [one.dataset for one in report.snapshots if one.overdue]
    known = len(report.snapshots) + report.left_out["snapshots"]
    if not known:
        return ["No dataset has a snapshot policy."]
    if not late:
        return [f"Snapshots: up to date for {counted(known, 'dataset')} with a policy."]
    return _list(f"Snapshots are overdue ({report.snapshots_overdue} of {known} datasets):", late)


def _incident(one: IncidentHealth) -> str:
    if one.closed_at is None:
        return f"{one.title}: open since {one.opened_at[:10]} ({one.severity})"
    return f"{one.title}: {one.opened_at[:10]}, resolved after {span(one.lasted_s)}"


def _found(errors: int) -> str:
    return counted(errors, "error") if errors else "no errors"


def _change(one: ChangeHealth) -> str:
    times = f", {one.times} times" if one.times > 1 else ""
    return f"{one.by}: {title_of(one.operation)}{times}"


def _list(title: str, lines: Iterable[str]) -> list[str]:
    """A title and its lines, the rest by number; nothing without lines."""
    found = list(lines)
    if not found:
        return []
    more = len(found) - _MOST_LINES
    shown = [f"- {line}" for line in found[:_MOST_LINES]]
    return [title, *shown, *([f"- and {more} more"] if more > 0 else [])]
