"""Copies of the settings as values for the eye."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from hashlib import sha256
from urllib.parse import quote

import msgspec

from frontend.states import StateView
from frontend.units import moment
from jobs.wording import counted
from machine.backup.listing import CopyAnswer
from machine.backup.report import CopiesAnswer, PoolStands

_OLD = timedelta(days=1, hours=6)  # they are looked at once a day
_MOST = 12  # rows of a pool that are shown at once


class CopyRow(msgspec.Struct, frozen=True, kw_only=True):
    """One copy."""

    name: str
    made_at: str | None
    host: str
    version: str
    holds: str
    secrets: str
    size_bytes: int
    problem: str
    ours: bool
    fits: bool
    download: str


class PoolCopiesView(msgspec.Struct, frozen=True, kw_only=True):
    """One pool with its copies."""

    name: str
    state: StateView
    why: str
    checked_at: str | None
    rows: tuple[CopyRow, ...]
    more: int


def pools(report: CopiesAnswer) -> tuple[PoolCopiesView, ...]:
    """All of them."""
    return tuple(_pool(one, enabled=report.enabled) for one in report.results)


def mark(report: CopiesAnswer) -> str:
    """Changes whenever something is to be shown anew."""
    return sha256(msgspec.json.encode(report)).hexdigest()[:16]


def _pool(one: PoolStands, *, enabled: bool) -> PoolCopiesView:
    rows = tuple(_row(one.pool, copy) for copy in one.copies)
    return PoolCopiesView(
        name=one.pool,
        state=_state(one, enabled=enabled),
        why=one.problem or one.why_not or "",
        checked_at=one.checked_at,
        rows=rows[:_MOST],
        more=len(rows[_MOST:]),
    )


def _state(one: PoolStands, *, enabled: bool) -> StateView:
    if one.why_not:
        return StateView(tone="warn", icon="triangle-alert", word="cannot be written")
    if not enabled:
        return StateView(tone="idle", icon="circle-dashed", word="backup is off")
    if one.checked_at is None:
        return StateView(tone="idle", icon="clock", word="not yet")
    checked = moment(one.checked_at)
    if checked is not None and datetime.now(UTC) - checked > _OLD:
        return StateView(tone="warn", icon="triangle-alert", word="overdue")
    if not one.current:
        return StateView(tone="idle", icon="clock", word="follows within minutes")
    return StateView(tone="good", icon="circle-check", word="up to date")


def _row(pool: str, copy: CopyAnswer) -> CopyRow:
    return CopyRow(
        name=copy.name,
        made_at=copy.made_at,
        host=copy.host or "",
        version=copy.version or "",
        holds=_holds(copy.holds),
        secrets="with passwords" if copy.secrets else "without passwords",
        size_bytes=copy.size_bytes,
        problem=copy.problem or "",
        ours=bool(copy.ours),
        fits=bool(copy.fits),
        download=f"/settings/copies/{quote(pool, safe='')}/{copy.name}/",
    )


def _holds(holds: dict[str, int]) -> str:
    words = (("accounts", "account"), ("people", "person,people"), ("SMB shares", "SMB share"),
             ("NFS shares", "NFS share"))  # fmt: skip
    found = []
    for key, word in words:
        if count := holds.get(key, 0):
            found.append(counted(count, *word.split(",")))
    return ", ".join(found)
