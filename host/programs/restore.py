"""Brings a file or folder back from a snapshot, beside or over what is there. Nothing is rolled back.

`python -m host.programs.restore --restore ID --dataset NAME --snapshot TAG --path … --folder … --name …`
copies under a name of its own and puts the finished copy in its place in one step. It says READY=1 when
that is done, or after twenty seconds, and goes on: until then to end with 3 is to refuse, and why is one
line on its stderr.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from itertools import count
from pathlib import Path
from typing import Protocol

from host.files import entries, opening, renaming
from host.files.copying import (
    Copier,
    Identity,
    Stopped,
    Uncopied,
    Within,
    identity,
    is_still,
    remove,
    remove_own,
    words_of,
)
from host.files.names import LONGEST_NAME, BadPath, components, plain, readable, shown
from host.files.opening import Root, Unreachable
from host.files.places import REPORTS
from host.programs.restore_report import RestoreReport
from host.programs.signals import Stop, ready

REFUSED = 3
REPORT_AFTER_S = 20.0
_BEFORE = b".before-restore"
_MEASURED_S = 10.0
Opened = Callable[[str, str | None], AbstractContextManager[Root]]


class Refused(Exception):
    """It cannot be restored; the text says why and what helps."""


class Asking(Protocol):
    """Whether someone asked for the end."""

    def asked(self) -> bool:
        """True from then on."""


class Restore:
    """One restore, from the checks at both ends to the copy in its place."""

    def __init__(
        self,
        report: RestoreReport,
        *,
        stop: Asking,
        clock: Callable[[], float],
        say_ready: Callable[[], None],
    ) -> None:
        self._report, self._stop, self._clock, self._say_ready = report, stop, clock, say_ready
        self._began = clock()
        self.ready = False
        self.left = ""  # what became of what was there before, if that is still there

    def carry_out(self, frozen: Root, live: Root, source: str, folder: str, name: str, *, over: bool) -> None:
        """Raises `Refused`, `Unreachable`, `BadPath`, `OSError`; then the copy is not in its place."""
        names = components(source)
        if not names:
            raise Refused("To restore the whole dataset, roll it back or clone the snapshot.")
        within = self._clock() + _MEASURED_S
        measured = entries.measure(frozen, names, in_time=lambda: self._clock() < within)
        self._report.note(total_files=measured.files, total_bytes=measured.size_bytes)
        with (
            opening.folder(frozen, names[:-1]) as original,
            opening.folder(live, components(folder)) as outer,
        ):
            temporary = Within(outer, self._report.temporary, live.device)
            target = Within(outer, readable(name), live.device)
            _check(target, over=over)
            _tidy(temporary)  # what an earlier try left behind when the power went
            copier = Copier(self._after)
            try:
                self._copy(copier, Within(original, names[-1], frozen.device), temporary)
                replaced = _put(temporary, copier.made, target, over=over)
            finally:
                remove_own(temporary, copier.made)
            os.fsync(outer)
            if self.ready:
                self._keep_before(temporary, replaced, target)
            else:
                self._remove_before(temporary, replaced)

    def _keep_before(self, temporary: Within, replaced: Identity | None, target: Within) -> None:
        """What is in it may have been saved while this copied, and is in no snapshot."""
        if replaced is None or not is_still(temporary, replaced):
            return
        shown_as = plain(shown(_set_aside(temporary, target)))
        self.left = (
            f" What was there until then is called {shown_as}: delete it when nothing in it is needed."
        )

    def _remove_before(self, temporary: Within, replaced: Identity | None) -> None:
        """The copy is in its place by now: what cannot be removed any more does not make it fail."""
        try:
            remove_own(temporary, replaced)
        except OSError as error:
            name = plain(shown(temporary.name))
            self.left = f" What was there before could not be removed, and is called {name} now: "
            self.left += words_of(error)

    def _copy(self, copier: Copier, source: Within, target: Within) -> None:
        try:
            copier.copy(source, target)
        except Uncopied as error:
            raise Refused(str(error)) from None

    def _after(self, files: int, size: int) -> None:
        if self._stop.asked():
            raise Stopped
        self._report.note(files=files, size_bytes=size)
        if not self.ready and self._clock() - self._began > REPORT_AFTER_S:
            self.report_ready()

    def report_ready(self) -> None:
        """From here on the report shows the outcome, and not the exit status."""
        self.ready = True
        self._say_ready()


def _check(target: Within, *, over: bool) -> None:
    try:
        status = os.stat(target.name, dir_fd=target.folder, follow_symlinks=False)
    except FileNotFoundError:
        return
    if not over:
        name = plain(shown(target.name))
        raise Refused(f"There is a {name} already, and it stays as it is. Choose another name.")
    if status.st_dev != target.device:
        raise Refused(f"Another dataset is mounted at {plain(shown(target.name))}.")


def _put(temporary: Within, made: Identity | None, target: Within, *, over: bool) -> Identity | None:
    """What was there, and has the copy's name now."""
    if made is None:
        raise Refused("It is a socket or a device, and these are not copied.")
    if not is_still(temporary, made):
        raise Refused("Somebody renamed the copy before it was finished. Nothing was put in its place.")
    try:
        renaming.place(temporary.folder, temporary.name, target.name)
    except FileExistsError:
        if not over:
            raise Refused(f"A {plain(shown(target.name))} came meanwhile, and it stays as it is.") from None
        # What was there takes the copy's name, and is removed: the safety snapshot keeps it.
        before = identity(os.stat(target.name, dir_fd=target.folder, follow_symlinks=False))
        renaming.exchange(temporary.folder, temporary.name, target.name)
        return before
    return None


