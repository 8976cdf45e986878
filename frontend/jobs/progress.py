"""How far what takes hours has come, in words that promise nothing."""

from __future__ import annotations

from datetime import datetime

import msgspec

from alerts.live.progress import Progress, under_way
from frontend.states import StateView, Tone, tone_view
from frontend.units import binary, rate, roughly
from host.inventory import Pool
from jobs.wording import counted

_NAMES = {
    "scrub": "Scrub", "resilver": "Resilver", "expansion": "Expansion", "removal": "Removal", "trim": "Trim",
    "initialize": "Initialization", "checkpoint": "Discarding the checkpoint",
}  # fmt: skip
_TONES: dict[str, Tone] = {"running": "busy", "paused": "warn", "waiting": "idle"}


class ProgressView(msgspec.Struct, frozen=True, kw_only=True):
    """One thing under way: its bar, its figures, and when it may be over."""

    title: str
    state: StateView
    percent: float | None
    figures: str
    left: str
    started: str | None


def progress_views(pool: Pool, as_of: str) -> tuple[ProgressView, ...]:
    """All that is under way in `pool` at the time of the inventory."""
    return tuple(_view(one) for one in under_way(pool, datetime.fromisoformat(as_of)))


def brief_views(pool: Pool, as_of: str) -> tuple[ProgressView, ...]:
    """As `progress_views`, with disks that do the same, such as a trim, in one line."""
    kinds: dict[tuple[str, str], list[Progress]] = {}
    for one in under_way(pool, datetime.fromisoformat(as_of)):
        kinds.setdefault((one.kind, one.state), []).append(one)
    return tuple(_view(_together(same)) for same in kinds.values())


def _together(same: list[Progress]) -> Progress:
    """One line for all of `same`, which is over when the slowest of them is."""
    if len(same) == 1:
        return same[0]
    done, due = sum(one.done_bytes for one in same), sum(one.total_bytes for one in same)
    soonest, latest = [one.soonest_s for one in same], [one.latest_s for one in same]
    return msgspec.structs.replace(
        same[0], subject=counted(len(same), "disk"), done_bytes=done, total_bytes=due,
        percent=round(100 * done / due, 2) if due else None, errors=sum(one.errors for one in same),
        soonest_s=None if None in soonest else max(filter(None, soonest), default=0),
        latest_s=None if None in latest else max(filter(None, latest), default=0),
        why_no_estimate=next((one.why_no_estimate for one in same if one.why_no_estimate), ""),
    )  # fmt: skip


def _view(one: Progress) -> ProgressView:
    name = _NAMES[one.kind]
    figures = [f"{one.percent:.1f} %"] if one.percent is not None else []
    if one.total_bytes:
        figures.append(f"{binary(one.done_bytes)} of {binary(one.total_bytes)}")
    if one.bytes_per_second is not None:
        figures.append(f"{rate(one.bytes_per_second)} in this pass")
    if one.errors:
        figures.append(f"{one.errors} error{'' if one.errors == 1 else 's'}")
    return ProgressView(
        title=f"{name} of {one.subject}" if one.subject else name,
        state=tone_view(_TONES[one.state], one.state), percent=one.percent, figures=" · ".join(figures),
        left=_left(one), started=one.started,
    )  # fmt: skip


def _left(one: Progress) -> str:
    if one.soonest_s is None or one.latest_s is None:
        return f"The remaining time is not known yet. {one.why_no_estimate}"
    soonest, latest = roughly(one.soonest_s), roughly(one.latest_s)
    if soonest == latest:
        return f"{soonest} left"
    return f"{soonest} to {latest.removeprefix('≈ ')} left"
