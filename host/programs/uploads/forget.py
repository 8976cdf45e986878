"""Removes what arrived of a file that nobody sent to its end.

`python -m host.programs.uploads.forget --dataset NAME --folder … --upload ID` ends with 0 where nothing of it
is left, and with 3 where that cannot be. It removes a regular file of that very name that is a person's, and
nothing else.
"""

from __future__ import annotations

import argparse
import os
import stat
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager

from host.files import opening
from host.files.names import UNFINISHED, BadPath, components
from host.files.opening import Root, Unreachable, held
from host.inventory.people import FIRST_PERSON, LAST_PERSON

REFUSED = 3
Opened = Callable[[str, str | None], AbstractContextManager[Root]]


def main(arguments: list[str] | None = None, *, root: Opened = opening.dataset_root) -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(prog="python -m host.programs.uploads.forget", description=__doc__)
    parser.add_argument("--dataset", required=True)
    parser.add_argument("--folder", default="", help="from the dataset's own")
    parser.add_argument("--upload", required=True, help="its id")
    asked = parser.parse_args(arguments)
    try:
        names = components(asked.folder)
        with root(asked.dataset, None) as opened, held(opened, names) as folder:
            _remove(folder, opened.device, UNFINISHED + asked.upload.encode())
    except Unreachable as error:
        if error.code == "not-found":  # its folder was removed, and with it all that was in it
            return 0
        return _refuse(str(error))
    except (BadPath, OSError) as error:
        return _refuse(str(error))
    return 0


def _remove(folder: int, device: int, name: bytes) -> None:
    try:
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except (FileNotFoundError, NotADirectoryError):
        return
    ours = stat.S_ISREG(status.st_mode) and status.st_dev == device
    if ours and FIRST_PERSON <= status.st_uid <= LAST_PERSON:
        os.unlink(name, dir_fd=folder)


def _refuse(why: str) -> int:
    sys.stderr.write(f"{why}\n")
    return REFUSED


if __name__ == "__main__":
    raise SystemExit(main())
