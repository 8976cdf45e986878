"""md arrays of small partitions: made, degraded, repaired, checked, mounted, and gone again."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from host.base import CommandFailed, Host
from host.commands.base import Command
from host.commands.datasets.mounting import (
    GrowFileSystem,
    MakeFileSystem,
    ReadUnits,
    RemoveMount,
    StartMount,
    StopMount,
    SyncUnits,
    WriteMount,
)
from host.commands.disks.md import (
    Level,
    MdAdd,
    MdCheck,
    MdCreate,
    MdEvents,
    MdFail,
    MdGrow,
    MdReAdd,
    MdRemove,
    MdReplace,
    MdState,
    MdStop,
    MdZeroSuperblock,
    array_link,
)
from host.commands.disks.partition import UdevSettle, UdevWait, WipeSignatures, WritePartition
from host.commands.facts import Lsblk
from host.inventory import Disk, MdArray
from host.probe.disks.md_events import parse_md_events
from tests.contract.bench import read_array, read_disks
from tests.contract.conftest import again, prepare
from tests.contract.waiting import first_answer

NAME = "contract-md"
LINK = array_link(NAME)
FOLDER = f"/mnt/{NAME}"
_SIZE_MIB = 128  # what is copied and read through stays short
_LONGEST_S = 240.0


class ArrayBench:
    """A host with small partitions for an array."""

    def __init__(self, host: Host, disks: tuple[Disk, ...]) -> None:
        self.host = host
        self.disks = disks
        self.parts = tuple(f"{disk.link}-part1" for disk in disks)

    @property
    def node(self) -> str:
        """The kernel's name of the array now, which mdadm takes."""
        return self.array().node

    def create(self, level: Level, count: int) -> MdArray:
        """An array of the first partitions, once its links are there."""
        self.host.run(MdCreate(name=NAME, level=level, members=self.parts[:count]))
        self.host.run(UdevWait(links=(LINK,)))
        return self.array()

    def array(self) -> MdArray:
        """The array as it is now."""
        found = read_array(self.host, NAME)
        assert found is not None
        return found

    def until(self, holds: Callable[[MdArray], bool]) -> MdArray:
        """The array once something holds of it."""

        def held() -> MdArray | None:
            return found if holds(found := self.array()) else None

        return first_answer(self.host, held, limit_s=_LONGEST_S)

    def whole(self) -> MdArray:
        """The array once nothing goes on in it and all members are in sync."""
        return self.until(lambda array: array.work is None and not array.degraded)

    def refuse(self, command: Command) -> str:
        """What a command that must fail says."""
        with pytest.raises(CommandFailed) as failure:
            self.host.run(command)
        return failure.value.result.stderr

    def dismantle(self) -> None:
        """Stop the array, and let its members forget it."""
        self.host.run(MdStop(array=self.node))
        ours = {disk.id for disk in self.disks}
        members = [
            f"{disk.link}-part{part.number}"
            for disk in read_disks(self.host)
            if disk.id in ours
            for part in disk.partitions
            if part.fstype == "linux_raid_member"
        ]
        self.host.run(MdZeroSuperblock(members=tuple(members)))
        self.host.run(UdevSettle())


@pytest.fixture(scope="module")
def for_arrays(host: Host, prepared: tuple[Disk, ...]) -> Iterator[ArrayBench]:
    """Four disks with a small partition for md each; ready for pools again afterwards."""
    disks = prepared[:4]
    for disk in disks:
        host.run(WipeSignatures(disk=disk.link, partitions=(1,)))
        host.run(WritePartition(disk=disk.link, size_mib=_SIZE_MIB, use="md"))
    host.run(UdevWait(links=tuple(f"{disk.link}-part1" for disk in disks)))
    yield ArrayBench(host, disks)
    prepare(host, *disks)


@pytest.fixture
def arrays(host: Host, for_arrays: ArrayBench) -> Iterator[ArrayBench]:
    """The bench for one test, whose array is removed afterwards."""
    yield for_arrays
    if read_array(host, NAME) is not None:
        host.run(StopMount(folder=FOLDER))
        for_arrays.dismantle()


@pytest.mark.core
def test_a_mirror_is_reported_with_its_members(arrays: ArrayBench) -> None:
    made = arrays.create(1, 2)
    assert (made.name, made.level, made.metadata, made.wanted) == (NAME, "raid1", "1.2", 2)
    assert (made.path, made.bitmap, made.read_only) == (LINK, True, False)
    assert {(one.disk, one.partition, one.slot) for one in made.members} == {
        (arrays.disks[0].id, 1, 0),
        (arrays.disks[1].id, 1, 1),
    }
    assert 100 << 20 < made.size_bytes < _SIZE_MIB << 20
    whole = arrays.whole()
    assert [one.state for one in whole.members] == ["in sync", "in sync"]
    assert f'"{made.kname}"' in arrays.host.run(Lsblk()).stdout
    disk = again(arrays.host, arrays.disks[0])
    assert disk is not None
    assert [(claim.kind, claim.active, claim.idle) for claim in disk.claims] == [("md", True, False)]
    digits = made.uuid.replace(":", "")
    assert len(digits) == 32 and (disk.partitions[0].uuid or "").replace("-", "") == digits


def test_the_monitor_reports_a_member_that_failed(arrays: ArrayBench) -> None:
    uuid = arrays.create(1, 2).uuid
    arrays.whole()

    def reported(event: str) -> bool:
        found = parse_md_events(arrays.host.run(MdEvents()).stdout)
        return any(one.event == event for one in found if one.uuid == uuid)

    # It has to have seen a member work before it can report its end.
    first_answer(arrays.host, lambda: reported("NewArray") or None, limit_s=_LONGEST_S)
    arrays.host.run(MdFail(array=arrays.node, member=arrays.parts[1]))
    first_answer(arrays.host, lambda: reported("Fail") or None, limit_s=_LONGEST_S)


