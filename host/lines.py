"""Long answers line by line."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from itertools import batched

_AT_ONCE = 200  # names in one command


def lines(text: str) -> Iterator[str]:
    """The lines of `text`, one after the other rather than all at once. A line feed alone ends one."""
    start = 0
    while (end := text.find("\n", start)) >= 0:
        yield text[start:end]
        start = end + 1
    if start < len(text):
        yield text[start:]


def by_path(text: str) -> dict[str, list[str]]:
    """The lines of each file, from lines that stand behind its path and NUL, as grep prints them."""
    found: dict[str, list[str]] = {}
    for line in lines(text):
        path, _, rest = line.partition("\0")
        found.setdefault(path, []).append(rest)
    return found


def rows(text: str, columns: int) -> Iterator[list[str]]:
    """The lines with exactly so many columns, which tabs part.

    A property that was set elsewhere may hold line feeds and tabs, which zfs prints as they are. What is in
    pieces then is no row: a pool that is imported must not keep all others from being read.
    """
    start = 0
    while (end := text.find("\n", start)) >= 0:  # `lines` once more: this is the longest answer of all
        found = text[start:end].split("\t")
        start = end + 1
        if len(found) == columns:
            yield found
    found = text[start:].split("\t")
    if len(found) == columns:
        yield found


Ask = Callable[[tuple[str, ...]], str]  # what the same command says of these alone
type Blocks[T] = dict[str, dict[str, T]]  # what each name's rows say, by their second column
type Parsed[T] = tuple[Blocks[T], set[str]]  # with the names whose rows may not all be their own


def nothing(_: tuple[str, ...]) -> str:
    """An `Ask` that leaves doubted names out."""
    return ""


def about(known: Container[str], ask: Ask) -> Ask:
    """`ask` for known names only: others were made up, and may not even be names."""

    def asked(names: tuple[str, ...]) -> str:
        there = tuple(name for name in names if name in known)
        return ask(there) if there else ""

    return asked


def blocks[T](
    found: Iterable[list[str]], said: Callable[[list[str]], T], *, first: str | None = None
) -> Parsed[T]:
    """What `said` makes of the rows of each name, and the names whose rows may not all be their own.

    A value with line feeds can look like whole rows of another name. But zfs says all of a name at once, each
    property once, and `first` one whose value nobody chooses: a row that is added is another beginning, or
    there twice.
    """
    report: Blocks[T] = {}
    doubted: set[str] = set()
    current, own = "", dict[str, T]()
    for row in found:
        name, key = row[0], row[1]
        if name != current:
            current = name
            if name in report or (first is not None and key != first):
                doubted.add(name)
            own = report.setdefault(name, {})
        if key in own:
            doubted.add(name)
        else:
            own[key] = said(row)
    return report, doubted


def sound[T](parse: Callable[[str], Parsed[T]], text: str, ask: Ask) -> Blocks[T]:
    """What each name's own rows say: doubted names are asked again without the others, in the end alone.

    JSON is no way out: zfs breaks it off at bytes that are no UTF-8, and drops characters above U+FFFF.
    """
    report, doubted = parse(text)
    if not doubted:
        return report
    again = _asked(parse, tuple(name for name in report if name in doubted), ask)
    return {
        name: again[name] if name in doubted else own
        for name, own in report.items()
        if name not in doubted or name in again
    }


def _asked[T](parse: Callable[[str], Parsed[T]], names: tuple[str, ...], ask: Ask) -> Blocks[T]:
    found: Blocks[T] = {}
    for some in batched(names, _AT_ONCE):
        report, doubted = parse(ask(some))
        if len(some) == 1:
            doubted = set()  # it is its own values that say so
        found |= {name: report[name] for name in some if name in report and name not in doubted}
        still = tuple(name for name in some if name in doubted)
        half = (len(still) + 1) // 2
        for part in (still[:half], still[half:]):
            if part:
                found |= _asked(parse, part, ask)
    return found
