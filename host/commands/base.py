"""What every command has, and the patterns its fields are held to."""

from __future__ import annotations

from typing import Annotated, ClassVar, NamedTuple

import msgspec
from msgspec import Meta

from host.families import EVERYTHING, Families, Family

# A pool starts with a letter (man zpool-create); a space inside is legal in pools made elsewhere.
_POOL = r"[A-Za-z][A-Za-z0-9_.:\-]*(?: +[A-Za-z0-9_.:\-]+)*"
# Below a pool spaces may stand anywhere (tests/transcripts/errors/name-bytes.json).
_COMPONENT = r"(?!\.{1,2}(?:/|@|\Z))[A-Za-z0-9_.:\- ]+"

PoolName = Annotated[str, Meta(pattern=rf"\A{_POOL}\Z", max_length=255)]
DatasetName = Annotated[str, Meta(pattern=rf"\A{_POOL}(?:/{_COMPONENT})*\Z", max_length=255)]
SnapshotTag = Annotated[str, Meta(pattern=rf"\A{_COMPONENT}\Z", max_length=255)]
# One tag, or all from one to another in the order of their making: `a%b`.
SnapshotRange = Annotated[str, Meta(pattern=rf"\A{_COMPONENT}(?:%{_COMPONENT})?\Z", max_length=511)]
SnapshotName = Annotated[str, Meta(pattern=rf"\A{_POOL}(?:/{_COMPONENT})*@{_COMPONENT}\Z", max_length=255)]
# A leading dot is ZFS's own; a leading dash would be read as an option.
HoldTag = Annotated[str, Meta(pattern=r"\A[^\x00-\x20\x7f.\-][^\x00-\x1f\x7f]*\Z", max_length=255)]
DISK_LINK = r"\A/dev/disk/by-id/[A-Za-z0-9_.:+=@#\-]+\Z"
DiskLink = Annotated[str, Meta(pattern=DISK_LINK, max_length=255)]
# ZFS's own number of a pool or vdev, below 2^64: larger than the integers of JSON are in many languages.
Guid = Annotated[str, Meta(pattern=r"\A[1-9][0-9]{0,19}\Z")]
PropertyName = Annotated[str, Meta(pattern=r"\A[a-z0-9][a-z0-9_.:@\-]*\Z", max_length=255)]
PropertyValue = Annotated[str, Meta(pattern=r"\A[^\x00-\x1f\x7f]*\Z", max_length=8191)]
MountPoint = Annotated[
    str, Meta(pattern=r"\A(?:none|legacy|(?:/(?!\.{1,2}(?:/|\Z))[^/\x00-\x1f\x7f]+)+)\Z", max_length=1023)
]
FolderPath = Annotated[str, Meta(pattern=r"\A(?:/(?!\.{1,2}(?:/|\Z))[^/\x00-\x1f\x7f]+)+\Z", max_length=1023)]
# Stands for a secret that only the root helper reads (host.secrets): the secret itself is in no command.
SECRET_PATTERN = r"\Asecret:[0-9a-f]{32}\Z"  # noqa: S105
SecretReference = Annotated[str, Meta(pattern=SECRET_PATTERN)]


class Fed(NamedTuple):
    """A secret for a command's standard input: a line of text, or the bytes that hex digits say."""

    reference: str
    what: str  # in the place of the secret where the command is shown
    as_bytes: bool = False
    times: int = 1  # how often the line is repeated, for a program that asks for it twice


class Mounting(NamedTuple):
    """What a command has mounted, as far as its value shows; `host.mount_guard` finds out the rest."""

    now: str | None = None  # the dataset as it is called before; None for a new one
    then: str | None = None  # as it is called afterwards, where that differs
    place: str | None = None  # as it was chosen; None: as ZFS has it
    below: bool = False  # those follow that inherit from it
    every: bool = False  # all below it are mounted, each at its own place
    inherits: bool = False  # it gives up its own place, for the received one if there is one
    received: bool = False


