"""What the machine says of the bounds of ZFS's cache."""

from __future__ import annotations

import re

from host.base import CommandFailed, Host
from host.commands.system.arc import STATS, ArcFiles
from host.contents import arc
from host.inventory.memory import ArcBounds, ArcLimit
from host.lines import by_path

_SETS = re.compile(r"[^#]*\bzfs_arc_(?:min|max)=")


def read_arc_limit(host: Host) -> ArcLimit:
    """Nothing where the machine does not report it. Raises `HostError`."""
    try:
        return parse_arc(host.run(ArcFiles()).stdout)
    except CommandFailed:
        return ArcLimit()


def parse_arc(text: str) -> ArcLimit:
    """From lines behind their path and NUL. What is commented out sets nothing."""
    found = by_path(text)
    rows = (row.split() for row in found.pop(STATS, ()))
    live = {row[0]: int(row[2]) for row in rows if len(row) == 3 and row[2].isdecimal()}
    ours = found.pop(arc.FILE, None)
    kept = arc.read("".join(f"{line}\n" for line in ours)) if ours is not None else None
    others = (path for path, lines in found.items() if any(_SETS.match(line) for line in lines))
    return ArcLimit(
        live=ArcBounds(max_bytes=live["c_max"], min_bytes=live.get("c_min", 0))
        if "c_max" in live
        else None,
        kept=kept, altered=ours is not None and kept is None, others=tuple(sorted(others)),
    )  # fmt: skip
