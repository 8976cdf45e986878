"""Events of pools that zed reported."""

from __future__ import annotations

import msgspec


class ZedEvent(msgspec.Struct, frozen=True, kw_only=True):
    """Events of one class, pool and vdev that followed each other (zpool-events(8)); times are of the first
    and of the last one.

    The machine's clock may be set meanwhile; `up_s` counts from its start, and is what a span is made of.
    """

    boot: str  # which start of the machine
    eid: int  # zed's own number of the first; from 1 on since the module was loaded
    at_ns: int  # since 1970
    last_at_ns: int
    up_s: float
    last_up_s: float
    count: int
    moments: int  # how many times some came at least ten seconds after those before
    event: str  # ereport.fs.zfs.checksum, sysevent.fs.zfs.scrub_start…
    pool: str | None = None
    pool_guid: str | None = None
    vdev_guid: str | None = None
    state: str | None = None  # of the vdev, as zpool status has it: ONLINE, FAULTED…
    before: str | None = None  # its state until then
    path: str | None = None  # of the vdev
    error: int | None = None  # errno(3)
    longest_s: float | None = None  # the longest that a request took, where one took too long

    @property
    def id(self) -> str:
        """By what it is known again while it is counted on. The time only tells apart what two loads of the
        module numbered alike; nothing is in the order of it."""
        return f"{self.boot}:{self.eid}:{self.at_ns}"

    @property
    def name(self) -> str:
        """The class without `ereport.fs.zfs.`, `resource.fs.zfs.` or `sysevent.fs.zfs.`."""
        return self.event.split(".", 3)[-1]

    @property
    def span_s(self) -> float:
        """From the first to the last."""
        return max(0.0, self.last_up_s - self.up_s)
