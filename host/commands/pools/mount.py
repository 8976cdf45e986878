"""Mounting of what a pool brings, by rule: `zpool import` itself mounts nothing (`host.pool_mounts`)."""

from __future__ import annotations

from host.commands.base import Command, PoolName
from host.commands.starting import RELEASE
from host.pool_mounts import PROPERTIES


class MountPool(Command, frozen=True, kw_only=True):
    """Take from an imported pool what it may not have, and mount what is left.

    `foreign`: another machine used it last; `readonly`: nothing of it can be changed; `unmounted`: change
    what has to be changed, and mount nothing. Prints a line for each that is mounted, left or changed.
    """

    timeout_s = 900.0
    name: PoolName
    foreign: bool = False
    readonly: bool = False
    unmounted: bool = False

    def argv(self) -> tuple[str, ...]:
        flags = {"--foreign": self.foreign, "--readonly": self.readonly, "--mount-nothing": self.unmounted}
        python = ("env", f"--chdir={RELEASE}", f"{RELEASE}/.venv/bin/python")
        wanted = (flag for flag, given in flags.items() if given)
        return (*python, "-m", "host.programs.mount_pools", f"--pool={self.name}", *wanted)


# What follows is run by that program, which is root already; the helper takes none of it.


class PoolValues(Command, frozen=True, kw_only=True):
    """The properties of one pool, as JSON."""

    reads = True
    pool: str

    def argv(self) -> tuple[str, ...]:
        return ("zpool", "get", "-jp", "all", self.pool)


class PoolState(Command, frozen=True, kw_only=True):
    """The vdevs of one pool, as JSON."""

    reads = True
    pool: str

    def argv(self) -> tuple[str, ...]:
        return ("zpool", "status", "-jPit", "-p", self.pool)


class ListFileSystems(Command, frozen=True, kw_only=True):
    """What the file systems of a pool ask for. As JSON: a mount point may hold line feeds and tabs."""

    reads = True
    timeout_s = 300.0
    pool: str

    def argv(self) -> tuple[str, ...]:
        columns = ",".join(("name", *PROPERTIES))
        return ("zfs", "list", "-j", "-p", "-r", "-t", "filesystem", "-o", columns, self.pool)


class SetQuietly(Command, frozen=True, kw_only=True):
    """Set properties and neither mount nor share: without -u the change of a share mounts what it shares."""

    timeout_s = 300.0
    name: str
    properties: dict[str, str]

    def argv(self) -> tuple[str, ...]:
        pairs = (f"{name}={self.properties[name]}" for name in sorted(self.properties))
        return ("zfs", "set", "-u", *pairs, self.name)


class MountFileSystem(Command, frozen=True, kw_only=True):
    """Mount one file system where it asks to be; it may have hours of a log to replay."""

    timeout_s = 900.0
    name: str
    harmless: bool = False  # without set-user-ID programs and devices, whatever its properties say

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "mount", *(("-o", "nosuid,nodev") if self.harmless else ()), self.name)


Commands = MountPool
