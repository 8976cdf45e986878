"""The state of a simulated machine: what its one file holds."""

from __future__ import annotations

import time
from hashlib import sha256
from typing import Literal

import msgspec

from host.commands.pools.zpool import Role
from host.files.answers import FolderRights, Restored
from host.layouts import Layout
from host.simulated.accounts import GroupState, PersonState, SambaState, first_groups
from host.simulated.arrays.array import Array
from host.simulated.backups.state import BackupsState
from host.simulated.hardware import Enclosure, Led, Smart
from host.simulated.md_events import SimulatedEvent
from host.simulated.memory import MemoryState
from host.simulated.network.state import NetworkState
from host.simulated.refusal import Fault
from host.simulated.runs import (
    BurnInRun,
    Client,
    ConversionRun,
    HandedOut,
    MeasuringRun,
    Neighbour,
    PowerRun,
    ProofRun,
    Receiving,
    ReplicationRun,
    RightsRun,
)

PoolState = Literal["active", "exported", "destroyed", "spare", "cache", "left"]


class Signature(msgspec.Struct, kw_only=True):
    """What is recognised on a disk or partition: a file system, an md member, a ZFS label…"""

    fstype: str
    label: str | None = None
    uuid: str | None = None
    mountpoints: list[str] = []
    holder: str | None = None  # name of the device in `Machine.holders` that is built on it
    pool_state: PoolState | None = None  # of a ZFS label; left: of a device that was taken out of its pool
    vdev: int = 0  # guid of the device, of a ZFS label
    busy: bool = False  # in use by something that lsblk does not show
    used: int = 0  # bytes of files on a mounted file system, where lsblk prints them


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
    hctl: str  # its address; the kernel has one of SCSI disks alone
    ids: list[str]  # names under /dev/disk/by-id, best first
    ports: list[str]  # names under /dev/disk/by-path; the first has the sub-folders of its partitions
    pulled: bool = False
    sequence: int = 0  # which block device it was to come, counted by the kernel
    smart: Smart | None = None  # None: it reports nothing
    table: Literal["gpt", "dos"] | None = None
    content: Signature | None = None
    partitions: list[Partition] = []
    held: list[str] = []  # names of the devices in `Machine.holders` that are built on it without a signature
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
    kind: str  # raid1, raid0, lvm, crypt, mpath, loop
    size: int
    ids: list[str] = []
    content: Signature | None = None


class Filling(msgspec.Struct, kw_only=True):
    """A trim or an initialization of a leaf; how far one under way has come is worked out from the clock."""

    state: Literal["ACTIVE", "SUSPENDED", "CANCELED", "COMPLETE"]
    since: float  # Unix time of that state
    done: int = 0  # bytes, by then


class Vdev(msgspec.Struct, kw_only=True):
    """A vdev of a pool. A leaf has a `path`; `size` is the bytes of its device that are used."""

    guid: int
    # disk, dspare, mirror, raidz, draid, spare, replacing; indirect and hole: what a removed one leaves
    kind: str
    role: Role
    layout: Layout = "stripe"
    path: str | None = None
    serial: str | None = None  # of the disk that the path led to when the vdev was made
    size: int = 0
    grown: int = 0  # bytes by which its device is larger than what is used
    state: str = "ONLINE"  # of a leaf
    unnoticed: bool = False  # of a leaf: ZFS was stopped before it could note that it is gone
    stale: bool = False  # of a leaf: it lacks data until the resilver ends
    read_errors: int = 0
    write_errors: int = 0
    checksum_errors: int = 0
    corrupt: int = 0  # bytes on it that nobody has found to be wrong yet
    trim: Filling | None = None
    initialize: Filling | None = None
    born: int = 0  # of a RAIDZ that was expanded: its members when it was made
    expanding: bool = False  # of a RAIDZ: its last member does not count yet
    children: list[Vdev] = []


class Scan(msgspec.Struct, kw_only=True):
    """The last scrub or resilver; how far one under way has come is worked out from the clock."""

    function: Literal["SCRUB", "RESILVER"]
    state: Literal["SCANNING", "FINISHED", "CANCELED"]
    started: float  # Unix time, as all that follow
    finished: float = 0.0
    total: int  # bytes
    done: int = 0  # bytes, at `since`
    since: float
    paused: float = 0.0  # 0: it is not
    paused_s: float = 0.0
    repaired: int = 0


