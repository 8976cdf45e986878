"""A machine on which the system is copied: it records commands, and its files are in a folder of the test."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from host.base import CommandFailed, Result, check
from host.commands.base import Command
from host.commands.system.convert_program import (
    ActiveTimers,
    ArrayDetail,
    CopyTree,
    FileSystemTag,
    FindDevice,
    ListDevice,
    MakeInitramfs,
    MountDevice,
    MountScratch,
    MountsOf,
    MountWithin,
    RealMounts,
    RootSource,
    UnitIsActive,
    UnmountAll,
)
from host.inventory import Conversion
from host.programs.boot_convert.program import main
from host.programs.boot_convert.stopping import Stop
from host.programs.boot_convert.system import System

ARRAY = "/dev/disk/by-id/md-name-any:root"
DISK = "/dev/disk/by-id/usb-SanDisk_Cruzer_Fit_4C53-0:0"
MD = "0d1c2b3a:4f5e6d7c:8b9a0f1e:2d3c4b5a"
EXT4 = "6f1c0a52-9a3e-4f83-8d6f-2b8f0e0f8a11"
KERNEL = "6.12.48+deb13-amd64"
OLD, NEW = "/run/nasweb-convert/old", "/run/nasweb-convert/new"
CMDLINE = f"BOOT_IMAGE=/boot/vmlinuz-{KERNEL} root=UUID=1-2 ro quiet console=ttyS0,115200\n"
FSTAB = """# made by the installer
UUID=1-2 / ext4 errors=remount-ro 0 1
/dev/sda3 /home ext4 defaults 0 2
/swapfile none swap sw 0 0
LABEL="media" /media/disk ext4 nofail 0 2
"""
MENU = 'if [ "${next_entry}" ]; then\nsource ${config_directory}/custom.cfg\n'
TIMERS = ("apt-daily.timer", "fstrim.timer")
ACTIVE = {*TIMERS, "nasweb-worker.service", "nasweb.target", "smbd.service", "cron.service"}

PROBES = [
    "findmnt --json --output TARGET,SOURCE,FSTYPE /",
    "lsblk --json --list --paths --nodeps --output PATH,TYPE,PKNAME /dev/sda2",
    "lsblk --json --list --paths --inverse --output PATH,TYPE,PKNAME /dev/md127",
    "findmnt --json --output TARGET,SOURCE,FSTYPE /dev/md127",
    "blkid --probe --match-tag TYPE --output value /dev/md127",
    "blkid --probe --match-tag UUID --output value /dev/md127",
    "mdadm --detail --export /dev/md127",
    "lsblk --json --list --paths --output PATH,TYPE,PKNAME /dev/sda",
]
COPY = [
    "findmnt --json --list --real --output TARGET,SOURCE,FSTYPE",
    f"mount /dev/sda2 {OLD}",
    f"mount -o remount,bind,ro {OLD}",
    f"mount /dev/sda3 {OLD}/home",
    f"mount -o remount,bind,ro {OLD}/home",
    f"mount -o noatime /dev/md127 {NEW}",
    (
        "rsync --archive --modify-window=-1 --acls --xattrs --hard-links --sparse --numeric-ids --delete "
        "--exclude=/dev/* --exclude=/proc/* --exclude=/sys/* --exclude=/run/* --exclude=/tmp/* "
        f"--exclude=/lost+found --exclude=/var/lib/nasweb-boot --exclude=/swapfile {OLD}/ {NEW}/"
    ),
    "findfs UUID=1-2",
    "findfs LABEL=media",
    f"mount --rbind --make-rslave /dev {NEW}/dev",
    f"mount --rbind --make-rslave /proc {NEW}/proc",
    f"mount --rbind --make-rslave /sys {NEW}/sys",
    f"mount --rbind --make-rslave /run {NEW}/run",
    f"mount -t tmpfs tmpfs {NEW}/tmp",
    f"chroot {NEW} update-initramfs -u -k all",
    f"chroot {NEW} /usr/local/libexec/nasweb-boot-copy {DISK}",
    f"chroot {NEW} update-grub",
    f"umount --recursive --lazy {NEW}/tmp",
    f"umount --recursive --lazy {NEW}/run",
    f"umount --recursive --lazy {NEW}/sys",
    f"umount --recursive --lazy {NEW}/proc",
    f"umount --recursive --lazy {NEW}/dev",
    f"sync -f {NEW}",
    f"umount --recursive {NEW}",
    f"umount --recursive {OLD}",
]
HALT = [
    "systemctl list-units --type=timer --state=active --output=json",
    "systemctl is-active --quiet apt-daily.timer",
    "systemctl stop apt-daily.timer",
    "systemctl is-active --quiet fstrim.timer",
    "systemctl stop fstrim.timer",
    "systemctl is-active --quiet nasweb-worker.service",
    "systemctl stop nasweb-worker.service",
    "systemctl is-active --quiet nasweb.target",
    "systemctl stop nasweb.target",
    "systemctl is-active --quiet smbd.service",
    "systemctl stop smbd.service",
    "systemctl is-active --quiet nmbd.service",
    "systemctl is-active --quiet winbind.service",
    "systemctl is-active --quiet samba-ad-dc.service",
    "systemctl is-active --quiet nfs-server.service",
    "systemctl is-active --quiet cron.service",
    "systemctl stop cron.service",
    "systemctl is-active --quiet anacron.service",
    "systemctl is-active --quiet unattended-upgrades.service",
]
START = [
    "grub-editenv /boot/grub/grubenv create",
    "grub-reboot nasweb-copy",
    "sync",
    "systemctl reboot",
]
RESTART = [*HALT, *COPY, *START]
LEAVE = [f"umount --recursive --lazy {NEW}", f"umount --recursive --lazy {OLD}"]
FORGET = "grub-editenv /boot/grub/grubenv unset next_entry"
RESUME = "systemctl start --no-block"


class Asking(Stop):
    """Someone who asks for the end without a signal."""

    def __init__(self) -> None:
        super().__init__()
        self.listens = self.ignores = False

    def listen(self) -> None:
        self.listens = True

    def ignore(self) -> None:
        self.ignores = True

    def ask(self, *_: object) -> None:
        if not self.ignores:
            super().ask()


class Machine:
    """A system on /dev/sda, in two parts, and an array on /dev/sdb. `lines` are the commands that it ran."""

    kind = "local"

    def __init__(self, folder: Path) -> None:
        self.root = folder
        self.stop = Asking()
        self.lines: list[str] = []
        self.ready_as: list[str] = []  # the state of the report when the program was ready
        self.mounted: list[str] = []
        self.active = set(ACTIVE)
        self.before: dict[str, Callable[[], object]] = {}  # done right before a command
        self.failing: dict[str, Exception | int] = {}
        self.mounts = [
            ("/boot/efi", "/dev/sda1", "vfat"),
            ("/home", "/dev/sda3", "ext4"),
            ("/", "/dev/sda2", "ext4"),
            ("/boot/grub", "/dev/sda2[/boot/grub]", "ext4"),
            ("/mnt/tank", "tank", "zfs"),
        ]
        self.array_mounts: list[tuple[str, str, str]] = []
        self.root_source = ("/dev/sda2", "part")
        self.tags = {"TYPE": "ext4", "UUID": EXT4}
        self.array_on = "/dev/sdb"
        self.detail = f"MD_LEVEL=raid1\nMD_UUID={MD}\n"
        self.links = {ARRAY: "/dev/md127", DISK: "/dev/sdb"}
        self.fstab = FSTAB
        self.initramfs = True
        self.used = {OLD: 3_000, f"{OLD}/home": 1_000, NEW: 1_500}
        self.progress: Callable[[], object] | None = None
        self.put("/boot/grub/grub.cfg", MENU)
        self.put(f"/boot/vmlinuz-{KERNEL}", "")
        self.put("/proc/cmdline", CMDLINE)
        self.put(
            "/proc/swaps",
            "Filename Type Size Used Priority\n/swapfile file 1 0 -2\n/dev/sda4 partition 1 0 -3\n",
        )
        self.put("/swapfile", "")

    def put(self, path: str, text: str) -> Path:
        """A file of this machine."""
        file = self.root / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def text(self, path: str) -> str:
        """What is in a file."""
        return (self.root / path.lstrip("/")).read_text()

    def line(self, command: Command) -> str:
        """What would be typed on a real machine."""
        return " ".join(command.argv()).replace(str(self.root), "")

    def run(self, command: Command) -> Result:
        line = self.line(command)
        self.lines.append(line)
        if line in self.before:
            self.before[line]()
        if (wrong := self.failing.get(line)) is not None:
            if isinstance(wrong, Exception):
                raise wrong
            check(command, Result(exit=wrong, stderr="at first\nit broke\n"))
        return check(command, self._answer(command))

    def _answer(self, command: Command) -> Result:
        match command:
            case UnitIsActive(unit=unit):
                return Result(exit=0 if unit in self.active else 3)
            case FileSystemTag(tag=tag):
                return Result(exit=0 if self.tags[tag] else 2, stdout=self.tags[tag])
            case MountsOf() if not self.array_mounts:
                return Result(exit=1)
            case FindDevice(tag=tag):
                found = {"UUID=1-2": "/dev/sda2\n"}.get(tag, "")
                return Result(exit=0 if found else 1, stdout=found)
            case ListDevice(alone=True) if not self.root_source[0].startswith("/dev/"):
                return Result(exit=32, stderr="lsblk: tank/root: not a block device\n")
        self._do(command)
        return Result(exit=0, stdout=self._says(command))

    def _says(self, command: Command) -> str:
        match command:
            case RootSource():
                return mounts([("/", self.root_source[0], "ext4")])
            case RealMounts():
                return mounts(self.mounts)
            case MountsOf():
                return mounts(self.array_mounts)
            case ListDevice(alone=True):
                return devices([(*self.root_source, "/dev/sda")])
            case ListDevice(inverse=True):
                return devices([("/dev/md127", "raid1", None), (f"{self.array_on}3", "part", self.array_on),
                                (self.array_on, "disk", None)])  # fmt: skip
            case ListDevice():
                parts = [(f"/dev/sda{number}", "part", "/dev/sda") for number in range(1, 5)]
                return devices([("/dev/sda", "disk", None), *parts])
            case ArrayDetail():
                return self.detail
            case ActiveTimers():
                return json.dumps([{"unit": unit, "load": "loaded"} for unit in TIMERS])
        return ""

    def _do(self, command: Command) -> None:
        match command:
            case MountDevice(target=target) | MountWithin(target=target) | MountScratch(target=target):
                place = self.place(target)
                self.mounted.append(place)
                if place == OLD:
                    self.put(f"{OLD}/etc/fstab", self.fstab)
            case UnmountAll(target=target, lazy=lazy):
                place = self.place(target)
                left = [one for one in self.mounted if one != place and not one.startswith(f"{place}/")]
                if left == self.mounted and not lazy:
                    raise CommandFailed(command, Result(exit=1, stderr=f"umount: {place}: not found\n"))
                self.mounted = left
            case CopyTree():
                self.put(f"{NEW}/boot/grub/grubenv", "next_entry=old\n")
                if self.progress:
                    self.progress()
            case MakeInitramfs() if self.initramfs:
                self.put(f"{NEW}/boot/initrd.img-{KERNEL}", "")

    def place(self, target: str) -> str:
        """A path as it is on a real machine."""
        return target.removeprefix(str(self.root))

    def system(self) -> System:
        """What the program sees of it."""
        return System(
            root=self.root,
            kernel=KERNEL,
            resolve=lambda path: self.links.get(path, path if path.startswith("/dev/sd") else None),
            used=lambda path: self.used[self.place(str(path))],
            mounted=lambda path: self.place(str(path)) in self.mounted,
            now=lambda: datetime(2026, 11, 22, 20, tzinfo=UTC),
            ready=lambda: self.ready_as.append(self.report().state),
            repeated=self._repeated,
        )

    @contextmanager
    def _repeated(self, action: Callable[[], object]) -> Iterator[None]:
        self.progress = action
        try:
            yield
        finally:
            self.progress = None

    def report(self) -> Conversion:
        """What the report says, with no other fields than that."""
        found = self.fields()
        return msgspec.convert(found, Conversion)

    def fields(self) -> dict[str, Any]:
        """The report as it is."""
        found: dict[str, Any] = json.loads(self.text("/var/lib/nasweb-boot/convert.json"))
        return found

    def start(self, what: str) -> int:
        """Run the program; its exit status."""
        return main([what, ARRAY, DISK], host=self, system=self.system(), stop=self.stop)

    def copied(self) -> Machine:
        """The same, once a copy is whole."""
        assert self.start("copy") == 0
        (self.root / NEW.lstrip("/") / f"boot/initrd.img-{KERNEL}").unlink()
        self.lines.clear()
        self.ready_as.clear()
        self.stop = Asking()
        return self

    def worked(self) -> list[str]:
        """The commands after the probe, and before the end."""
        assert self.lines[: len(PROBES)] == PROBES
        return self.lines[len(PROBES) :]


def mounts(found: list[tuple[str, str, str]]) -> str:
    """As findmnt lists them."""
    rows = [{"target": target, "source": source, "fstype": kind} for target, source, kind in found]
    return json.dumps({"filesystems": rows})


def devices(found: list[tuple[str, str, str | None]]) -> str:
    """As lsblk lists them."""
    rows = [{"path": path, "type": kind, "pkname": parent} for path, kind, parent in found]
    return json.dumps({"blockdevices": rows})
