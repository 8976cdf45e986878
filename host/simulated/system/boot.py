"""What the next start of a simulated machine would find: kernels, the boot menu, services, the cache file."""

from __future__ import annotations

from host.base import Result
from host.commands.system.boot import (
    IMPORT_UNITS,
    ZED_UNIT,
    BootMenu,
    CachedPools,
    ImportUnits,
    InstalledKernels,
)
from host.simulated.handlers import always
from host.simulated.refusal import Refusal, done
from host.simulated.state import Machine, Pool
from host.simulated.vdevs import all_leaves

_MODULE = "updates/dkms/zfs.ko.xz"
_DISABLED = {"zfs-import-scan.service"}
_CACHE = "/etc/zfs/zpool.cache"


def kernels(machine: Machine) -> str:
    """`find /boot /lib/modules …` for kernels and ZFS modules; the running kernel has one."""
    found = {machine.kernel: True} | machine.kernels
    images = [f"/boot/vmlinuz-{version}" for version in found]
    modules = [f"/lib/modules/{version}/{_MODULE}" for version, module in found.items() if module]
    return "".join(f"{path}\n" for path in (*images, *modules))


def menu(machine: Machine) -> str:
    """`grep` for the default and the kernels in grub.cfg: the newest installed one comes first."""
    newest = (*reversed(machine.kernels), machine.kernel)
    entries = [f"\tlinux\t/boot/vmlinuz-{version} root=/dev/md0 ro quiet\n" for version in newest]
    return "".join(['   set default="${next_entry}"\n', '   set default="0"\n', *entries])


def import_units(machine: Machine) -> str:
    """`systemctl show --property=Id,UnitFileState,ActiveState …`."""
    return "\n".join(_unit(machine, unit) for unit in (*IMPORT_UNITS, ZED_UNIT))


def _unit(machine: Machine, unit: str) -> str:
    state = machine.unit_files.get(unit, "disabled" if unit in _DISABLED else "enabled")
    active = "active" if state == "enabled" else "inactive"
    return f"Id={unit}\nActiveState={active}\nUnitFileState={state}\n"


def cached_pools(machine: Machine) -> Result:
    """`zdb -C -U /etc/zfs/zpool.cache`. ZFS keeps the file in step, and empties it with the last pool."""
    pools = [pool for pool in machine.pools.values() if pool.values.get("cachefile") is None]
    pools = [pool for pool in pools if pool.name not in machine.uncached]
    if not pools and machine.pools:
        raise Refusal("failed to unpack nvlist\n")
    if not pools:
        raise Refusal("", stdout=f"cannot open '{_CACHE}': No such file or directory\n")
    return done("".join(map(_configuration, pools)))


def _configuration(pool: Pool) -> str:
    lines = [f"{pool.name}:", "    version: 5000", f"    name: '{pool.name}'", "    state: 0"]
    lines += [f"    pool_guid: {pool.guid}", "    vdev_tree:", "        type: 'root'"]
    for number, leaf in enumerate(all_leaves(pool)):
        lines += [
            f"        children[{number}]:",
            "            type: 'disk'",
            f"            guid: {leaf.guid}",
        ]
        lines += [f"            path: '{leaf.path}'"]
    return "".join(f"{line}\n" for line in lines)


HANDLERS = (
    always(InstalledKernels, kernels)
    | always(BootMenu, menu)
    | always(ImportUnits, import_units)
    | always(CachedPools, cached_pools)
)
