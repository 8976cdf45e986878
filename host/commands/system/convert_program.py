"""What the program that copies the system onto a boot pair runs (`host.programs.boot_convert`).

It is root already: the helper takes none of these. Only reads have a limit of time, since a cheap flash drive
may take hours for what a good one does in minutes.
"""

from __future__ import annotations

from host.commands.base import Command
from host.commands.system.boot_pair import PROGRAMS

GRUBENV = "/boot/grub/grubenv"
_LONGEST_S = 7 * 86_400.0


class _Read(Command, frozen=True, kw_only=True):
    """Changes nothing."""

    reads = True
    timeout_s = 600.0


class _Work(Command, frozen=True, kw_only=True):
    """Takes as long as it takes."""

    timeout_s = _LONGEST_S


class RootSource(_Read, frozen=True, kw_only=True):
    """What is mounted as the root, as JSON."""

    def argv(self) -> tuple[str, ...]:
        return ("findmnt", "--json", "--output", "TARGET,SOURCE,FSTYPE", "/")


class MountsOf(_Read, frozen=True, kw_only=True):
    """Where a device is mounted, as JSON. findmnt ends with 1 where it is not."""

    good_exits = (0, 1)
    device: str

    def argv(self) -> tuple[str, ...]:
        return ("findmnt", "--json", "--output", "TARGET,SOURCE,FSTYPE", self.device)


class RealMounts(_Read, frozen=True, kw_only=True):
    """The file systems on devices that are mounted, as JSON."""

    def argv(self) -> tuple[str, ...]:
        return ("findmnt", "--json", "--list", "--real", "--output", "TARGET,SOURCE,FSTYPE")


class ListDevice(_Read, frozen=True, kw_only=True):
    """A device and what is built on it, as JSON: its partitions, for a disk.

    `inverse`: what it is built on instead; `alone`: neither.
    """

    device: str
    inverse: bool = False
    alone: bool = False

    def argv(self) -> tuple[str, ...]:
        flags = (*(("--inverse",) if self.inverse else ()), *(("--nodeps",) if self.alone else ()))
        return ("lsblk", "--json", "--list", "--paths", *flags, "--output", "PATH,TYPE,PKNAME", self.device)


class FileSystemTag(_Read, frozen=True, kw_only=True):
    """A property of the file system on a device, read from the device itself. 2, 8: none is clearly there."""

    good_exits = (0, 2, 8)
    device: str
    tag: str  # TYPE or UUID

    def argv(self) -> tuple[str, ...]:
        return ("blkid", "--probe", "--match-tag", self.tag, "--output", "value", self.device)


class ArrayDetail(_Read, frozen=True, kw_only=True):
    """An md array as lines of NAME=value."""

    array: str

    def argv(self) -> tuple[str, ...]:
        return ("mdadm", "--detail", "--export", self.array)


class FindDevice(_Read, frozen=True, kw_only=True):
    """The device of `UUID=…`, `LABEL=…`, `PARTUUID=…` or `PARTLABEL=…`; nothing where none has it."""

    good_exits = (0, 1, 2)
    tag: str

    def argv(self) -> tuple[str, ...]:
        return ("findfs", self.tag)


class ActiveTimers(_Read, frozen=True, kw_only=True):
    """The timers that start something sooner or later, as JSON."""

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", "list-units", "--type=timer", "--state=active", "--output=json")


class UnitIsActive(_Read, frozen=True, kw_only=True):
    """Ends with 0 for a unit that is active; with something else for the others, or for none."""

    good_exits = (0, 1, 2, 3, 4)
    unit: str

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", "is-active", "--quiet", self.unit)


class MountDevice(_Work, frozen=True, kw_only=True):
    """Mount a file system; `noatime` for one that is written to."""

    device: str
    target: str
    noatime: bool = False

    def argv(self) -> tuple[str, ...]:
        return ("mount", *(("-o", "noatime") if self.noatime else ()), self.device, self.target)


class ProtectMount(_Work, frozen=True, kw_only=True):
    """Let nothing be written through this mount; others of the same file system stay as they are."""

    target: str

    def argv(self) -> tuple[str, ...]:
        return ("mount", "-o", "remount,bind,ro", self.target)


