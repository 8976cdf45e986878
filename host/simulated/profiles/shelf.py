"""A server of two units: twelve bays behind a SAS expander that reports its slots and has locate lights."""

from __future__ import annotations

from host.simulated.hardware import Enclosure, Slot, Smart
from host.simulated.profiles.parts import boot_pair, letters, machine, ssd
from host.simulated.state import Disk, Machine

_MODEL = "HUS724040ALS640"
_BYTES = 4_000_787_030_016
_BAYS = 12
_EXPANDER = 0x500304801EA1F23F
_HOST = "/sys/devices/pci0000:00/0000:00:03.0/0000:03:00.0/host0/port-0:0/expander-0:0"


def build() -> Machine:
    """The machine with a disk in every bay and nothing on them."""
    pair = (ssd(0, wear=3), ssd(1, wear=3))
    data = [_disk(index) for index in range(_BAYS)]
    built = machine("shelf12", memory_kib=65_823_104, ecc_controllers=2, disks=[*data, *pair])
    built.enclosures = [_enclosure()]
    boot_pair(built, pair, root_mib=32_768, swap_mib=16_384, swap="raid1")
    return built


def _disk(index: int) -> Disk:
    wwn = f"5000cca05c{0x1B2A04 + 0x4C * index:06x}"
    smart = Smart(
        protocol="SCSI", rpm=7200, temperature=29 + index % 4, hours=40_118, crc=None, written_gb=61_240,
        reallocated=3 if index == 7 else 0, long_minutes=567,
    )  # fmt: skip
    return Disk(
        kname="", size=_BYTES, transport="sas", vendor="HGST    ", model=_MODEL,
        serial=f"PCK{letters(400 + index, 5)}", wwn=f"0x{wwn}", hctl=f"0:0:{index}:0",
        ids=[f"scsi-3{wwn}", f"wwn-0x{wwn}"],
        ports=[f"pci-0000:03:00.0-sas-exp0x{_EXPANDER:x}-phy{index}-lun-0"], smart=smart,
    )  # fmt: skip


def _enclosure() -> Enclosure:
    address = f"0:0:{_BAYS}:0"
    end = f"port-0:0:{_BAYS}/end_device-0:0:{_BAYS}/target0:0:{_BAYS}/{address}"
    slots = [Slot(folder=f"Slot{n + 1:02}", number=n, hctl=f"0:0:{n}:0") for n in range(_BAYS)]
    return Enclosure(path=f"{_HOST}/{end}/enclosure/{address}", id=f"0x{_EXPANDER - 2:x}", slots=slots)