def test_a_member_that_failed_is_replaced_by_another(arrays: ArrayBench) -> None:
    arrays.create(1, 2)
    arrays.whole()
    first, second, third = arrays.parts[:3]
    arrays.host.run(MdFail(array=arrays.node, member=second))
    failed = arrays.array()
    assert failed.degraded and sorted(one.state for one in failed.members) == ["faulty", "in sync"]
    arrays.refuse(MdFail(array=arrays.node, member=first))
    arrays.host.run(MdRemove(array=arrays.node, member="failed"))
    arrays.host.run(MdRemove(array=arrays.node, member="failed"))  # none is left, and none need be
    assert [one.state for one in arrays.array().members] == ["in sync"]
    arrays.refuse(MdReAdd(array=arrays.node, member=third))
    arrays.host.run(MdAdd(array=arrays.node, members=(third,)))
    whole = arrays.whole()
    assert {one.disk for one in whole.members} == {arrays.disks[0].id, arrays.disks[2].id}


def test_a_member_that_was_missing_comes_back(arrays: ArrayBench) -> None:
    arrays.create(1, 2)
    arrays.whole()
    arrays.host.run(MdFail(array=arrays.node, member=arrays.parts[1]))
    arrays.host.run(MdRemove(array=arrays.node, member=arrays.parts[1]))
    arrays.host.run(MdReAdd(array=arrays.node, member=arrays.parts[1]))
    assert arrays.whole().in_sync == 2


def test_raid5_loses_one_member_and_replaces_one_that_works(arrays: ArrayBench) -> None:
    made = arrays.create(5, 3)
    assert (made.level, made.wanted) == ("raid5", 3)
    whole = arrays.whole()
    assert whole.size_bytes > 200 << 20
    arrays.host.run(MdAdd(array=arrays.node, members=(arrays.parts[3],)))
    assert [one.state for one in arrays.array().members if one.slot is None] == ["spare"]
    arrays.host.run(MdReplace(array=arrays.node, old=arrays.parts[0], new=arrays.parts[3]))
    done = arrays.until(lambda array: any(one.state == "faulty" for one in array.members))
    assert {one.disk for one in done.members if one.state == "in sync"} == {
        disk.id for disk in arrays.disks[1:4]
    }


def test_a_check_counts_what_differs(arrays: ArrayBench) -> None:
    arrays.create(1, 2)
    arrays.whole()
    arrays.host.run(MdCheck(array=arrays.node, action="start"))
    done = arrays.until(lambda array: array.work is None)
    assert done.mismatches == 0
    arrays.host.run(MdCheck(array=arrays.node, action="stop"))


def test_a_mirror_grows_to_three(arrays: ArrayBench) -> None:
    arrays.create(1, 2)
    arrays.whole()
    arrays.host.run(MdAdd(array=arrays.node, members=(arrays.parts[2],)))
    arrays.host.run(MdGrow(array=arrays.node, devices=3))
    grown = arrays.whole()
    assert (grown.wanted, grown.in_sync) == (3, 3)


def test_a_file_system_is_mounted_and_lets_the_array_go(arrays: ArrayBench) -> None:
    arrays.create(1, 2)
    arrays.whole()
    host = arrays.host
    host.run(MakeFileSystem(device=LINK, fstype="ext4", label="contract"))
    host.run(WriteMount(device=LINK, fstype="ext4", folder=FOLDER))
    host.run(ReadUnits())
    host.run(StartMount(folder=FOLDER))
    host.run(SyncUnits())
    mounted = arrays.until(lambda array: array.fstype is not None)
    assert (mounted.fstype, mounted.label, mounted.mountpoints) == ("ext4", "contract", (FOLDER,))
    host.run(MdGrow(array=arrays.node))
    host.run(GrowFileSystem(device=LINK, fstype="ext4", folder=FOLDER))
    arrays.refuse(MdStop(array=arrays.node))
    host.run(StopMount(folder=FOLDER))
    host.run(RemoveMount(folder=FOLDER))
    host.run(ReadUnits())
    assert arrays.array().mountpoints == ()
    arrays.dismantle()
    assert read_array(host, NAME) is None
    assert [again(host, disk).free for disk in arrays.disks[:2]] == [True, True]


def test_what_is_in_use_becomes_no_member(arrays: ArrayBench) -> None:
    arrays.create(1, 2)
    said = arrays.refuse(MdCreate(name="contract-md2", level=1, members=arrays.parts[1:3]))
    assert "Device or resource busy" in said
    arrays.refuse(MdZeroSuperblock(members=arrays.parts[:1]))
    arrays.refuse(WipeSignatures(disk=arrays.disks[0].link, partitions=(1,)))
    # sgdisk itself would write to it.
    said = arrays.refuse(WritePartition(disk=arrays.disks[0].link, size_mib=1024))
    assert f"held by md array {arrays.array().kname} until it is stopped (mdadm --stop)" in said
    assert arrays.array().in_sync >= 1


def test_the_kernel_reports_an_array_in_files(arrays: ArrayBench) -> None:
    kname = arrays.create(1, 2).kname
    lines = arrays.host.run(MdState()).stdout.splitlines()
    found = dict(line.split("\0", 1) for line in lines)
    folder = f"/sys/devices/virtual/block/{kname}"
    assert found[f"{folder}/md/level"] == "raid1"
    assert found[f"{folder}/md/raid_disks"] == "2"
    assert {path.rpartition("/")[2] for path in found if path.startswith(f"{folder}/md/dev-")} == {
        "size", "slot", "state",
    }  # fmt: skip
