"""Commands on md arrays: mdadm(8), and what the kernel itself reports of them in sysfs.

An array is made with `--homehost=any`: then its name holds on every machine and after the machine is renamed
(mdadm(8)), it is assembled by that name without any line in mdadm.conf, and no initramfs has to be made anew.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from host.commands.base import Command, DiskLink
from host.monitoring import EVENTS

Level = Literal[1, 5, 6, 10]
CheckAction = Literal["start", "stop"]

_LINK_NAME = r"[A-Za-z0-9_.:+=@#\-]+"
# A link that udev makes of an array's name or UUID; an array that is not running has none.
_ARRAY = rf"\A/dev/(?:disk/by-id/md-(?:name|uuid)-{_LINK_NAME}|md[0-9]{{1,6}})\Z"

ArrayDevice = Annotated[str, Meta(pattern=_ARRAY, max_length=255)]
# mdadm 4.4 refuses a longer name of an array, such as that of a link: “cannot be set as devname”.
ArrayNode = Annotated[str, Meta(pattern=r"\A/dev/md[0-9]{1,6}\Z")]
# mdadm takes no other letters since 4.3; with “any:” before it, a superblock holds 32 bytes.
ArrayName = Annotated[str, Meta(pattern=r"\A[A-Za-z][A-Za-z0-9_.\-]{0,26}\Z")]
Members = Annotated[tuple[DiskLink, ...], Meta(min_length=1, max_length=64)]

SYSFS = "/sys/devices/virtual/block"
_WANTED = (
    "array_state", "degraded", "last_sync_action", "level", "location", "metadata_version", "mismatch_cnt",
    "raid_disks", "size", "slot", "state", "sync_action", "sync_completed", "sync_min", "sync_speed", "uuid",
)  # fmt: skip
# Other virtual devices, of which there may be thousands, and folders without any of these files.
_NOT_HERE = ("bdi", "dm-*", "integrity", "loop*", "mq", "power", "queue", "ram*", "trace", "zd*", "zram*")
_ACTIONS: dict[CheckAction, str] = {"start": "check", "stop": "idle"}


def array_link(name: str) -> str:
    """The link that udev makes of an array that `MdCreate` named so."""
    return f"/dev/disk/by-id/md-name-any:{name}"


class MdState(Command, frozen=True, kw_only=True):
    """What the kernel reports of all arrays and their members: a path, NUL and a line of the file.

    It reads no disk, so it wakes none. grep ends with 1 without any array, and with 2 where a file cannot be
    read, as of a member that disappears meanwhile.
    """

    reads = True
    good_exits = (0, 1, 2)

    def argv(self) -> tuple[str, ...]:
        wanted = (f"--include={name}" for name in _WANTED)
        skipped = (f"--exclude-dir={name}" for name in _NOT_HERE)
        how = ("--no-messages", "--text", "--null", "--with-filename")
        return ("grep", "-r", *how, *wanted, *skipped, "--regexp=", SYSFS)


class MdEvents(Command, frozen=True, kw_only=True):
    """The last events that mdadm's monitor reported since the start of the machine: JSON lines, oldest first.

    tail ends with 1 where it has reported nothing yet.
    """

    reads = True
    good_exits = (0, 1)

    def argv(self) -> tuple[str, ...]:
        return ("tail", "--lines=200", str(EVENTS))


class MdCreate(Command, frozen=True, kw_only=True):
    """Make an array of partitions, and start it. Its first synchronisation goes on in the background.

    `--run` answers what mdadm would ask about oddities, such as members of different sizes. Of `missing`
    members the places stay empty: it is degraded from the start.
    """

    timeout_s = 300.0
    name: ArrayName
    level: Level
    members: Members
    missing: Annotated[int, Meta(ge=0, le=1)] = 0

    def exclusive_disks(self) -> tuple[str, ...]:
        return self.members

    def argv(self) -> tuple[str, ...]:
        lasting = ("--metadata=1.2", "--bitmap=internal", "--homehost=any")
        shape = (f"--level={self.level}", f"--raid-devices={len(self.members) + self.missing}")
        places = (*self.members, *("missing",) * self.missing)
        return ("mdadm", "--create", f"/dev/md/{self.name}", "--run", *lasting, *shape, *places)


class MdAdd(Command, frozen=True, kw_only=True):
    """Give an array members: one takes an empty place at once, any other waits as a spare."""

    timeout_s = 120.0
    array: ArrayNode
    members: Members

    def exclusive_disks(self) -> tuple[str, ...]:
        return self.members

    def argv(self) -> tuple[str, ...]:
        return ("mdadm", "--manage", self.array, "--add", *self.members)


class MdReAdd(Command, frozen=True, kw_only=True):
    """Take back a member that was missing: only what was written meanwhile is copied."""

    timeout_s = 120.0
    array: ArrayNode
    member: DiskLink

    def exclusive_disks(self) -> tuple[str, ...]:
        return (self.member,)

    def argv(self) -> tuple[str, ...]:
        return ("mdadm", "--manage", self.array, "--re-add", self.member)


class MdReplace(Command, frozen=True, kw_only=True):
    """Copy a member to a spare, and use that instead: the old one stays in use until the new one is whole."""

    timeout_s = 120.0
    array: ArrayNode
    old: DiskLink
    new: DiskLink

    def argv(self) -> tuple[str, ...]:
        return ("mdadm", "--manage", self.array, "--replace", self.old, "--with", self.new)


class MdFail(Command, frozen=True, kw_only=True):
    """Mark a member as faulty: it is no longer used."""

    timeout_s = 120.0
    array: ArrayNode
    member: DiskLink

    def argv(self) -> tuple[str, ...]:
        return ("mdadm", "--manage", self.array, "--fail", self.member)


# One type: of a string and a literal msgspec holds both to the string's pattern.
Leaving = Annotated[
    str, Meta(pattern=r"\A(?:failed|detached|/dev/disk/by-id/[A-Za-z0-9_.:+=@#\-]+)\Z", max_length=255)
]


class MdRemove(Command, frozen=True, kw_only=True):
    """Let go of a member that is faulty or a spare; `failed` and `detached`: of all that are so."""

    timeout_s = 120.0
    array: ArrayNode
    member: Leaving

    def argv(self) -> tuple[str, ...]:
        return ("mdadm", "--manage", self.array, "--remove", self.member)


class MdRun(Command, frozen=True, kw_only=True):
    """Start an array that waits for members, with those that are there."""

    timeout_s = 120.0
    array: ArrayNode

    def argv(self) -> tuple[str, ...]:
        return ("mdadm", "--run", self.array)


class MdStop(Command, frozen=True, kw_only=True):
    """Take an array apart; refused while anything uses it. Nothing on its members is changed."""

    timeout_s = 120.0
    array: ArrayNode

    def was_read_from(self, said: str) -> bool:
        # As blkid of udev does of a new one. A mounted one is "Cannot get exclusive access" instead.
        return f"failed to stop array {self.array}: Device or resource busy" in said

    def argv(self) -> tuple[str, ...]:
        return ("mdadm", "--stop", self.array)


class MdGrow(Command, frozen=True, kw_only=True):
    """Use so many devices from now on, or all the space that the members have. Goes on in the background."""

    timeout_s = 300.0
    array: ArrayNode
    devices: Annotated[int, Meta(ge=2, le=64)] | None = None  # None: as many as now, in all their space

    def argv(self) -> tuple[str, ...]:
        what = "--size=max" if self.devices is None else f"--raid-devices={self.devices}"
        return ("mdadm", "--grow", self.array, what)


class MdBitmap(Command, frozen=True, kw_only=True):
    """Give an array a write-intent bitmap: a member that was missing is brought up to date quickly."""

    timeout_s = 120.0
    array: ArrayNode

    def argv(self) -> tuple[str, ...]:
        return ("mdadm", "--grow", self.array, "--bitmap=internal")


class MdCheck(Command, frozen=True, kw_only=True):
    """Read all of an array and count what differs; or stop doing so. Returns at once."""

    array: ArrayNode
    action: CheckAction = "start"

    def argv(self) -> tuple[str, ...]:
        return ("mdadm", f"--action={_ACTIONS[self.action]}", self.array)


class MdZeroSuperblock(Command, frozen=True, kw_only=True):
    """Let partitions forget that they belonged to an array."""

    timeout_s = 120.0
    members: Members

    def exclusive_disks(self) -> tuple[str, ...]:
        return self.members

    def argv(self) -> tuple[str, ...]:
        return ("mdadm", "--zero-superblock", *self.members)


Commands = (
    MdState
    | MdEvents
    | MdCreate
    | MdAdd
    | MdReAdd
    | MdReplace
    | MdFail
    | MdRemove
    | MdRun
    | MdStop
    | MdGrow
    | MdBitmap
    | MdCheck
    | MdZeroSuperblock
)
