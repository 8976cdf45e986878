"""What may be asked of a channel, and whether it can be so. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from alerts.channels import templates
from alerts.channels.check import check, goes_to
from alerts.channels.decide import TOPICS, Topic
from alerts.channels.hosts import UNKNOWN, Own
from alerts.channels.kinds import KINDS, Kind
from alerts.channels.quiet import CLOCK, is_clock
from alerts.incidents.cause import Severity
from jobs.planning.findings import Findings
from jobs.schedules.cron import zones

KindName = Literal[
    "email", "ntfy", "gotify", "pushover", "telegram", "matrix", "discord", "slack", "webhook", "other"
]
Name = Annotated[str, Meta(min_length=1, max_length=100)]
Values = Annotated[
    dict[str, Annotated[str, Meta(max_length=1000)]],
    Meta(description="By the names of the kind's fields. Secret ones are never answered."),
]
Clock = Annotated[str, Meta(pattern=f"^({CLOCK})?$", description="a time such as 22:30, or nothing")]
Zone = Annotated[str, Meta(max_length=64)]
Repeat = Literal["none", "daily", "weekly"]
Seldom = Literal["none", "weekly", "monthly"]
Weekday = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
AtOnce = Literal["critical", "warning", "info", "none"]
RemindHours = Literal[0, 6, 24, 168]
Time = Annotated[str, Meta(pattern=f"^({CLOCK})$", description="a time such as 08:00")]
_PLACES = "Placeholders: " + ", ".join(f"{{{name}}}" for name in templates.PLACEHOLDERS) + "."
TitleTemplate = Annotated[str, Meta(max_length=templates.MOST_TITLE, description=_PLACES)]
TextTemplate = Annotated[str, Meta(max_length=templates.MOST_TEXT, description=_PLACES)]
Topics = Annotated[tuple[Topic, ...], Meta(max_length=len(TOPICS))]


class CreateChannel(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A new channel. `lowest` is the least severity that is sent; in the quiet hours, from `quiet_from` until
    `quiet_until`, only what is critical is. Of what is critical and acknowledged by nobody a reminder is sent
    every `remind_hours`, 0 for never. A `digest` sums up what happened; what is less severe than `at_once` is
    only in it. `alive` says regularly that messages still arrive, `report` is the health report, for whoever
    may read it. All come at `regular_at` in the channel's time zone, weekly ones on `regular_on`, monthly
    ones on the first. The templates are words of your own for
    messages about alerts, empty for the usual ones. Only an admin sets `to_itself`: then it may lead to this
    machine's own addresses, the loopback and link-local ones."""

    name: Name
    kind: KindName
    fields: Values
    lowest: Severity = "warning"
    topics: Topics = tuple(TOPICS)
    quiet_from: Clock = ""
    quiet_until: Clock = ""
    time_zone: Zone = "UTC"
    tells_end: bool = True
    remind_hours: RemindHours = 24
    at_once: AtOnce = "info"
    digest: Repeat = "none"
    alive: Seldom = "none"
    report: Seldom = "none"
    regular_at: Time = "08:00"
    regular_on: Weekday = "monday"
    title_template: TitleTemplate = ""
    text_template: TextTemplate = ""
    to_itself: bool = False
    enabled: bool = True


