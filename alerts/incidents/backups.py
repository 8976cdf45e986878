"""Backups that are older than they should be, and repositories that are damaged."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

from alerts.evidence import BackupTrouble, Evidence
from alerts.incidents.cause import Cause
from alerts.remedy import Remedy
from jobs.wording import counted


def causes(memory: Evidence) -> Iterator[Cause]:
    """One for each."""
    for one in memory.backups:
        yield _old(one) if one.what == "old" else _damaged(one)


def _old(one: BackupTrouble) -> Cause:
    aim = counted(one.aim_hours, "hour")
    stored = "Nothing is stored yet." if one.since is None else f"The newest whole state is of {one.since}."
    said = (f"The last run: {one.said}",) if one.said else ()
    return Cause(
        key=f"backup:{one.name}", kind="backup-old", severity="warning",
        title=f"The backup {one.name} is too old",
        details=(
            f"It should never be older than {aim}. {stored}", *said,
            "What was written since is on this machine alone.",
        ),
        steps=(
            Remedy(words="See what keeps it, and start it.", page=f"/backups/{quote(one.name, safe='')}/",
                   label="The backup"),
        ),
        subjects=(f"backup:{one.name}",),
    )  # fmt: skip


def _damaged(one: BackupTrouble) -> Cause:
    return Cause(
        key=f"repository:{one.name}", kind="repository-damaged", severity="critical",
        title=f"The repository {one.name} is damaged",
        details=(one.said, "Backups in it may not be readable when they are needed."),
        steps=(
            Remedy(words="See the check, and make a new repository elsewhere.",
                   page=f"/repositories/{quote(one.name, safe='')}/", label="The repository"),
        ),
        subjects=(f"repository:{one.name}",), since=one.since,
    )  # fmt: skip
