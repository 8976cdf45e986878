"""A server with many bays: 4 TB disks on SAS controllers of eight ports, two SSDs to start from, ECC."""

from __future__ import annotations

from host.simulated.hardware import Smart
from host.simulated.profiles.parts import boot_pair, letters, link_name, machine, ssd
from host.simulated.state import Disk, Machine

_MODEL = "Hitachi HDS724040ALE640"
_BYTES = 4_000_787_030_016
_PORTS = 8
_TOP_ROW = 4  # bays, above which the warm air collects
_WARMER = 4
_FAILING = 13  # the disk that waits to reallocate sectors


def build(bays: int) -> Machine:
    """The machine with `bays` disks and nothing on them."""
    data = [_disk(index) for index in range(bays)]
    pair = (ssd(0, wear=12), ssd(1, wear=37))
    built = machine(f"rack{bays}", memory_kib=65_823_104, ecc_controllers=2, disks=[*data, *pair])
    boot_pair(built, pair, root_mib=32_768, swap_mib=16_384, swap="raid1")
    return built


def _disk(index: int) -> Disk:
    controller, phy = divmod(index, _PORTS)
    serial = f"PK1331PA{letters(index, 6)}"
    wwn = f"0x5000cca22b{0xC0D100 + 0x11 * index:06x}"
    port = f"pci-0000:{controller + 2:02x}:00.0-sas-phy{phy}-lun-0"
    smart = Smart(
        rpm=7200,
        temperature=31 + index % 3 + (_WARMER if index < _TOP_ROW else 0),
        hours=22_870 + 3 * (index % 5),
        pending=8 if index == _FAILING else 0,
        uncorrectable=2 if index == _FAILING else 0,
        long_minutes=566,
    )
    return Disk(
        kname="", size=_BYTES, physical_sector=4096, transport="sas", vendor="ATA     ", model=_MODEL,
        serial=serial, wwn=wwn, hctl=f"{controller}:0:{phy}:0",
        ids=[f"ata-{link_name(_MODEL, serial)}", f"wwn-{wwn}"], ports=[port], smart=smart,
    )  # fmt: skip
