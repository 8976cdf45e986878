"""Commands that read what the next start of the machine will find. None of them touches a pool's disks."""

from __future__ import annotations

from host.commands.base import Command

IMPORT_UNITS = ("zfs-import-cache.service", "zfs-import-scan.service", "zfs-mount.service")
ZED_UNIT = "zfs-zed.service"


class InstalledKernels(Command, frozen=True, kw_only=True):
    """The kernels in /boot, and every ZFS module under /lib/modules, one path a line.

    Distributions put the module at different depths; find ends with 1 where a folder is missing.
    """

    reads = True
    good_exits = (0, 1)

    def argv(self) -> tuple[str, ...]:
        names = ("(", "-path", "/boot/vmlinuz-*", "-o", "-name", "zfs.ko*", ")")
        return ("find", "/boot", "/lib/modules", "-maxdepth", "5", "-type", "f", *names)


class BootMenu(Command, frozen=True, kw_only=True):
    """Which entry GRUB starts by default, and the kernels of all entries in their order.

    Status 1 or 2: no such line, or no GRUB.
    """

    reads = True
    good_exits = (0, 1, 2)

    def argv(self) -> tuple[str, ...]:
        return ("grep", "-E", r"^\s*(set default=|linux\s)", "/boot/grub/grub.cfg")


class ImportUnits(Command, frozen=True, kw_only=True):
    """Whether the services that import, mount and watch pools are enabled, and whether they run now."""

    reads = True

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", "show", "--property=Id,UnitFileState,ActiveState", *IMPORT_UNITS, ZED_UNIT)


class CachedPools(Command, frozen=True, kw_only=True):
    """The pools that the cache file names. Status 1: there is no such file (said on standard output), or
    it is empty, because there is no such pool."""

    reads = True
    good_exits = (0, 1)

    def argv(self) -> tuple[str, ...]:
        return ("zdb", "-C", "-U", "/etc/zfs/zpool.cache")


Commands = InstalledKernels | BootMenu | ImportUnits | CachedPools
