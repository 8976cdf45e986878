"""A plain Debian on one flash drive, as its installer leaves it; a second drive and four disks are blank."""

from __future__ import annotations

from host.simulated.blocks.devices import MIB, SECTOR
from host.simulated.profiles.home import data_disk, flash_drive
from host.simulated.profiles.parts import machine
from host.simulated.state import Disk, Machine, Partition, Signature
from host.simulated.system.boot_pair import ESP_TYPE

_LINUX, _SWAP = "0fc63daf-8483-4772-8e79-3d69d8477de4", "0657fd6d-a4ab-43c4-84e5-0933c84b4f4f"
_SERIALS = ("4C530001041125113540", "4C530001090512106411")
_USED = 2_411_724_800


def build() -> Machine:
    """The machine, switched on."""
    first, second = (flash_drive(index, serial) for index, serial in enumerate(_SERIALS))
    data = [data_disk(index) for index in range(4)]
    built = machine("single", memory_kib=8_052_512, ecc_controllers=0, disks=[*data, first, second])
    _install(built, first)
    return built


def _install(built: Machine, disk: Disk) -> None:
    """ESP, root and swap, one behind the other."""
    esp = Signature(fstype="vfat", uuid="C0DE-1D5A", mountpoints=["/boot/efi"], used=6 * MIB)
    root = Signature(fstype="ext4", uuid=built.uuid(), mountpoints=["/"], used=_USED)
    swap = Signature(fstype="swap", uuid=built.uuid(), mountpoints=["[SWAP]"])
    start = 2048
    disk.table = "gpt"
    for number, (mib, kind, content) in enumerate(
        ((512, ESP_TYPE, esp), (13_000, _LINUX, root), (976, _SWAP, swap)), 1
    ):
        part = Partition(
            number=number, start=start, size=mib * MIB, parttype=kind, partuuid=built.uuid(), content=content
        )
        disk.partitions.append(part)
        start += mib * MIB // SECTOR
