"""A server with many bays: 4 TB disks on SAS controllers of eight ports, two SSDs to start from, ECC."""

from __future__ import annotations

from hashlib import sha256

from host.simulated.profiles.parts import boot_pair, link_name, machine
from host.simulated.state import Disk, Machine

_MODEL = "Hitachi HDS724040ALE640"
_BYTES = 4_000_787_030_016
_PORTS = 8
_SSD_MODEL = "INTEL SSDSC2BB120G4"
_SSD_BYTES = 120_034_123_776
_SERIAL_LETTERS = "0123456789ABCDEFGHJKLMNPRSTVWXYZ"


def build(bays: int) -> Machine:
    """The machine with `bays` disks and nothing on them."""
    data = [_disk(index) for index in range(bays)]
    pair = (_ssd(0), _ssd(1))
    built = machine(f"rack{bays}", memory_kib=65_823_104, ecc_controllers=2, disks=[*data, *pair])
    boot_pair(built, pair, root_mib=32_768, swap_mib=16_384, swap="raid1")
    return built


def _disk(index: int) -> Disk:
    controller, phy = divmod(index, _PORTS)
    serial = f"PK1331PA{_letters(index, 6)}"
    wwn = f"0x5000cca22b{0xC0D100 + 0x11 * index:06x}"
    port = f"pci-0000:{controller + 2:02x}:00.0-sas-phy{phy}-lun-0"
    return Disk(
        kname="", size=_BYTES, physical_sector=4096, transport="sas", vendor="ATA     ", model=_MODEL,
        serial=serial, wwn=wwn, hctl=f"{controller}:0:{phy}:0",
        ids=[f"ata-{link_name(_MODEL, serial)}", f"wwn-{wwn}"], ports=[port],
    )  # fmt: skip


def _ssd(index: int) -> Disk:
    serial = f"BTWL3{_letters(900 + index, 8)}120LGN"
    wwn = f"0x55cd2e404b{0x5EA010 + index:06x}"
    port = f"pci-0000:00:1f.2-ata-{index + 1}"
    return Disk(
        kname="", size=_SSD_BYTES, physical_sector=4096, rotational=False, transport="sata",
        vendor="ATA     ", model=_SSD_MODEL, serial=serial, wwn=wwn, hctl=f"{60 + index}:0:0:0",
        ids=[f"ata-{link_name(_SSD_MODEL, serial)}", f"wwn-{wwn}"], ports=[f"{port}.0", port],
    )  # fmt: skip


def _letters(number: int, count: int) -> str:
    digest = sha256(str(number).encode()).digest()
    return "".join(_SERIAL_LETTERS[byte % len(_SERIAL_LETTERS)] for byte in digest[:count])
