"""Checks, before and after root has something mounted, where that really is.

A command's value shows only what was requested. ZFS knows where a renamed, inherited or cloned file system
belongs, and only the folders show where a path leads: whoever may write to a share can put a symbolic link
there, and mount(2) follows it. So the hosts that run commands check here first, and again afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from host.base import CommandFailed, CommandTimedOut, Host, Result
from host.commands.base import Command, Mounting
from host.commands.datasets.zfs import ZfsListNames, ZfsMountpoints
from host.commands.pools.zpool import ZpoolGet
from host.lines import lines, rows
from host.mountpoints import place_fault
from host.probe.pools.pools import parse_zpool_get

_IN_PIECES = (
    "The mount point of {} or of a file system below it holds a line feed or a tab, so nobody can tell "
    "where it leads. Set it again in a root shell: zfs set -u mountpoint=none NAME"
)
REFUSED = 126  # as a shell answers for what it may not start
_OCTAL = re.compile(r"\\([0-7]{3})")
Resolve = Callable[[str], str]  # a path without symbolic links


class _Row(NamedTuple):
    place: str
    received: str
    source: str

    @property
    def own(self) -> bool:
        return self.source in {"local", "received"}


def refusal(wanted: dict[str, str], resolve: Resolve) -> str | None:
    """Why nothing is mounted at these folders; None where nothing is wrong with them."""
    for place in wanted.values():
        if fault := place_fault(place):
            return fault
        if (real := resolve(place)) != place:
            return (
                f"{place} is a symbolic link, or lies behind one: it leads to {real}. Remove the link, or "
                "choose a folder that is reached without one."
            )
    return None


def check_places(host: Host, command: Command, resolve: Resolve) -> dict[str, str]:
    """The folders of `expected`. Raises `CommandFailed` where one of them is refused, `HostError`."""
    wanted = expected(command, host)
    if reason := refusal(wanted, resolve):
        raise refused(command, reason)
    return wanted


def refused(command: Command, reason: str) -> CommandFailed:
    """How such a command fails."""
    return CommandFailed(command, Result(exit=REFUSED, stderr=f"nasweb: {reason}\n"))


def expected(command: Command, host: Host) -> dict[str, str]:
    """The folders in which it has file systems mounted, by their names afterwards. Raises `HostError`."""
    wanted = command.mounting()
    if wanted is None:
        return {}
    known = _rows(host, wanted.now, below=wanted.below) if wanted.now else {}
    if wanted.now and wanted.now not in known:
        return {}  # a volume, or not there: zfs says so
    top = _top(wanted, known.get(wanted.now or ""), host)
    name = wanted.then or wanted.now or ""
    found = {name: top} if top is not None else {}
    for child, row in known.items():
        if child == wanted.now:
            continue
        if top is not None and _follows(row, wanted.now or ""):
            rest = child.removeprefix(wanted.now or "")
            found[f"{name}{rest}"] = f"{top.rstrip('/')}{rest}" if top.startswith("/") else top
        elif wanted.every:
            found[child] = row.place
    return {one: place for one, place in found.items() if place.startswith("/")}


def strays(wanted: dict[str, str], before: str, now: str) -> tuple[tuple[str, str], ...]:
    """Which of `wanted` are newly mounted elsewhere, and where: of /proc/self/mountinfo then and now."""
    known = {where for _, where in _mounts(before)}
    return tuple(
        (name, where)
        for name, where in _mounts(now)
        if name in wanted and where != wanted[name] and where not in known
    )


def _top(wanted: Mounting, own: _Row | None, host: Host) -> str | None:
    name = wanted.then or wanted.now or ""
    pool = name.partition("/")[0]
    if wanted.place is not None:
        new_pool = wanted.now is None and "/" not in name  # or an array
        return wanted.place if new_pool else _rooted(wanted.place, pool, host)
    if own is not None and wanted.received and own.received != "-":
        return _rooted(own.received, pool, host)
    if own is not None and not wanted.inherits and (own.own or wanted.then is None):
        return own.place if wanted.then is None else None  # a new name alone moves it nowhere
    parent, _, last = name.rpartition("/")
    if not parent:
        return _rooted(f"/{last}", pool, host)
    above = _rows(host, parent, below=False).get(parent)
    if above is None:
        return None
    return f"{above.place.rstrip('/')}/{last}" if above.place.startswith("/") else above.place


def _follows(row: _Row, name: str) -> bool:
    """Whether a file system below `name` has its place from that, or from what is above it."""
    giver = row.source.removeprefix("inherited from ")
    return row.source == "default" or (giver != row.source and f"{name}/".startswith(f"{giver}/"))


def _rooted(place: str, pool: str, host: Host) -> str:
    """A place as it is given, below the folder that the pool was imported to."""
    if not place.startswith("/"):
        return place
    altroot = parse_zpool_get(host.run(ZpoolGet()).stdout).get(pool, {}).get("altroot", "-")
    return place if altroot == "-" else f"{altroot.rstrip('/')}{place}"


def _rows(host: Host, name: str, *, below: bool) -> dict[str, _Row]:
    asked = ZfsMountpoints(name=name, below=below)
    try:
        said = host.run(asked).stdout
        there = {name}
        if below:
            there = {one for one, _ in rows(host.run(ZfsListNames(below=name)).stdout, 2)}
    except CommandTimedOut:
        raise
    except CommandFailed:
        return {}
    split = [line.split("\t") for line in lines(said)]
    names = [row[0] for row in split]
    if any(len(row) != 4 for row in split) or len(set(names)) < len(names) or not there.issuperset(names):
        raise refused(asked, _IN_PIECES.format(name))
    return {one: _Row(place, received, source) for one, place, received, source in split}


def _mounts(mountinfo: str) -> list[tuple[str, str]]:
    """Datasets with their folders, of proc_pid_mountinfo(5)."""
    found = []
    for line in mountinfo.splitlines():
        left, _, right = line.partition(" - ")
        kind, source = right.split(" ")[:2]
        if kind == "zfs":
            found.append((_unescaped(source), _unescaped(left.split(" ")[4])))
    return found


def _unescaped(text: str) -> str:
    return _OCTAL.sub(lambda found: chr(int(found[1], 8)), text)
