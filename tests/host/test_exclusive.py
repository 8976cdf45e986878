"""What root refuses to write to, on a tree of sysfs that is a folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from host import exclusive, local
from host.base import CommandFailed
from host.commands.base import Command
from host.commands.datasets.mounting import MakeFileSystem
from host.commands.disks.md import MdAdd, MdCreate, MdZeroSuperblock
from host.commands.disks.partition import WipeSignatures, WritePartition
from host.commands.pools.members import ZpoolAdd, ZpoolAttach, ZpoolReplace
from host.commands.pools.zpool import VdevSpec, ZpoolCreate
from host.commands.system.boot_pair import BootCopy, CopyTable
from host.commands.system.converting import WriteBootTable
from host.commands.units import StartBurnIn

DISK = "/dev/disk/by-id/ata-X_1"
PART = f"{DISK}-part1"
OTHER = "/dev/disk/by-id/ata-Y_2"
NUMBERS = {DISK: "8:0", PART: "8:1", OTHER: "8:16", "/dev/sda": "8:0", "/dev/sda1": "8:1"}
SPARE = VdevSpec(role="spare", layout="stripe", devices=(PART,))


@pytest.fixture
def sysfs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for number, node in (("8:0", "sda"), ("8:1", "sda/sda1"), ("8:16", "sdb")):
        folder = tmp_path / "devices" / node
        (folder / "holders").mkdir(parents=True)
        (folder / "dev").write_text(f"{number}\n")
        (tmp_path / "dev/block").mkdir(parents=True, exist_ok=True)
        (tmp_path / "dev/block" / number).symlink_to(folder)
    (tmp_path / "devices/sda/sda1/partition").write_text("1\n")
    monkeypatch.setattr(exclusive, "device_number", NUMBERS.get)
    monkeypatch.setattr(exclusive, "opens", lambda path: True)
    return tmp_path


def hold(sysfs: Path, node: str, kname: str, *, name: str = "", uuid: str = "") -> None:
    holder = sysfs / "devices/virtual" / kname
    (holder / ("dm" if name else "md")).mkdir(parents=True)
    if name:
        (holder / "dm/name").write_text(f"{name}\n")
        (holder / "dm/uuid").write_text(f"{uuid}\n")
    (sysfs / "devices" / node / "holders" / kname).symlink_to(holder)


def loop(sysfs: Path, number: int, backing: str) -> None:
    folder = sysfs / f"block/loop{number}/loop"
    folder.mkdir(parents=True)
    (folder / "backing_file").write_text(f"{backing}\n")


def asked(command: Command, sysfs: Path) -> str | None:
    return exclusive.refusal(command, sysfs=sysfs)


def test_a_disk_that_nothing_holds_is_written_to(sysfs: Path) -> None:
    loop(sysfs, 0, "/srv/image.iso")
    assert asked(WritePartition(disk=DISK, size_mib=64), sysfs) is None


@pytest.mark.parametrize(
    ("uuid", "words"),
    [
        ("", "device-mapper map plain until it is removed (dmsetup remove)"),
        ("CRYPT-PLAIN-plain", "encrypted mapping plain until it is closed (cryptsetup close)"),
        ("mpath-3600a0b80", "multipath map plain until it is flushed (multipath -f)"),
        ("LVM-abc", "logical volume plain until it is deactivated (lvchange)"),
    ],
)
def test_a_map_on_the_whole_disk_is_named(sysfs: Path, uuid: str, words: str) -> None:
    hold(sysfs, "sda", "dm-0", name="plain", uuid=uuid)
    assert asked(WipeSignatures(disk=DISK), sysfs) == (
        f"{DISK}: Device or resource busy: held by {words}. Nothing was written.\n"
    )
    assert asked(WipeSignatures(disk=OTHER), sysfs) is None


def test_a_loop_device_on_the_disk_or_a_partition_is_named(sysfs: Path) -> None:
    loop(sysfs, 3, "/dev/sda1")
    words = f"{DISK}: Device or resource busy: held by loop device loop3 until it is detached"
    assert (asked(StartBurnIn(disk=DISK, serial="X"), sysfs) or "").startswith(words)
    assert (asked(WritePartition(disk=DISK, size_mib=64), sysfs) or "").startswith(words)


def test_who_holds_the_disk_stands_in_the_way_of_its_partition(sysfs: Path) -> None:
    loop(sysfs, 0, "/dev/sda")
    for command in (
        MdCreate(name="a", level=1, members=(PART,), missing=1),
        MdAdd(array="/dev/md5", members=(PART,)),
        MdZeroSuperblock(members=(PART,)),
        ZpoolCreate(name="a", vdevs=(SPARE,), mountpoint="/mnt/a"),
        ZpoolAdd(name="a", vdevs=(SPARE,)),
        ZpoolAttach(name="a", vdev="7", device=PART),
        ZpoolReplace(name="a", vdev="7", device=PART),
    ):
        assert "loop0" in (asked(command, sysfs) or ""), command


def test_a_disk_that_the_kernel_gives_to_nobody_else_is_refused(
    sysfs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exclusive, "opens", lambda path: path != DISK)
    for command in (
        WriteBootTable(disk=DISK, root_mib=4096),
        CopyTable(source=OTHER, target=DISK),
        WritePartition(disk=DISK, size_mib=64),
    ):
        assert "in use by a file system" in (asked(command, sysfs) or ""), command
    assert asked(CopyTable(source=DISK, target=OTHER), sysfs) is None


def test_a_spare_and_a_half_of_the_boot_pair_may_be_held_by_their_own(
    sysfs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exclusive, "opens", lambda path: False)
    hold(sysfs, "sda/sda1", "md127")
    assert asked(BootCopy(disk=DISK), sysfs) is None
    hold(sysfs, "sda", "dm-0", name="mpatha", uuid="mpath-1")
    assert "multipath map mpatha" in (asked(BootCopy(disk=DISK), sysfs) or "")
    assert asked(ZpoolReplace(name="a", vdev="7", device=OTHER), sysfs) is None


def test_an_array_in_use_gets_no_file_system(sysfs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link = "/dev/disk/by-id/md-name-any:media"
    (sysfs / "dev/block/9:5").mkdir()
    monkeypatch.setattr(exclusive, "device_number", {link: "9:5"}.get)
    monkeypatch.setattr(exclusive, "opens", lambda path: False)
    command = MakeFileSystem(device=link, fstype="ext4", label="media")
    assert "Device or resource busy" in (asked(command, sysfs) or "")


def test_no_program_is_started_for_what_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exclusive, "refusal", lambda command: exclusive.refused(DISK))
    with pytest.raises(CommandFailed, match="Nothing was written") as failure:
        local.LocalHost().run(WritePartition(disk=DISK, size_mib=64))
    assert failure.value.result.exit == 1
