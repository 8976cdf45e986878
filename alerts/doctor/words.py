"""Sizes and lengths of time in the words of findings."""

from __future__ import annotations

from alerts.doctor.trend import FEWEST_DAYS, Trend

_UNITS = ("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")


def size(size_bytes: float) -> str:
    """`3000592982016` → `2.73 TiB`."""
    value, unit = float(size_bytes), _UNITS[0]
    for unit in _UNITS:
        if value < 999.5 or unit == _UNITS[-1]:
            break
        value /= 1024
    return f"{value:.0f} {unit}" if unit == "B" or value >= 99.5 else f"{value:.3g} {unit}"


def days(count: float) -> str:
    """`1 day`, `40 days`, from 100 on in months, from three years on in years."""
    if count >= 3 * 365:
        return f"{count / 365:.0f} years"
    if count >= 100:
        return f"{count / 30.4:.0f} months"
    return f"{count:.0f} day{'' if round(count) == 1 else 's'}"


def days_range(earliest: float, latest: float | None) -> str:
    """`40 days to 3 months`, `9 days`, and without an end `9 days at the earliest`."""
    if latest is None:
        return f"{days(earliest)} at the earliest"
    first, last = days(earliest), days(latest)
    return first if first == last else f"{first} to {last}"


def span(seconds: float) -> str:
    """`45 minutes`, `26 hours`, from two days on in days."""
    if seconds >= 2 * 86_400:
        return days(seconds // 86_400)
    count, unit = (seconds // 3600, "hour") if seconds >= 7200 else (seconds // 60, "minute")
    return f"{count:.0f} {unit}{'' if count == 1 else 's'}"


def until_full_words(trend: Trend | None) -> str:
    """`40 days to 3 months`, or why no time is given."""
    if trend is None:
        return f"not known before {FEWEST_DAYS} days of measurements"
    if trend.earliest_days is None:
        return "not in sight: it is not growing"
    unsure = "; it may also not grow" if trend.latest_days is None else ""
    return days_range(trend.earliest_days, trend.latest_days) + unsure
