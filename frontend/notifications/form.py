"""The form of a channel: what stands in it, and the requests that it makes. No secret ever stands in it."""

from __future__ import annotations

from typing import Any

import msgspec
from django.http import QueryDict
from django.views.decorators.debug import sensitive_variables

from alerts.channels.decide import TOPICS
from alerts.channels.kinds import KINDS, Field, Kind
from alerts.channels.models import Channel
from jobs import cache
from jobs.schedules.zone import usual_zone

LOWEST = (
    ("critical", "critical only: a disk is missing, files are damaged"),
    ("warning", "warnings and critical: a disk has errors, something failed"),
    ("info", "everything"),
)
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
    enabled: bool = True


def empty(kind: Kind) -> ChannelForm:
    """For a new channel of that kind."""
    values = {field.name: field.default for field in kind.fields}
    return ChannelForm(name=kind.title, values=values, time_zone=usual_zone(cache.current()))


def of_row(row: Channel) -> ChannelForm:
    """The fields of a channel."""
    names = ("name", "lowest", "quiet_from", "quiet_until", "time_zone", "tells_end", "enabled")
    return ChannelForm(
        **{name: getattr(row, name) for name in names}, values=row.fields, topics=tuple(row.topics)
    )


def of_post(post: QueryDict, kind: Kind) -> ChannelForm:
    """What was sent, without what is secret in it."""
    names = ("name", "lowest", "quiet_from", "quiet_until", "time_zone")
    return ChannelForm(
        **{name: post.get(name, "").strip()[:200] for name in names},
        values={field.name: _sent(post, field) for field in kind.fields if not field.secret},
        topics=tuple(post.getlist("topics")[: len(TOPICS)]),
        tells_end="tells_end" in post,
        enabled="enabled" in post,
    )


@sensitive_variables("values")
def to_create(post: QueryDict, kind: Kind) -> dict[str, Any]:
    """The data of a new channel."""
    values = {field.name: _sent(post, field) for field in kind.fields}
    return _common(of_post(post, kind)) | {"kind": kind.name, "fields": values}


@sensitive_variables("values")
def to_change(post: QueryDict, kind: Kind) -> dict[str, Any]:
    """The data of a change. Of what is secret only what was typed, or is to be dropped."""
    values = {
        field.name: _sent(post, field)
        for field in kind.fields
        if not field.secret or _sent(post, field) or f"drop-{field.name}" in post
    }
    return _common(of_post(post, kind)) | {"fields": values}


def drawn(kind: Kind, form: ChannelForm, kept: tuple[str, ...]) -> tuple[FieldView, ...]:
    """The fields of a kind as they are drawn."""
    return tuple(_drawn(field, form, kept=field.name in kept) for field in kind.fields)


def errors_of_kind(kind: Kind) -> dict[str, str]:
    """Where in the form a finding belongs."""
    own = {f"fields.{field.name}": _id(field) for field in kind.fields}
    names = ("name", "lowest", "topics", "quiet_from", "quiet_until", "time_zone")
    return own | {name: name for name in names}


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


def _common(form: ChannelForm) -> dict[str, Any]:
    names = ("name", "lowest", "quiet_from", "quiet_until", "time_zone", "tells_end", "enabled")
    return {name: getattr(form, name) for name in names} | {"topics": list(form.topics)}


def _sent(post: QueryDict, field: Field) -> str:
    return post.get(_id(field), "").strip()[:_LONGEST]


def _id(field: Field) -> str:
    return f"field-{field.name}"