class Command(msgspec.Struct, frozen=True, kw_only=True, tag=True, forbid_unknown_fields=True):
    """One thing the machine can be asked to do. Subclasses are closed in `host.commands.closed`.

    `timeout_s` is the wall time in seconds after which its process group is killed;
    `good_exits` the exit statuses that count as success; `reads` is true where nothing changes.
    `touches` are the families of facts that are others once it has run.
    """

    timeout_s: ClassVar[float] = 60.0
    good_exits: ClassVar[tuple[int, ...]] = (0,)
    reads: ClassVar[bool] = False
    touches: ClassVar[Families] = EVERYTHING
    most_bytes: ClassVar[int | None] = None  # of stdout: what comes after them is cut off, and it is ended
    # What `exclusive_disks` names need not open exclusively: a half of the boot pair is held by the system
    # that runs, and ZFS, which opens each of its own so, says more of who uses it.
    shares_disks: ClassVar[bool] = False

    def argv(self) -> tuple[str, ...]:
        """The program and its arguments: exactly what is run."""
        raise TypeError(f"{type(self).__name__} does not say what to run")

    def input(self) -> str:
        """What is fed to its standard input. It is shown and stored like the arguments: never a secret."""
        return ""

    def feeds(self) -> Fed | None:
        """The secret that is fed to its standard input, for which `input()` stays empty."""
        return None

    def fault(self, stdout: str, stderr: str) -> str | None:
        """Why what it said counts as a failure although its status is good."""
        return None

    def mounting(self) -> Mounting | None:
        """What it has mounted; None for what mounts nothing."""
        return None

    def exclusive_disks(self) -> tuple[str, ...]:
        """The disks, partitions and arrays that it writes to, by links: not while anything else holds one."""
        return ()

    def not_beside(self) -> tuple[str, ...]:
        """Services that it must not cut off: it is not started while one of them runs."""
        return ()

    def asks_first(self) -> Command | None:
        """What root reads right before, to learn whether it may be started at all."""
        return None

    def objection(self, said: str) -> str | None:
        """Why root does not start it, where that read said `said` on its stdout."""
        return None

    def was_read_from(self, said: str) -> bool:
        """Whether it failed with `said` on its stderr only because another program read from what it lets go
        of: it is tried again for some seconds."""
        return False

    def explained_by(self, said: str) -> Command | None:
        """A read that explains why this failed with `said` on its stderr, where another program can."""
        return None

    def shown(self) -> tuple[str, ...]:
        """What would be typed: `argv()`, its input as a here-string (`tee FILE <<< 1`), secrets as words."""
        if fed := self.feeds():
            return (*self.argv(), "<<<", f"({fed.what})")
        text = self.input()
        return (*self.argv(), "<<<", text.removesuffix("\n")) if text else self.argv()


class PoolsCommand(Command, frozen=True, kw_only=True):
    """One that leaves disks, shares, people and the machine itself as they are."""

    touches = frozenset({Family.POOLS, Family.DATASETS})


class DatasetsCommand(Command, frozen=True, kw_only=True):
    """One that leaves even the pool as it is, but for how full it is."""

    touches = frozenset({Family.DATASETS})


class SharesCommand(Command, frozen=True, kw_only=True):
    """One that is about what is served, and nothing else."""

    touches = frozenset({Family.SHARES})


class PeopleCommand(Command, frozen=True, kw_only=True):
    """One that is about people and groups, and nothing else."""

    touches = frozenset({Family.PEOPLE})

    def people(self) -> tuple[str, ...]:
        """Whom it changes: people of the shares alone (`host.accounts`)."""
        return ()

    def groups_named(self) -> tuple[str, ...]:
        """Which groups it changes: those of the shares alone."""
        return ()


def options(flag: str, properties: dict[str, str]) -> tuple[str, ...]:
    """`{"ashift": "12"}` → `("-o", "ashift=12")`, sorted by name so that equal requests print equally."""
    return tuple(word for name in sorted(properties) for word in (flag, f"{name}={properties[name]}"))
