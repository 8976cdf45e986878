"""The second half of a boot pair to come: its partitions, its degraded array, and the programs' reports."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from host.base import CommandFailed, Host
from host.commands.datasets.mounting import MakeFileSystem
from host.commands.disks.md import MdAdd, MdBitmap, MdCreate, MdStop, MdZeroSuperblock
from host.commands.disks.partition import UdevSettle, UdevWait, WipeSignatures
from host.commands.facts import Lsblk
from host.commands.system.boot_pair import CopyTable
from host.commands.system.converting import (
    ARRAY,
    COPY,
    ConvertRuns,
    ForgetConverting,
    RestartIntoCopy,
    StartConverting,
    StopConverting,
    WriteBootTable,
)
from host.inventory import Disk, MdArray
from host.probe.system.conversion import read_boot_notes
from tests.contract.bench import read_array, read_disks
from tests.contract.conftest import again, prepare

_ROOT_MIB = 1024
_BIOS, _ESP = "21686148-6449-6e6f-744e-656564454649", "c12a7328-f81f-11d2-ba4b-00a0c93ec93b"
_RAID = "a19d880f-05fc-4d3b-a006-743f0f84911e"


class Half:
    """A disk with the partitions of a half, and the array on it."""

    def __init__(self, host: Host, disk: Disk, other: Disk) -> None:
        self.host, self.disk, self.other = host, disk, other

    def array(self) -> MdArray:
        """The array as it is now."""
        found = read_array(self.host, ARRAY)
        assert found is not None
        return found

    def refuse(self, command: StartConverting | RestartIntoCopy | MdBitmap | WriteBootTable) -> str:
        """What a command that must fail says."""
        with pytest.raises(CommandFailed) as failure:
            self.host.run(command)
        return failure.value.result.stderr


def _wipe(host: Host, disk: Disk) -> None:
    numbers = tuple(part.number for part in again(host, disk).partitions if part.number)
    host.run(WipeSignatures(disk=disk.link, partitions=numbers))


@pytest.fixture
def half(host: Host, prepared: tuple[Disk, ...]) -> Iterator[Half]:
    """Made as plans make it; both disks are ready for pools again afterwards."""
    disk, other = prepared[4:6]
    if read_array(host, ARRAY) is not None:
        pytest.skip("This machine has an array of that name.")
    for one in (disk, other):
        _wipe(host, one)
    host.run(WriteBootTable(disk=disk.link, root_mib=_ROOT_MIB))
    host.run(UdevWait(links=tuple(f"{disk.link}-part{number}" for number in (1, 2, 3))))
    host.run(MdCreate(name=ARRAY, level=1, members=(f"{disk.link}-part3",), missing=1))
    host.run(UdevWait(links=(COPY,)))
    yield Half(host, disk, other)
    if (array := read_array(host, ARRAY)) is not None:
        links = tuple(
            f"/dev/disk/by-id/{member.disk}-part{member.partition}" for member in array.members if member.disk
        )
        host.run(MdStop(array=array.node))
        host.run(MdZeroSuperblock(members=links))
    host.run(UdevSettle())
    prepare(host, disk, other)


@pytest.mark.core
def test_the_partitions_are_those_of_the_image(half: Half) -> None:
    parts = again(half.host, half.disk).partitions
    assert [(part.number, part.parttype, part.size_bytes >> 20) for part in parts] == [
        (1, _BIOS, 1),
        (2, _ESP, 128),
        (3, _RAID, _ROOT_MIB),
    ]


def test_the_array_waits_for_its_other_half_and_takes_it(half: Half) -> None:
    made = half.array()
    assert (made.level, made.wanted, made.in_sync, made.degraded, made.work) == ("raid1", 2, 1, True, None)
    assert (made.bitmap, made.metadata) == (True, "1.2")
    half.host.run(MakeFileSystem(device=COPY, fstype="ext4", label="nasweb"))
    half.host.run(CopyTable(source=half.disk.link, target=half.other.link))
    half.host.run(UdevWait(links=(f"{half.other.link}-part3",)))
    half.host.run(MdAdd(array=made.node, members=(f"{half.other.link}-part3",)))
    states = {member.disk: member.state for member in half.array().members}
    assert states[half.disk.id] == "in sync"
    assert states[half.other.id] in {"rebuilding", "in sync"}


def test_a_bitmap_is_made_once(half: Half) -> None:
    assert "bitmap" in half.refuse(MdBitmap(array=half.array().node))


def test_a_disk_whose_array_runs_is_not_partitioned(half: Half) -> None:
    assert "held by md array" in half.refuse(WriteBootTable(disk=half.disk.link, root_mib=_ROOT_MIB))


def test_a_root_that_is_no_partition_is_not_copied(half: Half) -> None:
    parts = [part for disk in read_disks(half.host) for part in disk.partitions if part.number]
    if any("/" in part.mountpoints for part in parts):
        pytest.skip("This machine's root could be copied.")
    half.host.run(MakeFileSystem(device=COPY, fstype="ext4", label="nasweb"))
    assert "no partition" in half.refuse(StartConverting(disk=half.disk.link))
    half.refuse(RestartIntoCopy(disk=half.disk.link))
    half.host.run(StopConverting())
    assert msgspec.json.decode(half.host.run(ConvertRuns()).stdout) == []
    half.host.run(ForgetConverting())
    assert read_boot_notes(half.host).conversion is None


def test_lsblk_reports_what_files_take(host: Host) -> None:
    devices = msgspec.json.decode(host.run(Lsblk()).stdout)["blockdevices"]
    assert {"fsused" in device for device in devices} == {True}
