"""A home NAS: six 3 TB disks on SATA, two flash drives to start from, 8 GB of memory without ECC."""

from __future__ import annotations

from host.simulated.hardware import Smart
from host.simulated.profiles.parts import boot_pair, link_name, machine
from host.simulated.replication.neighbours import key_of
from host.simulated.runs import Neighbour
from host.simulated.state import Disk, Machine

_MODEL = "WDC WD30EFRX-68EUZN0"
_BYTES = 3_000_592_982_016
_SERIALS = (
    "WD-WMC4N0D2J7PA", "WD-WMC4N0D3T6HX", "WD-WCC4N1KP8F2E", "WD-WCC4N1KP9Z0R", "WD-WCC4N5UL4S7C",
    "WD-WMC4N0E8Y1KD",
)  # fmt: skip
# One has a bad cable; the outer ones are cooler. Bought at two times.
_TEMPERATURES = (33, 35, 37, 38, 37, 34)
_HOURS = (31_402, 31_402, 18_977, 18_977, 9_140, 31_388)
_CRC_ERRORS = (0, 0, 0, 143, 0, 0)
_FLASH_BYTES = 16_013_852_672
_FLASH_SERIALS = ("4C530001180325116391", "4C530001230325117043")


def build() -> Machine:
    """The machine, switched on and with nothing on its six disks."""
    data = [data_disk(index) for index in range(len(_SERIALS))]
    flash = (flash_drive(0, _FLASH_SERIALS[0]), flash_drive(1, _FLASH_SERIALS[1]))
    built = machine("home", memory_kib=8_052_512, ecc_controllers=0, disks=[*data, *flash])
    boot_pair(built, flash, root_mib=13_312, swap_mib=1_904, swap="raid0")
    # Somebody's server elsewhere: what replication by SSH can be tried with.
    built.neighbours["offsite.home.arpa"] = Neighbour(host_keys=[key_of("offsite")], datasets=["vault/nas"])
    return built


def data_disk(index: int) -> Disk:
    """One of the six disks."""
    serial = _SERIALS[index]
    wwn = f"0x50014ee2b{0x5F21A40 + 0x1C3 * index:07x}"
    port = f"pci-0000:00:1f.2-ata-{index + 1}"
    smart = Smart(
        temperature=_TEMPERATURES[index], hours=_HOURS[index], crc=_CRC_ERRORS[index], power_cycles=41
    )
    return Disk(
        kname="", size=_BYTES, physical_sector=4096, transport="sata", vendor="ATA     ", model=_MODEL,
        serial=serial, wwn=wwn, hctl=f"{index}:0:0:0",
        ids=[f"ata-{link_name(_MODEL, serial)}", f"wwn-{wwn}"], ports=[f"{port}.0", port],
        smart=smart,
    )  # fmt: skip


def flash_drive(index: int, serial: str) -> Disk:
    """A blank flash drive of 16 GB, in port `index`."""
    port = f"pci-0000:00:14.0-usb{{}}-0:{index + 3}:1.0-scsi-0:0:0:0"
    return Disk(
        kname="", size=_FLASH_BYTES, removable=True, transport="usb", vendor="SanDisk ",
        model="Cruzer Fit", serial=serial, hctl=f"{6 + index}:0:0:0",
        ids=[f"usb-SanDisk_Cruzer_Fit_{serial}-0:0"], ports=[port.format(""), port.format("v2")],
    )  # fmt: skip