class MountWithin(_Work, frozen=True, kw_only=True):
    """Show a folder, with all that is mounted below, at another place.

    Slave: what is unmounted in there is not unmounted out here. Within a service's own namespace systemd
    shares all mounts.
    """

    source: str
    target: str

    def argv(self) -> tuple[str, ...]:
        return ("mount", "--rbind", "--make-rslave", self.source, self.target)


class MountScratch(_Work, frozen=True, kw_only=True):
    """An empty file system in RAM."""

    target: str

    def argv(self) -> tuple[str, ...]:
        return ("mount", "-t", "tmpfs", "tmpfs", self.target)


class UnmountAll(_Work, frozen=True, kw_only=True):
    """Unmount what is mounted there and below; `lazy`: what is in use too, once it is free."""

    target: str
    lazy: bool = False

    def argv(self) -> tuple[str, ...]:
        return ("umount", "--recursive", *(("--lazy",) if self.lazy else ()), self.target)


class CopyTree(_Work, frozen=True, kw_only=True):
    """Make `target` equal to `source`, but for what is excluded by paths within.

    24: files that were there at first have gone meanwhile.
    """

    good_exits = (0, 24)
    source: str
    target: str
    excluded: tuple[str, ...]

    def argv(self) -> tuple[str, ...]:
        return (
            "rsync", "--archive",
            # Times to the nanosecond. What was written within the second of the first copy is else taken for
            # the same: a database's pages change neither its size nor, in whole seconds, its time.
            "--modify-window=-1",
            "--acls", "--xattrs", "--hard-links", "--sparse", "--numeric-ids", "--delete",
            *(f"--exclude={path}" for path in self.excluded),
            f"{self.source}/", f"{self.target}/",
        )  # fmt: skip


class _InCopy(_Work, frozen=True, kw_only=True):
    """A program of the copy, run within."""

    copy: str

    def _argv(self, *program: str) -> tuple[str, ...]:
        return ("chroot", self.copy, *program)


class MakeInitramfs(_InCopy, frozen=True, kw_only=True):
    """One for each kernel of the copy, which knows the array."""

    def argv(self) -> tuple[str, ...]:
        return self._argv("update-initramfs", "-u", "-k", "all")


class WriteLoader(_InCopy, frozen=True, kw_only=True):
    """GRUB of the copy to its own disk."""

    disk: str

    def argv(self) -> tuple[str, ...]:
        return self._argv(f"{PROGRAMS}/nasweb-boot-copy", self.disk)


class WriteMenu(_InCopy, frozen=True, kw_only=True):
    """GRUB's menu of the copy."""

    def argv(self) -> tuple[str, ...]:
        return self._argv("update-grub")


class SyncAll(_Work, frozen=True, kw_only=True):
    """Let everything be on its disk."""

    def argv(self) -> tuple[str, ...]:
        return ("sync",)


class HaltUnit(_Work, frozen=True, kw_only=True):
    """Stop a unit, and wait until it has."""

    unit: str

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", "stop", self.unit)


class ResumeUnits(_Work, frozen=True, kw_only=True):
    """Start units again, and wait for none."""

    units: tuple[str, ...]

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", "start", "--no-block", *self.units)


class MakeGrubenv(_Work, frozen=True, kw_only=True):
    """GRUB's own block of settings, which says nothing yet."""

    def argv(self) -> tuple[str, ...]:
        return ("grub-editenv", GRUBENV, "create")


class ChooseNextStart(_Work, frozen=True, kw_only=True):
    """Let GRUB start an entry of its menu the next time, and only then."""

    entry: str

    def argv(self) -> tuple[str, ...]:
        return ("grub-reboot", self.entry)


class ForgetNextStart(_Work, frozen=True, kw_only=True):
    """Let GRUB start what it always does."""

    def argv(self) -> tuple[str, ...]:
        return ("grub-editenv", GRUBENV, "unset", "next_entry")


class RestartMachine(_Work, frozen=True, kw_only=True):
    """Ask systemd for it; it ends before the machine does."""

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", "reboot")
