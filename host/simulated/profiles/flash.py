"""A small server with four NVMe disks in bays whose lights ledctl switches (NPEM), and two SSDs."""

from __future__ import annotations

from host.simulated.hardware import Led, Smart
from host.simulated.profiles.parts import boot_pair, letters, link_name, machine, ssd
from host.simulated.state import Disk, Machine

_MODEL = "SAMSUNG MZQL21T9HCJR-00A07"
_BYTES = 1_920_383_410_176
_BAYS = 4
_FIRST_PORT = 0x41  # of the PCI addresses


def build() -> Machine:
    """The machine with a disk in every bay and nothing on them."""
    pair = (ssd(0, wear=5), ssd(1, wear=6))
    data = [_disk(index) for index in range(_BAYS)]
    built = machine("flash4", memory_kib=65_823_104, ecc_controllers=2, disks=[*data, *pair])
    built.leds = [
        Led(controller="NPEM", slot=f"0000:40:0{index + 1}.1", hctl=disk.hctl)
        for index, disk in enumerate(data)
    ]
    boot_pair(built, pair, root_mib=32_768, swap_mib=16_384, swap="raid1")
    return built


def _disk(index: int) -> Disk:
    serial = f"S64GNE0R{letters(700 + index, 6)}"
    address = f"0000:{_FIRST_PORT + index:x}:00.0"
    eui = f"36344730523{0x01A2B0 + 0x11 * index:06x}0025384500000001"[:32]
    smart = Smart(
        protocol="NVMe", rpm=0, temperature=36 + index % 2, hours=9_410, reallocated=None,
        pending=None, crc=None, wear=4 + index, written_gb=41_300, long_minutes=68,
    )  # fmt: skip
    return Disk(
        kname="", size=_BYTES, rotational=False, transport="nvme", vendor="", model=_MODEL, serial=serial,
        wwn=f"eui.{eui}", hctl=address, ids=[f"nvme-{link_name(_MODEL, serial)}", f"nvme-eui.{eui}"],
        ports=[f"pci-{address}-nvme-1"], smart=smart,
    )  # fmt: skip