def _set_aside(temporary: Within, target: Within) -> bytes:
    """The name that it has then: its own, so that no later restore takes it for what that left behind."""
    for number in count(1):
        suffix = _BEFORE + (f"-{number}".encode() if number > 1 else b"")
        name = _shortened(target.name, LONGEST_NAME - len(suffix)) + suffix
        try:
            renaming.place(temporary.folder, temporary.name, name)
        except FileExistsError:
            continue
        except OSError:
            break
        return name
    return temporary.name


def _shortened(name: bytes, length: int) -> bytes:
    """At most `length` bytes of it, and no half of a letter."""
    if len(name) <= length:
        return name
    while length and name[length] & 0xC0 == 0x80:  # a byte of UTF-8 that goes on with a letter
        length -= 1
    return name[:length]


def _tidy(temporary: Within) -> None:
    with suppress(FileNotFoundError):
        remove(temporary)


def main(arguments: list[str] | None = None, *, root: Opened = opening.dataset_root) -> int:
    """The exit status."""
    asked = _parser().parse_args(arguments)
    clock, stop = time.monotonic, Stop()
    target = f"{asked.folder}/{asked.name}".removeprefix("/")
    report = RestoreReport(
        asked.reports,
        restore=asked.restore,
        dataset=asked.dataset,
        source=asked.path,
        target=target,
        clock=clock,
    )
    restore = Restore(report, stop=stop, clock=clock, say_ready=ready)
    try:
        with root(asked.dataset, asked.snapshot) as frozen, root(asked.dataset, None) as live:
            restore.carry_out(frozen, live, asked.path, asked.folder, asked.name, over=asked.over)
    except Stopped:
        report.end(
            "stopped", "It was stopped. What had been copied was removed, and nothing else has changed."
        )
        return 0 if restore.ready else _refuse("It was stopped.")
    except (Refused, Unreachable, BadPath, OSError) as error:
        why = words_of(error) if isinstance(error, OSError) else str(error)
        report.end("failed", why)
        return 0 if restore.ready else _refuse(why)
    report.end("restored", f"{plain(target)} is back.{restore.left}")
    if not restore.ready:
        restore.report_ready()
    return 0


def _refuse(why: str) -> int:
    sys.stderr.write(f"{why}\n")
    return REFUSED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m host.programs.restore", description=__doc__)
    for name, text in (
        ("restore", "what the restore and its report are called"),
        ("dataset", "whose file it is"),
        ("snapshot", "its name behind the @"),
        ("path", "in the snapshot, from the dataset's own folder"),
        ("folder", "of the live state, into which it is put"),
        ("name", "which it has there"),
    ):
        parser.add_argument(f"--{name}", required=True, help=text)
    parser.add_argument("--over", action="store_true", help="take the place of what is there")
    parser.add_argument("--reports", type=Path, default=Path(REPORTS), help="the folder of reports")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
