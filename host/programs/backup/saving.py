"""A backup: one snapshot after the other, then what the retention does not keep is removed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from itertools import batched
from pathlib import Path
from typing import Any, NamedTuple

from host.base import Host, HostError
from host.commands.datasets.snapshots import (
    ZfsDestroySnapshots,
    ZfsListSnapshots,
)
from host.commands.replication.points import MOST_AT_ONCE, SnapshotTimes
from host.lines import rows
from host.programs.backup.restic import INCOMPLETE, Ended, Restic, number
from host.programs.backup.run_report import BackupReport
from host.repositories.answers import SavedDataset
from host.repositories.places import SNAPSHOTS
from host.repositories.words import RepositoryProblem
from host.system import mounts

PRUNED_EVERY_S = 6.5 * 86_400.0
Mounted = Callable[[str], Any]  # a snapshot's name → a context with the folder that shows it


class Wanted(NamedTuple):
    """What is backed up, and as what."""

    backup: str
    host: str
    snapshots: tuple[str, ...]
    exclusions: tuple[str, ...]
    keep: tuple[str, ...]  # restic's flags
    pruned: Path  # its time is when what is not needed was last removed


def tag_of(backup: str) -> str:
    """Which snapshots in the repository are a backup's."""
    return f"nasweb-backup:{backup}"


class Saving:
    """One run. Raises `RepositoryProblem`, `OSError`."""

    def __init__(self, wanted: Wanted, restic: Restic, report: BackupReport, *, mounted: Mounted) -> None:
        self._wanted, self._restic, self._report, self._mounted = wanted, restic, report, mounted
        self._files = self._bytes = 0  # of the datasets that are done
        self._skipped: list[str] = []
        self._skipped_count = 0

    def carry_out(self, made: dict[str, datetime], exclusions: Path) -> None:
        """`made` is when each snapshot was taken."""
        self._restic.check(self._restic.run("unlock"))  # of locks whose owners are gone, and no others
        exclusions.write_text("".join(f"{one}\n" for one in self._wanted.exclusions))
        for name in self._wanted.snapshots:
            self._save(name, made[name], exclusions)
        untidy = self._tidy()
        self._end(untidy)

    def _save(self, name: str, made_at: datetime, exclusions: Path) -> None:
        dataset = name.partition("@")[0]
        self._report.note(phase=f"Reading {dataset}")
        with self._mounted(name) as folder:
            if not any(folder.iterdir()):  # restic refuses to make a snapshot of nothing
                empty = SavedDataset(dataset=dataset, snapshot="", made_at=made_at.isoformat())
                self._report.note(saved=(*self._report.content.saved, empty))
                return
            ended = self._restic.run(
                "backup", f"--host={self._wanted.host}", "--group-by=paths",
                f"--tag={tag_of(self._wanted.backup)}", f"--tag=dataset:{dataset}",
                f"--time={made_at:%Y-%m-%d %H:%M:%S}", f"--exclude-file={exclusions}", ".",
                at=str(folder), message=self._follow,
            )  # fmt: skip
        if ended.exit != INCOMPLETE:
            self._restic.check(ended)
        self._note(dataset, made_at, ended)

    def _follow(self, message: dict[str, Any]) -> None:
        if message.get("message_type") != "status":
            return
        done, elapsed = number(message, "bytes_done"), number(message, "seconds_elapsed")
        self._report.note(
            files=self._files + number(message, "files_done"), size_bytes=self._bytes + done,
            total_files=self._files + number(message, "total_files"),
            total_bytes=self._bytes + number(message, "total_bytes"),
            bytes_per_s=done // elapsed if elapsed else None,
            remaining_s=number(message, "seconds_remaining") or None,
        )  # fmt: skip

    def _note(self, dataset: str, made_at: datetime, ended: Ended) -> None:
        summary = ended.summary
        self._files += number(summary, "total_files_processed")
        self._bytes += number(summary, "total_bytes_processed")
        self._skipped += ended.unread
        self._skipped_count += ended.unread_count
        added = number(summary, "data_added_packed") or number(summary, "data_added")
        stored = SavedDataset(
            dataset=dataset, snapshot=str(summary.get("snapshot_id", "")), made_at=made_at.isoformat()
        )
        self._report.note(
            files=self._files, total_files=self._files, size_bytes=self._bytes, total_bytes=self._bytes,
            remaining_s=None, saved=(*self._report.content.saved, stored),
            new_bytes=self._report.content.new_bytes + added, skipped=tuple(self._skipped[:20]),
            skipped_count=self._skipped_count,
        )  # fmt: skip

    def _tidy(self) -> str:
        """Remove what is not kept. Why that failed; empty where it did not: the backup itself is made."""
        if not self._wanted.keep:
            return ""
        self._report.note(phase="Removing old snapshots", bytes_per_s=None)
        tag = f"--tag={tag_of(self._wanted.backup)}"
        try:
            self._restic.check(self._restic.run("forget", tag, "--group-by=paths", *self._wanted.keep))
            if _is_due(self._wanted.pruned):
                self._report.note(phase="Freeing space in the repository")
                self._restic.check(self._restic.run("prune"))
                self._wanted.pruned.touch()
        except RepositoryProblem as error:
            return str(error)
        return ""

    def _end(self, untidy: str) -> None:
        count = len(self._report.content.saved)
        what = "1 dataset is" if count == 1 else f"{count} datasets are"
        words = f"{what} in the repository."
        if self._skipped_count:
            files = "1 file" if self._skipped_count == 1 else f"{self._skipped_count} files"
            self._report.end("incomplete", f"{words} {files} could not be read.", "unreadable")
        elif untidy:
            self._report.end("good", f"{words} Old snapshots could not be removed. {untidy}", "not-thinned")
        else:
            self._report.end("good", words)


