"""What profiles are put together from."""

from __future__ import annotations

import re
import time
from hashlib import sha256

from host.simulated.arrays.array import Array, Member
from host.simulated.arrays.mdadm import dashed
from host.simulated.blocks.devices import MIB, RAID_TYPE, SECTOR, name_all
from host.simulated.hardware import Smart
from host.simulated.state import Disk, Holder, Machine, Partition, Signature

KERNEL = "6.12.117+deb13-amd64"
_SSD_MODEL = "INTEL SSDSC2BB120G4"
_SSD_BYTES = 120_034_123_776
_SERIAL_LETTERS = "0123456789ABCDEFGHJKLMNPRSTVWXYZ"
_MD_HEADER = 1 * MIB  # metadata 1.2 in front, rounded to what mdadm leaves


def machine(profile: str, *, memory_kib: int, ecc_controllers: int, disks: list[Disk]) -> Machine:
    """A machine with these disks, named in their order, up for five hours."""
    name_all(disks)
    return Machine(
        profile=profile,
        hostname="nas",
        kernel=KERNEL,
        memory_kib=memory_kib,
        ecc_controllers=ecc_controllers,
        booted=time.time() - 5 * 3600,
        disks=disks,
        sequences=len(disks),
    )


def link_name(*words: str) -> str:
    """A udev link: spaces become underscores."""
    return "_".join(re.sub(r"\s+", "_", word.strip()) for word in words)


def letters(number: int, count: int) -> str:
    """Letters as in serials, the same for the same number."""
    digest = sha256(str(number).encode()).digest()
    return "".join(_SERIAL_LETTERS[byte % len(_SERIAL_LETTERS)] for byte in digest[:count])


def ssd(index: int, *, wear: int) -> Disk:
    """A small SATA SSD to start from, with `wear` percent of its rated endurance used."""
    serial = f"BTWL3{letters(900 + index, 8)}120LGN"
    wwn = f"0x55cd2e404b{0x5EA010 + index:06x}"
    port = f"pci-0000:00:1f.2-ata-{index + 1}"
    smart = Smart(
        rpm=0, temperature=28 + index, hours=26_310, pending=None, wear=wear, written_gb=1_700 * wear,
        long_minutes=2,
    )  # fmt: skip
    return Disk(
        kname="", size=_SSD_BYTES, physical_sector=4096, rotational=False, transport="sata",
        vendor="ATA     ", model=_SSD_MODEL, serial=serial, wwn=wwn, hctl=f"{60 + index}:0:0:0",
        ids=[f"ata-{link_name(_SSD_MODEL, serial)}", f"wwn-{wwn}"], ports=[f"{port}.0", port], smart=smart,
    )  # fmt: skip


def boot_pair(built: Machine, pair: tuple[Disk, Disk], *, root_mib: int, swap_mib: int, swap: str) -> None:
    """The system on `pair`: md0 in RAID1 for the root, md1 of level `swap` for swap space."""
    built.loaders = [disk.serial for disk in pair]
    root = _array(built, 0, "raid1", root_mib * MIB - _MD_HEADER, pair)
    root.content = Signature(fstype="ext4", label="root", uuid=built.uuid(), mountpoints=["/"])
    space = _array(built, 1, swap, swap_mib * MIB - _MD_HEADER, pair)
    space.content = Signature(fstype="swap", uuid=built.uuid(), mountpoints=["[SWAP]"])
    for disk in pair:
        disk.table = "dos" if disk.removable else "gpt"
        kind = "0xfd" if disk.removable else RAID_TYPE
        start = 2048
        for index, (holder, mib) in enumerate(((root, root_mib), (space, swap_mib))):
            uuid = dashed(built.arrays[holder.kname].uuid)
            member = Signature(
                fstype="linux_raid_member", label=f"nas:{index}", uuid=uuid, holder=holder.name
            )
            disk.partitions.append(
                Partition(
                    number=index + 1,
                    start=start,
                    size=mib * MIB,
                    parttype=kind,
                    partuuid=built.uuid(),
                    content=member,
                )
            )
            start += mib * MIB // SECTOR


def _array(built: Machine, number: int, level: str, component: int, pair: tuple[Disk, Disk]) -> Holder:
    plain = built.uuid().replace("-", "")
    name = f"md{number}"
    array = Array(
        kname=name,
        name=f"nas:{number}",
        uuid=":".join(plain[start : start + 8] for start in range(0, 32, 8)),
        level=level,
        wanted=len(pair),
        component=component,
        members=[
            Member(serial=disk.serial, partition=number + 1, slot=slot) for slot, disk in enumerate(pair)
        ],
        bitmap=level == "raid1",
    )
    built.arrays[name] = array
    holder = Holder(name=name, kname=name, path=f"/dev/{name}", kind=level, size=array.size, ids=array.ids)
    built.holders[name] = holder
    return holder
