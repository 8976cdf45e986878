"""Progress of scrubs, resilvers, expansions, removals, trims and initializations, with an estimate.

- Done and due are the kernel's own: of a scan what was issued, of what was to be examined less what needs no
  check (cmd/zpool/zpool_main.c, print_scan_scrub_resilver_status). Nothing is invented.
- The pace is that of the current pass: a scan begins a new pass when the pool is imported or a scrub goes on,
  and the pace before that says nothing about now.
- zpool shows one figure. Here it is a range: disks are up to twice as fast outside as inside (the inner
  tracks hold half as much), so all that is left may come at half the pace so far, up to the very end; and
  small blocks, which come slower, may lie behind: so from 0.8 to 2 times as long.
- No estimate before two minutes and 1 % of the pass, nor below 1 MB/s: scans sort metadata first and issue in
  bursts (Nielsen, "Sorted scrub/resilver", OpenZFS 0.8), and an early figure is off by ten.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Literal

import msgspec

from host.inventory import Filling, Pool, Scan, leaves

FIRST_S, FIRST_SHARE, SLOWEST = 120.0, 0.01, 1_000_000.0
_SOONEST, _LATEST = 0.8, 2.0
Kind = Literal["scrub", "resilver", "expansion", "removal", "trim", "initialize", "checkpoint"]


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that takes long. `percent` is 0 to 100; `soonest_s` and `latest_s` are None where there is
    no estimate yet, and `why_no_estimate` says why."""

    kind: Kind
    state: Literal["running", "paused", "waiting"]
    subject: str = ""  # the vdev, where it is not the whole pool
    percent: float | None = None
    done_bytes: int = 0
    total_bytes: int = 0
    bytes_per_second: int | None = None  # of the current pass
    soonest_s: int | None = None
    latest_s: int | None = None
    why_no_estimate: str = ""
    started: str | None = None
    errors: int = 0


def under_way(pool: Pool, at: datetime) -> tuple[Progress, ...]:
    """All that the kernel does to `pool` at the time of the probe."""
    return tuple(_all(pool, at))


def estimate(*, left: int, done: int, due: int, passed_s: float) -> tuple[int | None, int | None, str]:
    """Seconds to the end, soonest and latest, or why there is no estimate.

    `done` bytes were done in the `passed_s` seconds of the current pass; `left` of `due` remain.
    """
    if left <= 0:
        return 0, 0, ""
    if passed_s < FIRST_S or done < FIRST_SHARE * due:
        return None, None, "It has only just started: the first minutes say little about the rest."
    pace = done / passed_s
    if pace < SLOWEST:
        return None, None, "It is hardly progressing, so there is no estimate."
    straight = left / pace
    return round(_SOONEST * straight), round(_LATEST * straight), ""


def _all(pool: Pool, at: datetime) -> Iterator[Progress]:
    if pool.scan is not None and pool.scan.state == "SCANNING":
        yield _scan(pool.scan, at)
    for kind, move in (("expansion", pool.expansion), ("removal", pool.removal)):
        if move is None or move.state != "SCANNING":
            continue
        waits = pool.expansion is move and pool.expansion.waiting
        passed = _since(move.started, at)
        soonest, latest, why = estimate(
            left=move.total_bytes - move.copied_bytes, done=move.copied_bytes, due=move.total_bytes,
            passed_s=passed,
        )  # fmt: skip
        if waits:
            soonest, latest, why = None, None, "It is waiting for a resilver, or for errors to be cleared."
        yield Progress(
            kind=kind,  # type: ignore[arg-type]
            state="waiting" if waits else "running", subject=move.vdev or "",
            percent=_percent(move.copied_bytes, move.total_bytes), done_bytes=move.copied_bytes,
            total_bytes=move.total_bytes,
            bytes_per_second=round(move.copied_bytes / passed) if passed >= 1 and not waits else None,
            soonest_s=soonest, latest_s=latest, why_no_estimate=why, started=move.started,
        )  # fmt: skip
    if pool.checkpoint is not None and pool.checkpoint.state == "DISCARDING":
        why = "ZFS does not say how much of it is left."
        yield Progress(kind="checkpoint", state="running", why_no_estimate=why)
    for vdev in pool.vdevs:
        for leaf in leaves(vdev):
            if leaf.trim:
                yield from _filling("trim", leaf.trim, leaf.name, at)
            if leaf.initialize:
                yield from _filling("initialize", leaf.initialize, leaf.name, at)


def _scan(scan: Scan, at: datetime) -> Progress:
    due = max(0, scan.total_bytes - scan.skipped_bytes)
    kind: Kind = "resilver" if scan.function == "RESILVER" else "scrub"
    passed = _since(scan.pass_started or scan.started, at)
    soonest, latest, why = estimate(
        left=due - scan.issued_bytes, done=scan.pass_issued_bytes, due=due, passed_s=passed
    )
    if scan.paused is not None:
        soonest, latest, why = None, None, "It is paused, and continues from where it was."
    return Progress(
        kind=kind,
        state="paused" if scan.paused is not None else "running",
        percent=_percent(scan.issued_bytes, due),
        done_bytes=scan.issued_bytes,
        total_bytes=due,
        bytes_per_second=round(scan.pass_issued_bytes / passed)
        if passed >= 1 and scan.paused is None
        else None,
        soonest_s=soonest,
        latest_s=latest,
        why_no_estimate=why,
        started=scan.started,
        errors=scan.errors,
    )


def _filling(kind: Kind, filling: Filling, name: str, at: datetime) -> Iterator[Progress]:
    if filling.state not in {"ACTIVE", "SUSPENDED"}:
        return
    running = filling.state == "ACTIVE"
    passed = _since(filling.changed, at)
    soonest, latest, why = estimate(
        left=filling.total_bytes - filling.done_bytes, done=filling.done_bytes, due=filling.total_bytes,
        passed_s=passed,
    )  # fmt: skip
    if not running:
        soonest, latest, why = None, None, "It is suspended, and continues from where it was."
    yield Progress(
        kind=kind, state="running" if running else "paused", subject=name.rpartition("/")[2],
        percent=_percent(filling.done_bytes, filling.total_bytes), done_bytes=filling.done_bytes,
        total_bytes=filling.total_bytes, soonest_s=soonest, latest_s=latest, why_no_estimate=why,
        started=filling.changed, errors=filling.errors,
    )  # fmt: skip


def _since(started: str | None, at: datetime) -> float:
    return max(0.0, (at - datetime.fromisoformat(started)).total_seconds()) if started else 0.0


def _percent(done: int, due: int) -> float | None:
    return round(min(100.0, 100 * done / due), 2) if due > 0 else None
