"""The state of a simulated machine: what its one file holds."""

from __future__ import annotations

import time
from hashlib import sha256
from typing import Literal

import msgspec

from host.commands.zpool import Layout, Role
from host.simulated.hardware import Enclosure, Led, Smart

PoolState = Literal["active", "exported", "destroyed", "spare", "cache"]


class Signature(msgspec.Struct, kw_only=True):
    """What is recognised on a disk or partition: a file system, an md member, a ZFS label…"""

    fstype: str
    label: str | None = None
    uuid: str | None = None
    mountpoints: list[str] = []
    holder: str | None = None  # name of the device in `Machine.holders` that is built on it
    pool_state: PoolState | None = None  # of a ZFS label
    busy: bool = False  # in use by something that lsblk does not show


class Partition(msgspec.Struct, kw_only=True):
    """A partition; `start` in sectors of 512 bytes."""

    number: int
    start: int
    size: int
    parttype: str
    partuuid: str
    content: Signature | None = None


class Disk(msgspec.Struct, kw_only=True):
    """A disk that belongs to the machine; a pulled one stays here with what is on it."""

    kname: str
    size: int
    physical_sector: int = 512
    logical_sector: int = 512
    rotational: bool = True
    removable: bool = False
    transport: str
    vendor: str
    model: str
    serial: str
    wwn: str | None = None
    hctl: str  # its place; the kernel tells that of SCSI disks alone
    ids: list[str]  # names under /dev/disk/by-id, best first
    ports: list[str]  # names under /dev/disk/by-path; the first has the sub-folders of its partitions
    pulled: bool = False
    sequence: int = 0  # which block device it was to come, counted by the kernel
    smart: Smart | None = None  # None: it tells nothing
    table: Literal["gpt", "dos"] | None = None
    content: Signature | None = None
    partitions: list[Partition] = []
    remains: dict[int, Signature] = {}  # what lies where partitions began, by sector, until it is erased

    @property
    def path(self) -> str:
        """The kernel's path now."""
        return f"/dev/{self.kname}"

    def partition(self, number: int) -> Partition | None:
        """The partition of that number."""
        return next((part for part in self.partitions if part.number == number), None)

    def partition_name(self, number: int) -> str:
        """The kernel's name of a partition: a p comes between two digits."""
        return f"{self.kname}{'p' if self.kname[-1].isdigit() else ''}{number}"


class Holder(msgspec.Struct, kw_only=True):
    """A block device built on partitions or disks: md array, logical volume, opened LUKS volume."""

    name: str
    kname: str
    path: str
    kind: str  # raid1, raid0, lvm, crypt
    size: int
    ids: list[str] = []
    content: Signature | None = None


class Vdev(msgspec.Struct, kw_only=True):
    """A vdev of a pool. A leaf has a `path`; `size` is the bytes of its device."""

    guid: int
    kind: str  # disk, mirror, raidz, spare
    role: Role
    layout: Layout = "stripe"
    path: str | None = None
    serial: str | None = None  # of the disk that the path led to when the vdev was made
    size: int = 0
    state: str = "ONLINE"  # of a leaf, set by pulling and inserting
    children: list[Vdev] = []


class Scan(msgspec.Struct, kw_only=True):
    """The last scrub or resilver; all of them end at once here."""

    function: str
    started: int
    finished: int
    examined: int


class Snapshot(msgspec.Struct, kw_only=True):
    """A snapshot; `data` are the bytes of file data it refers to, `unique` those only it holds."""

    tag: str
    guid: int
    createtxg: int
    created: int
    data: int = 0
    unique: int = 0
    holds: int = 0


class Dataset(msgspec.Struct, kw_only=True):
    """A file system or volume with its own values of properties."""

    name: str
    kind: Literal["filesystem", "volume"]
    guid: int
    createtxg: int
    objsetid: int
    created: int
    values: dict[str, str] = {}
    received: dict[str, str] = {}
    fixed: dict[str, str] = {}  # chosen at creation, for good: volblocksize, casesensitivity…
    snapshots: list[Snapshot] = []
    snapshots_changed: int | None = None
    mounted: bool = False
    mount_options: dict[str, str] = {}  # properties that the mount was made with and shows
    busy: bool = False  # something holds a file open in it
    data: int = 0  # bytes of file data
    origin: str | None = None  # the snapshot it was cloned from


class Pool(msgspec.Struct, kw_only=True):
    """An imported pool. Datasets in no particular order but by their names' components when shown."""

    name: str
    guid: int
    load_guid: int
    ashift: int
    vdevs: list[Vdev]
    values: dict[str, str] = {}
    datasets: dict[str, Dataset] = {}
    txg: int = 4
    scan: Scan | None = None
    suspended: bool = False


class BurnInRun(msgspec.Struct, kw_only=True):
    """The last burn-in of a disk; how far it has come is worked out from the clock."""

    started: float  # Unix time
    ended: float | None = None  # when it ended before its time, and how
    end: Literal["stopped", "pulled", "cut off"] | None = None
    weak: bool = False  # it will find that the disk forgets


class Fault(msgspec.Struct, kw_only=True):
    """What the next command of a type is made to end with."""

    command: str
    exit: int
    stderr: str
    stdout: str = ""


class Machine(msgspec.Struct, kw_only=True):
    """Everything. One file, read and written whole."""

    profile: str
    hostname: str
    kernel: str
    memory_kib: int
    ecc_controllers: int
    booted: float
    disks: list[Disk]
    enclosures: list[Enclosure] = []
    leds: list[Led] = []
    holders: dict[str, Holder] = {}
    pools: dict[str, Pool] = {}
    faults: list[Fault] = []
    delays: dict[str, float] = {}  # seconds before a command of a type is carried out
    ran: list[list[str]] = []  # argv of the last commands that change something
    blinking: dict[str, float] = {}  # serial → when it ends by itself, Unix time
    burn_ins: dict[str, BurnInRun] = {}  # by serial
    refused: dict[str, tuple[float, str]] = {}  # unit → when it refused to start, Unix time, and why
    weak: list[str] = []  # serials of disks that will not pass a burn-in
    numbers: int = 0  # how many were drawn by `number()`
    sequences: int = 0  # how many block devices have come since the start
    ahead_s: float = 0.0  # by which this machine's clock was moved on

    def now(self) -> float:
        """This machine's clock, in seconds since 1970."""
        return time.time() + self.ahead_s

    def next_sequence(self) -> int:
        """The number of a block device that comes now."""
        self.sequences += 1
        return self.sequences

    def number(self) -> int:
        """A new 64-bit number, looking random but the same for the same history."""
        self.numbers += 1
        seed = f"{self.profile} {self.numbers}".encode()
        return int.from_bytes(sha256(seed).digest()[:8], "big")

    def uuid(self) -> str:
        """A new UUID, from `number()`."""
        text = f"{self.number():016x}{self.number():016x}"
        return f"{text[:8]}-{text[8:12]}-4{text[13:16]}-a{text[17:20]}-{text[20:]}"

    def present(self) -> list[Disk]:
        """The disks that are in the machine now."""
        return [disk for disk in self.disks if not disk.pulled]
