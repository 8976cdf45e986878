"""What may be asked of a channel, and whether it can be so. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from alerts.channels.check import check, goes_to
from alerts.channels.decide import TOPICS, Topic
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
Topics = Annotated[tuple[Topic, ...], Meta(max_length=len(TOPICS))]


class CreateChannel(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A new channel. `lowest` is the least severity that is sent; in the quiet hours, from `quiet_from` until
    `quiet_until`, only what is critical is."""

    name: Name
    kind: KindName
    fields: Values
    lowest: Severity = "warning"
    topics: Topics = tuple(TOPICS)
    quiet_from: Clock = ""
    quiet_until: Clock = ""
    time_zone: Zone = "UTC"
    tells_end: bool = True
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
    enabled: bool = True
    goes_to: str = ""


def created(request: CreateChannel, *, itself: bool = False) -> Settings:
    """The channel that is asked for. Raises `Refused` with all findings."""
    values = _stripped(request.fields)
    data = msgspec.structs.asdict(request) | {"fields": values}
    return _settled(Settings(**data), KINDS[request.kind], values, itself=itself)


def changed(request: ChangeChannel, before: Settings, *, itself: bool = False) -> Settings:
    """`before` with the changes. Raises `Refused` with all findings."""
    given = {name: value for name, value in msgspec.structs.asdict(request).items() if value is not UNSET}
    values = _stripped(given.pop("fields", {}))
    kind = KINDS[before.kind]
    merged = {**before.fields, **values}
    kept = tuple(name for name in before.kept if name not in values)
    after = msgspec.structs.replace(before, **given, fields=merged, kept=kept)
    return _settled(after, kind, merged, itself=itself, before=before)


def _settled(
    asked: Settings, kind: Kind, values: Mapping[str, str], *, itself: bool, before: Settings | None = None
) -> Settings:
    findings = Findings()
    if not asked.name.strip() or not asked.name.isprintable():
        findings.error("bad-name", "name", "Use printable characters.")
    check(kind, values, findings, kept=asked.kept, itself=itself)
    if before is not None and asked.kept:
        _check_places(kind, values, before, asked.kept, findings)
    _check_times(asked, findings)
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


def _stripped(values: Mapping[str, str]) -> dict[str, str]:
    return {name: value.strip() for name, value in values.items()}