class Move(msgspec.Struct, kw_only=True):
    """Data that moves off a vdev being removed, or over the new width of a RAIDZ."""

    guid: int  # of the top-level vdev
    name: str
    state: Literal["SCANNING", "FINISHED", "CANCELED"]
    started: float
    finished: float = 0.0
    total: int
    done: int = 0  # once it is over


class Checkpoint(msgspec.Struct, kw_only=True):
    """What a pool was when its checkpoint was taken."""

    taken: float
    datasets: dict[str, Dataset]
    values: dict[str, str]


class FileState(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A file, folder or link as it was from the transaction `born` until `died`; times in ns since 1970."""

    path: str  # from the dataset's own folder, as host.files.names writes it
    kind: Literal["file", "folder", "link"]
    size: int = 0
    data: bytes | None = None  # of a short file
    leads_to: str | None = None
    mode: int = 0o644
    uid: int = 0
    inode: int = 0
    modified_ns: int = 0
    changed_ns: int = 0
    born: int = 0
    died: int | None = None


class Snapshot(msgspec.Struct, kw_only=True, omit_defaults=True, gc=False):
    """A snapshot; `data` are the bytes of file data it refers to, `unique` those only it holds."""

    tag: str
    guid: int
    createtxg: int
    created: int
    data: int = 0
    unique: int = 0
    holds: dict[str, int] = {}  # by tag: since when
    values: dict[str, str] = {}  # user properties of its own


class Bookmark(msgspec.Struct, kw_only=True):
    """What remembers a snapshot."""

    name: str
    guid: int
    createtxg: int


class Key(msgspec.Struct, kw_only=True):
    """The key of an encryption root, known again by its hash."""

    format: str  # passphrase, hex, raw
    salt: str
    hash: str
    iterations: int
    loaded: bool = False


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
    forgone: list[str] = []  # of those received: inherited all the same
    fixed: dict[str, str] = {}  # chosen at creation, for good: volblocksize, casesensitivity…
    snapshots: list[Snapshot] = []
    bookmarks: list[Bookmark] = []
    snapshots_changed: int | None = None
    mounted: bool = False
    mount_options: dict[str, str] = {}  # properties that the mount was made with and shows
    busy: bool = False  # something holds a file open in it
    data: int = 0  # bytes of file data
    origin: str | None = None  # the snapshot it was cloned from
    files: list[FileState] = []  # what any of its snapshots, or the live state, holds of its own
    unlinked: dict[str, int] = {}  # of a clone: what of its origin's files was deleted, and when
    key: Key | None = None  # of an encryption root
    owned: dict[str, int] = {}  # bytes of `data` that are not root's, by "user 1000", "group 100"…
    limits: dict[str, int] = {}  # by property: userquota@1000, groupobjquota@100…
    rights: dict[str, FolderRights] = {}  # of its folders, by path, where they were set


class Pool(msgspec.Struct, kw_only=True):
    """A pool. Datasets in no particular order but by their names' components when shown."""

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
    removal: Move | None = None
    expansion: Move | None = None
    checkpoint: Checkpoint | None = None
    disabled: list[str] = []  # features
    used: list[str] = []  # features that something in it has made active
    damaged: list[str] = []  # files that no copy is left of
    readonly: bool = False
    left: Literal["exported", "destroyed", "lost"] | None = (
        None  # how it ceased to be imported; lost: it did not
    )
    host: str | None = None  # another machine that used it last, and did not export it
    foreign: bool = False  # another machine used it last
    borrowed: Pool | None = None  # imported only to be read: what is on its disks, and stays so
    torn_s: int = 0  # seconds of transactions that have to be given up before it can be imported


class Machine(msgspec.Struct, kw_only=True):
    """Everything. One file, read and written whole."""

    profile: str
    hostname: str
    kernel: str
    memory_kib: int
    ecc_controllers: int
    booted: float
    disks: list[Disk]
    modules_ecc: bool | None = None  # what the firmware reports of the memory; None: nothing of use
    zfs_userland: str | None = None  # versions where they are not the usual one
    zfs_module: str | None = None
    kernels: dict[str, bool] = {}  # installed besides the running one, oldest first; whether with a module
    unit_files: dict[str, str] = {}  # of services that import pools, where they are not as installed
    uncached: list[str] = []  # pools that the cache file lacks although it should have them
    full_folders: list[str] = []  # folders of the system's own disk that hold something
    folder_links: dict[str, str] = {}  # symbolic links of the system's own disk, and where they lead
    enclosures: list[Enclosure] = []
    leds: list[Led] = []
    holders: dict[str, Holder] = {}
    arrays: dict[str, Array] = {}  # by the kernel's name, which is that of its holder
    md_reports: list[SimulatedEvent] = []  # the last events that mdadm's monitor reported
    zed: list[str] = []  # lines of the file in which events of pools are counted
    zfs_events: int = 0  # how many there were since the start
    pools: dict[str, Pool] = {}
    away: list[Pool] = []  # not imported; there as long as their labels are
    faults: list[Fault] = []
    delays: dict[str, float] = {}  # seconds before a command of a type is carried out
    ran: list[list[str]] = []  # argv of the last commands that change something
    slow_ms: dict[str, float] = {}  # by serial: what a request takes, where the disk is slower than others
    corrected_errors: dict[str, int] = {}  # by the label of a memory module
    uncorrected_errors: dict[str, int] = {}  # the same
    blinking: dict[str, float] = {}  # serial → when it ends by itself, Unix time
    burn_ins: dict[str, BurnInRun] = {}  # by serial
    refused: dict[str, tuple[float, str]] = {}  # unit → when it refused to start, Unix time, and why
    backups: BackupsState = msgspec.field(default_factory=BackupsState)
    weak: list[str] = []  # serials of disks that will not pass a burn-in
    restores: dict[str, Restored] = {}  # reports, by id
    rights_runs: dict[str, RightsRun] = {}  # by id
    measuring_runs: dict[str, MeasuringRun] = {}  # the same
    replications: dict[str, ReplicationRun] = {}  # by task
    proofs: dict[str, ProofRun] = {}  # the same
    neighbours: dict[str, Neighbour] = {}  # other machines, by the name or address that leads there
    allowed: dict[str, list[str]] = {}  # rights of the account of paired machines, by a dataset's guid
    ssh_server: Literal["active", "inactive"] = "active"
    loaders: list[str] = []  # serials of the disks that GRUB was written to by our program
    conversion: ConversionRun | None = None
    power: PowerRun | None = None
    copy_refuses: bool = False  # the copy of the system will not start
    handed: dict[str, HandedOut] = {}  # what waits to be collected, by ticket
    receiving: dict[str, Receiving] = {}  # programs that make files, by ticket
    people: dict[str, PersonState] = {}  # by name, as the groups that follow
    groups: dict[str, GroupState] = msgspec.field(default_factory=first_groups)
    known_to_samba: dict[str, SambaState] = {}
    samba_missing: bool = False  # its programs are not installed
    files: dict[str, str] = {}  # what the console wrote below /etc, by path
    network: NetworkState = msgspec.field(default_factory=NetworkState)
    services: dict[str, str] = {}  # states of services that were switched
    memory: MemoryState = msgspec.field(default_factory=MemoryState)
    state_copied_at: float | None = None  # when the first copy of /var and /home is made, by its clock
    root_free_bytes: int = 9_000_000_000  # on the system's own disk
    samba: str = ""  # the file as smbd read it last
    exported: list[str] = []  # lines of the NFS server's table
    unresolved: list[str] = []  # names of hosts that lead nowhere
    clients: list[Client] = []  # who is connected to shares
    connected: int = 0  # how many ever were
    inodes: int = 0  # how many files were made
    numbers: int = 0  # how many were drawn by `number()`
    sequences: int = 0  # how many block devices have come since the start
    folder: str = ""  # of its file: what is too large for that lies beside
    ahead_s: float = 0.0  # by which this machine's clock was moved on

    def now(self) -> float:
        """This machine's clock, in seconds since 1970."""
        return time.time() + self.ahead_s

    def now_ns(self) -> int:
        """The time of the machine in nanoseconds, as files have it."""
        return int(self.now() * 1e9)

    def next_inode(self) -> int:
        """The number of a file that is made now."""
        self.inodes += 1
        return 127 + self.inodes

    def next_sequence(self) -> int:
        """The number of a block device that comes now."""
        self.sequences += 1
        return self.sequences

    def number(self) -> int:
        """A new 64-bit number that seems random but is the same for the same history."""
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
