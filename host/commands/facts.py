"""Commands that read what the machine is. None of them touches the media of a disk."""

from __future__ import annotations

from typing import Literal

from host.commands.base import Command, FolderPath

LSBLK_COLUMNS = (
    "NAME", "KNAME", "PATH", "TYPE", "PKNAME", "SIZE", "PHY-SEC", "LOG-SEC", "ROTA", "RM", "TRAN",
    "VENDOR", "MODEL", "SERIAL", "WWN", "HCTL", "FSTYPE", "LABEL", "UUID", "PTTYPE", "PARTTYPE",
    "PARTN", "START", "DISK-SEQ", "FSUSED", "MOUNTPOINTS",
)  # fmt: skip

FactFile = Literal[
    "/etc/group",
    "/etc/passwd",
    "/proc/meminfo",
    "/proc/mdstat",
    "/proc/stat",
    "/proc/sys/kernel/hostname",
    "/proc/sys/kernel/osrelease",
]


class Lsblk(Command, frozen=True, kw_only=True):
    """All block devices with what udev knows of them, as JSON; sizes in bytes."""

    reads = True

    def argv(self) -> tuple[str, ...]:
        return ("lsblk", "-J", "-b", "-o", ",".join(LSBLK_COLUMNS))


class LoopFiles(Command, frozen=True, kw_only=True):
    """The file of every loop device in use, behind its path in sysfs and NUL: a device where it lies on one,
    which lsblk does not show. grep ends with 1 where there is none, with 2 for one that goes meanwhile."""

    reads = True
    good_exits = (0, 1, 2)

    def argv(self) -> tuple[str, ...]:
        others = ("bdi", "dm-*", "integrity", "md*", "mq", "power", "queue", "ram*", "trace", "zd*", "zram*")
        skipped = (f"--exclude-dir={name}" for name in others)
        how = ("--no-messages", "--text", "--null", "--with-filename", "--include=backing_file")
        return ("grep", "-r", *how, *skipped, "--regexp=", "/sys/devices/virtual/block")


class DiskLinks(Command, frozen=True, kw_only=True):
    """Every link in by-id, by-path and by-diskseq with its target, tab-separated.

    udev adds and removes links while this runs (partitions even get folders under by-path, for a moment):
    find ends with 1 for a folder that was removed, or that is not there because no disk has such a link.
    """

    reads = True
    good_exits = (0, 1)

    def argv(self) -> tuple[str, ...]:
        folders = ("/dev/disk/by-id", "/dev/disk/by-path", "/dev/disk/by-diskseq")
        once = ("-maxdepth", "1", "-ignore_readdir_race")
        return ("find", *folders, *once, "-type", "l", "-printf", r"%p\t%l\n")


class DiskSequence(Command, frozen=True, kw_only=True):
    """Every block device by the number that the kernel gave it when it came, which is never used twice.

    find ends with 1 where udev makes no such links, and for one that is removed meanwhile.
    """

    reads = True
    good_exits = (0, 1)

    def argv(self) -> tuple[str, ...]:
        once = ("-maxdepth", "1", "-ignore_readdir_race")
        return ("find", "/dev/disk/by-diskseq", *once, "-type", "l", "-printf", r"%f\t%l\n")


class PoolStates(Command, frozen=True, kw_only=True):
    """The state of every imported pool, one `…/POOL/state:STATE` a line, from the kernel's own counters: it
    takes no lock of ZFS, so a suspended pool answers too. grep ends with 1 where no pool is imported, with 2
    where the module is not loaded, and for a pool that is exported meanwhile."""

    reads = True
    good_exits = (0, 1, 2)

    def argv(self) -> tuple[str, ...]:
        return ("grep", "-rs", "--include=state", "", "/proc/spl/kstat/zfs")


class HostId(Command, frozen=True, kw_only=True):
    """The number by which OpenZFS knows this machine (/etc/hostid), in eight hexadecimal digits."""

    reads = True

    def argv(self) -> tuple[str, ...]:
        return ("hostid",)


class ReadFact(Command, frozen=True, kw_only=True):
    """One of a fixed list of files, under /proc and with the names of accounts."""

    reads = True
    path: FactFile

    def argv(self) -> tuple[str, ...]:
        return ("cat", self.path)


class EccControllers(Command, frozen=True, kw_only=True):
    """The memory controllers that report ECC (EDAC), one path a line; none without ECC or its driver."""

    reads = True
    good_exits = (0, 1)

    def argv(self) -> tuple[str, ...]:
        return ("find", "/sys/devices/system/edac/mc", "-maxdepth", "1", "-name", "mc[0-9]*")


class MemoryModules(Command, frozen=True, kw_only=True):
    """What the firmware says of memory arrays and modules (SMBIOS types 16 and 17)."""

    reads = True

    def argv(self) -> tuple[str, ...]:
        return ("dmidecode", "--quiet", "--type", "16", "--type", "17")


class FolderHolds(Command, frozen=True, kw_only=True):
    """An x where the folder holds anything. find ends with 1 where there is no such folder.

    It reads the folder, and waits for ever where that lies on a suspended pool.
    """

    reads = True
    timeout_s = 20.0
    good_exits = (0, 1)
    path: FolderPath

    def argv(self) -> tuple[str, ...]:
        return ("find", "-H", self.path, "-mindepth", "1", "-maxdepth", "1", "-printf", "x", "-quit")


Commands = (
    Lsblk
    | LoopFiles
    | DiskLinks
    | DiskSequence
    | PoolStates
    | HostId
    | ReadFact
    | EccControllers
    | MemoryModules
    | FolderHolds
)
