"""The words of what is sent regularly. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from alerts.channels.words import Message, Sender
from alerts.digest.content import Digest, IncidentLine, JobLine, PoolLine
from alerts.doctor.words import size, span

_MOST = 12
_FRESH = timedelta(minutes=5)
_SEVERITIES = {"critical": "critical", "warning": "warnings", "advice": "pieces of advice"}
_WELL = "Everything is as it should be"


def digest_message(found: Digest, every: str, sender: Sender) -> Message:
    """The digest as a message."""
    clock = _clock_in(sender.time_zone)
    parts = [
        f"From {clock(found.since)} to {clock(found.until)}.",
        _block("Alerts", _alerts(found, clock)),
        _block("Pools", _pools(found)),
        _block("Doctor", _findings(found)),
        _block("Scheduled jobs that failed", _jobs(found.failed, clock)),
        f"Details in the console: {sender.address}/",
    ]
    state = _open(len(found.still_open)) if found.still_open else "no alert is open"
    return Message(
        severity="info", subject=f"[{sender.machine}] {every.capitalize()} digest: {state}",
        text="\n\n".join(parts),
    )  # fmt: skip


def alive_message(
    titles: Sequence[str], probed_at: datetime | None, now: datetime, sender: Sender
) -> Message:
    """That messages arrive, and how the machine is. `titles` are those of the open alerts."""
    clock = _clock_in(sender.time_zone)
    stale = probed_at is None or abs(now - probed_at) > _FRESH
    seen = f"last probed {clock(probed_at)}" if probed_at else "never probed since it was set up"
    state = (
        _open(len(titles)).capitalize() if titles else "The machine is not being probed" if stale else _WELL
    )
    lines = [f"{sender.machine} is running, and its messages reach you here.", f"{state}."]
    lines += _some([f"- {title}" for title in titles])
    lines.append(f"The machine was {seen}." if not stale else f"It was {seen}: open the console and see why.")
    lines.append(f"The console: {sender.address}/")
    return Message(severity="info", subject=f"[{sender.machine}] {state}", text="\n".join(lines))


def broken_message(about: str, sender: Sender) -> Message:
    """That a regular message could not be made."""
    what = {"digest": "digest", "report": "health report"}.get(about, "“still alive” message")
    return Message(
        severity="warning", subject=f"[{sender.machine}] The {what} could not be made",
        text=f"A fault in the console kept the {what} from being made; the worker's log says which. Look "
        f"yourself: {sender.address}/",
    )  # fmt: skip


def _open(count: int) -> str:
    return "1 alert is open" if count == 1 else f"{count} alerts are open"


def _block(title: str, lines: Iterable[str]) -> str:
    found = list(lines)
    return "\n".join([f"{title}:", *(f"- {line}" for line in found)]) if found else f"{title}: none."


def _alerts(found: Digest, clock: Callable[[datetime], str]) -> Iterator[str]:
    if not (found.opened or found.closed or found.still_open):
        return
    yield f"{len(found.opened)} opened, {len(found.closed)} resolved, {len(found.still_open)} open now"
    yield from _some([_incident(one, clock) for one in (*found.still_open, *found.closed)])


def _incident(one: IncidentLine, clock: Callable[[datetime], str]) -> str:
    if one.closed_at is not None:
        return f"Resolved: {one.title} (from {clock(one.opened_at)} until {clock(one.closed_at)})"
    return f"{one.title} ({one.severity}, since {clock(one.opened_at)})"


def _findings(found: Digest) -> Iterator[str]:
    if found.findings is None:
        yield "the machine has not been probed yet"
        return
    for severity, titles in found.findings.items():
        count = f"{len(titles)} {_SEVERITIES.get(severity, severity)}"
        yield f"{count if len(titles) > 1 else f'1 {severity}'}: {'; '.join(_some(list(titles)))}"


def _pools(found: Digest) -> Iterator[str]:
    for pool in found.pools:
        yield f"{pool.name}: {_space(pool)}; {_scrub(pool, found.until)}"


def _space(pool: PoolLine) -> str:
    if pool.used_bytes is None or pool.available_bytes is None:
        return "how full it is is not known"
    percent = 100 * pool.used_bytes / (pool.used_bytes + pool.available_bytes)
    change = ""
    if pool.change_bytes is not None:
        more = "more" if pool.change_bytes >= 0 else "less"
        change = (
            f", {size(abs(pool.change_bytes))} {more} than before" if pool.change_bytes else ", unchanged"
        )
    return f"{percent:.0f} % full, {size(pool.available_bytes)} free{change}"


def _scrub(pool: PoolLine, now: datetime) -> str:
    if pool.last_scrub is None:
        return "no scrub is known"
    return f"last scrub {span(max(0.0, (now - pool.last_scrub).total_seconds()))} ago"


def _jobs(failed: Sequence[JobLine], clock: Callable[[datetime], str]) -> list[str]:
    return _some([f"{one.title}, {clock(one.at)}: {one.said or 'the job says why'}" for one in failed])


def _some(lines: list[str]) -> list[str]:
    more = [f"… and {len(lines) - _MOST} more"] if len(lines) > _MOST else []
    return [*lines[:_MOST], *more]


def _clock_in(time_zone: str) -> Callable[[datetime], str]:
    def clock(moment: datetime) -> str:
        there = moment.astimezone(ZoneInfo(time_zone))
        return f"{there:%Y-%m-%d %H:%M} {there.tzname() or ''}".rstrip()

    return clock