class ChangeChannel(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Change what is given and keep the rest. `fields` changes those that it names; an empty text clears
    one. Where a field that decides whom the secrets are shown to changes, they have to be given again."""

    name: Name | UnsetType = UNSET
    fields: Values | UnsetType = UNSET
    lowest: Severity | UnsetType = UNSET
    topics: Topics | UnsetType = UNSET
    quiet_from: Clock | UnsetType = UNSET
    quiet_until: Clock | UnsetType = UNSET
    time_zone: Zone | UnsetType = UNSET
    tells_end: bool | UnsetType = UNSET
    remind_hours: RemindHours | UnsetType = UNSET
    at_once: AtOnce | UnsetType = UNSET
    digest: Repeat | UnsetType = UNSET
    alive: Seldom | UnsetType = UNSET
    report: Seldom | UnsetType = UNSET
    regular_at: Time | UnsetType = UNSET
    regular_on: Weekday | UnsetType = UNSET
    title_template: TitleTemplate | UnsetType = UNSET
    text_template: TextTemplate | UnsetType = UNSET
    to_itself: bool | UnsetType = UNSET
    enabled: bool | UnsetType = UNSET


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """A channel as it is kept: `fields` without secrets, `typed` the secrets that were typed now, `kept` the
    names of those that are sealed already and stay."""

    name: str
    kind: KindName
    fields: dict[str, str]
    typed: dict[str, str] = {}
    kept: tuple[str, ...] = ()
    lowest: Severity = "warning"
    topics: tuple[Topic, ...] = tuple(TOPICS)
    quiet_from: str = ""
    quiet_until: str = ""
    time_zone: str = "UTC"
    tells_end: bool = True
    remind_hours: RemindHours = 24
    at_once: AtOnce = "info"
    digest: Repeat = "none"
    alive: Seldom = "none"
    report: Seldom = "none"
    regular_at: str = "08:00"
    regular_on: Weekday = "monday"
    title_template: str = ""
    text_template: str = ""
    to_itself: bool = False
    enabled: bool = True
    goes_to: str = ""


def created(request: CreateChannel, own: Own = UNKNOWN) -> Settings:
    """The channel that is asked for. Raises `Refused` with all findings."""
    values = _stripped(request.fields)
    data = msgspec.structs.asdict(request) | {"fields": values}
    return _settled(Settings(**data), KINDS[request.kind], values, own)


def changed(request: ChangeChannel, before: Settings, own: Own = UNKNOWN) -> Settings:
    """`before` with the changes. Raises `Refused` with all findings."""
    given = {name: value for name, value in msgspec.structs.asdict(request).items() if value is not UNSET}
    values = _stripped(given.pop("fields", {}))
    kind = KINDS[before.kind]
    merged = {**before.fields, **values}
    kept = tuple(name for name in before.kept if name not in values)
    after = msgspec.structs.replace(before, **given, fields=merged, kept=kept)
    return _settled(after, kind, merged, own, before=before)


def _settled(
    asked: Settings, kind: Kind, values: Mapping[str, str], own: Own, *, before: Settings | None = None
) -> Settings:
    findings = Findings()
    if not asked.name.strip() or not asked.name.isprintable():
        findings.error("bad-name", "name", "Use printable characters.")
    own = msgspec.structs.replace(own, allowed=own.allowed or asked.to_itself)
    check(kind, values, findings, kept=asked.kept, own=own)
    if before is not None and asked.kept:
        _check_places(kind, values, before, asked.kept, findings)
    _check_times(asked, findings)
    _check_regular(asked, findings)
    templates.check(asked.title_template, "title_template", findings, one_line=True)
    templates.check(asked.text_template, "text_template", findings, one_line=False)
    findings.refuse_on_error()
    secret = {field.name for field in kind.fields if field.secret}
    open_fields = {field.name: values.get(field.name) or field.default for field in kind.fields
                   if field.name not in secret}  # fmt: skip
    return msgspec.structs.replace(
        asked, name=asked.name.strip(), topics=tuple(dict.fromkeys(asked.topics)),
        fields={name: value for name, value in open_fields.items() if value},
        typed={name: value for name, value in values.items() if name in secret and value},
        goes_to=_leads_to(kind, values, before),
    )  # fmt: skip


def _leads_to(kind: Kind, values: Mapping[str, str], before: Settings | None) -> str:
    """What is kept sealed cannot be read again: where it leads to was known when it was typed."""
    if before is not None and "url" in before.kept and not values.get("url"):
        return before.goes_to
    return goes_to(kind, values)[:300]


def _check_places(
    kind: Kind, values: Mapping[str, str], before: Settings, kept: tuple[str, ...], findings: Findings
) -> None:
    """What was typed for one server is not shown to another."""
    moved = [
        field.title for field in kind.fields
        if field.where and (values.get(field.name) or field.default) != (
            before.fields.get(field.name) or field.default)
    ]  # fmt: skip
    if not moved:
        return
    for name in kept:
        field = kind.field(name)
        if field is not None:
            message = f"{field.title}: type it again. It belonged to the old value of “{moved[0]}”."
            findings.error("secret-again", f"fields.{name}", message)


def _check_times(asked: Settings, findings: Findings) -> None:
    if not asked.topics:
        findings.error("required", "topics", "Select at least one category, or disable the channel.")
    for name, text, other in (
        ("quiet_from", asked.quiet_from, asked.quiet_until),
        ("quiet_until", asked.quiet_until, asked.quiet_from),
    ):
        if text and not is_clock(text):
            findings.error("bad-time", name, "Enter a time such as 22:30.")
        elif other and not text:
            findings.error("required", name, "Quiet hours need a start and an end.")
    if asked.quiet_from and asked.quiet_from == asked.quiet_until:
        message = (
            "Start and end are the same, which is the whole day. Choose another time, or leave both empty."
        )
        findings.error("bad-time", "quiet_until", message)
    if asked.time_zone not in zones():
        message = "There is no such time zone. Use an IANA name, such as Europe/Berlin or UTC."
        findings.error("bad-time-zone", "time_zone", message)


def _check_regular(asked: Settings, findings: Findings) -> None:
    if not is_clock(asked.regular_at):
        findings.error("bad-time", "regular_at", "Enter a time such as 08:00.")
    if asked.at_once != "info" and asked.digest == "none":
        message = "Without a digest what is not sent at once would never be sent. Choose one."
        findings.error("no-digest", "at_once", message)


def _stripped(values: Mapping[str, str]) -> dict[str, str]:
    return {name: value.strip() for name, value in values.items()}
