"""The answers about disks and bays, as documented."""

from __future__ import annotations

from datetime import date
from typing import Literal

import msgspec

from disks.layout import Layout, Origin
from disks.trends import Trend, WearOut
from disks.verdict import DiskVerdict
from host.inventory import Absent, BurnIn, DiskClaim, KnownBy, Partition, SmartReading
from jobs.api.shapes import Moment


class DiskAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A disk. `used_by` says what claims it, null when it is free; `path` is its name now and may change.

    Of one that left, `gone_since` and `last_bay` tell when and from where, and `path` is null.
    """

    id: str
    serial: str | None
    wwn: str | None
    model: str
    vendor: str | None
    size_bytes: int
    logical_sector_bytes: int | None
    physical_sector_bytes: int | None
    medium: Literal["hdd", "ssd", "flash", "unknown"]
    rpm: int | None
    transport: str | None
    port: str | None
    bay: str | None
    temperature_celsius: int | None
    asleep: bool | None
    health: Literal["good", "warning", "failing", "unknown"]
    used_by: str | None
    in_use: bool
    path: str | None
    links: tuple[str, ...]
    twins: tuple[str, ...]
    gone_since: Moment | None = None
    last_bay: str | None = None
    as_of: Moment


class DiskDetail(DiskAnswer, frozen=True, kw_only=True):
    """A disk with all that is known of it. `smart` is its last reading that was not of a sleeping disk.

    `trends` is what its counts did over three months; `wears_out` when its endurance is used up, where
    enough is known. `series` names its time series for `metrics/series/`.
    """

    smart: SmartReading | None = None
    verdict: DiskVerdict
    trends: tuple[Trend, ...] = ()
    wears_out: WearOut | None = None
    burn_in: BurnIn | None = None
    partitions: tuple[Partition, ...] = ()
    claims: tuple[DiskClaim, ...] = ()
    first_seen: Moment | None = None
    bays: tuple[str, ...] = ()
    note: str = ""
    purchased: date | None = None
    warranty_until: date | None = None
    located_until: Moment | None = None
    series: dict[str, str] = {}


class DiskPage(msgspec.Struct, frozen=True, kw_only=True):
    """Disks in the order of their bays; then those in no known bay, then those that left."""

    results: tuple[DiskAnswer, ...]
    next: str | None
    as_of: Moment


class DiskEventAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Something that happened to a disk."""

    at: Moment
    kind: str
    words: str


class DiskStory(msgspec.Struct, frozen=True, kw_only=True):
    """What happened to a disk, newest first."""

    results: tuple[DiskEventAnswer, ...]
    next: str | None


class BayAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A bay; row and column count from 0 at the top left of its group.

    `known_by` says how it is known that the disk sits there, null when empty; `missing` is the disk that was
    there and is gone, `fresh` marks one that came into this bay and is not used yet, `doubt` tells of
    evidence that says otherwise. `enclosure` and `slot`, `port` and `serial` are what was taught.
    """

    label: str
    group: str
    row: int
    column: int
    disk: str | None
    known_by: KnownBy | None
    missing: Absent | None
    fresh: bool
    taught: bool
    doubt: str | None
    enclosure: str | None = None
    slot: int | None = None
    port: str | None = None
    serial: str | None = None


class BayPage(msgspec.Struct, frozen=True, kw_only=True):
    """All bays, group by group."""

    results: tuple[BayAnswer, ...]
    next: str | None
    as_of: Moment


class BayGroupAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A block of bays. `origin` and `order` tell how the labels count; null while bays are guessed."""

    name: str
    rows: int
    columns: int
    origin: Origin | None
    order: Literal["rows", "columns"] | None
    bays: tuple[BayAnswer, ...]


class ChassisAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The case, as it is drawn. `name` is null while nobody described it and its bays are guessed."""

    name: str | None
    groups: tuple[BayGroupAnswer, ...]
    as_of: Moment


class ProfileAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A case that is known. `profile` is what PUT chassis/ takes."""

    profile: str
    bays: int
    chassis: Layout


class ProfileList(msgspec.Struct, frozen=True, kw_only=True):
    """All cases that are known."""

    results: tuple[ProfileAnswer, ...]


class CaseText(msgspec.Struct, frozen=True, kw_only=True):
    """The case and what was taught of its bays, as YAML that `chassis/import/` takes."""

    yaml: str
