"""Commands of zpool(8) that keep an imported pool healthy: scrub, clear, trim, initialize, upgrade…

Where one vdev is meant it is named by its guid, which every one of these takes in the place of a path.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from host.commands.base import Command, Guid, PoolName, PoolsCommand, PropertyName, PropertyValue
from host.commands.datasets.settable import check_pool

ScrubAction = Literal["start", "pause", "stop"]
FillAction = Literal["start", "suspend", "cancel"]

_SCRUB: dict[ScrubAction, tuple[str, ...]] = {"start": (), "pause": ("-p",), "stop": ("-s",)}
_FILL: dict[FillAction, tuple[str, ...]] = {"start": (), "suspend": ("-s",), "cancel": ("-c",)}


class ZpoolScrub(PoolsCommand, frozen=True, kw_only=True):
    """Start a scrub, or go on with a paused one; pause it; stop it. Returns at once."""

    name: PoolName
    action: ScrubAction = "start"

    def argv(self) -> tuple[str, ...]:
        return ("zpool", "scrub", *_SCRUB[self.action], self.name)


class ZpoolClear(PoolsCommand, frozen=True, kw_only=True):
    """Set error counters back, and let a suspended pool or a faulted device try again."""

    timeout_s = 300.0  # a suspended pool is opened again
    name: PoolName
    vdev: Guid | None = None  # None: all of them

    def argv(self) -> tuple[str, ...]:
        return ("zpool", "clear", self.name, *_one(self.vdev))


class ZpoolTrim(PoolsCommand, frozen=True, kw_only=True):
    """Trim: report free space to the SSDs. Starts, or continues a suspended one; returns at once."""

    name: PoolName
    action: FillAction = "start"
    vdev: Guid | None = None  # a leaf; None: all that can be trimmed

    def argv(self) -> tuple[str, ...]:
        return ("zpool", "trim", *_FILL[self.action], self.name, *_one(self.vdev))


class ZpoolInitialize(PoolsCommand, frozen=True, kw_only=True):
    """Write to all space that was never written. Starts, or continues a suspended one."""

    name: PoolName
    action: FillAction = "start"
    vdev: Guid | None = None  # a leaf; None: all of them

    def argv(self) -> tuple[str, ...]:
        return ("zpool", "initialize", *_FILL[self.action], self.name, *_one(self.vdev))


class ZpoolUpgrade(PoolsCommand, frozen=True, kw_only=True):
    """Enable all features that this system knows. There is no way back."""

    name: PoolName

    def argv(self) -> tuple[str, ...]:
        return ("zpool", "upgrade", self.name)


class ZpoolCheckpoint(PoolsCommand, frozen=True, kw_only=True):
    """Take a checkpoint of the pool's current state to rewind to, or discard it."""

    name: PoolName
    discard: bool = False

    def argv(self) -> tuple[str, ...]:
        return ("zpool", "checkpoint", *(("-d",) if self.discard else ()), self.name)


class ZpoolSet(PoolsCommand, frozen=True, kw_only=True):
    """Set one property of an imported pool."""

    name: PoolName
    property: PropertyName
    value: PropertyValue

    def __post_init__(self) -> None:
        check_pool({self.property: self.value})

    def argv(self) -> tuple[str, ...]:
        return ("zpool", "set", f"{self.property}={self.value}", self.name)


class ZpoolIostat(Command, frozen=True, kw_only=True):
    """What a pool and each of its vdevs did in the last so many seconds, with latencies: one sample.

    There is no JSON for it in OpenZFS 2.3. `-g` names vdevs by guid, `-y` leaves out the average since the
    pool was imported, `-H -p` print tabs and plain numbers: bytes, and nanoseconds.
    """

    reads = True
    name: PoolName
    seconds: Annotated[int, Meta(ge=1, le=30)] = 1

    def argv(self) -> tuple[str, ...]:
        return ("zpool", "iostat", "-gvlyHp", self.name, str(self.seconds), "1")


class ReadRequestSizes(Command, frozen=True, kw_only=True):
    """How many requests of which size the disks of a pool had since it was imported."""

    reads = True
    name: PoolName

    def argv(self) -> tuple[str, ...]:
        return ("zpool", "iostat", "-rHp", self.name)


def _one(vdev: Guid | None) -> tuple[str, ...]:
    return () if vdev is None else (vdev,)


Commands = (
    ZpoolScrub
    | ZpoolClear
    | ZpoolTrim
    | ZpoolInitialize
    | ZpoolUpgrade
    | ZpoolCheckpoint
    | ZpoolSet
    | ZpoolIostat
    | ReadRequestSizes
)
