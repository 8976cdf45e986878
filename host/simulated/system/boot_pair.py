"""The programs that make a simulated disk the half of a boot pair."""

from __future__ import annotations

from host.base import Result
from host.commands.system.boot_pair import BootCopy, CopyTable
from host.simulated.blocks.devices import SECTOR, Device, busy, devices
from host.simulated.handlers import on
from host.simulated.refusal import Refusal, done
from host.simulated.state import Machine, Partition, Signature

ESP_TYPE = "c12a7328-f81f-11d2-ba4b-00a0c93ec93b"
BIOS_TYPE = "21686148-6449-6e6f-744e-656564454649"
_BACKUP_TABLE = 33  # sectors at the end that the second copy of a GPT takes


def copy_table(machine: Machine, command: CopyTable) -> Result:
    """nasweb-boot-table: sfdisk's dump of one disk, written to another."""
    known = devices(machine)
    source, target = _device(known, command.source), _device(known, command.target)
    if source.disk is target.disk:
        raise Refusal(f"{command.source} and {command.target} are the same disk.\n")
    if busy(target):
        raise Refusal(
            "Checking that no-one is using this disk right now ... FAILED\n\n"
            "This disk is currently in use - repartitioning is probably a bad idea.\n"
            "Umount all file systems, and swapoff all swap partitions on this disk.\n"
            "Use the --no-reread flag to suppress this check.\n"
        )
    disk = target.disk
    ends = [part.start + part.size // SECTOR for part in source.disk.partitions]
    if max(ends, default=0) + _BACKUP_TABLE > disk.size // SECTOR:
        raise Refusal("sfdisk: failed to add #1 partition: Numerical result out of range\n")
    disk.table, disk.content, disk.remains = source.disk.table, None, {}
    disk.partitions = [
        Partition(
            number=part.number, start=part.start, size=part.size, parttype=part.parttype,
            partuuid=machine.uuid(),
        )
        for part in source.disk.partitions
    ]  # fmt: skip
    return done()


def boot_copy(machine: Machine, command: BootCopy) -> Result:
    """nasweb-boot-copy: GRUB in the boot sector and in the ESP."""
    disk = _device(devices(machine), command.disk).disk
    esp = next((part for part in disk.partitions if part.parttype == ESP_TYPE), None)
    if esp is None and disk.table != "dos" and all(part.parttype != BIOS_TYPE for part in disk.partitions):
        words = "has no room for a boot loader: it has neither an ESP nor a BIOS boot partition."
        raise Refusal(f"{command.disk} {words}\n")
    if esp is not None:
        esp.content = Signature(fstype="vfat", label="NASWEB-ESP", uuid="5A7B-11C2")
    machine.loaders = sorted({*machine.loaders, disk.serial})
    return done()


def _device(known: dict[str, Device], link: str) -> Device:
    if (device := known.get(link)) is None:
        raise Refusal(f"There is no disk {link}.\n")
    return device


HANDLERS = on(CopyTable, copy_table) | on(BootCopy, boot_copy)
