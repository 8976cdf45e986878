"""Streams of zfs send and zfs receive, and what surrounds them. For programs alone, as `points` are.

A receive never rolls back or destroys anything (no -F), mounts nothing (-u), keeps what arrived of a broken
stream (-s), and takes no property over that would have root do something: a replica is read-only, mounted
by nobody, and shared with nobody.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from host.commands.base import Command, DatasetName, SnapshotName
from host.commands.replication.hashes import HashFiles
from host.commands.replication.points import Bookmark, PointCommands

_DAYS_S = 30 * 86_400.0
# What zfs makes of where a receive was broken off: hex digits (and the lengths before them).
RESUMES = r"\A[0-9]{1,4}-[0-9a-f]{1,16}-[0-9a-f]{1,16}-[0-9a-f]{1,8192}\Z"
ResumeToken = Annotated[str, Meta(pattern=RESUMES, max_length=8192)]
# Of a replica: it shadows nothing, is changed by nobody, and starts nothing.
_READ_ONLY = ("-o", "readonly=on")
_POLICY = "nasweb:policy"
# Left out of what a stream may bring: they have root mount, share or run something, have the console's own
# policies take and destroy snapshots of the replica, or set space aside there and bounds to what it keeps.
NOT_RECEIVED = (_POLICY, "nasweb:asked-mountpoint", "quota", "refreservation", "reservation")
NOT_RECEIVED_VOLUME = ("snapdev",)
_MOUNTED = "canmount"
NOT_RECEIVED_FILES = ("mountpoint", "sharenfs", "sharesmb", "exec", "setuid", "devices", "zoned", "overlay")


class SendStream(Command, frozen=True, kw_only=True):
    """The stream of a snapshot: all of it, or what has changed since `base` or since the bookmark `since`.

    `between`: with all snapshots between the two, which a bookmark cannot have. `raw`: as it lies on the
    disks, so that what is encrypted stays so. `anew`: as files see it, so that the receiving side compresses,
    deduplicates and checksums it as its own properties say (without -c and -e). `properties`: with those of
    the dataset. `dry`: only how large it would be.
    """

    timeout_s = _DAYS_S
    snapshot: SnapshotName
    base: SnapshotName | None = None
    since: Bookmark | None = None
    between: bool = False
    raw: bool = False
    anew: bool = False
    properties: bool = False
    dry: bool = False

    def __post_init__(self) -> None:
        if self.raw and self.anew:
            raise ValueError("Either as it lies on the disks or anew")
        if self.base is not None and self.since is not None:
            raise ValueError("Either a snapshot or a bookmark")
        if self.between and self.base is None:
            raise ValueError("Only between two snapshots")

    def argv(self) -> tuple[str, ...]:
        if self.base is not None:
            start: tuple[str, ...] = ("-I" if self.between else "-i", self.base)
        else:
            start = () if self.since is None else ("-i", f"#{self.since}")
        kind = "-w" if self.raw else "-L" if self.anew else "-Lec"
        how = (kind, *(("-p",) if self.properties else ()))
        return ("zfs", "send", *(("-nP",) if self.dry else ()), *how, *start, self.snapshot)


class SendRest(Command, frozen=True, kw_only=True):
    """The rest of a stream that was broken off, by the token that the receiving side has."""

    timeout_s = _DAYS_S
    token: ResumeToken
    dry: bool = False

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "send", *(("-nP",) if self.dry else ()), "-t", self.token)


class ReceiveStream(Command, frozen=True, kw_only=True):
    """Take a stream in: as a new dataset, or as what follows the newest snapshot of one that is there.

    `beside`: it lies beside its source, under the same snapshot policies, which leave it alone.
    """

    timeout_s = _DAYS_S
    name: DatasetName
    volume: bool = False
    beside: bool = False

    def argv(self) -> tuple[str, ...]:
        given: tuple[str, ...] = _READ_ONLY if self.volume else (*_READ_ONLY, "-o", f"{_MOUNTED}=noauto")
        # Whoever sends says what it is, and may send something else. What a volume has not is left out all
        # the same: zfs warns of that, where it refuses to set it.
        left: tuple[str, ...] = (*NOT_RECEIVED, *NOT_RECEIVED_VOLUME, *NOT_RECEIVED_FILES)
        if self.volume:
            left = (*left, _MOUNTED)
        if self.beside:
            left = tuple(name for name in left if name != _POLICY)
            given = (*given, "-o", f"{_POLICY}=off")
        return (
            "zfs",
            "receive",
            "-s",
            "-u",
            *given,
            *(word for name in left for word in ("-x", name)),
            self.name,
        )


class ForgetPartial(Command, frozen=True, kw_only=True):
    """Drop what arrived of a stream that was broken off. What was there before it stays."""

    name: DatasetName

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "receive", "-A", self.name)


class MakeContainer(Command, frozen=True, kw_only=True):
    """A file system that only holds others: mounted by nobody, and read-only."""

    name: DatasetName

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "create", "-u", "-o", "canmount=off", "-o", "readonly=on", self.name)


class ForgetSnapshots(Command, frozen=True, kw_only=True):
    """Destroy snapshots of a replica that its retention no longer wants."""

    timeout_s = 600.0
    name: DatasetName
    tags: Annotated[
        tuple[Annotated[str, Meta(pattern=r"\A(?!\.{1,2}\Z)[A-Za-z0-9_.:\- ]+\Z", max_length=255)], ...],
        Meta(min_length=1, max_length=500),
    ]

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "destroy", f"{self.name}@{','.join(self.tags)}")


class ZfsVersion(Command, frozen=True, kw_only=True):
    """The version of OpenZFS there, in two lines: of the tools and of the module."""

    reads = True

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "version")


# All that a machine does for another one; `host.programs.peer` takes nothing else.
PeerCommand = (
    PointCommands
    | SendStream
    | SendRest
    | ReceiveStream
    | ForgetPartial
    | MakeContainer
    | ForgetSnapshots
    | ZfsVersion
    | HashFiles
)
