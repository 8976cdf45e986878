"""The form of a channel: what stands in it, and the requests that it makes. No secret ever stands in it."""

from __future__ import annotations

import re
from typing import Any, get_args

import msgspec
from django.http import QueryDict
from django.views.decorators.debug import sensitive_variables

from alerts.channels.decide import TOPICS
from alerts.channels.kinds import KINDS, Field, Kind
from alerts.channels.models import Channel
from alerts.channels.requests import Weekday
from alerts.channels.templates import MOST_TEXT
from jobs import cache
from jobs.schedules.zone import usual_zone

LOWEST = (
    ("critical", "critical only: a disk is missing, files are damaged"),
    ("warning", "warnings and critical: a disk has errors, something failed"),
    ("info", "everything"),
)
AT_ONCE = (
    ("info", "everything that this channel receives"),
    ("warning", "warnings and critical; the rest only in the digest"),
    ("critical", "critical only; the rest only in the digest"),
    ("none", "nothing: only the digest"),
)
REMIND = (("0", "never"), ("6", "every 6 hours"), ("24", "every day"), ("168", "every week"))
DIGEST = (("none", "no digest"), ("daily", "every day"), ("weekly", "every week"))
SELDOM = (("none", "never"), ("weekly", "every week"), ("monthly", "on the first of each month"))
WEEKDAYS = tuple((day, day.capitalize()) for day in get_args(Weekday))
CHOICES = {
    "at_once": AT_ONCE, "remind_hours": REMIND, "digest": DIGEST, "alive": SELDOM, "report": SELDOM,
    "regular_on": WEEKDAYS,
}  # fmt: skip
_TEXTS = ("name", "lowest", "quiet_from", "quiet_until", "time_zone", "remind_hours", "at_once", "digest",
          "alive", "report", "regular_at", "regular_on", "title_template", "text_template")  # fmt: skip
_FLAGS = ("tells_end", "enabled", "to_itself")
_LONGEST_TEMPLATE = MOST_TEXT + 1
_OPEN = {"webhook", "apprise"}  # secrets that are too long to be typed blindly
_LONGEST = 1001  # one more than a value may have: too long is said, and not cut


class FieldView(msgspec.Struct, frozen=True, kw_only=True):
    """A field to be drawn: `kept` where something secret is there already that can be left as it is."""

    id: str
    name: str
    title: str
    hint: str
    example: str
    value: str
    options: tuple[tuple[str, str], ...]
    input_type: str
    required: bool
    kept: bool
    can_be_dropped: bool


class ChannelForm(msgspec.Struct, frozen=True, kw_only=True):
    """What stands in the fields."""

    name: str
    values: dict[str, str] = {}
    lowest: str = "warning"
    topics: tuple[str, ...] = tuple(TOPICS)
    quiet_from: str = ""
    quiet_until: str = ""
    time_zone: str = ""
    tells_end: bool = True
    remind_hours: str = "24"
    at_once: str = "info"
    digest: str = "none"
    alive: str = "none"
    report: str = "none"
    regular_at: str = "08:00"
    regular_on: str = "monday"
    title_template: str = ""
    text_template: str = ""
    to_itself: bool = False
    enabled: bool = True


def empty(kind: Kind) -> ChannelForm:
    """For a new channel of that kind."""
    values = {field.name: field.default for field in kind.fields}
    return ChannelForm(name=kind.title, values=values, time_zone=usual_zone(cache.current()))


def of_row(row: Channel) -> ChannelForm:
    """The fields of a channel."""
    texts: dict[str, Any] = {name: str(getattr(row, name)) for name in _TEXTS}
    flags: dict[str, Any] = {name: getattr(row, name) for name in _FLAGS}
    return ChannelForm(**texts, **flags, values=row.fields, topics=tuple(row.topics))


def of_post(post: QueryDict, kind: Kind) -> ChannelForm:
    """What was sent, without what is secret in it."""
    usual = ChannelForm(name="")
    sent = {name: post.get(name, getattr(usual, name)) for name in _TEXTS}
    flags: dict[str, Any] = {name: name in post for name in _FLAGS}
    return ChannelForm(
        **{name: text.replace("\r\n", "\n").strip()[:_LONGEST_TEMPLATE] for name, text in sent.items()},
        values={field.name: _sent(post, field) for field in kind.fields if not field.secret},
        topics=tuple(post.getlist("topics")[: len(TOPICS)]),
        **flags,
    )


@sensitive_variables("values")
def to_create(post: QueryDict, kind: Kind) -> dict[str, Any]:
    """The data of a new channel."""
    values = {field.name: _sent(post, field) for field in kind.fields}
    return common(of_post(post, kind)) | {"kind": kind.name, "fields": values}


@sensitive_variables("values")
def to_change(post: QueryDict, kind: Kind) -> dict[str, Any]:
    """The data of a change. Of what is secret only what was typed, or is to be dropped."""
    values = {
        field.name: _sent(post, field)
        for field in kind.fields
        if not field.secret or _sent(post, field) or f"drop-{field.name}" in post
    }
    return common(of_post(post, kind)) | {"fields": values}


def drawn(kind: Kind, form: ChannelForm, kept: tuple[str, ...]) -> tuple[FieldView, ...]:
    """The fields of a kind as they are drawn."""
    return tuple(_drawn(field, form, kept=field.name in kept) for field in kind.fields)


def errors_of_kind(kind: Kind) -> dict[str, str]:
    """Where in the form a finding belongs."""
    own = {f"fields.{field.name}": _id(field) for field in kind.fields}
    return own | {name: name for name in ("topics", "to_itself", *_TEXTS)}


def kind_of(name: str) -> Kind | None:
    """The kind of that name."""
    return KINDS.get(name)


def _drawn(field: Field, form: ChannelForm, *, kept: bool) -> FieldView:
    hidden = field.secret and field.looks not in _OPEN and field.name != "topic"
    hint = field.hint
    if field.secret:
        hint = f"{hint} Saved, but never shown: leave empty to keep it." if kept else hint
    return FieldView(
        id=_id(field), name=field.name, title=field.title, hint=hint.strip(), example=field.example,
        value="" if field.secret else form.values.get(field.name, ""), options=field.options,
        input_type="password" if hidden else "text", required=field.required, kept=kept,
        can_be_dropped=kept and not field.required,
    )  # fmt: skip


def common(form: ChannelForm) -> dict[str, Any]:
    """What all kinds have, as requests take it."""
    made = {name: getattr(form, name) for name in (*_TEXTS, *_FLAGS)} | {"topics": list(form.topics)}
    hours = int(form.remind_hours) if re.fullmatch(r"\d{1,3}", form.remind_hours, re.ASCII) else -1
    return made | {"remind_hours": hours}


def _sent(post: QueryDict, field: Field) -> str:
    return post.get(_id(field), "").strip()[:_LONGEST]


def _id(field: Field) -> str:
    return f"field-{field.name}"
