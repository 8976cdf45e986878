"""Prints facts of the files in a dataset or in its snapshots, as JSON; `host.commands.files` calls it.

`python -m host.programs.read_files list|see|measure|compare --dataset NAME …` ends with 0 whether there is
something or not; the answer says which.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager

import msgspec

from host.files import entries, opening, text
from host.files.answers import FileProblem, Measure, Sighting, Sightings
from host.files.names import BadPath, components, readable
from host.files.opening import Root, Unreachable

_LIMIT_S = 30.0  # for reading many entries; what is left out then is listed
Opened = Callable[[str, str | None], AbstractContextManager[Root]]


def main(
    arguments: list[str] | None = None,
    *,
    root: Opened = opening.dataset_root,
    clock: Callable[[], float] = time.monotonic,
) -> int:
    """The exit status. Prints one answer."""
    asked = _parser().parse_args(arguments)
    deadline = clock() + _LIMIT_S
    try:
        names = components(asked.path)
        answer = _ANSWERS[asked.action](asked, names, root, lambda: clock() < deadline)
    except BadPath as error:
        answer = FileProblem(code="not-found", message=str(error))
    except Unreachable as error:
        answer = FileProblem(code=error.code, message=str(error))
    except OSError as error:
        answer = FileProblem(code="unreadable", message=f"It cannot be read: {error.strerror}.")
    sys.stdout.write(msgspec.json.encode(answer).decode() + "\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m host.programs.read_files", description=__doc__)
    parser.add_argument("action", choices=sorted(_ANSWERS))
    parser.add_argument("--dataset", required=True)
    parser.add_argument(
        "--snapshot", action="append", default=[], help="its name behind the @; now if left out"
    )
    parser.add_argument("--path", default="", help="from the dataset's own folder")
    parser.add_argument("--after", help="where the page begins")
    parser.add_argument("--limit", type=int, default=100)
    parser.add_argument("--contains", default="", help="what a name has to contain")
    parser.add_argument("--live", action="store_true", help="read the live state too")
    parser.add_argument("--before", default="", help="a snapshot; now if empty")
    parser.add_argument("--then", default="", help="a snapshot; now if empty")
    parser.add_argument("--folder", default="", help="of the live state, where it would be put")
    parser.add_argument("--name", default="", help="which it would have there")
    parser.add_argument("--kept-as", default="", help="what safety snapshots are called, before a number")
    return parser


InTime = Callable[[], bool]


def _list(asked: argparse.Namespace, names: tuple[bytes, ...], root: Opened, _: InTime) -> msgspec.Struct:
    with root(asked.dataset, _only(asked.snapshot)) as opened:
        return entries.page(opened, names, after=asked.after, limit=asked.limit, contains=asked.contains)


def _see(
    asked: argparse.Namespace, names: tuple[bytes, ...], root: Opened, in_time: InTime
) -> msgspec.Struct:
    wanted: list[str | None] = [*([None] if asked.live else []), *asked.snapshot]
    seen: list[Sighting] = []
    for tag in wanted:
        if seen and not in_time():
            break
        seen.append(_sighting(asked.dataset, tag, names, root))
    return Sightings(seen=tuple(seen), unseen=tuple(tag for tag in wanted[len(seen) :] if tag is not None))


def _sighting(dataset: str, tag: str | None, names: tuple[bytes, ...], root: Opened) -> Sighting:
    try:
        with root(dataset, tag) as opened:
            return Sighting(tag=tag, entry=entries.entry_at(opened, names))
    except Unreachable as error:
        return Sighting(tag=tag, problem=None if error.code == "not-found" else error.code)
    except OSError:
        return Sighting(tag=tag, problem="unreadable")


def _measure(
    asked: argparse.Namespace, names: tuple[bytes, ...], root: Opened, in_time: InTime
) -> msgspec.Struct:
    with root(asked.dataset, _only(asked.snapshot)) as opened:
        measured = entries.measure(opened, names, in_time=in_time)
    inner, name = components(asked.folder), readable(asked.name)
    with root(asked.dataset, None) as live:
        measured = _with_target(measured, live, inner, name, in_time)
        return msgspec.structs.replace(measured, last_kept=_last_kept(live, asked.kept_as))


def _with_target(
    measured: Measure, live: Root, inner: tuple[bytes, ...], name: bytes, in_time: InTime
) -> Measure:
    try:
        with opening.folder(live, inner):
            pass
    except Unreachable as error:
        if error.code not in {"not-found", "not-a-folder"}:
            raise
        return msgspec.structs.replace(measured, folder_exists=False)
    try:
        there = entries.measure(live, (*inner, name), in_time=in_time)
    except Unreachable as error:
        if error.code != "not-found":
            raise
        return measured
    return msgspec.structs.replace(
        measured,
        target=there.entry,
        target_size_bytes=there.size_bytes,
        target_files=there.files,
        target_mounts=there.mounts,
    )


def _last_kept(live: Root, name: str) -> int:
    """The largest number behind snapshots of that name; 0 where there is none."""
    pattern = re.compile(rf"{re.escape(name)}-([0-9]{{1,9}})")
    try:
        descriptor = os.open(
            ".zfs/snapshot", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=live.descriptor
        )
    except OSError:
        return 0
    try:
        with os.scandir(descriptor) as found:
            numbers = [int(match[1]) for entry in found if (match := pattern.fullmatch(entry.name))]
    finally:
        os.close(descriptor)
    return max(numbers, default=0)


def _compare(asked: argparse.Namespace, names: tuple[bytes, ...], root: Opened, _: InTime) -> msgspec.Struct:
    texts = []
    for tag in (asked.before or None, asked.then or None):
        with root(asked.dataset, tag) as opened, opening.file(opened, names) as descriptor:
            texts.append(text.read_text(descriptor))
    return text.compare(*texts, labels=(asked.before or "now", asked.then or "now"))


def _only(tags: list[str]) -> str | None:
    return tags[0] if tags else None


_ANSWERS = {"compare": _compare, "list": _list, "measure": _measure, "see": _see}

if __name__ == "__main__":
    raise SystemExit(main())
