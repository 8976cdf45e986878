"""A restore: into a folder of its own beside the target, cleaned of what no strange repository may bring, and
put in its place in one step. Nothing that is there is ever replaced."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from host.files import opening, renaming
from host.files.copying import DEEPEST, TOO_DEEP, Within, identity, is_still, remove, remove_lists, remove_own
from host.files.names import components, plain, readable
from host.files.opening import Root
from host.files.rights import path_of
from host.programs.backup.restic import Restic, number
from host.programs.backup.run_report import BackupReport
from host.repositories.words import RepositoryProblem
from host.system import mounts

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_SPECIAL = (stat.S_ISCHR, stat.S_ISBLK, stat.S_ISFIFO, stat.S_ISSOCK)
_GLOB = "\\*?["


class WantedRestore(NamedTuple):
    """Which path of which snapshot, and where it goes. Paths are text (`host.files.names`)."""

    stored: str
    path: str
    folder: str
    name: str


def restore(restic: Restic, report: BackupReport, live: Root, wanted: WantedRestore, at: Path) -> None:
    """`live` is the dataset, `at` where restic is shown the folder that it writes to. Raises
    `RepositoryProblem`, `Unreachable`, `BadPath`, `OSError`."""
    name = readable(wanted.name)
    temporary = f".nasweb-restore-{report.content.run}".encode()
    with opening.folder(live, components(wanted.folder)) as outer:
        if _is_there(outer, name):
            raise RepositoryProblem(
                "name-taken",
                f"There is a {plain(wanted.name)} already, and it stays as it is. Choose another name.",
            )
        place = Within(outer, temporary, live.device)
        with suppress(FileNotFoundError):
            remove(place)
        with _made(place) as inner:
            skipped = _fill(restic, report, wanted, inner, at)
            changed = _clean_brought(wanted, inner)
            _put(place, inner, components(wanted.path), name)
        os.fsync(outer)
    _end(report, wanted, skipped, changed)


@contextmanager
def _made(place: Within) -> Iterator[int]:
    """A new folder, open. Others may rename it and give its name to something else: only what was opened
    here is written to, and removed at the end if it is still called so."""
    os.mkdir(place.name, 0o700, dir_fd=place.folder)
    inner = os.open(place.name, _FOLDER, dir_fd=place.folder)
    try:
        status = os.fstat(inner)
        if status.st_uid != os.geteuid():
            raise _moved()
        remove_lists(path_of(inner))  # nothing that is brought is open to whom the outer folder lets in
        try:
            yield inner
        finally:
            remove_own(place, identity(status))
    finally:
        os.close(inner)


def _moved() -> RepositoryProblem:
    return RepositoryProblem(
        "other", "Somebody renamed the new folder before it was finished. Nothing was put in its place."
    )


def _fill(restic: Restic, report: BackupReport, wanted: WantedRestore, inner: int, at: Path) -> int:
    names = [os.fsdecode(one) for one in components(wanted.path)]
    what: tuple[str, ...] = (wanted.stored,)
    if names:
        last = "".join(f"\\{letter}" if letter in _GLOB else letter for letter in names[-1])
        what = (f"{wanted.stored}:/{'/'.join(names[:-1])}", f"--include=/{last}")
    mounts.show_at(inner, at)

    def follow(message: dict[str, Any]) -> None:
        if message.get("message_type") in {"status", "summary"}:
            elapsed, done = number(message, "seconds_elapsed"), number(message, "bytes_restored")
            report.note(
                files=number(message, "files_restored"), total_files=number(message, "total_files"),
                size_bytes=done, total_bytes=number(message, "total_bytes"),
                bytes_per_s=done // elapsed if elapsed else None,
            )  # fmt: skip

    report.note(phase="Bringing files back")
    try:
        # Capabilities of programs and the like are given by nobody from elsewhere.
        ended = restic.run(
            "restore", *what, f"--target={at}", "--exclude-xattr=security.*", "--exclude-xattr=trusted.*",
            "--no-lock", message=follow,
        )  # fmt: skip
    finally:
        mounts.unmount(at)
    if ended.unread_count == 0 or restic.asked():
        restic.check(ended)
    report.note(skipped=ended.unread, skipped_count=ended.unread_count)
    return ended.unread_count


def _clean_brought(wanted: WantedRestore, inner: int) -> int:
    names = components(wanted.path)
    if not names:
        return clean(inner)
    if not _is_there(inner, names[-1]):
        raise RepositoryProblem("not-found", f"There is no {plain(wanted.path)} in that snapshot.")
    return _clean_entry(inner, names[-1], 0)


def _put(place: Within, inner: int, names: tuple[bytes, ...], name: bytes) -> None:
    """The folder itself where `names` are none, else the last of them, which lies in it."""
    if not is_still(place, identity(os.fstat(inner))):
        raise _moved()
    try:
        if not names:
            renaming.place(place.folder, place.name, name)
            os.fchmod(inner, 0o755)  # as a dataset has it
            return
        # A name that is free in the outer folder, since one call renames within one folder alone.
        moving = place.name + b"-done"
        os.rename(names[-1], moving, src_dir_fd=inner, dst_dir_fd=place.folder)
        try:
            renaming.place(place.folder, moving, name)
        except OSError:
            os.rename(moving, names[-1], src_dir_fd=place.folder, dst_dir_fd=inner)
            raise
    except FileExistsError:
        raise RepositoryProblem(
            "name-taken", f"A {plain(os.fsdecode(name))} came meanwhile, and it stays as it is."
        ) from None


def clean(folder: int) -> int:
    """Take set-user-ID and set-group-ID from all files in a folder, remove devices, pipes and sockets; how
    many there were. Links stay as they are: nothing here follows them. Raises `RepositoryProblem`."""
    return _clean_all(folder, 0)


def _clean_all(folder: int, depth: int) -> int:
    if depth > DEEPEST:
        raise RepositoryProblem("other", TOO_DEEP[0].upper() + TOO_DEEP[1:])
    with os.scandir(folder) as entries:
        names = [os.fsencode(entry.name) for entry in entries]
    return sum(_clean_entry(folder, one, depth) for one in names)


def _clean_entry(folder: int, name: bytes, depth: int) -> int:
    status = os.stat(name, dir_fd=folder, follow_symlinks=False)
    if any(is_special(status.st_mode) for is_special in _SPECIAL):
        os.unlink(name, dir_fd=folder)
        return 1
    if stat.S_ISREG(status.st_mode) and status.st_mode & (stat.S_ISUID | stat.S_ISGID):
        os.chmod(name, stat.S_IMODE(status.st_mode) & 0o1777, dir_fd=folder)
        return 1
    if not stat.S_ISDIR(status.st_mode):
        return 0
    inner = os.open(name, _FOLDER, dir_fd=folder)
    try:
        return _clean_all(inner, depth + 1)
    finally:
        os.close(inner)


def _is_there(folder: int, name: bytes) -> bool:
    with suppress(FileNotFoundError):
        os.stat(name, dir_fd=folder, follow_symlinks=False)
        return True
    return False


def _end(report: BackupReport, wanted: WantedRestore, skipped: int, changed: int) -> None:
    words = f"{plain(f'{wanted.folder}/{wanted.name}'.removeprefix('/'))} is back."
    if changed:
        words += f" {changed} that were devices or had set-user-ID came back without."
    if skipped:
        report.end("incomplete", f"{words} {skipped} could not be brought back whole.", "unreadable")
    else:
        report.end("good", words)
