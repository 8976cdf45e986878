"""The words of a message: what happened, what it means, what to do next, and where to read on. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import msgspec

from alerts.channels import templates
from alerts.channels.decide import Act, News
from alerts.doctor.words import span
from alerts.evidence import KnownDisk
from alerts.incidents.cause import RANKS, Cause, Severity

_LONGEST_SUBJECT, _MOST_IN_FULL, _MOST_LISTED = 200, 5, 25
_SERIOUS: dict[Severity, str] = {"critical": "serious", "warning": "warning", "info": "for your information"}
_BEGINS = {
    "opened": "", "back": "It is back. ", "worse": "It became more serious. ",
    "more": "More errors were counted since the last message. ",
    "reminder": "Still open, and not acknowledged. ",
}  # fmt: skip
_OVER = {"over", "passed"}
_HELD = "Held back during quiet hours:"


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """An incident in a message."""

    act: Act
    cause: Cause
    opened_at: datetime
    open_for: timedelta | None = None  # where it is said
    held: bool = False  # by quiet hours
    well_since: datetime | None = None  # no sign of it is left, but it is not over yet
    closed_at: datetime | None = None


class Sender(msgspec.Struct, frozen=True, kw_only=True):
    """Who sends it: the machine's name, the console's address, and the time zone of the times in it."""

    machine: str
    address: str
    time_zone: str = "UTC"


class Template(msgspec.Struct, frozen=True, kw_only=True):
    """A channel's own words (`alerts.channels.templates`); empty for the usual ones."""

    title: str = ""
    text: str = ""


USUAL = Template()


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """What is sent."""

    severity: Severity
    subject: str
    text: str


def items(news: Iterable[News], known: Mapping[int, Item]) -> tuple[Item, ...]:
    """What a message reports, the most serious first, what is over last."""
    found = [
        msgspec.structs.replace(known[one.incident], act=one.act, held=one.held)
        for one in news
        if not one.silent and one.incident in known
    ]
    return tuple(sorted(found, key=lambda one: (one.act in _OVER, RANKS[one.cause.severity])))


def message(
    report: tuple[Item, ...], sender: Sender, disks: Mapping[str, KnownDisk], template: Template = USUAL
) -> Message:
    """The message with all of `report`, which is not empty. `disks` are those that are remembered."""
    whole, listed = report[:_MOST_IN_FULL], report[_MOST_IN_FULL:]
    held = [_HELD] if all(item.held for item in report) else []
    rest = _rest(listed)
    what = [*held, *("\n".join(_what(item, sender, disks)) for item in whole), *rest]
    steps = ["\n".join(_steps(item, sender)) for item in whole]
    parts = ["\n".join([*_what(item, sender, disks), *_steps(item, sender)]) for item in whole]
    link = f"{sender.address}/alerts/"
    begun = [item.cause.severity for item in report if item.act not in _OVER]
    severity: Severity = min(begun, key=RANKS.__getitem__) if begun else "info"
    values = {
        "title": _title(report, _LONGEST_SUBJECT), "severity": severity, "machine": sender.machine,
        "what": "\n\n".join(what), "steps": "\n\n".join(filter(None, steps)), "link": link,
    }  # fmt: skip
    usual = "\n\n".join([*held, *parts, *rest, f"Details in the console: {link}"])
    return Message(
        severity=severity, subject=templates.title(template.title, values, _subject(report, sender)),
        text=templates.text(template.text, values, usual),
    )  # fmt: skip


def test_message(channel: str, sender: Sender) -> Message:
    """What is sent to try a channel."""
    return Message(
        severity="info", subject=f"[{sender.machine}] A test of “{channel}”",
        text=f"This is a test: messages of {sender.machine} reach you here.\n\nNothing is wrong, and there "
        f"is nothing to do.\n\nThe console: {sender.address}/settings/notifications/",
    )  # fmt: skip


def _rest(listed: tuple[Item, ...]) -> list[str]:
    """What is only listed: a message has to be read to its end."""
    parts = []
    if listed:
        parts.append("\n".join(["Also:", *(f"- {_headline(item)}" for item in listed[:_MOST_LISTED])]))
    if len(listed) > _MOST_LISTED:
        parts.append(f"… and {len(listed) - _MOST_LISTED} more.")
    return parts


def _subject(report: tuple[Item, ...], sender: Sender) -> str:
    start = f"[{sender.machine}] "
    return start + _title(report, _LONGEST_SUBJECT - len(start))


def _title(report: tuple[Item, ...], longest: int) -> str:
    first = _headline(report[0])
    more = f", and {len(report) - 1} more" if len(report) > 1 else ""
    return first[: longest - len(more)] + more


def _headline(item: Item) -> str:
    word = {
        "over": "Resolved: ", "reminder": "Still open: ", "back": "Back: ", "worse": "Worse: ",
        "passed": "Resolved meanwhile: ", "more": "More errors: ",
    }.get(item.act, "")  # fmt: skip
    return word + item.cause.title


def _what(item: Item, sender: Sender, disks: Mapping[str, KnownDisk]) -> Iterable[str]:
    cause = item.cause
    since = _clock(item.opened_at, sender.time_zone)
    if item.act in _OVER:
        how = "began and was resolved during quiet hours" if item.act == "passed" else "resolved"
        yield f"{cause.title}: {how}"
        ended = f" until {_clock(item.closed_at, sender.time_zone)}" if item.closed_at else ""
        yield f"This lasted from {since}{ended}. There is nothing to do."
        return
    yield f"{cause.title} ({_SERIOUS[cause.severity]})"
    open_for = f" It has been open for {span(item.open_for.total_seconds())}." if item.open_for else ""
    yield f"{_BEGINS[item.act]}Since {since}.{open_for}"
    yield from cause.details
    yield from _identities(cause, disks)
    if item.well_since is not None:
        since = _clock(item.well_since, sender.time_zone)
        yield f"Healthy again since {since}: there is nothing to do."


def _steps(item: Item, sender: Sender) -> Iterable[str]:
    cause = item.cause
    if item.act in _OVER or item.well_since is not None or not cause.steps:
        return
    yield "What to do next:"
    for number, step in enumerate(cause.steps, start=1):
        page = f" {sender.address}{step.page}" if step.page else ""
        yield f"{number}. {step.words}{page}"
        yield from (f"   {command}" for command in step.commands)


def _identities(cause: Cause, disks: Mapping[str, KnownDisk]) -> Iterable[str]:
    """Bay, model and serial of each disk that the words above do not name by its serial."""
    said = " ".join(cause.details)
    for spot in cause.spots:
        known = disks.get(spot.id)
        if known is None or (known.serial and known.serial in said):
            continue
        place = f"bay {spot.bay or known.bay}, " if spot.bay or known.bay else ""
        yield f"Disk: {place}{known.model or 'unknown model'}, serial {known.serial or 'unknown'}."


def _clock(moment: datetime, time_zone: str) -> str:
    there = moment.astimezone(ZoneInfo(time_zone))
    return f"{there:%Y-%m-%d %H:%M} {there.tzname() or ''}".rstrip()
