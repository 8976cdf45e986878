"""Mounts what pools may have mounted, not what they ask: it takes the place of `zfs mount -a`.

`python -m host.programs.mount_pools --pool tank [--foreign] [--readonly] [--mount-nothing]` after an import;
without `--pool` for all pools at the start of the machine, when nothing is changed. A line on stdout for each
file system that was mounted, left, or changed and why; status 1 where one that may be mounted could not be.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import msgspec

from host import typed
from host.base import Host, HostError, UnknownFormat
from host.commands.datasets.zfs import ZfsUnmount
from host.commands.facts import PoolStates
from host.commands.pools.importing import ZpoolExport
from host.commands.pools.mount import ListFileSystems, MountFileSystem, PoolState, PoolValues, SetQuietly
from host.local import LocalHost
from host.pool_mounts import FileSystem, Value, changes, outer_first, refusal

_MOUNTS = Path("/proc/self/mountinfo")
_WAY_ON = "Set its mountpoint to a folder below /mnt."


class Mount(NamedTuple):
    """Something that is mounted."""

    place: str
    kind: str
    source: str


ReadMounts = Callable[[], tuple[Mount, ...]]


class _Source(msgspec.Struct):
    type: str
    data: str


class _Property(msgspec.Struct):
    value: str
    source: _Source


class _Listed(msgspec.Struct):
    name: str
    properties: dict[str, _Property]


class _Listing(msgspec.Struct):
    datasets: dict[str, _Listed] = {}


def main(
    arguments: list[str] | None = None,
    *,
    host: Host | None = None,
    read_mounts: ReadMounts | None = None,
    say: Callable[[str], None] = print,
) -> int:
    """The exit status."""
    asked = _parser().parse_args(arguments)
    run = Run(host or LocalHost(), read_mounts or mounts, say, foreign=asked.foreign, readonly=asked.readonly)
    try:
        if asked.pool is not None:
            run.check(asked.pool)
        if asked.pool is not None and not asked.readonly:
            run.change(asked.pool)
        if not asked.mount_nothing:
            run.mount((asked.pool,) if asked.pool is not None else run.pools())
    except HostError as error:
        run.fail(error)  # nothing that is not understood is mounted
    return 1 if run.failed else 0


class Run:
    """One run; `failed` once something could not be mounted that may be."""

    def __init__(
        self,
        host: Host,
        read_mounts: ReadMounts,
        say: Callable[[str], None],
        *,
        foreign: bool,
        readonly: bool,
    ) -> None:
        self._host, self._mounts, self._say = host, read_mounts, say
        self._foreign, self._readonly = foreign, readonly
        self.failed = False

    def check(self, pool: str) -> None:
        """Let go of a pool that breaks off what zpool says as JSON of all pools. Raises `HostError`."""
        for command in (PoolValues(pool=pool), PoolState(pool=pool)):
            try:
                typed.decode(self._host.run(command).stdout)
            except msgspec.DecodeError:
                self._host.run(ZpoolExport(name=pool))
                why = "it holds values that are not UTF-8, with which no pool could be read."
                raise UnknownFormat(f"{pool} was exported again: {why}") from None

    def change(self, pool: str) -> None:
        """Take from a pool what it may not have. Raises `HostError`, with which nothing is mounted."""
        for change in changes(self._listed(pool), foreign=self._foreign):
            self._host.run(SetQuietly(name=change.name, properties=change.properties))
            report = " ".join(f"{name}={value}" for name, value in sorted(change.properties.items()))
            self._say(f"{change.name}: {report}")

    def pools(self) -> tuple[str, ...]:
        """The pools that are imported and answer. Raises `HostError`."""
        found = (line.rsplit("/state:", 1) for line in self._host.run(PoolStates()).stdout.splitlines())
        return tuple(sorted(path.rpartition("/")[2] for path, state in found if state != "SUSPENDED"))

    def mount(self, pools: tuple[str, ...]) -> None:
        """Mount all that may be mounted, in the order of their folders."""
        found: list[FileSystem] = []
        for pool in pools:
            try:
                found += self._listed(pool)
            except HostError as error:
                self.fail(error)  # a pool that cannot be read does not keep the others from being mounted
        own = {
            one.source.partition("/")[0] for one in self._mounts() if one.place == "/" and one.kind == "zfs"
        }
        for one in outer_first(found):
            if one.mounted or one.locked:
                continue
            system = one.name.partition("/")[0] in own  # what this system itself starts from
            if (why := self._why_not(one, system=system)) is not None:
                self._say(f"{one.name} stays unmounted: {why} {_WAY_ON}")
            else:
                self._mount(one)

    def fail(self, error: Exception) -> None:
        """Something is not as it should be; it goes on with the rest."""
        self.failed = True
        sys.stderr.write(f"{error}\n")

    def _listed(self, pool: str) -> tuple[FileSystem, ...]:
        try:
            return parse_file_systems(self._host.run(ListFileSystems(pool=pool)).stdout)
        except msgspec.DecodeError:
            why = "a mount point in it is not UTF-8. Set it to a folder below /mnt."
            raise UnknownFormat(f"Nothing of {pool} is mounted: {why}") from None

    def _why_not(self, one: FileSystem, *, system: bool) -> str | None:
        if not system and (why := refusal(one.place, foreign=self._foreign)) is not None:
            return why
        # Read only now: a file system that was mounted just before may have brought a link.
        if os.path.realpath(one.place) != one.place and not system:
            return f"{one.place} leads to {os.path.realpath(one.place)}."
        for other in self._mounts():
            if other.place == one.place:
                return f"{other.source} is mounted at {one.place}."
            if other.kind == "zfs" and other.place.startswith(f"{one.place}/"):
                return f"{other.source} is mounted at {other.place} and would be hidden."
        return None

    def _mount(self, one: FileSystem) -> None:
        harmless = self._foreign and self._readonly  # else its properties have been set
        try:
            self._host.run(MountFileSystem(name=one.name, harmless=harmless))
        except HostError as error:
            self.fail(error)
            return
        places = [other.place for other in self._mounts() if (other.kind, other.source) == ("zfs", one.name)]
        if places == [one.place]:
            self._say(f"{one.name} is mounted at {one.place}.")
            return
        # Somebody put a link in the way in between.
        self._host.run(ZfsUnmount(name=one.name))
        self._say(f"{one.name} stays unmounted: {one.place} led elsewhere. {_WAY_ON}")


def parse_file_systems(text: str) -> tuple[FileSystem, ...]:
    """What `zfs list -j` says of file systems; none where it says nothing. Raises `msgspec.DecodeError`."""
    listing = typed.decode(text, _Listing) if text.strip() else _Listing()
    return tuple(
        FileSystem(
            name=one.name,
            values={
                name: Value(found.value, found.source.type.lower(), found.source.data)
                for name, found in one.properties.items()
            },
        )
        for one in listing.datasets.values()
    )


def mounts(path: Path = _MOUNTS) -> tuple[Mount, ...]:
    """What is mounted now (proc(5), mountinfo)."""
    found = []
    for line in path.read_bytes().splitlines():
        words = line.split()
        kind, source = words[words.index(b"-") + 1 :][:2]
        found.append(Mount(_plain(words[4]), _plain(kind), _plain(source)))
    return tuple(found)


def _plain(word: bytes) -> str:
    """Without the octal escapes of blanks and backslashes."""
    return os.fsdecode(word.decode("unicode_escape").encode("latin-1"))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m host.programs.mount_pools", description=__doc__)
    parser.add_argument("--pool", help="the pool that was imported; without it, all pools at the start")
    parser.add_argument("--foreign", action="store_true", help="another machine used it last")
    parser.add_argument("--readonly", action="store_true", help="nothing of it can be changed")
    parser.add_argument(
        "--mount-nothing", action="store_true", help="change what has to be, and mount nothing"
    )
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
