"""Backups, repositories and their runs for the eye."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from backups.answers import BackupAnswer, BackupRunAnswer, RepositoryAnswer, backup_answer, repository_answer
from backups.links import backup_href, repository_href
from frontend.states import StateView
from frontend.units import rate
from host.inventory import Inventory
from jobs.wording import counted, grouped, listed

KINDS = {"local": "Disk or folder", "sftp": "SFTP server", "rest": "REST server", "s3": "S3 storage"}
_STATES = {
    "running": StateView(tone="busy", icon="loader-circle", word="running"),
    "never": StateView(tone="warn", icon="circle-dashed", word="not stored yet"),
    "fresh": StateView(tone="good", icon="circle-check", word="up to date"),
    "old": StateView(tone="bad", icon="circle-alert", word="too old"),
}
_VERDICTS = {
    "good": StateView(tone="good", icon="circle-check", word="done"),
    "incomplete": StateView(tone="warn", icon="triangle-alert", word="incomplete"),
    "failed": StateView(tone="bad", icon="circle-x", word="failed"),
    "stopped": StateView(tone="idle", icon="ban", word="stopped"),
}
_WHAT = {"backup": "Backup", "check": "Check", "restore": "Restore"}


class RunView(msgspec.Struct, frozen=True, kw_only=True):
    """A run in a list; `done` and `whole` are bytes, both 0 where they are not known."""

    run: str
    what: str
    state: StateView
    started: str
    finished: str | None
    words: str
    figures: str = ""
    left: str = ""
    done: int = 0
    whole: int = 0
    skipped: tuple[str, ...] = ()


class BackupCard(msgspec.Struct, frozen=True, kw_only=True):
    """A backup in the list."""

    answer: BackupAnswer
    href: str
    state: StateView
    what: str
    aim: str
    run: RunView | None


class RepositoryCard(msgspec.Struct, frozen=True, kw_only=True):
    """A repository in the list."""

    answer: RepositoryAnswer
    href: str
    kind: str
    state: StateView


def cards(inventory: Inventory, user: Any, now: datetime) -> tuple[BackupCard, ...]:
    """All backups, the worst first."""
    found = [backup_card(backup_answer(one, inventory, user, now)) for one in inventory.backups.backups]
    order = ("old", "never", "running", "fresh")
    return tuple(sorted(found, key=lambda one: (order.index(one.answer.state), one.answer.name)))


def backup_card(answer: BackupAnswer) -> BackupCard:
    """One of them."""
    state = _STATES[answer.state]
    if answer.state != "old" and answer.last_run and answer.last_run.verdict == "failed":
        state = _VERDICTS["failed"]
    return BackupCard(
        answer=answer, href=backup_href(answer.name), state=_STATES["running"] if answer.running else state,
        what=listed([one.dataset for one in answer.datasets], 4), aim=hours(answer.aim_hours),
        run=run_view(answer.running) if answer.running else None,
    )  # fmt: skip


def repository_cards(inventory: Inventory, user: Any, now: datetime) -> tuple[RepositoryCard, ...]:
    """All repositories."""
    return tuple(
        repository_card(repository_answer(one, inventory, user, now))
        for one in inventory.backups.repositories
    )


def repository_card(answer: RepositoryAnswer) -> RepositoryCard:
    """One of them."""
    return RepositoryCard(
        answer=answer, href=repository_href(answer.name), kind=KINDS[answer.kind], state=_standing(answer)
    )


def _standing(answer: RepositoryAnswer) -> StateView:
    if not answer.ready:
        return StateView(tone="warn", icon="key-round", word="not connected")
    if answer.last_check and answer.last_check.code == "damaged":
        return StateView(tone="bad", icon="circle-x", word="damaged")
    if answer.proven_at:
        return StateView(tone="good", icon="circle-check", word="checked")
    return StateView(tone="idle", icon="circle-dashed", word="not checked yet")


def run_view(run: BackupRunAnswer) -> RunView:
    """With how far it has come."""
    state = _VERDICTS[run.verdict] if run.verdict else _STATES["running"]
    report = run.report
    shown = RunView(
        run=run.run, what=_WHAT[run.action], state=state, started=run.started_at, finished=run.finished_at,
        words=run.words or (report.phase if report else "") or "It begins.",
        skipped=report.skipped if report else (),
    )  # fmt: skip
    if report is None or run.action == "check":
        return shown
    figures = counted(report.files, "file")
    left = ""
    if run.verdict is None:
        if report.total_files:
            figures = f"{grouped(report.files)} of {counted(report.total_files, 'file')}"
        if report.bytes_per_s:
            figures = f"{figures}, {rate(report.bytes_per_s)}"
        if report.remaining_s:
            left = f"About {span(report.remaining_s)} left"
    return msgspec.structs.replace(
        shown, figures=figures, left=left, done=report.size_bytes, whole=report.total_bytes
    )


def span(seconds: int) -> str:
    """`90` → `2 minutes`."""
    if seconds < 60:
        return counted(seconds, "second")
    if seconds < 7200:
        return counted(-(-seconds // 60), "minute")
    return counted(round(seconds / 3600), "hour")


def hours(count: int) -> str:
    """`36` → `36 hours`, `72` → `3 days`."""
    return counted(count // 24, "day") if count > 48 and count % 24 == 0 else counted(count, "hour")