def _is_due(stamp: Path) -> bool:
    with suppress(OSError):
        return not 0 <= time.time() - stamp.stat().st_mtime < PRUNED_EVERY_S
    return True


@contextmanager
def mounted_below(workshop: Path, name: str) -> Iterator[Path]:
    """A snapshot, mounted where nobody else sees it: always in the same folder, so that restic finds what it
    stored of the dataset before. Raises `RepositoryProblem`, `OSError`."""
    folder = workshop / "data" / name.partition("@")[0]
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        mounts.mount(name.encode(), folder, b"zfs", mounts.HARMLESS | mounts.RDONLY)
    except OSError as error:
        raise RepositoryProblem(
            "unreadable", f"{name} cannot be mounted: {error.strerror}. Is the dataset locked?"
        ) from None
    try:
        yield folder
    finally:
        mounts.unmount(folder)


def times(host: Host, snapshots: tuple[str, ...]) -> dict[str, datetime]:
    """When each was taken. Raises `RepositoryProblem`, `HostError`."""
    found = {
        name: datetime.fromtimestamp(int(made), UTC)
        for some in batched(snapshots, MOST_AT_ONCE)
        for name, made in rows(host.run(SnapshotTimes(snapshots=some)).stdout, 2)
        if name in snapshots
    }
    if missing := [name for name in snapshots if name not in found]:
        raise RepositoryProblem("unreadable", f"The snapshot {missing[0]} is gone.")
    return found


def clean_up(host: Host, wanted: Wanted) -> None:
    """Destroy what was taken for this backup: now, and where an earlier run was cut off."""
    datasets = tuple(dict.fromkeys(name.partition("@")[0] for name in wanted.snapshots))
    prefix = f"{SNAPSHOTS}{wanted.backup}-"
    try:
        listed = host.run(ZfsListSnapshots(datasets=datasets)).stdout.splitlines()
    except HostError:
        return
    ours: dict[str, list[str]] = {}
    for line in listed:
        dataset, _, tag = line.partition("\t")[0].partition("@")
        if tag.startswith(prefix):
            ours.setdefault(dataset, []).append(tag)
    for dataset, tags in ours.items():
        with suppress(HostError):  # somebody holds or clones it: the next run tries again
            host.run(ZfsDestroySnapshots(dataset=dataset, tags=tuple(tags)))
