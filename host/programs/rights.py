"""Reads or sets who may do what with one folder of a dataset, as `host.commands.shares.rights` calls it.

`python -m host.programs.rights read --dataset NAME --path …` prints an answer in JSON and ends with 0 whether
there is such a folder or not. `set` ends with 3 where it cannot be done, with why on stderr.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager

import msgspec

from host.files import acl, opening, rights
from host.files.acl import BadAcl
from host.files.answers import FileProblem, FolderRights
from host.files.copying import words_of
from host.files.names import BadPath, components
from host.files.opening import Root, Unreachable

REFUSED = 3
Opened = Callable[[str, str | None], AbstractContextManager[Root]]


def main(arguments: list[str] | None = None, *, root: Opened = opening.dataset_root) -> int:
    """The exit status."""
    asked = _parser().parse_args(arguments)
    return _read(asked, root) if asked.action == "read" else _set(asked, root)


def _read(asked: argparse.Namespace, root: Opened) -> int:
    answer: FolderRights | FileProblem
    try:
        with root(asked.dataset, None) as live, opening.folder(live, components(asked.path)) as descriptor:
            answer = rights.read(descriptor)
    except BadPath as error:
        answer = FileProblem(code="not-found", message=str(error))
    except Unreachable as error:
        answer = FileProblem(code=error.code, message=str(error))
    except (OSError, BadAcl) as error:
        why = words_of(error) if isinstance(error, OSError) else str(error)
        answer = FileProblem(code="unreadable", message=f"Its rights cannot be read: {why}")
    sys.stdout.write(msgspec.json.encode(answer).decode() + "\n")
    return 0


def _set(asked: argparse.Namespace, root: Opened) -> int:
    try:
        listed = acl.parse(asked.acl)
        with root(asked.dataset, None) as live, opening.folder(live, components(asked.path)) as descriptor:
            rights.set_folder(descriptor, listed, listed)  # first: not every dataset takes lists
            rights.set_owner(descriptor, asked.owner, asked.group)
    except (BadPath, BadAcl, Unreachable) as error:
        return refuse(str(error))
    except OSError as error:
        return refuse(words_of(error))
    return 0


def refuse(why: str) -> int:
    """Say why on stderr; the exit status."""
    sys.stderr.write(f"{why}\n")
    return REFUSED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m host.programs.rights", description=__doc__)
    parser.add_argument("action", choices=("read", "set"))
    parser.add_argument("--dataset", required=True)
    parser.add_argument("--path", default="", help="of the folder, from the dataset's own")
    parser.add_argument("--owner", type=int, default=0, help="number of the user whose it becomes")
    parser.add_argument("--group", type=int, default=0, help="number of the group whose it becomes")
    parser.add_argument("--acl", default="", help="the list, as host.files.acl writes it")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
