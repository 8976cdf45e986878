"""Commands of zpool(8) that change the members of an imported pool.

Members that are there are named by guid: a path may have vanished, or lead to another disk by now. New ones
are links to the partition prepared for them.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from host.commands.base import Command, DiskLink, Guid, PoolName, PropertyName, PropertyValue, options
from host.commands.pools.zpool import VdevSpec, words_of


class ZpoolAdd(Command, frozen=True, kw_only=True):
    """Add vdevs of any role. Data, special and dedup vdevs of a pool with RAIDZ can never be removed again.

    Without `force`, ZFS refuses vdevs of another redundancy and members that seem to be in use.
    """

    shares_disks = True
    timeout_s = 300.0
    name: PoolName
    vdevs: Annotated[tuple[VdevSpec, ...], Meta(min_length=1)]
    properties: dict[PropertyName, PropertyValue] = {}
    force: bool = False

    def __post_init__(self) -> None:
        if self.properties.keys() - {"ashift"}:
            raise ValueError("New vdevs have an ashift, and no other property")

    def exclusive_disks(self) -> tuple[str, ...]:
        return tuple(device for vdev in self.vdevs for device in vdev.devices)

    def argv(self) -> tuple[str, ...]:
        return (
            "zpool", "add", *_force(self.force), *options("-o", self.properties), self.name,
            *words_of(self.vdevs),
        )  # fmt: skip


class ZpoolAttach(Command, frozen=True, kw_only=True):
    """Make a disk a mirror, a mirror wider (`vdev`: one of its leaves), or a RAIDZ wider (itself)."""

    shares_disks = True
    timeout_s = 300.0
    name: PoolName
    vdev: Guid
    device: DiskLink
    force: bool = False

    def exclusive_disks(self) -> tuple[str, ...]:
        return (self.device,)

    def argv(self) -> tuple[str, ...]:
        return ("zpool", "attach", *_force(self.force), self.name, self.vdev, self.device)


class ZpoolDetach(Command, frozen=True, kw_only=True):
    """Take a leaf out of a mirror, or one of the two out of a replacement or a spare in use."""

    timeout_s = 300.0
    name: PoolName
    vdev: Guid

    def argv(self) -> tuple[str, ...]:
        return ("zpool", "detach", self.name, self.vdev)


class ZpoolReplace(Command, frozen=True, kw_only=True):
    """Resilver what a leaf holds onto another device, or onto a spare of the pool. Returns at once; the leaf
    leaves when the resilver has finished."""

    shares_disks = True
    timeout_s = 300.0
    name: PoolName
    vdev: Guid
    device: DiskLink
    force: bool = False

    def exclusive_disks(self) -> tuple[str, ...]:
        return (self.device,)

    def argv(self) -> tuple[str, ...]:
        return ("zpool", "replace", *_force(self.force), self.name, self.vdev, self.device)


class ZpoolRemove(Command, frozen=True, kw_only=True):
    """Remove a spare, a cache or a log; or a top-level vdev, whose data then moves to the others."""

    timeout_s = 300.0
    name: PoolName
    vdev: Guid

    def argv(self) -> tuple[str, ...]:
        return ("zpool", "remove", self.name, self.vdev)


class ZpoolCancelRemoval(Command, frozen=True, kw_only=True):
    """Stop moving data off the top-level vdev that is being removed; it stays."""

    timeout_s = 300.0
    name: PoolName

    def argv(self) -> tuple[str, ...]:
        return ("zpool", "remove", "-s", self.name)


class ZpoolOffline(Command, frozen=True, kw_only=True):
    """Stop using a leaf until it is brought online again, also after a restart."""

    timeout_s = 300.0
    name: PoolName
    vdev: Guid

    def argv(self) -> tuple[str, ...]:
        return ("zpool", "offline", self.name, self.vdev)


class ZpoolOnline(Command, frozen=True, kw_only=True):
    """Use a leaf again; with `expand`, also the space by which its device has grown."""

    timeout_s = 300.0
    name: PoolName
    vdev: Guid
    expand: bool = False

    def argv(self) -> tuple[str, ...]:
        return ("zpool", "online", *(("-e",) if self.expand else ()), self.name, self.vdev)


def _force(force: bool) -> tuple[str, ...]:
    return ("-f",) if force else ()


Commands = (
    ZpoolAdd
    | ZpoolAttach
    | ZpoolDetach
    | ZpoolReplace
    | ZpoolRemove
    | ZpoolCancelRemoval
    | ZpoolOffline
    | ZpoolOnline
)
