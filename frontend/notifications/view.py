"""Channels as values for the eye: whether messages arrive, and what became of the last ones."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

import msgspec

from alerts.channels.decide import TOPICS
from alerts.channels.kinds import KINDS
from alerts.channels.locked import titles
from alerts.channels.models import About, Channel, Delivery
from frontend.states import StateView, Tone, tone_view

_LOWEST = {"critical": "critical", "warning": "warnings and critical", "info": "everything"}
_DELIVERY: dict[str, tuple[Tone, str]] = {
    "queued": ("busy", "waits"), "sending": ("busy", "sending"), "sent": ("good", "sent"),
    "failed": ("bad", "failed"),
}  # fmt: skip
_KIND_ICONS = {"email": "mail", "webhook": "webhook", "other": "ellipsis", "ntfy": "smartphone",
               "gotify": "smartphone", "pushover": "smartphone"}  # fmt: skip


class DeliveryView(msgspec.Struct, frozen=True, kw_only=True):
    """A message: what became of it."""

    subject: str
    test: bool
    state: StateView
    said: str
    tries: int
    at: datetime
    again_at: datetime | None  # when it retrying


class ChannelRow(msgspec.Struct, frozen=True, kw_only=True):
    """A channel in the list."""

    id: int
    name: str
    kind: str
    icon: str
    goes_to: str
    receives: str
    quiet: str
    regular: str
    state: StateView
    why: str
    again: str  # what has to be typed again
    failing_since: datetime | None
    last_sent_at: datetime | None
    test: DeliveryView | None  # the last message, where it was a test


class KindChoice(msgspec.Struct, frozen=True, kw_only=True):
    """A kind that can be added."""

    name: str
    title: str
    words: str
    icon: str


def rows(channels: Iterable[Channel]) -> tuple[ChannelRow, ...]:
    """All channels, by name."""
    return tuple(row(one) for one in sorted(channels, key=lambda one: one.name.lower()))


def row(one: Channel) -> ChannelRow:
    """A channel with what became of its last message."""
    last = one.deliveries.first()
    return ChannelRow(
        id=one.pk, name=one.name, kind=KINDS[one.kind].title if one.kind in KINDS else one.kind,
        icon=_KIND_ICONS.get(one.kind, "message-square"), goes_to=one.goes_to, receives=_receives(one),
        quiet=f"quiet from {one.quiet_from} to {one.quiet_until}" if one.quiet_from else "",
        regular=_regular(one), state=_state(one), why=one.last_error, again=" and ".join(titles(one)),
        failing_since=one.failing_since, last_sent_at=one.last_sent_at,
        test=delivery(last) if last is not None and last.about == About.TEST else None,
    )  # fmt: skip


def delivery(one: Delivery) -> DeliveryView:
    """A message."""
    tone, word = _DELIVERY.get(one.state, ("idle", one.state))
    waits = one.state == "queued" and one.tries > 0
    return DeliveryView(
        subject=one.subject, test=one.test,
        state=tone_view("warn", "retrying") if waits else tone_view(tone, word), said=one.said,
        tries=one.tries, at=one.ended_at or one.created_at, again_at=one.due_at if waits else None,
    )  # fmt: skip


def choices() -> tuple[KindChoice, ...]:
    """The kinds that can be added."""
    return tuple(
        KindChoice(name=kind.name, title=kind.title, words=kind.words,
                   icon=_KIND_ICONS.get(kind.name, "message-square"))
        for kind in KINDS.values()
    )  # fmt: skip


def mark(channels: Iterable[Channel]) -> str:
    """Differs when there is something else to show."""
    parts = []
    for one in channels:
        last = one.deliveries.first()
        known = f"{last.pk}{last.state}{last.tries}" if last else ""
        parts.append(
            f"{one.pk}{one.name}~{known}~{one.last_sent_at}{one.failing_since}{one.enabled}{len(one.last_error)}"
            f"{','.join(one.lost)}{_regular(one)}"
        )
    return ".".join(parts)


def _state(one: Channel) -> StateView:
    if not one.enabled:
        return tone_view("idle", "disabled")
    if one.lost:
        return tone_view("bad", "cannot be used")
    if one.failing_since is not None:
        return tone_view("bad", "messages are not delivered")
    if one.last_sent_at is None:
        return tone_view("warn", "not tested yet")
    return tone_view("good", "works")


def _regular(one: Channel) -> str:
    found = [f"{one.digest} digest"] if one.digest != "none" else []
    found += [f"“still alive” {one.alive}"] if one.alive != "none" else []
    found += [f"health report {one.report}"] if one.report != "none" else []
    return ", ".join(found)


def _receives(one: Channel) -> str:
    what = _LOWEST.get(one.lowest, one.lowest)
    missing = [TOPICS[topic] for topic in TOPICS if topic not in one.topics]
    if not missing:
        return what
    named = [words for topic, words in TOPICS.items() if topic in one.topics]
    return f"{what}, of: {'; '.join(named).lower()}"
