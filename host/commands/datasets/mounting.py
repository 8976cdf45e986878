"""File systems on arrays: made, grown, and mounted by a unit of systemd that each start reads again."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from msgspec import Meta

from host.commands.base import Command, Mounting
from host.commands.disks.md import ArrayDevice

FileSystem = Literal["ext4", "xfs"]

UNITS = "/etc/systemd/system"
# One folder below /mnt or /srv: nothing of the system is hidden by what is mounted there.
_LONGEST_FOLDER = 100
_FOLDER = re.compile(r"/(?:mnt|srv)/[A-Za-z0-9_][A-Za-z0-9_.\-]*", re.ASCII)
MountFolder = Annotated[str, Meta(pattern=rf"\A{_FOLDER.pattern}\Z", max_length=_LONGEST_FOLDER)]
VolumeLabel = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9_.][A-Za-z0-9_.\-]*\Z", max_length=12)]


def may_be_mounted_at(folder: str) -> bool:
    """Whether `folder` is one that the console mounts at, and unmounts."""
    return len(folder) <= _LONGEST_FOLDER and _FOLDER.fullmatch(folder) is not None


def mount_unit(folder: str) -> str:
    r"""The unit that mounts at `folder`: /mnt/my-files → mnt-my\x2dfiles.mount (systemd-escape)."""
    kept = "".join(
        letter if letter.isalnum() or letter in "_." else f"\\x{ord(letter):02x}" if letter != "/" else "-"
        for letter in folder.strip("/")
    )
    return f"{kept}.mount"


class MakeFileSystem(Command, frozen=True, kw_only=True):
    """An empty file system. What was there before is overwritten without a question."""

    timeout_s = 900.0
    device: ArrayDevice
    fstype: FileSystem
    label: VolumeLabel  # XFS takes 12 letters

    def exclusive_disks(self) -> tuple[str, ...]:
        return (self.device,)

    def argv(self) -> tuple[str, ...]:
        force = "-F" if self.fstype == "ext4" else "-f"
        return (f"mkfs.{self.fstype}", "-q", force, "-L", self.label, self.device)


class GrowFileSystem(Command, frozen=True, kw_only=True):
    """Let a mounted file system use all of its device."""

    timeout_s = 900.0
    device: ArrayDevice
    fstype: FileSystem
    folder: MountFolder  # where it is mounted

    def argv(self) -> tuple[str, ...]:
        return ("resize2fs", self.device) if self.fstype == "ext4" else ("xfs_growfs", self.folder)


class WriteMount(Command, frozen=True, kw_only=True):
    """Write the unit that mounts an array. Without the array the machine starts all the same (nofail)."""

    device: ArrayDevice
    fstype: FileSystem
    folder: MountFolder

    def argv(self) -> tuple[str, ...]:
        return ("tee", f"{UNITS}/{mount_unit(self.folder)}")

    def input(self) -> str:
        return (
            f"[Unit]\nDescription=Array mounted by Nasweb at {self.folder}\n\n"
            f"[Mount]\nWhat={self.device}\nWhere={self.folder}\nType={self.fstype}\n"
            "Options=noatime,nofail\n\n[Install]\nWantedBy=multi-user.target\n"
        )

    def mounting(self) -> Mounting:
        return Mounting(place=self.folder)


class ReadUnits(Command, frozen=True, kw_only=True):
    """Let systemd read its units again."""

    timeout_s = 180.0

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", "daemon-reload")


class StartMount(Command, frozen=True, kw_only=True):
    """Mount now, and at each start of the machine."""

    timeout_s = 180.0
    folder: MountFolder

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", "enable", "--now", mount_unit(self.folder))

    def mounting(self) -> Mounting:
        return Mounting(place=self.folder)


class SyncUnits(Command, frozen=True, kw_only=True):
    """Let units that were written, and the links that start them, be on the disk: the power may be cut.

    A file system writes a new file up to half a minute later, and one that was cut off is there and empty.
    """

    timeout_s = 180.0

    def argv(self) -> tuple[str, ...]:
        return ("sync", "--file-system", UNITS)


class StopMount(Command, frozen=True, kw_only=True):
    """Unmount, whoever mounted it: systemd knows every mount as a unit. Status 5: there is none."""

    timeout_s = 180.0
    good_exits = (0, 5)
    folder: MountFolder

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", "stop", mount_unit(self.folder))


class RemoveMount(Command, frozen=True, kw_only=True):
    """Delete the unit that `WriteMount` wrote, and the link that starts it, where they are there."""

    folder: MountFolder

    def argv(self) -> tuple[str, ...]:
        unit = mount_unit(self.folder)
        return ("rm", "--force", f"{UNITS}/multi-user.target.wants/{unit}", f"{UNITS}/{unit}")


Commands = (
    MakeFileSystem
    | GrowFileSystem
    | WriteMount
    | ReadUnits
    | StartMount
    | SyncUnits
    | StopMount
    | RemoveMount
)
