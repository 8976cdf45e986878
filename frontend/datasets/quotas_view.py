"""What a dataset takes and may take, as values for the eye."""

from __future__ import annotations

import msgspec

from frontend.typed_size import UNITS
from host.inventory import Dataset
from jobs.wording import counted
from pools.quotas.limits import LIMITS, Limit
from pools.quotas.limits import counted as taken
from pools.quotas.use import AccountUse

_TITLES: dict[Limit, tuple[str, str]] = {
    "quota": ("Quota", "Maximum space, including snapshots and child datasets."),
    "refquota": (
        "Quota without snapshots (refquota)",
        "Maximum space for its own files; snapshots do not count.",
    ),
    "reservation": ("Reservation", "Guaranteed space, including snapshots and child datasets."),
    "refreservation": (
        "Reservation without snapshots (refreservation)",
        "Guaranteed space for its own files; snapshots do not count.",
    ),
}
_FULL, _NEARLY = 1.0, 0.9
_SLIVER = 0.5  # percent of a bar: less than that is not seen


class ShareView(msgspec.Struct, frozen=True, kw_only=True):
    """One part of what is used, with its part of a bar that is as long as all that it may take."""

    title: str
    size_bytes: int
    percent: float
    start: float  # where its part of the bar begins, in percent
    tone: str


class LimitView(msgspec.Struct, frozen=True, kw_only=True):
    """A quota or reservation. `number` counts `unit`s in the form; both as they would be typed."""

    name: str
    title: str
    hint: str
    size_bytes: int
    taken: int
    percent: float
    tone: str
    number: str
    unit: str


class QuotasView(msgspec.Struct, frozen=True, kw_only=True):
    """The quotas section of a dataset."""

    name: str
    parts: tuple[ShareView, ...]
    used: int
    available: int  # it may still grow by that: by its quota, those above it, and what the pool has
    limits: tuple[LimitView, ...]
    is_volume: bool
    reached: str  # in words, where a quota is or nearly is


def quotas_view(dataset: Dataset) -> QuotasView:
    """All of it."""
    names: tuple[Limit, ...] = LIMITS if dataset.kind == "filesystem" else ("reservation", "refreservation")
    limits = tuple(_limit(dataset, name) for name in names)
    bounded = [one for one in limits if one.name.endswith("quota") and one.size_bytes]
    worst = max(bounded, key=lambda one: one.percent, default=None)
    reached = ""
    if worst is not None and worst.percent >= 100 * _FULL:
        reached = "Quota reached: writes fail."
    elif worst is not None and worst.percent >= 100 * _NEARLY:
        reached = f"{worst.percent:.0f} % of the quota used."
    return QuotasView(
        name=dataset.name,
        parts=_parts(dataset),
        used=dataset.number("used"),
        available=dataset.number("available"),
        limits=limits,
        is_volume=dataset.kind == "volume",
        reached=reached,
    )


def typed(size_bytes: int) -> tuple[str, str]:
    """A size as it would be typed: `("1.5", "G")`; empty for none."""
    if not size_bytes:
        return "", "G"
    unit = next((letter for letter in "TGM" if size_bytes % UNITS[letter] == 0), "")
    unit = unit or next((letter for letter in "TG" if size_bytes >= UNITS[letter]), "M")
    return f"{size_bytes / UNITS[unit]:.10g}", unit


def account_words(one: AccountUse) -> str:
    """`alice`; `user 1000` where this machine has no name for it."""
    return one.name or f"{one.whose} {one.account}"


def objects_words(one: AccountUse) -> str:
    """`12 of 100 files`."""
    if one.objects is None:
        return "not counted"
    bound = f" of {one.objects_quota}" if one.objects_quota else ""
    return f"{one.objects}{bound} files" if bound else counted(one.objects, "file")


def _parts(dataset: Dataset) -> tuple[ShareView, ...]:
    whole = max(dataset.number("used") + dataset.number("available"), 1)
    wanted = (
        ("its own files", "usedbydataset", "own"),
        ("its snapshots alone", "usedbysnapshots", "snapshots"),
        ("datasets below", "usedbychildren", "below"),
        ("kept free for it", "usedbyrefreservation", "kept"),
    )
    found: list[ShareView] = []
    start = 0.0
    for title, name, tone in wanted:
        size = dataset.number(name)
        percent = max(100 * size / whole, _SLIVER) if size else 0.0
        if size:
            shown = {"percent": round(percent, 2), "start": round(start, 2)}
            found.append(ShareView(title=title, size_bytes=size, tone=tone, **shown))
        start += percent
    return tuple(found)


def _limit(dataset: Dataset, name: Limit) -> LimitView:
    size = dataset.number(name)
    used = taken(dataset, name)
    percent = 100 * used / size if size else 0.0
    tone = "bad" if percent >= 100 * _FULL else "warn" if percent >= 100 * _NEARLY else ""
    number, unit = typed(size)
    title, hint = _TITLES[name]
    return LimitView(
        name=name, title=title, hint=hint, size_bytes=size, taken=used, percent=percent,
        tone=tone if name.endswith("quota") else "", number=number, unit=unit,
    )  # fmt: skip
