"""wipefs, sgdisk, udevadm and zdb -l on simulated disks."""

from __future__ import annotations

from host.base import Result
from host.commands.disks.labels import ZdbLabel
from host.commands.disks.partition import UdevSettle, UdevWait, WipeSignatures, WritePartition
from host.commands.facts import HostId
from host.simulated.blocks.devices import MIB, RAID_TYPE, SECTOR, ZFS_TYPE, Device, busy, devices
from host.simulated.handlers import always, on
from host.simulated.refusal import Refusal, done
from host.simulated.state import Disk, Machine, Partition, PoolState
from host.simulated.units import burning

_PROBING = "wipefs: error: {}: probing initialization failed:"
_START = 2048  # sectors: the first MiB
_BACKUP_TABLE = 33  # sectors at the end that the second copy of a GPT takes
# sys/fs/zfs.h; the labels of spares and caches name no pool and outlive it unchanged.
_STATES: dict[PoolState, int] = {
    "active": 0, "left": 0, "exported": 1, "destroyed": 2, "spare": 3, "cache": 4,
}  # fmt: skip


def wipe_signatures(machine: Machine, command: WipeSignatures) -> Result:
    """wipefs --all: each device in turn; a table that goes takes the kernel's partitions with it."""
    known = devices(machine)
    _lock(known, command.disk)
    for link in (*(f"{command.disk}-part{number}" for number in command.partitions), command.disk):
        device = known.get(link)
        if device is None:
            raise Refusal(f"{_PROBING.format(link)} No such file or directory\n")
        if busy(device) or burning(machine, device.disk):
            raise Refusal(f"{_PROBING.format(link)} Device or resource busy\n")
        device.put(None)
        if device.partition is None:
            device.disk.table = None
            _drop_partitions(device.disk)
    return done()


def write_partition(machine: Machine, command: WritePartition) -> Result:
    """sgdisk --clear --new=1:…: writes even while the disk is in use, but then the kernel keeps its view."""
    device = _lock(devices(machine), command.disk)
    disk = device.disk
    fresh = "" if disk.table == "gpt" else "Creating new GPT entries in memory.\n"
    size = command.size_mib * MIB
    if _START + size // SECTOR + _BACKUP_TABLE > disk.size // SECTOR:
        end = _START + size // SECTOR - 1
        text = f"{fresh}Could not create partition 1 from {_START} to {end}\n"
        raise Refusal("Error encountered; not saving changes.\n", exit_status=4, stdout=text)
    if busy(device) or burning(machine, disk):
        return done(
            f"{fresh}Warning: The kernel is still using the old partition table.\n"
            "The new table will be used at the next reboot or after you\n"
            "run partprobe(8) or kpartx(8)\nThe operation has completed successfully.\n"
        )
    _drop_partitions(disk)
    # What began at the same sector shows again: that is why the partitions are wiped first.
    left = disk.remains.pop(_START, None)
    disk.table, disk.content = "gpt", None
    kind = ZFS_TYPE if command.use == "zfs" else RAID_TYPE
    disk.partitions = [
        Partition(number=1, start=_START, size=size, parttype=kind, partuuid=machine.uuid(), content=left)
    ]
    return done(f"{fresh}The operation has completed successfully.\n")


def wait(machine: Machine, command: UdevWait) -> Result:
    """udevadm wait: links are there at once here, or never come."""
    arrays = {f"/dev/disk/by-id/{name}" for holder in machine.holders.values() for name in holder.ids}
    if set(command.links) <= {*devices(machine), *arrays}:
        return done()
    raise Refusal("Timed out for waiting devices being initialized.\n")


def settle(machine: Machine, command: UdevSettle) -> Result:
    """udevadm settle: every event is handled at once here."""
    return done()


HOSTID, FOREIGN_HOSTID = 0x7F0100, 0x7F0101  # of this machine, and of all others


def zdb_label(machine: Machine, command: ZdbLabel) -> Result:
    """zdb -l: the first label's outline, or that there is none."""
    device = devices(machine).get(command.device)
    if device is None:
        raise Refusal(f"cannot open '{command.device}': No such file or directory\n")
    content = device.content
    if content is None or content.pool_state is None:
        missing = "".join(f"failed to unpack label {number}\n" for number in range(4))
        raise Refusal("", exit_status=2, stdout=missing)
    line = "-" * 36
    name = f"    name: '{content.label}'\n" if content.label else ""
    unimported = next((one for one in machine.away if str(one.guid) == content.uuid), None)
    hostid = FOREIGN_HOSTID if unimported is not None and (unimported.foreign or unimported.host) else HOSTID
    used = f"    hostid: {hostid}\n    hostname: '{machine.hostname}'\n"
    pool = f"    pool_guid: {content.uuid}\n{used}" if content.uuid else ""
    txg = f"    txg: {0 if content.pool_state == 'left' else 4}\n" if content.uuid else ""
    return done(
        f"{line}\nLABEL 0 \n{line}\n    version: 5000\n{name}    state: {_STATES[content.pool_state]}\n"
        f"{txg}{pool}    guid: {content.vdev}\n    labels = 0 1 2 3 \n"
    )


def _drop_partitions(disk: Disk) -> None:
    disk.remains |= {part.start: part.content for part in disk.partitions if part.content}
    disk.partitions = []


def _lock(known: dict[str, Device], link: str) -> Device:
    device = known.get(link)
    if device is None:
        raise Refusal(f"Failed to find whole block device for '{link}': No such file or directory\n")
    return device


def _hostid(_machine: Machine) -> str:
    return f"{HOSTID:08x}\n"


HANDLERS = (
    always(HostId, _hostid)
    | on(ZdbLabel, zdb_label)
    | on(WipeSignatures, wipe_signatures)
    | on(WritePartition, write_partition)
    | on(UdevWait, wait)
    | on(UdevSettle, settle)
)
