"""Lets files share the blocks of another one of the same dataset, where their bytes are the same.

`python -m host.programs.clones --dataset NAME --kept PATH --path PATH …` says on a line for each what
became of it. It ends with 3, and why is on its stderr, where none could be.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager

from host.files import cloning, opening
from host.files.cloning import NotShared, Stopped
from host.files.copying import words_of
from host.files.names import BadPath, components, plain
from host.files.opening import Root, Unreachable
from host.programs.signals import Stop

REFUSED = 3
Opened = Callable[[str, str | None], AbstractContextManager[Root]]


def main(arguments: list[str] | None = None, *, root: Opened = opening.dataset_root) -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(prog="python -m host.programs.clones", description=__doc__)
    parser.add_argument("--dataset", required=True, help="whose files they are")
    parser.add_argument("--kept", required=True, help="whose blocks they all have in the end")
    parser.add_argument("--path", required=True, action="append", help="of another one; may be repeated")
    asked = parser.parse_args(arguments)
    stop, shared, why = Stop(), 0, ""
    try:
        with root(asked.dataset, None) as live, opening.file(live, components(asked.kept)) as kept:
            for path in asked.path:
                try:
                    shared += _share(live, kept, path, stop)
                except (NotShared, Unreachable, BadPath, OSError) as error:
                    why = words_of(error) if isinstance(error, OSError) else str(error)
                    sys.stdout.write(f"{plain(path)} stays as it is. {why}\n")
    except Stopped:
        why = "It was stopped."
        sys.stdout.write(f"{why}\n")
    except (Unreachable, BadPath, OSError) as error:
        why = words_of(error) if isinstance(error, OSError) else str(error)
    if shared or not why:
        return 0
    sys.stderr.write(f"No file shares its blocks now. {why}\n")
    return REFUSED


def _share(live: Root, kept: int, path: str, stop: Stop) -> int:
    with opening.file(live, components(path), os.O_RDWR) as other:
        size = cloning.share(kept, other, stop.asked)
    sys.stdout.write(f"{plain(path)} shares its blocks now ({size} bytes).\n")
    return 1


if __name__ == "__main__":
    raise SystemExit(main())
