"""What the files under /proc, EDAC and `zfs version` say of a simulated machine."""

from __future__ import annotations

import msgspec

from host.base import Result
from host.commands.datasets.zfs import ZfsVersion
from host.commands.facts import EccControllers, FactFile, FolderHolds, MemoryModules, PoolStates, ReadFact
from host.simulated.arrays.output import mdstat
from host.simulated.datasets.values import mountpoint
from host.simulated.handlers import always, on
from host.simulated.kernel import system
from host.simulated.people import group, passwd
from host.simulated.refusal import done
from host.simulated.state import Dataset, Machine, Pool
from host.simulated.vdevs import state

ZFS_VERSION = "2.3.9-0+deb13u1"


def fact(machine: Machine, path: FactFile) -> str:
    """The content of a file."""
    match path:
        case "/etc/group":
            return group(machine)
        case "/etc/passwd":
            return passwd(machine)
        case "/proc/meminfo":
            return system.meminfo(machine)
        case "/proc/mdstat":
            return mdstat(machine)
        case "/proc/stat":
            return system.stat(machine)
        case "/proc/sys/kernel/hostname":
            return f"{machine.hostname}\n"
        case "/proc/sys/kernel/osrelease":
            return f"{machine.kernel}\n"


def pool_states(machine: Machine) -> Result:
    """`grep -rs --include=state "" /proc/spl/kstat/zfs`."""
    lines = (f"/proc/spl/kstat/zfs/{pool.name}/state:{state(pool)}\n" for pool in machine.pools.values())
    return Result(exit=0 if machine.pools else 1, stdout="".join(lines))


def ecc_controllers(machine: Machine) -> str:
    """`find /sys/devices/system/edac/mc -maxdepth 1 -name 'mc[0-9]*'`."""
    return "".join(f"/sys/devices/system/edac/mc/mc{n}\n" for n in range(machine.ecc_controllers))


def memory_modules(machine: Machine) -> str:
    """`dmidecode --quiet --type 16 --type 17`."""
    kind = {None: "Multi-bit ECC", True: "Multi-bit ECC", False: "None"}[machine.modules_ecc]
    total = {None: "Unknown", True: "72 bits", False: "64 bits"}[machine.modules_ecc]
    data = "Unknown" if machine.modules_ecc is None else "64 bits"
    return (
        f"Physical Memory Array\n\tLocation: System Board Or Motherboard\n\tError Correction Type: {kind}\n\n"
        f"Memory Device\n\tTotal Width: {total}\n\tData Width: {data}\n\tSize: 8 GB\n\n"
    )


def folder_holds(machine: Machine, path: str) -> Result:
    """`find PATH … -printf x -quit`."""
    mounts = [mountpoint(machine, one) for pool in machine.pools.values() for one in _mounted(pool)]
    if path in machine.full_folders or any(
        one.startswith(f"{path}/") for one in (*machine.full_folders, *mounts)
    ):
        return done("x")
    return Result(exit=1, stderr=f"find: ‘{path}’: No such file or directory\n")


def _mounted(pool: Pool) -> list[Dataset]:
    return [one for one in pool.datasets.values() if one.mounted]


def zfs_version(machine: Machine) -> str:
    """`zfs version -j`."""
    userland, module = machine.zfs_userland or ZFS_VERSION, machine.zfs_module or ZFS_VERSION
    answer = {
        "output_version": {"command": "zfs version", "vers_major": 0, "vers_minor": 1},
        "zfs_version": {"userland": f"zfs-{userland}", "kernel": f"zfs-kmod-{module}"},
    }
    return msgspec.json.encode(answer).decode() + "\n"


HANDLERS = (
    on(ReadFact, lambda machine, command: fact(machine, command.path))
    | always(PoolStates, pool_states)
    | always(EccControllers, ecc_controllers)
    | always(MemoryModules, memory_modules)
    | on(FolderHolds, lambda machine, command: folder_holds(machine, command.path))
    | always(ZfsVersion, zfs_version)
)
