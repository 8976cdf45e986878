"""The disks a machine can be given, as QEMU sees them."""

import dataclasses
from dataclasses import dataclass
from typing import Literal

GB = 1000**3
SATA_BYTES = 3_000_592_982_016
SAS_BYTES = 4_000_787_030_016
PORTS_PER_CONTROLLER = 6

Kind = Literal["sata", "sas", "usb"]


@dataclass(frozen=True)
class Disk:
    """One drive. `id` is our name for it; `place` its port (SATA, USB) or SCSI target (SAS), from 0."""

    id: str
    kind: Kind
    place: int
    serial: str
    size_bytes: int
    model: str = ""
    wwn: int = 0

    def device(self) -> dict[str, object]:
        """The QEMU device, in the form that both `-device` and QMP's `device_add` take."""
        common: dict[str, object] = {"id": self.id, "drive": f"{self.id}-data", "serial": self.serial}
        if self.kind == "usb":
            return common | {
                "driver": "usb-storage",
                "bus": "xhci.0",
                "port": str(self.place + 1),
                "removable": True,
                "bootindex": self.place + 1,  # for machines that start from their own disks
            }
        common |= {"wwn": self.wwn} if self.wwn else {}
        common["physical_block_size"] = 4096
        if self.kind == "sata":
            controller, port = divmod(self.place, PORTS_PER_CONTROLLER)
            sata = {
                "driver": "ide-hd",
                "bus": f"ahci{controller}.{port}",
                "model": self.model,
                "rotation_rate": 5400,
            }
            return common | sata
        sas = {
            "driver": "scsi-hd",
            "bus": "scsi0.0",
            "scsi-id": self.place,
            "vendor": "HGST",
            "product": self.model,
        }
        return common | sas | {"rotation_rate": 7200}


def sata(number: int, *, size_bytes: int = SATA_BYTES) -> Disk:
    """The `number`th WD Red, from 1, in the SATA port of that number."""
    return Disk(
        id=f"sata{number}",
        kind="sata",
        place=number - 1,
        serial=f"WD-WMC1T{number:07}",
        size_bytes=size_bytes,
        model="WDC WD30EFRX-68EUZN0",
        wwn=0x50014EE000000000 + number,
    )


def sas(number: int, *, size_bytes: int = SAS_BYTES) -> Disk:
    """The `number`th Ultrastar, from 1. Only this kind can be pulled the hard way: see README.md."""
    return Disk(
        id=f"sas{number}",
        kind="sas",
        place=number - 1,
        serial=f"PCK{number:05}",
        size_bytes=size_bytes,
        model="HUS724040ALS640",
        wwn=0x5000CCA000000000 + number,
    )


def usb(number: int, *, size_bytes: int = 16 * GB) -> Disk:
    """The `number`th flash drive, from 1."""
    return Disk(
        id=f"usb{number}", kind="usb", place=number - 1, serial=f"FLASH{number:04}", size_bytes=size_bytes
    )


def with_wwn_of(disk: Disk, other: Disk) -> Disk:
    """`disk` with the WWN of `other`: cheap enclosures give all their disks the same one."""
    return dataclasses.replace(disk, wwn=other.wwn)


HOME = (*(sata(number) for number in range(1, 7)), usb(1), usb(2))
