"""The copy: both file systems mounted for this program alone, all files, the settings, the boot loader."""

from __future__ import annotations

from collections.abc import Callable

from host.base import CommandFailed, Result
from host.commands.base import Command
from host.commands.system.convert_program import (
    CopyTree,
    FindDevice,
    MakeInitramfs,
    MountDevice,
    MountScratch,
    MountWithin,
    ProtectMount,
    RealMounts,
    UnmountAll,
    WriteLoader,
    WriteMenu,
)
from host.commands.system.converting import NOTES
from host.commands.system.syncing import SyncFileSystem
from host.inventory.conversion import ConversionState
from host.programs.boot_convert import texts
from host.programs.boot_convert.devices import mounted_from, of_disk, parse_findmnt
from host.programs.boot_convert.failing import Failed, said
from host.programs.boot_convert.probing import Setup
from host.programs.boot_convert.report import Report
from host.programs.boot_convert.system import System, read, write

# Where the kernel, systemd or the running machine itself writes; and what this program says of itself.
_EXCLUDED = ("/dev/*", "/proc/*", "/sys/*", "/run/*", "/tmp/*", "/lost+found", NOTES)  # noqa: S108
_OF_THE_KERNEL = ("dev", "proc", "sys", "run")
_TAGS = ("UUID=", "LABEL=", "PARTUUID=", "PARTLABEL=")


class Copying:
    """One copy. `run` carries out a command. Each method raises `Failed`, `HostError`, `OSError`."""

    def __init__(
        self, system: System, setup: Setup, report: Report, run: Callable[[Command], Result]
    ) -> None:
        self._system, self._setup, self._report, self._run = system, setup, report, run

    def copy(self, state: ConversionState) -> None:
        """All of it, reported as `state`; what was mounted is unmounted only where all went well."""
        old, new = self._system.old, self._system.new
        self._open()
        self._report.write(state)
        with self._system.repeated(lambda: self._report.write(state)):
            self._copy_files()
            self._write_settings()
            self._write_loader()
            self._run(SyncFileSystem(folder=str(new)))
        self._report.write(state)
        self._run(UnmountAll(target=str(new)))
        self._run(UnmountAll(target=str(old)))

    def _open(self) -> None:
        """The file systems of the old disk as they lie in each other, read-only, and the array."""
        system, setup = self._system, self._setup
        # Before the first of them is mounted, which would be one more.
        mounts = parse_findmnt(self._run(RealMounts()).stdout)
        system.old.mkdir(parents=True, exist_ok=True)
        system.new.mkdir(parents=True, exist_ok=True)
        further = mounted_from(mounts, setup.parts, system.resolve)
        places = [
            (setup.root, system.old),
            *((one.source, system.old / one.target.lstrip("/")) for one in further),
        ]
        for device, place in places:
            self._run(MountDevice(device=device, target=str(place)))
            self._run(ProtectMount(target=str(place)))
        self._report.total_bytes = sum(system.used(place) for _, place in places)
        self._run(MountDevice(device=setup.array, target=str(system.new), noatime=True))

    def _copy_files(self) -> None:
        swaps = texts.swap_files(read(self._system.path("/proc/swaps")))
        command = CopyTree(
            source=str(self._system.old), target=str(self._system.new), excluded=(*_EXCLUDED, *swaps)
        )
        try:
            self._run(command)
        except CommandFailed as error:
            raise Failed(f"rsync ended with {error.result.exit}: {said(error)}") from None

    def _write_settings(self) -> None:
        """Of the copy, where they differ from the old system's."""
        new, setup = self._system.new, self._setup
        old_fstab = read(self._system.old / "etc/fstab")
        write(new / "etc/fstab", texts.fstab(old_fstab, setup.file_system, self._stays_behind))
        arrays = new / "etc/mdadm/mdadm.conf"
        write(arrays, texts.mdadm_conf(read(arrays), setup.array_uuid))
        # The old disk's swap goes with it; and the pair starts whatever machine it is put into.
        write(new / "etc/initramfs-tools/conf.d/resume", "RESUME=none\n")
        write(new / "etc/initramfs-tools/conf.d/zz-nasweb-boot", "MODULES=most\n")
        (new / "boot/grub/grubenv").unlink(missing_ok=True)
        custom = new / "boot/grub/custom.cfg"
        if custom.exists():
            write(custom, texts.without_entry(read(custom)))

    def _stays_behind(self, device: str, kind: str) -> bool:
        """A file to swap to is not copied, and the old disk will be the other half."""
        if device.startswith(_TAGS):
            device = self._run(FindDevice(tag=device.replace('"', ""))).stdout.strip()
        if of_disk(device, self._setup.parts, self._system.resolve):
            return True
        return kind == "swap" and bool(device) and self._system.path(device).is_file()

    def _write_loader(self) -> None:
        """An initramfs that knows the array, GRUB and its menu, made by the copy itself."""
        new = self._system.new
        for folder in _OF_THE_KERNEL:
            self._run(MountWithin(source=f"/{folder}", target=str(new / folder)))
        self._run(MountScratch(target=str(new / "tmp")))
        self._run(MakeInitramfs(copy=str(new)))
        self._run(WriteLoader(copy=str(new), disk=self._setup.disk))
        self._run(WriteMenu(copy=str(new)))
        if not (new / f"boot/initrd.img-{self._system.kernel}").exists():
            raise Failed(f"There is no initramfs for {self._system.kernel} in the copy.")
        for folder in ("tmp", *reversed(_OF_THE_KERNEL)):
            self._run(UnmountAll(target=str(new / folder), lazy=True))
