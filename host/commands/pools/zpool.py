"""Commands of zpool(8)."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from host.commands.base import (
    Command,
    DiskLink,
    Fed,
    Mounting,
    MountPoint,
    PoolName,
    PropertyName,
    PropertyValue,
    SecretReference,
    options,
)
from host.commands.datasets.keys import fed
from host.commands.datasets.settable import check_dataset, check_mountpoint, check_pool
from host.layouts import Layout

Role = Literal["data", "log", "cache", "special", "dedup", "spare"]
ROLES: tuple[Role, ...] = ("data", "special", "dedup", "log", "cache", "spare")


class VdevSpec(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One vdev to be made: its role, its layout and the links of its members."""

    role: Role
    layout: Layout
    devices: Annotated[tuple[DiskLink, ...], Meta(min_length=1, max_length=255)]


def words_of(vdevs: tuple[VdevSpec, ...]) -> tuple[str, ...]:
    """The vdevs as zpool's `create` and `add` take them."""
    words: list[str] = []
    for role in ROLES:
        # Single disks first: after a mirror's members, zpool would take them for more of those.
        wanted = sorted(
            (vdev for vdev in vdevs if vdev.role == role), key=lambda vdev: vdev.layout != "stripe"
        )
        # zpool takes each role's keyword once, before all vdevs of that role.
        words += [role] if wanted and role != "data" else []
        for vdev in wanted:
            words += [] if vdev.layout == "stripe" else [vdev.layout]
            words += vdev.devices
    return tuple(words)


class ZpoolCreate(Command, frozen=True, kw_only=True):
    """Make a pool. Without `force`, ZFS itself refuses members that seem to be in use."""

    shares_disks = True
    timeout_s = 300.0
    name: PoolName
    vdevs: Annotated[tuple[VdevSpec, ...], Meta(min_length=1)]
    mountpoint: MountPoint
    properties: dict[PropertyName, PropertyValue] = {}
    root_properties: dict[PropertyName, PropertyValue] = {}
    force: bool = False
    secret: SecretReference | None = None  # of an encrypted root; keyformat says of what kind

    def __post_init__(self) -> None:
        check_mountpoint(self.mountpoint)
        check_pool(self.properties)
        check_dataset(self.root_properties, mountpoint=False)

    def mounting(self) -> Mounting:
        return Mounting(then=self.name, place=self.mountpoint)

    def feeds(self) -> Fed | None:
        return None if self.secret is None else fed(self.secret, self.root_properties.get("keyformat", ""))

    def exclusive_disks(self) -> tuple[str, ...]:
        return tuple(device for vdev in self.vdevs for device in vdev.devices)

    def argv(self) -> tuple[str, ...]:
        words: list[str] = ["zpool", "create"]
        words += ["-f"] if self.force else []
        words += options("-o", self.properties)
        words += options("-O", self.root_properties)
        words += ["-m", self.mountpoint, self.name]
        return (*words, *words_of(self.vdevs))


class ZpoolDestroy(Command, frozen=True, kw_only=True):
    """Destroy a pool and everything in it. Fails, changing nothing, while a dataset is busy."""

    timeout_s = 300.0
    name: PoolName

    def was_read_from(self, said: str) -> bool:
        return said.strip() == f"cannot destroy '{self.name}': pool is busy"

    def argv(self) -> tuple[str, ...]:
        return ("zpool", "destroy", self.name)


class ZpoolStatus(Command, frozen=True, kw_only=True):
    """The vdev trees, states, errors, scans, trims and initializations of all imported pools, as JSON.

    Without `-v`: to name the damaged files reads from the pool, which waits for ever on a suspended one.
    """

    reads = True

    def argv(self) -> tuple[str, ...]:
        return ("zpool", "status", "-jPit", "--json-int", "-p")


class ZpoolGet(Command, frozen=True, kw_only=True):
    """All properties of all imported pools, as JSON."""

    reads = True

    def argv(self) -> tuple[str, ...]:
        return ("zpool", "get", "-jp", "--json-int", "all")


class ZpoolErrors(Command, frozen=True, kw_only=True):
    """The status of one pool, with the names of its damaged files: not while it is suspended."""

    reads = True
    name: PoolName

    def argv(self) -> tuple[str, ...]:
        return ("zpool", "status", "-jPv", "--json-int", "-p", self.name)


Commands = ZpoolCreate | ZpoolDestroy | ZpoolStatus | ZpoolGet | ZpoolErrors
