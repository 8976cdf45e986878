"""Parser of the marks of snapshots (tab-separated)."""

from __future__ import annotations

from functools import partial

from host.base import Host
from host.commands.datasets.marks import FIRST, ZfsGetMarks
from host.commands.datasets.zfs import MARK
from host.lines import Ask, Parsed, about, blocks, nothing, rows, sound

_AT_ONCE = 1000  # names in one command: 255 bytes each stay well below the kernel's 2 MiB for all arguments


def parse_marks(text: str, ask: Ask = nothing, *, even_bound: bool = False) -> dict[str, str]:
    """By the name of each snapshot with a mark of its own: the mark. Without those that a hold or a clone
    binds, unless `even_bound`."""
    marks: dict[str, str] = {}
    bound: set[str] = set()
    report = sound(_blocks, text, ask)
    for name, prop, value, source in (row for own in report.values() for row in own.values()):
        if prop == MARK and source == "local":
            marks[name] = value
        elif prop != MARK and value not in {"", "-", "0"}:
            bound.add(name)
    return {name: mark for name, mark in marks.items() if even_bound or name not in bound}


def read_marks(host: Host, names: tuple[str, ...], *, even_bound: bool = False) -> dict[str, str]:
    """The marks of the snapshots `names`, of any pools. Raises `HostError`."""
    found: dict[str, str] = {}
    for start in range(0, len(names), _AT_ONCE):
        some = names[start : start + _AT_ONCE]
        known = frozenset(some)
        marks = parse_marks(_read(host, some), about(known, partial(_read, host)), even_bound=even_bound)
        found |= {name: mark for name, mark in marks.items() if name in known}
    return found


def _read(host: Host, names: tuple[str, ...]) -> str:
    return host.run(ZfsGetMarks(names=names)).stdout


def _blocks(text: str) -> Parsed[list[str]]:
    return blocks(rows(text, 4), list, first=FIRST)
