"""Sets an access control list on all that lies in a folder of a dataset, and on the folder itself.

`python -m host.programs.apply_rights --run ID --dataset NAME --path … --acl …` says READY=1 once the folder
is open, and goes on: until then to end with 3 is to refuse, and why is one line on its stderr. How far it is
and how it ended is in its report. It follows no link, enters no other file system, and changes no owner.
"""

from __future__ import annotations

import argparse
import os
import stat
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from host.files import acl, opening, rights
from host.files.acl import Acl, BadAcl
from host.files.copying import words_of
from host.files.names import BadPath, components, joined
from host.files.opening import Root, Unreachable
from host.files.places import RIGHTS_REPORTS
from host.programs.rights import refuse
from host.programs.rights_report import RightsReport
from host.programs.signals import Stop, ready

_SNAPSHOTS = b".zfs"  # at the top, where ZFS shows snapshots: they never change
_HOLD = os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC
Opened = Callable[[str, str | None], AbstractContextManager[Root]]
Names = tuple[bytes, ...]


class Asking(Protocol):
    """Whether someone asked for the end."""

    def asked(self) -> bool:
        """True from then on."""


class Walk:
    """One run over a tree. A folder is set before what lies in it, so what is made meanwhile inherits it."""

    def __init__(self, report: RightsReport, listed: Acl, *, stop: Asking) -> None:
        self._report, self._stop = report, stop
        self._folders, self._plain = listed, listed.of_files
        self.stopped = False

    def carry_out(self, root: Root, top: Names) -> None:
        """Everything below `top`, and that itself. What refuses is noted, and the rest goes on."""
        waiting: list[Names] = [top]
        while waiting and not self.stopped:
            names = waiting.pop()
            try:
                with opening.folder(root, names) as descriptor:
                    rights.set_folder(descriptor, self._folders, self._folders)
                    self._report.count(folders=1)
                    waiting += self._entries(root, names, descriptor)
            except Unreachable as error:
                self._report.fail(joined(names), str(error))
            except OSError as error:
                self._report.fail(joined(names), words_of(error))

    def _entries(self, root: Root, names: Names, descriptor: int) -> list[Names]:
        """Set all files of a folder; the folders in it."""
        found: list[Names] = []
        with os.scandir(descriptor) as entries:
            for entry in entries:
                if self._stop.asked():
                    self.stopped = True
                    return []
                name = os.fsencode(entry.name)
                if not names and name == _SNAPSHOTS:
                    continue
                try:
                    if self._one(root, descriptor, name):
                        found.append((*names, name))
                except FileNotFoundError:
                    continue  # it was removed meanwhile
                except OSError as error:
                    self._report.fail(joined((*names, name)), words_of(error))
        return found

    def _one(self, root: Root, folder: int, name: bytes) -> bool:
        """Set one entry of a folder, if it is a file; whether it is a folder to be entered."""
        descriptor = os.open(name, _HOLD, dir_fd=folder)
        try:
            status = os.fstat(descriptor)
            if status.st_dev != root.device:
                self._report.count(skipped=1)
                return False
            if stat.S_ISDIR(status.st_mode):
                return True
            if not stat.S_ISREG(status.st_mode):
                self._report.count(skipped=1)
                return False
            rights.set_file(descriptor, self._folders, self._plain)
            self._report.count(files=1)
            return False
        finally:
            os.close(descriptor)


def main(
    arguments: list[str] | None = None,
    *,
    root: Opened = opening.dataset_root,
    stop: Asking | None = None,
    say_ready: Callable[[], None] = ready,
) -> int:
    """The exit status."""
    asked = _parser().parse_args(arguments)
    stop = stop or Stop()
    try:
        listed, names = acl.parse(asked.acl), components(asked.path)
        with root(asked.dataset, None) as live:
            with opening.folder(live, names):
                pass  # it is there
            report = RightsReport(
                asked.reports,
                run=asked.run,
                dataset=asked.dataset,
                path=asked.path,
                access=asked.acl,
                clock=time.monotonic,
            )
            say_ready()
            walk = Walk(report, listed, stop=stop)
            walk.carry_out(live, names)
    except (BadPath, BadAcl, Unreachable) as error:
        return refuse(str(error))
    except OSError as error:
        return refuse(words_of(error))
    report.end(stopped=walk.stopped)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m host.programs.apply_rights", description=__doc__)
    parser.add_argument("--run", required=True, help="what the run and its report are called")
    parser.add_argument("--dataset", required=True, help="whose files they are")
    parser.add_argument("--path", default="", help="of the folder, from the dataset's own")
    parser.add_argument("--acl", required=True, help="the list, as host.files.acl writes it")
    parser.add_argument("--reports", type=Path, default=Path(RIGHTS_REPORTS), help="the folder of reports")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
