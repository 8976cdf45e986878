"""Policies for the eye: rows of the list, and calendars as timelines that the server draws."""

from __future__ import annotations

from datetime import datetime
from math import log10

import msgspec

from frontend.states import StateView
from frontend.units import age as age_words
from frontend.units import span, stamp
from host.inventory import Dataset, Inventory
from jobs.wording import counted
from pools.policies.preview import Preview
from pools.policies.rules.calendar import Calendar, Mark
from pools.policies.rules.policy import TIERS, Policy, Tier
from pools.policies.standing import Standing, standing_of

WIDTH, LANE, LEFT = 480, 24, 84
_HOUR = 3600
_LONGEST_S = 6 * 366 * 24 * _HOUR
_TICKS = (
    (_HOUR, "hour"), (24 * _HOUR, "day"), (7 * 24 * _HOUR, "week"), (30 * 24 * _HOUR, "month"),
    (365 * 24 * _HOUR, "year"), (5 * 365 * 24 * _HOUR, "5 years"),
)  # fmt: skip
_ORIGINS = {"local": "set here", "received": "received, not acted on"}


class Dot(msgspec.Struct, frozen=True, kw_only=True):
    """A snapshot in the drawing; hollow where it is still to be taken."""

    x: float
    y: float
    real: bool
    words: str


class Lane(msgspec.Struct, frozen=True, kw_only=True):
    """A tier: its name, how many it keeps, where it is drawn."""

    title: str
    y: int
    count: int


class Timeline(msgspec.Struct, frozen=True, kw_only=True):
    """How far back one can go, newest at the left, by the logarithm of the age."""

    key: str
    title: str
    height: int
    lanes: tuple[Lane, ...]
    dots: tuple[Dot, ...]
    ticks: tuple[tuple[float, str], ...]
    total: int
    oldest: str
    summary: str


class PreviewView(msgspec.Struct, frozen=True, kw_only=True):
    """What a policy would keep and delete."""

    timelines: tuple[Timeline, ...]
    deletes: tuple[str, ...]
    more_deletes: int
    next_runs: tuple[str, ...]


class PolicyRow(msgspec.Struct, frozen=True, kw_only=True):
    """A dataset with its policy in one line."""

    dataset: str
    depth: int
    keeps: str
    whence: str
    own: bool
    text: str
    fault: str
    state: StateView
    newest: datetime | None
    next_run: datetime | None
    longest: str


def preview_view(made: Preview, policy: Policy, now: datetime) -> PreviewView:
    """Three timelines, and what goes."""
    calendars = (("now", "Now", made.now), ("month", "In a month", made.month),
                 ("year", "In a year", made.year))  # fmt: skip
    names = tuple(one.name for one in reversed(made.deletes))
    return PreviewView(
        timelines=tuple(_timeline(key, title, one, policy) for key, title, one in calendars),
        deletes=names[:12],
        more_deletes=max(0, len(names) - 12),
        next_runs=tuple(stamp(moment, "%a %Y-%m-%d %H:%M") for moment in made.next_runs),
    )


def policy_row(standing: Standing) -> PolicyRow:
    """One line of the list."""
    one = standing.effective
    own = one.source == one.dataset
    whence = _ORIGINS.get(one.origin, f"from {one.source}")
    return PolicyRow(
        dataset=one.dataset,
        depth=one.dataset.count("/"),
        keeps=keeps(one.policy) if one.policy else "cannot be read",
        whence=whence,
        own=own,
        text=one.text,
        fault=one.fault,
        state=state_of(standing),
        newest=standing.newest,
        next_run=standing.next_run,
        longest=span(standing.limit.total_seconds()) if standing.limit else "",
    )


def dataset_policy(dataset: Dataset, inventory: Inventory, now: datetime) -> PolicyRow | None:
    """What the dataset's page tells of its policy (`parts/dataset_policy.html`); None where it has none."""
    standing = standing_of(dataset, inventory, now)
    return policy_row(standing) if standing.effective.origin != "none" else None


def state_of(standing: Standing) -> StateView:
    """Whether its snapshots are as they should be."""
    one = standing.effective
    if one.fault:
        return StateView(tone="bad", icon="circle-x", word="unreadable")
    if one.policy is not None and one.policy.off:
        return StateView(tone="idle", icon="ban", word="excluded")
    if not one.acts:
        return StateView(tone="idle", icon="circle-dashed", word="not acted on")
    if standing.overdue:
        return StateView(tone="warn", icon="triangle-alert", word="overdue")
    if standing.newest is None:
        return StateView(tone="busy", icon="loader-circle", word="first one is due")
    return StateView(tone="good", icon="circle-check", word="fresh")


def keeps(policy: Policy) -> str:
    """`24 hourly, 30 daily`; nothing where it is off."""
    if policy.off:
        return "nothing: excluded"
    return ", ".join(f"{policy.count(tier)} {tier}" for tier in policy.tiers)


def _timeline(key: str, title: str, one: Calendar, policy: Policy) -> Timeline:
    shown = [tier for tier in reversed(TIERS) if policy.count(tier) or one.counts.get(tier)]
    lanes: dict[Tier | None, int] = {tier: 14 + LANE * place for place, tier in enumerate(shown)}
    others = [mark for mark in one.marks if mark.tier is None]
    if others:
        lanes[None] = 14 + LANE * len(shown)
    counts: dict[Tier | None, int] = {None: len(others)}
    counts.update(one.counts.items())
    oldest = age_words((one.at - one.oldest).total_seconds()) if one.oldest else ""
    total = len(one.marks)
    listed = ", ".join(f"{count} {tier}" for tier, count in one.counts.items())
    return Timeline(
        key=key,
        title=title,
        height=14 + LANE * len(lanes) + 18,
        lanes=tuple(
            Lane(title=tier or "others", y=y, count=counts.get(tier, 0)) for tier, y in lanes.items()
        ),
        dots=tuple(_dot(mark, one.at, lanes) for mark in one.marks),
        ticks=tuple((_x(seconds), words) for seconds, words in _TICKS),
        total=total,
        oldest=oldest,
        summary=counted(total, "snapshot") + (f": {listed}" if listed else ""),
    )


def _dot(mark: Mark, at: datetime, lanes: dict[Tier | None, int]) -> Dot:
    age_s = (at - mark.moment).total_seconds()
    return Dot(
        x=_x(age_s), y=lanes[mark.tier], real=mark.real,
        words=f"{stamp(mark.moment, '%Y-%m-%d %H:%M')}, {mark.why}",
    )  # fmt: skip


def _x(age_s: float) -> float:
    """Half an hour at the left, six years at the right."""
    least, most = log10(_HOUR / 2), log10(_LONGEST_S)
    share = (log10(min(max(age_s, _HOUR / 2), _LONGEST_S)) - least) / (most - least)
    return round(LEFT + share * (WIDTH - LEFT - 24), 1)
