"""Writes, lists, checks, hands out and lays out copies of the console's settings on a pool.

`python -m host.programs.copies keep --dataset tank/.nasweb --content DIGEST [--secrets] [--anyway]` writes
one. `list` and `check` print an answer in JSON and end with 0 whether there is something or not; `stage` lays
a copy out for a restore; `hand-out` gives the open file once to the console's account. What cannot be done
ends with 3 and says why in one line. The dataset is mounted for this process alone (`host.backup.mounting`).
"""

from __future__ import annotations

import argparse
import os
import pwd
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import BinaryIO

import msgspec

from host.backup import staging, writing
from host.backup.archive import BadCopy
from host.backup.folders import Folders
from host.backup.manifest import Checked, Listing
from host.backup.mounting import Unreachable, mounted
from host.backup.store import Name, Shelf, check, read_name
from host.files.copying import words_of
from host.files.handover import Handed, send
from host.programs.hand_out import CONSOLE, caller, listen
from host.programs.signals import ready

REFUSED = 3
Opened = Callable[[str, bool], AbstractContextManager[int]]


@contextmanager
def _mounted(dataset: str, writes: bool) -> Iterator[int]:
    with mounted(dataset, Folders().workshop / "shelf", writes=writes) as descriptor:
        yield descriptor


class Refused(Exception):
    """It cannot be done; the text says why and what helps."""


def main(arguments: list[str] | None = None) -> int:
    """The exit status."""
    try:
        sys.stdout.write(carry_out(arguments))
    except Refused as refused:
        sys.stderr.write(f"{refused}\n")
        return REFUSED
    return 0


def carry_out(
    arguments: list[str] | None, *, opened: Opened = _mounted, folders: Folders | None = None
) -> str:
    """What is printed. Raises `Refused`."""
    asked = _parser().parse_args(arguments)
    copies = Copies(opened, folders or Folders())
    actions: dict[str, Callable[[argparse.Namespace], str]] = {
        "keep": copies.keep,
        "list": copies.list,
        "check": copies.check,
        "stage": copies.stage,
        "hand-out": copies.hand_out,
    }
    try:
        return actions[asked.action](asked)
    except (BadCopy, Unreachable, KeyError) as error:
        raise Refused(str(error)) from None
    except OSError as error:
        raise Refused(words_of(error)) from None


class Copies:
    """What can be done; each answers with what is printed. `opened` gives the folder of a dataset."""

    def __init__(self, opened: Opened, folders: Folders) -> None:
        self._opened, self._folders = opened, folders

    def keep(self, asked: argparse.Namespace) -> str:
        """Raises `BadCopy`, `Unreachable`, `OSError`."""
        manifest, data = writing.wanted(self._folders, asked.content, with_secrets=asked.secrets)
        with self._opened(asked.dataset, True) as folder:
            kept = writing.keep(Shelf(folder), manifest, data, anyway=asked.anyway)
        size = f"{max(1, len(data) >> 10)} KiB"
        said = (
            f"Written, {size}" if kept.written else "Nothing has changed since the last one, which is whole"
        )
        return f"{said}: {kept.name}. {kept.total} of this console are kept here.\n"

    def list(self, asked: argparse.Namespace) -> str:
        """The backups on a pool, as JSON; a pool that cannot be read gives the reason instead of an error."""
        try:
            with self._opened(asked.dataset, False) as folder:
                answer = Listing(copies=tuple(Shelf(folder).found()))
        except Unreachable as error:
            answer = Listing(problem=error.problem, why=str(error))
        return f"{msgspec.json.encode(answer).decode()}\n"

    def check(self, asked: argparse.Namespace) -> str:
        """The contents of one copy, as JSON, or why it cannot be used."""
        try:
            with self._source(asked) as (name, file):
                answer = staging.checked(name, file)
        except Unreachable as error:
            answer = Checked(problem=error.problem, why=str(error))
        except BadCopy as error:
            answer = Checked(problem="none", why=str(error))
        return f"{msgspec.json.encode(answer).decode()}\n"

    def stage(self, asked: argparse.Namespace) -> str:
        """Raises `BadCopy`, `Unreachable`, `OSError`."""
        with self._source(asked) as (name, file):
            group = staging.console_group() if asked.owned else None
            manifest = staging.stage(file, self._folders, group=group)
        return f"{name}, made {manifest.made_at} on {manifest.host}, is whole and laid out.\n"

    def hand_out(self, asked: argparse.Namespace) -> str:
        """Says READY=1 once it can be collected, and waits a minute. Raises as `stage`."""
        uid = pwd.getpwnam(CONSOLE).pw_uid
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
            listen(listener, asked.socket)
            with self._source(asked) as (name, file):
                data = check(file)
            # From memory: nobody has to wait for the pool until it is collected.
            with os.fdopen(os.memfd_create("copy"), "w+b") as held:
                held.write(data)
                held.seek(0)
                ready()
                with caller(listener, uid) as connection:
                    if connection is not None:
                        send(connection, Handed(name=name, size_bytes=len(data)), held.fileno())
        return ""

    @contextmanager
    def _source(self, asked: argparse.Namespace) -> Iterator[tuple[str, BinaryIO]]:
        if asked.upload:
            with writing.open_file(self._folders.uploads / asked.upload) as file:
                yield f"The copy {asked.upload}", file
            return
        with self._opened(asked.dataset, False) as folder:
            shelf = Shelf(folder)
            name = _wanted(shelf, asked.copy)
            with shelf.opened(name) as file:
                yield str(name), file


def _wanted(shelf: Shelf, asked: str | None) -> Name:
    names = shelf.names()
    # After an import the newest may be the one that this console wrote a minute ago, with nothing in it.
    if asked is None and len({name.origin for name in names}) > 1:
        raise BadCopy("Copies of several installations lie on this pool: say which one, by its name.")
    found = names[:1] if asked is None else [name for name in names if name == read_name(asked)]
    if not found:
        raise BadCopy("There is no such copy on this pool (any more).")
    return found[0]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m host.programs.copies", description=__doc__)
    parser.add_argument("action", choices=("keep", "list", "check", "stage", "hand-out"))
    parser.add_argument("--dataset", help="that holds copies")
    parser.add_argument("--content", help="what to keep: its name in the worker's folder")
    parser.add_argument("--secrets", action="store_true", help="with passwords")
    parser.add_argument("--anyway", action="store_true", help="though nothing has changed")
    parser.add_argument("--copy", help="its name; the newest where it is left out")
    parser.add_argument("--upload", help="instead of one on a pool, one that was sent")
    parser.add_argument("--owned", action="store_true", help="let the console's group read what is laid out")
    parser.add_argument("--socket", type=Path, help="where the console collects it")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
