"""The settings in sections, each line with what is set now and the page where it is changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from allauth.mfa.models import Authenticator
from django.db.models import Max
from django.utils import timezone

from accounts.models import Token, User
from alerts.channels.models import Channel
from frontend.boot.view import boot_view
from frontend.notifications.view import rows
from frontend.states import StateView, tone_view
from frontend.units import age, binary
from host.inventory import Inventory, LogForwarding
from jobs.wording import counted
from machine.backup.models import KeptOn
from machine.backup.report import copy_settings
from machine.monitoring.set_metrics import metrics_enabled

_MOST_NAMED = 3


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """A line: what is set now in words, and where something is wrong with it."""

    title: str
    icon: str
    href: str
    now: str
    state: StateView | None = None


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """Lines that belong together."""

    title: str
    settings: tuple[Setting, ...]


def sections(user: Any, inventory: Inventory | None) -> tuple[Section, ...]:
    """What `user` may see; `inventory` is None before the first probe."""
    found = (
        ("Machine", (*_machine(user, inventory), *_monitoring(user, inventory))),
        ("Protection", _protection(user)),
        ("Access", _access(user)),
        ("Your account", _own(user)),
    )
    return tuple(
        Section(title=title, settings=settings) for title, lines in found if (settings := tuple(lines))
    )


def _machine(user: Any, inventory: Inventory | None) -> Iterator[Setting]:
    if not user.has_perm("system:read"):
        return
    naming = inventory.naming if inventory else None
    unset = naming is not None and naming.synchronized is False
    yield Setting(
        title="Name", icon="server", href="/settings/machine/",
        now=(naming.name if naming else "") or "not known yet",
    )  # fmt: skip
    yield Setting(
        title="Time zone", icon="clock", href="/settings/machine/",
        now=(naming.time_zone if naming else None) or "not known yet",
        state=tone_view("warn", "clock not synchronized") if unset else None,
    )  # fmt: skip
    yield Setting(title="Network", icon="settings", href="/settings/network/", now=_addresses(inventory))
    if inventory is not None and inventory.arc.live is not None:
        most = binary(inventory.arc.live.max_bytes)
        kept = inventory.arc.kept is not None
        yield Setting(
            title="Memory", icon="memory-stick", href="/settings/memory/",
            now=f"ZFS caches in {most} at most{'' if kept else ', as it chose'}",
        )  # fmt: skip
    boot = boot_view(inventory) if inventory else None
    yield Setting(
        title="Boot pair", icon="hard-drive", href="/boot/",
        now=boot.verdict if boot else "The system is on one disk",
        state=StateView(tone=boot.tone, icon=boot.icon, word=_BOOT[boot.tone]) if boot else None,
    )  # fmt: skip


_BOOT = {"good": "redundant", "busy": "rebuilding", "warn": "one copy", "bad": "failed", "idle": "unknown"}


def _addresses(inventory: Inventory | None) -> str:
    ports = inventory.network.interfaces if inventory else ()
    found = [f"{one.address} on {port.name}" for port in ports for one in port.leads_here]
    return _named(found) or "no address known"


def _monitoring(user: Any, inventory: Inventory | None) -> Iterator[Setting]:
    if not user.has_perm("system:read"):
        return
    logs = inventory.network.logs if inventory else LogForwarding()
    ill = logs.altered or (logs.target is not None and not logs.active)
    sent = f"Journal sent to {logs.target.host}" if logs.target else "Journal stays here"
    yield Setting(
        title="Monitoring", icon="activity", href="/settings/monitoring/",
        now=f"Prometheus {'on' if metrics_enabled() else 'off'} · {sent}",
        state=tone_view("warn", "not sent") if ill else None,
    )  # fmt: skip


def _protection(user: Any) -> Iterator[Setting]:
    if user.has_perm("alerts:read"):
        channels = rows(Channel.objects.filter(enabled=True))
        ill = [one for one in channels if one.state.tone in {"warn", "bad"}]
        yield Setting(
            title="Notifications", icon="bell", href="/settings/notifications/",
            now=_named(f"{one.name} ({one.kind})" for one in channels) or "No notifications configured",
            state=ill[0].state if ill else None if channels else tone_view("warn", "not set up"),
        )  # fmt: skip
    if user.has_perm("system:read"):
        last = KeptOn.objects.aggregate(last=Max("checked_at"))["last"]
        if not copy_settings().enabled:
            now = "Off"
        elif last is None:
            now = "No backup yet"
        else:
            now = f"Last backup verified {age((timezone.now() - last).total_seconds())}"
        yield Setting(title="Settings backup", icon="archive", href="/settings/copies/", now=now)


def _access(user: Any) -> Iterator[Setting]:
    if user.has_perm("users:read"):
        active = User.objects.filter(is_active=True).count()
        yield Setting(
            title="Console accounts", icon="users", href="/settings/accounts/", now=counted(active, "account")
        )
    tokens = Token.objects.filter(owner=user, revoked=None).count()
    yield Setting(
        title="API tokens", icon="key-round", href="/settings/tokens/",
        now=f"{counted(tokens, 'token')} of yours" if tokens else "None",
    )  # fmt: skip


def _own(user: Any) -> Iterator[Setting]:
    on = Authenticator.objects.filter(user=user, type=Authenticator.Type.TOTP).exists()
    yield Setting(
        title="Two-factor authentication", icon="shield", href="/accounts/2fa/",
        now="A code from your phone is asked at sign-in" if on else "Sign-in needs only the password",
        state=tone_view("good", "on") if on else tone_view("idle", "off"),
    )  # fmt: skip
    yield Setting(
        title="Password", icon="lock", href="/accounts/password/change/", now=f"Signed in as {user}"
    )


def _named(names: Iterable[str]) -> str:
    """Some by name, the rest by number."""
    found = list(names)
    more = len(found) - _MOST_NAMED
    return ", ".join(found[:_MOST_NAMED]) + (f" and {counted(more, 'more', 'more')}" if more > 0 else "")
