"""self-tests.set: when the disks of this machine test themselves."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from disks.self_tests import stored
from disks.self_tests.settings import WEEKDAYS, AtOnce, Days, Hour, SelfTestSettings, Weekday
from disks.self_tests.words import begins, every
from host.inventory import Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.wording import counted

_USUAL = SelfTestSettings()


class SetSelfTests(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All of the settings; what is left out is as it is usual. Each disk is tested when its last test is
    `…_days` old, one that sleeps only when it is `…_longest_days` old. Tests begin on `weekdays` from
    `from_hour` until before `until_hour` (the same hour twice: at any time), `at_once` disks together."""

    enabled: bool = _USUAL.enabled
    short_days: Days = _USUAL.short_days
    long_days: Days = _USUAL.long_days
    short_longest_days: Days = _USUAL.short_longest_days
    long_longest_days: Days = _USUAL.long_longest_days
    weekdays: Annotated[tuple[Weekday, ...], Meta(max_length=7)] = _USUAL.weekdays
    from_hour: Hour = _USUAL.from_hour
    until_hour: Hour = _USUAL.until_hour
    at_once: AtOnce = _USUAL.at_once


def plan(request: SetSelfTests, inventory: Inventory) -> Plan:
    """Raises `Refused` for no weekday, and for a longest age that is shorter than the interval."""
    findings = Findings()
    if not request.weekdays:
        findings.error("no-weekday", "weekdays", "Choose at least one day, or switch self-tests off.")
    for kind, days, longest in (
        ("short", request.short_days, request.short_longest_days),
        ("long", request.long_days, request.long_longest_days),
    ):
        if longest < days:
            message = f"Give at least {days} days: a {kind} test is due only then."
            findings.error("longest-too-short", f"{kind}_longest_days", message)
    if not request.enabled:
        message = "Without self-tests, a disk that goes bad is noticed only when what lies there is read."
        findings.info("never-tested", "enabled", message)
    findings.refuse_on_error()
    title = f"Self-tests of disks: {'on' if request.enabled else 'off'}"
    return Plan(
        operation="self-tests.set",
        steps=(Step(title=title, commands=()),),
        summary=_summary(settings_of(request)),
        findings=findings.all(),
        claims=("self-tests:machine",),
    )


def remember(request: SetSelfTests, _inventory: Inventory, _actor: str) -> None:
    """Store them in place of those before."""
    stored.keep_settings(settings_of(request))


def settings_of(request: SetSelfTests) -> SelfTestSettings:
    """The settings that the request asks for, weekdays in their order and each once."""
    values = msgspec.structs.asdict(request)
    chosen = tuple(day for day in WEEKDAYS if day in request.weekdays)
    return SelfTestSettings(**values | {"weekdays": chosen})


def _summary(settings: SelfTestSettings) -> str:
    if not settings.enabled:
        return "No disk tests itself on schedule any more. You can still start self-tests by hand."
    return (
        f"Disks run a short self-test {every(settings.short_days)} and a long one "
        f"{every(settings.long_days)}, at most {counted(settings.at_once, 'disk')} at the same "
        f"time, {begins(settings)}. A disk that sleeps is woken for it only when its last short test is "
        f"{settings.short_longest_days} or its last long one {settings.long_longest_days} days old."
    )
