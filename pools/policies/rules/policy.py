"""A policy as text, which is how it is kept: a user property of the dataset, inherited by ZFS itself.

`frequent=8 hourly=24 daily=30 weekly=8 monthly=12 yearly=1 every=15m at=02:00 on=sun max-age=26h
tz=Europe/Berlin`; every part may be left out, but for one count. `off` excludes a dataset and all below it.
"""

from __future__ import annotations

import re
from datetime import timedelta
from functools import lru_cache
from typing import Literal

import msgspec

from jobs.schedules import cron

PROPERTY = "nasweb:policy"
Tier = Literal["frequent", "hourly", "daily", "weekly", "monthly", "yearly"]
TIERS: tuple[Tier, ...] = ("frequent", "hourly", "daily", "weekly", "monthly", "yearly")  # lowest first
DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
EVERY_MINUTES = (5, 10, 15, 20, 30)  # so that each hour is cut alike
MOST = 1000  # snapshots in one tier: ZFS bears more, people do not
LONGEST_TEXT = 400
_NUMBER = re.compile(r"\d{1,6}", re.ASCII)
_AGE = re.compile(r"(\d{1,5})([mhd])", re.ASCII)
_TIME = re.compile(r"([01]\d|2[0-3]):([0-5]\d)", re.ASCII)
_UNITS = {"m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1)}
_OTHERS = ("every", "at", "on", "max-age", "tz")


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    """How many of each tier are kept, and by which clock they are taken. `off` takes and deletes nothing."""

    frequent: int = 0
    hourly: int = 0
    daily: int = 0
    weekly: int = 0
    monthly: int = 0
    yearly: int = 0
    every_minutes: int = 15  # of frequent
    at: str = "00:00"  # of daily, weekly, monthly and yearly, by the clocks of `time_zone`
    on: str = "mon"  # of weekly
    time_zone: str = "UTC"
    max_age_minutes: int | None = None  # None: by the tightest tier
    off: bool = False

    def count(self, tier: Tier) -> int:
        """How many of `tier` are kept."""
        found: int = getattr(self, tier)
        return found

    @property
    def tiers(self) -> tuple[Tier, ...]:
        """Those that are kept at all, lowest first."""
        return tuple(tier for tier in TIERS if self.count(tier))

    def period(self, tier: Tier) -> timedelta:
        """The longest time from one of `tier` to the next."""
        if tier == "frequent":
            return timedelta(minutes=self.every_minutes)
        return _PERIODS[tier]

    @property
    def max_age(self) -> timedelta | None:
        """How old the newest snapshot may be; None where nothing is taken.

        Unless chosen: of the tightest tier two periods, but one hour at least and no more than a day late.
        """
        if self.max_age_minutes is not None and self.tiers:
            return timedelta(minutes=self.max_age_minutes)
        if not self.tiers:
            return None
        period = self.period(self.tiers[0])
        return period + min(max(period, timedelta(minutes=45)), timedelta(days=1))


_PERIODS: dict[Tier, timedelta] = {
    "hourly": timedelta(hours=1), "daily": timedelta(days=1), "weekly": timedelta(days=7),
    "monthly": timedelta(days=31), "yearly": timedelta(days=366),
}  # fmt: skip


class BadPolicy(ValueError):
    """A text that is no policy; `faults` has all that is wrong: the part, and how to mend it."""

    def __init__(self, faults: tuple[tuple[str, str], ...]) -> None:
        self.faults = faults
        super().__init__(" ".join(message for _, message in faults))


@lru_cache(maxsize=1024)
def parse(text: str) -> Policy:
    """The policy that `text` says. Raises `BadPolicy` with all faults."""
    words = text.split(" ")
    if len(text) > LONGEST_TEXT:
        raise BadPolicy((("", f"A policy has at most {LONGEST_TEXT} characters."),))
    if words == ["off"]:
        return Policy(off=True)
    faults: list[tuple[str, str]] = []
    values: dict[str, object] = {}
    seen: set[str] = set()
    for word in filter(None, words):
        key, equals, value = word.partition("=")
        shown = key[:20]
        if not equals or key not in (*TIERS, *_OTHERS):
            known = ", ".join((*TIERS, *_OTHERS))
            faults.append((shown, f"“{word[:30]}” is not valid. Use {known}, each with = and a value."))
        elif key in seen:
            faults.append((key, f"{key} is given twice."))
        elif fault := _read(key, value, values):
            faults.append((key, f"{key}: {fault}"))
        seen.add(key)
    if not faults:
        faults = _check(Policy(**values), seen)  # type: ignore[arg-type]
    if faults:
        raise BadPolicy(tuple(faults))
    return Policy(**values)  # type: ignore[arg-type]


def _read(key: str, value: str, values: dict[str, object]) -> str | None:
    """Puts what `value` means into `values`; gives what is wrong with it."""
    if key in TIERS:
        if not _NUMBER.fullmatch(value) or int(value) > MOST:
            return f"use a whole number from 0 to {MOST}."
        values[key] = int(value)
    elif key == "every":
        allowed = {f"{minutes}m": minutes for minutes in EVERY_MINUTES}
        if value not in allowed:
            return f"use one of {', '.join(allowed)}."
        values["every_minutes"] = allowed[value]
    elif key == "at":
        if not _TIME.fullmatch(value):
            return "use a time of day such as 02:30."
        values["at"] = value
    elif key == "on":
        if value not in DAYS:
            return f"use one of {', '.join(DAYS)}."
        values["on"] = value
    elif key == "max-age":
        found = _AGE.fullmatch(value)
        minutes = int(int(found[1]) * _UNITS[found[2]] / timedelta(minutes=1)) if found else 0
        if not 1 <= minutes <= 60 * 24 * 3660:
            return "use a number followed by m, h or d, such as 90m, 26h or 8d."
        values["max_age_minutes"] = minutes
    else:
        if value not in cron.zones():
            return "there is no such time zone. Use an IANA name, such as Europe/Berlin or UTC."
        values["time_zone"] = value
    return None


def _check(policy: Policy, seen: set[str]) -> list[tuple[str, str]]:
    """What is wrong with the whole of it."""
    if not policy.tiers:
        message = "Say how many to keep in at least one tier, such as daily=30, or “off” for none at all."
        return [("", message)]
    faults: list[tuple[str, str]] = []
    if "every" in seen and not policy.frequent:
        faults.append(("every", "every: only applies together with frequent."))
    if "on" in seen and not policy.weekly:
        faults.append(("on", "on: only applies together with weekly."))
    age = policy.max_age
    if age is not None and age < policy.period(policy.tiers[0]):
        message = (
            f"max-age: shorter than the time between two {policy.tiers[0]} snapshots, so always overdue."
        )
        faults.append(("max-age", message))
    return faults


def text_of(policy: Policy) -> str:
    """The shortest text that says `policy`."""
    if policy.off:
        return "off"
    usual = Policy()
    parts = [f"{tier}={policy.count(tier)}" for tier in policy.tiers]
    if policy.every_minutes != usual.every_minutes:
        parts.append(f"every={policy.every_minutes}m")
    if policy.at != usual.at:
        parts.append(f"at={policy.at}")
    if policy.on != usual.on:
        parts.append(f"on={policy.on}")
    if policy.max_age_minutes is not None:
        parts.append(f"max-age={_age(policy.max_age_minutes)}")
    if policy.time_zone != usual.time_zone:
        parts.append(f"tz={policy.time_zone}")
    return " ".join(parts)


def _age(minutes: int) -> str:
    for unit, length in (("d", 1440), ("h", 60)):
        if minutes % length == 0:
            return f"{minutes // length}{unit}"
    return f"{minutes}m"
