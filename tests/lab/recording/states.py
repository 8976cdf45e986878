"""Machines in the states whose transcripts are kept: what is done to a blank one to get there."""

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tests.lab.disks import HOME, Disk, sas, sata, usb
from tests.lab.machine import Machine

MIB = 1024**2
FREE_BYTES = 2 * 1024 * MIB


@dataclass(frozen=True)
class State:
    """A machine's disks, what makes it what it is, and the disks whose SMART data is kept."""

    disks: Sequence[Disk]
    prepare: Callable[[Machine], None]
    smart: Sequence[str]


def link(disk: Disk) -> str:
    """The disk's /dev/disk/by-id link that the product prefers."""
    if disk.kind == "usb":
        return f"/dev/disk/by-id/usb-QEMU_QEMU_HARDDISK_{disk.serial}-0:0"
    if disk.kind == "sas":
        return f"/dev/disk/by-id/scsi-3{disk.wwn:016x}"
    return f"/dev/disk/by-id/ata-{disk.model.replace(' ', '_')}_{disk.serial}"


def parts(disks: Sequence[Disk]) -> str:
    """The links of the first partitions, as words of a command."""
    return " ".join(f"{link(disk)}-part1" for disk in disks)


def partition_mib(disk: Disk) -> int:
    """The size in MiB of the partition on a disk for a pool: 1 MiB in front, min(2 GiB, 1 %) behind."""
    return (disk.size_bytes - min(FREE_BYTES, disk.size_bytes // 100)) // MIB - 1


def partition(machine: Machine, disks: Sequence[Disk]) -> None:
    """One partition for ZFS on each disk, under udev's lock; returns when their links are there."""
    for disk in disks:
        lock = f"udevadm lock --device={link(disk)}"
        machine.run(f"{lock} wipefs --all --quiet {link(disk)}")
        machine.run(
            f"{lock} sgdisk --clear --new=1:1M:+{partition_mib(disk)}M --typecode=1:BF01 {link(disk)}"
        )
    machine.run(f"udevadm wait --timeout=60 --settle {parts(disks)}")


SATA = tuple(sata(number) for number in range(1, 7))
SAS = tuple(sas(number) for number in range(1, 8))
ROOT = "-o ashift=12 -o autoexpand=on -O compression=lz4 -O atime=off -O xattr=sa -O acltype=posixacl"


def empty(machine: Machine) -> None:
    """Nothing on any disk but the root's."""


def tank(machine: Machine) -> None:
    """Six disks in raidz2, with datasets, a volume, snapshots and a hold."""
    partition(machine, SATA)
    for command in (
        f"zpool create {ROOT} tank raidz2 {parts(SATA)}",
        "zfs create -o compression=zstd tank/media",
        "zfs create tank/media/films",
        "zfs create -s -V 1G tank/vol",
        "dd if=/dev/urandom of=/tank/media/films/one bs=1M count=20",
        "zfs snapshot tank/media@before-move",
        "zfs snapshot tank/media/films@auto-2026-11-01_00-00",
        "rm /tank/media/films/one; zpool sync",
        "zfs hold keep tank/media@before-move",
        "zpool sync; udevadm settle",
    ):
        machine.run(command)


def claimed(machine: Machine) -> None:
    """Disks used by everything but ZFS."""
    one, two, three, four, five, six = (link(disk) for disk in SATA)
    whole = "sgdisk --new=1:0:0 --typecode=1"
    for command in (
        f"{whole}:8300 {one}; udevadm settle; mkfs.ext4 -q -L Backup {one}-part1",
        f"{whole}:8300 {two}; udevadm settle; mkfs.ext4 -q -L Photos {two}-part1",
        f"mkdir /srv/photos; mount {two}-part1 /srv/photos",
        f"{whole}:FD00 {three}; {whole}:FD00 {four}; udevadm settle",
        f"mdadm --create /dev/md0 --run --level=1 -n 2 --assume-clean {three}-part1 {four}-part1",
        f"pvcreate {five}; vgcreate vault {five}; lvcreate -n movies -L 100G vault",
        f"echo secret | cryptsetup luksFormat --batch-mode --pbkdf pbkdf2 --iter-time 100 {six} -",
        "udevadm settle",
    ):
        machine.run(command)


def claimed_again(machine: Machine) -> None:
    """Swap, an exported pool, NTFS, a destroyed pool's remains, and a pool with vdevs of every class."""
    one, four, five, six = (link(disk) for disk in (SATA[0], *SATA[3:]))
    partition(machine, [*SATA[1:3], *SAS])
    mirror, special = parts(SAS[:2]), parts(SAS[2:4])
    log, cache, spare = parts(SAS[4:5]), parts(SAS[5:6]), parts(SAS[6:7])
    for command in (
        f"sgdisk --new=1:0:+4G --typecode=1:8200 {one}; udevadm settle",
        f"mkswap {one}-part1; swapon {one}-part1",
        f"zpool create {ROOT} old mirror {parts(SATA[1:3])}; zpool export old",
        f"sgdisk --new=1:0:+20G --typecode=1:0700 {four}; udevadm settle; mkntfs -Q -L Backup {four}-part1",
        f"zpool create {ROOT} gone mirror {five} {six}; zpool destroy gone",
        f"zpool create {ROOT} all mirror {mirror} special mirror {special}",
        f"zpool add all log {log} cache {cache} spare {spare}",
        "zpool sync; udevadm settle",
    ):
        machine.run(command)


def degraded(machine: Machine) -> None:
    """A pool whose third disk was pulled, with the spare in its place."""
    partition(machine, SAS)
    machine.run(f"zpool create {ROOT} tank raidz2 {parts(SAS[:6])} spare {parts(SAS[6:7])}")
    machine.run("dd if=/dev/urandom of=/tank/file bs=1M count=60; zpool sync")
    machine.pull_disk("sas3")
    machine.wait_until("zpool status tank | grep -q INUSE && zpool status tank | grep -q 'resilvered.*with'")
    machine.run("zpool wait -t resilver tank; zpool sync; udevadm settle")


TWINS = (
    SATA[0],
    dataclasses.replace(SATA[1], wwn=SATA[0].wwn),
    dataclasses.replace(SATA[2], wwn=0),
    usb(1),
    dataclasses.replace(usb(2), serial=usb(1).serial),
)

STATES = {
    "home-empty": State(HOME, empty, ("sata1", "usb1")),
    "home-tank": State(HOME, tank, ("sata1", "usb1")),
    "home-claimed": State(HOME, claimed, ("sata1", "usb1")),
    "home-claimed-2": State((*HOME, *SAS), claimed_again, ("sata1", "sas1", "usb1")),
    "tank-degraded": State(SAS, degraded, ("sas1",)),
    # Two disks with one WWN, one without, two flash drives with one serial: cheap enclosures do all of this.
    "dup-wwn": State(TWINS, empty, ("sata3",)),
}
