"""What is remembered beside the newest inventory, as values: what the doctor and the incidents go by."""

from __future__ import annotations

from typing import Literal

import msgspec

from alerts.memory import MemorySlot
from alerts.slow.rules import Slower
from disks.trends import Counted
from host.inventory import DatasetCopy, SmartReading


class KnownDisk(msgspec.Struct, frozen=True, kw_only=True):
    """One disk, here or gone. `earlier` is a SMART reading of up to a week before `reading`."""

    id: str
    record: int = 0  # the number of what is remembered of it
    serial: str | None = None
    wwn: str | None = None
    model: str = ""
    bay: str | None = None  # where it sits, or sat last
    port: str | None = None
    gone_since: str | None = None  # ISO 8601, UTC
    reading: SmartReading | None = None
    earlier: SmartReading | None = None
    days: tuple[Counted, ...] = ()  # what it counted on earlier days and now, oldest first; for the doctor

    @property
    def names(self) -> tuple[str, ...]:
        """The links that a pool may know it by."""
        return (self.id, *((f"wwn-{self.wwn}", f"nvme-{self.wwn}") if self.wwn else ()))

    def grown(self, counter: str) -> int:
        """By how much a counter of SMART rose between both readings; 0 where it is not known."""
        now, before = (getattr(one, counter) if one else None for one in (self.reading, self.earlier))
        return max(0, now - before) if now is not None and before is not None else 0


class OverdueTest(msgspec.Struct, frozen=True, kw_only=True):
    """A self-test that is older than it may ever be: `days` old, or None where there never was one."""

    disk: str  # Disk.id
    kind: str
    days: int | None
    waits: str


class Acknowledged(msgspec.Struct, frozen=True, kw_only=True):
    """Who said that a finding is known, why, and until when (a day, in UTC)."""

    note: str
    by: str
    at: str  # ISO 8601, UTC
    until: str


class Space(msgspec.Struct, frozen=True, kw_only=True):
    """How much a pool held over time: seconds since 1970, and bytes by its root dataset's `used`."""

    times: tuple[int, ...] = ()
    used: tuple[float, ...] = ()


class SnapshotCare(msgspec.Struct, frozen=True, kw_only=True):
    """How a dataset stands with its snapshot policy; times are ISO 8601, UTC."""

    dataset: str
    policy: str  # its text
    source: str  # the dataset that has it
    fault: str = ""  # why the text cannot be read
    newest: str | None = None
    age_s: float | None = None  # of the newest, or of the dataset where there is none
    longest_age_s: float | None = None  # None: nothing is taken
    ahead: str | None = None  # its newest is dated in the future
    waiting: int = 0  # so many are deleted only after somebody has checked them


class PolicyTrouble(msgspec.Struct, frozen=True, kw_only=True):
    """Runs of the snapshot policies in a pool fail."""

    since: str  # ISO 8601, UTC
    said: str
    job: int | None = None


class ReplicationCare(msgspec.Struct, frozen=True, kw_only=True):
    """How a replication stands; `age` and `aim` are spans in words, `since` is ISO 8601, UTC."""

    id: int
    name: str
    source: str
    target: str
    aim: str
    age: str | None  # of the oldest of its newest copies; None before the first
    late: bool
    failing: bool  # its last run did not bring everything
    said: str
    since: str | None = None
    differs: str = ""  # what was found when its files were compared last, where they are not the same


class UnpluggableDisk(msgspec.Struct, frozen=True, kw_only=True):
    """A disk that takes turns, and has all it should have."""

    id: int  # of its target
    target: str
    disk: str  # Disk.id
    bay: str | None
    said: str


class WaitingDisk(msgspec.Struct, frozen=True, kw_only=True):
    """A disk that takes turns, is plugged in, and cannot be brought up to date."""

    id: int  # of its target
    target: str
    said: str


class ScheduleTrouble(msgspec.Struct, frozen=True, kw_only=True):
    """The last job of a schedule failed."""

    id: int
    what: str  # such as scrub
    pool: str
    pool_guid: str
    since: str  # ISO 8601, UTC
    said: str
    job: int


class FailingChannel(msgspec.Struct, frozen=True, kw_only=True):
    """A channel whose messages do not arrive."""

    id: int
    name: str
    since: str  # ISO 8601, UTC
    said: str
    waiting: int  # messages that are tried again
    last_sent: str | None = None


class LockedChannel(msgspec.Struct, frozen=True, kw_only=True):
    """A channel whose secrets cannot be opened here; `titles` are those that have to be typed again."""

    id: int
    name: str
    titles: tuple[str, ...] = ()


class ChannelsCare(msgspec.Struct, frozen=True, kw_only=True):
    """Who is notified of incidents: how many channels are switched on, and those that fail."""

    count: int
    failing: tuple[FailingChannel, ...] = ()


class FailingPing(msgspec.Struct, frozen=True, kw_only=True):
    """The dead man's ping, while it is not answered."""

    goes_to: str
    since: str  # ISO 8601, UTC
    said: str
    last_good: str | None = None


class SeenMember(msgspec.Struct, frozen=True, kw_only=True):
    """A disk that was a member of an md array when that was whole."""

    disk: str  # Disk.id
    serial: str | None = None
    model: str = ""
    bay: str | None = None
    port: str | None = None
    gone_since: str | None = None  # ISO 8601, UTC


class ArrayCheck(msgspec.Struct, frozen=True, kw_only=True):
    """When an md array was last read whole and compared."""

    checked_at: str | None  # ISO 8601, UTC; None where no check is known
    found: int | None  # sectors that differed then
    since: str  # that moment, or when the array was first seen
    age_s: float  # since then
    overdue: bool


class SharesCare(msgspec.Struct, frozen=True, kw_only=True):
    """The state of the shares: paths of files that were changed by hand, and shares in words."""

    drift: tuple[str, ...] = ()
    unserved: tuple[str, ...] = ()  # that should be
    waiting: tuple[tuple[str, str], ...] = ()  # with what they wait for


class CopiesCare(msgspec.Struct, frozen=True, kw_only=True):
    """The state of the copies of the settings, for pools that were to take one."""

    enabled: bool = True
    ages: tuple[tuple[str, float | None], ...] = ()  # seconds since the newest was seen whole; None: never


class BackupTrouble(msgspec.Struct, frozen=True, kw_only=True):
    """A backup that is older than its aim, or a repository that a check found damaged."""

    name: str
    what: Literal["old", "damaged"]
    repository: str
    since: str | None  # ISO 8601, UTC: the state that is stored, or when the damage was found
    aim_hours: int = 0
    said: str = ""  # what became of the last run


class ZedTrouble(msgspec.Struct, frozen=True, kw_only=True):
    """What zed reported of late of one pool or vdev, of a class that no probe shows."""

    name: str  # delay, deadman, authentication…
    pool_guid: str
    vdev_guid: str  # empty: of the pool
    count: int
    moments: int  # how many times some came after a pause of ten seconds
    since: str  # ISO 8601, UTC
    longest_s: float | None = None


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is remembered. Empty mappings mean that nothing is known yet."""

    disks: dict[str, KnownDisk] = {}  # by Disk.id, and by the last id of those that left
    space: dict[str, Space] = {}  # by the pool's guid
    acknowledged: dict[tuple[str, str], Acknowledged] = {}  # by code and Subject.id
    snapshots: tuple[SnapshotCare, ...] = ()  # of datasets that have a policy
    policies_failing: dict[str, PolicyTrouble] = {}  # by the pool's guid
    shares: SharesCare = SharesCare()
    schedules_failing: tuple[ScheduleTrouble, ...] = ()
    channels: ChannelsCare | None = None
    locked: tuple[LockedChannel, ...] = ()  # channels that are switched on
    ping: FailingPing | None = None
    copies: CopiesCare | None = None
    elsewhere: tuple[DatasetCopy, ...] = ()  # copies of datasets that their pool's end would leave
    backups: tuple[BackupTrouble, ...] = ()
    arrays: dict[str, tuple[SeenMember, ...]] = {}  # by the array's UUID
    checks: dict[str, ArrayCheck] = {}  # the same
    zed: tuple[ZedTrouble, ...] = ()
    nearly_full: frozenset[str] = frozenset()  # guids of pools whose incident about it is open
    too_warm: frozenset[str] = frozenset()  # `Disk.id` of those whose incident about it is open
    slow: tuple[Slower, ...] = ()  # disks that were so for ten minutes
    undecided: frozenset[str] = frozenset()  # keys of causes of which nothing can be said at this moment
    tests_overdue: tuple[OverdueTest, ...] = ()
    memory_slots: tuple[MemorySlot, ...] = ()  # modules with errors
    replications: tuple[ReplicationCare, ...] = ()
    unpluggable: tuple[UnpluggableDisk, ...] = ()
    waiting_disks: tuple[WaitingDisk, ...] = ()
    room_bytes: int | None = None  # free for the console's database; None: not known
