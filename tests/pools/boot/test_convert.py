"""A system on one stick moves onto a pair: what is planned, what is refused, and what becomes of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from host.boot_pair import boot_pair
from host.commands.datasets.mounting import MakeFileSystem
from host.commands.disks.md import MdCreate, MdStop, MdZeroSuperblock
from host.commands.disks.partition import UdevWait, WipeSignatures
from host.commands.system.converting import (
    COPY,
    ForgetConverting,
    RestartIntoCopy,
    StartConverting,
    StopConverting,
    WriteBootTable,
)
from host.inventory import Disk, Inventory
from host.probe.whole import probe
from host.simulated import SimulatedHost
from pools.boot import add_half, convert, convert_leave, convert_restart
from pools.boot.running import needed_for, room_bytes, root_mib, running
from tests.pools.boot.test_boot_pair import carry_out, refused

COPIED_S, STARTED_S = 61, 21


@pytest.fixture
def host(tmp_path: Path) -> SimulatedHost:
    return SimulatedHost(tmp_path / "machine.json", "single")


def sticks(inventory: Inventory) -> tuple[Disk, Disk]:
    """The one that the system is on, and the blank one."""
    one, two = (disk for disk in inventory.disks if disk.transport == "usb")
    return one, two


def begun(host: SimulatedHost) -> tuple[Disk, Disk]:
    """The two sticks, once the copy has begun."""
    first, second = sticks(probe(host))
    carry_out(host, convert.plan(convert.Convert(disk=second.id), probe(host)))
    return first, second


def changed(inventory: Inventory, disk_id: str, **changes: Any) -> Inventory:
    disks = tuple(
        msgspec.structs.replace(disk, **changes) if disk.id == disk_id else disk for disk in inventory.disks
    )
    return msgspec.structs.replace(inventory, disks=disks)


def test_the_system_is_found_with_what_it_takes(host: SimulatedHost) -> None:
    inventory = probe(host)
    now = running(inventory)
    assert now is not None
    assert now.disk.id == sticks(inventory)[0].id
    assert (now.root.fstype, now.root.number, now.used_bytes) == ("ext4", 2, 2_411_724_800)
    assert [part.mountpoints for part in now.copied] == [("/",)]


def test_the_second_stick_is_prepared_and_the_copy_begins(host: SimulatedHost) -> None:
    inventory = probe(host)
    first, second = sticks(inventory)
    plan = convert.plan(convert.Convert(disk=second.id), inventory)
    parts = tuple(f"{second.link}-part{number}" for number in (1, 2, 3))
    assert [step.commands for step in plan.steps] == [
        (
            ForgetConverting(),
            WipeSignatures(disk=second.link, partitions=()),
            WriteBootTable(disk=second.link, root_mib=root_mib(first, second)),
            UdevWait(links=parts),
        ),
        (
            MdCreate(name="root", level=1, members=(parts[2],), missing=1),
            UdevWait(links=(COPY,)),
            MakeFileSystem(device=COPY, fstype="ext4", label="nasweb"),
        ),
        (StartConverting(disk=second.link),),
    ]
    assert (plan.destroys, plan.confirm) == ((), None)
    assert plan.claims == ("array:root", f"disk:{second.id}", f"disk:{first.id}")
    carry_out(host, plan)
    now = probe(host)
    report = now.boot.conversion
    assert report is not None
    assert (report.state, report.running, report.total_bytes) == ("copying", True, 2_411_724_800)
    assert refused(convert.plan, convert.Convert(disk=second.id), now) == {"copy-goes-on": ""}
    assert refused(convert_restart.plan, convert_restart.ConvertRestart(), now) == {"copy-goes-on": ""}


def test_nothing_of_the_old_stick_is_in_any_command(host: SimulatedHost) -> None:
    inventory = probe(host)
    first, second = sticks(inventory)
    plan = convert.plan(convert.Convert(disk=second.id), inventory)
    words = [word for step in plan.steps for command in step.commands for word in command.shown()]
    assert not any(first.id in word for word in words)
    assert any(second.id in word for word in words)


def test_the_machine_starts_from_the_copy_and_takes_the_old_stick_in(host: SimulatedHost) -> None:
    first, second = begun(host)
    host.pass_time(COPIED_S)
    plan = convert_restart.plan(convert_restart.ConvertRestart(), probe(host))
    assert [step.commands for step in plan.steps] == [(RestartIntoCopy(disk=second.link),)]
    assert [finding.code for finding in plan.findings if finding.level == "warning"] == [
        "restarts", "add-first",
    ]  # fmt: skip
    carry_out(host, plan)
    host.pass_time(STARTED_S)
    now = probe(host)
    pair = boot_pair(now)
    assert pair is not None
    assert [half.disk.id for half in pair.halves] == [second.id]
    assert now.boot.conversion is None
    whole = add_half.plan(add_half.AddHalf(disk=first.id), now)
    assert [loss.serial for loss in whole.destroys] == [first.serial]
    assert "ext4" in whole.destroys[0].holds
    assert whole.confirm == first.serial
    carry_out(host, whole)
    host.pass_time(3600)
    pair = boot_pair(probe(host))
    assert pair is not None
    assert pair.complete


def test_a_copy_that_does_not_start_leaves_the_old_system(host: SimulatedHost) -> None:
    begun(host)
    host.pass_time(COPIED_S)
    host.spoil_copy()
    carry_out(host, convert_restart.plan(convert_restart.ConvertRestart(), probe(host)))
    host.pass_time(STARTED_S)
    now = probe(host)
    assert running(now) is not None
    report = now.boot.conversion
    assert report is not None
    assert (report.state, report.running) == ("restarting", False)
    again = convert_restart.plan(convert_restart.ConvertRestart(), now)
    assert {finding.code for finding in again.findings} >= {"did-not-start", "restarts"}


def test_another_try_takes_the_array_of_the_first_one_apart(host: SimulatedHost) -> None:
    _, second = begun(host)
    host.pass_time(COPIED_S)
    now = probe(host)
    plan = convert.plan(convert.Convert(disk=second.id), now)
    array = next(one for one in now.arrays if one.name == "root")
    assert plan.steps[0].commands[:4] == (
        ForgetConverting(),
        MdStop(array=array.node),
        MdZeroSuperblock(members=(f"{second.link}-part3",)),
        WipeSignatures(disk=second.link, partitions=(1, 2, 3)),
    )
    assert plan.confirm == second.serial
    carry_out(host, plan)
    report = probe(host).boot.conversion
    assert report is not None
    assert report.state == "copying"
    assert report.array != array.uuid


def test_the_copy_is_given_up_and_its_stick_is_free(host: SimulatedHost) -> None:
    _, second = begun(host)
    plan = convert_leave.plan(convert_leave.ConvertLeave(), probe(host))
    assert [loss.holds for loss in plan.destroys] == ["the copy of the system"]
    assert plan.confirm == second.serial
    carry_out(host, plan)
    now = probe(host)
    assert (now.boot.conversion, now.array("root")) == (None, None)
    found = now.disk(second.id)
    assert found is not None
    assert found.free
    assert refused(convert_leave.plan, convert_leave.ConvertLeave(), now) == {"no-copy": ""}


def test_giving_up_is_forgotten_last_so_that_it_can_be_done_again(host: SimulatedHost) -> None:
    _, second = begun(host)
    now = probe(host)
    array = next(one for one in now.arrays if one.name == "root")
    plan = convert_leave.plan(convert_leave.ConvertLeave(), now)
    assert [command for step in plan.steps for command in step.commands] == [
        StopConverting(),
        MdStop(array=array.node),
        MdZeroSuperblock(members=(f"{second.link}-part3",)),
        WipeSignatures(disk=second.link, partitions=(1, 2, 3)),
        ForgetConverting(),
    ]


def test_that_another_restart_goes_back_is_said_before(host: SimulatedHost) -> None:
    first, _ = begun(host)
    host.pass_time(COPIED_S)
    plan = convert_restart.plan(convert_restart.ConvertRestart(), probe(host))
    said = {finding.code: finding for finding in plan.findings}
    assert said["add-first"].level == "warning"
    assert str(first.serial) in said["add-first"].message


def test_disks_that_cannot_hold_it_are_refused(host: SimulatedHost) -> None:
    inventory = probe(host)
    first, second = sticks(inventory)
    wish = convert.Convert(disk=second.id)
    own = refused(convert.plan, convert.Convert(disk=first.id), inventory)
    assert "disk-in-use" in own
    small = changed(inventory, second.id, size_bytes=2 << 30)
    assert refused(convert.plan, wish, small) == {"disk-too-small": "disk"}
    assert refused(convert.plan, convert.Convert(disk="sdz"), inventory) == {"unknown-disk": "disk"}
    host.occupy(second.id, "exported-pool")
    assert refused(convert.plan, wish, probe(host)) == {"disk-in-use": "disk"}
    assert second.id not in [disk.id for disk in convert.candidates(_running(host), probe(host))]


def test_disks_that_could_hold_it_begin_with_the_stick(host: SimulatedHost) -> None:
    inventory = probe(host)
    first, second = sticks(inventory)
    found = [disk.id for disk in convert.candidates(_running(host), inventory)]
    assert (found[0], len(found)) == (second.id, 5)
    assert first.id not in found


def _running(host: SimulatedHost) -> Any:
    return running(probe(host))


def test_what_the_second_stick_holds_is_told_and_confirmed(host: SimulatedHost) -> None:
    _, second = sticks(probe(host))
    host.occupy(second.id, "unmounted-ntfs")
    plan = convert.plan(convert.Convert(disk=second.id), probe(host))
    assert [(loss.serial, "ntfs" in loss.holds) for loss in plan.destroys] == [(second.serial, True)]
    assert plan.confirm == second.serial


@pytest.mark.parametrize(
    ("part", "code"),
    [
        ({"fstype": "btrfs"}, "file-system"),
        ({"used_bytes": None}, "size-unknown"),
        ({"mountpoints": ()}, "unknown-root"),
    ],
)
def test_roots_that_cannot_be_moved_are_refused(host: SimulatedHost, part: dict[str, Any], code: str) -> None:
    inventory = probe(host)
    first, second = sticks(inventory)
    parts = tuple(
        msgspec.structs.replace(one, **part) if "/" in one.mountpoints else one for one in first.partitions
    )
    wish = convert.Convert(disk=second.id)
    assert code in refused(convert.plan, wish, changed(inventory, first.id, partitions=parts))


def test_a_system_on_md_is_not_moved(tmp_path: Path) -> None:
    inventory = probe(SimulatedHost(tmp_path / "home.json", "home"))
    free = next(disk.id for disk in inventory.disks if disk.free)
    assert refused(convert.plan, convert.Convert(disk=free), inventory) == {"already-md": ""}
    assert refused(convert_restart.plan, convert_restart.ConvertRestart(), inventory) == {"already-md": ""}


def test_nothing_restarts_without_a_whole_copy(host: SimulatedHost) -> None:
    wish = convert_restart.ConvertRestart()
    assert refused(convert_restart.plan, wish, probe(host)) == {"no-copy": ""}
    _, second = begun(host)
    report = probe(host)
    assert report.boot.conversion is not None
    stopped = msgspec.structs.replace(report.boot.conversion, state="stopped", running=False)
    notes = msgspec.structs.replace(report.boot, conversion=stopped)
    cut = msgspec.structs.replace(report, boot=notes)
    assert refused(convert_restart.plan, wish, cut) == {"copy-not-whole": ""}
    host.pass_time(COPIED_S)
    host.pull(second.id)
    assert refused(convert_restart.plan, wish, probe(host)) == {"copy-gone": ""}


def test_the_smaller_disk_sets_the_size_of_both(host: SimulatedHost) -> None:
    first, _ = sticks(probe(host))
    larger = msgspec.structs.replace(first, size_bytes=2 * first.size_bytes)
    assert root_mib(first, larger) == root_mib(larger, first) == root_mib(first, first)
    end = (130 + root_mib(first, first)) << 20
    assert end <= first.size_bytes * 96 // 100 - first.size_bytes // 16 + (1 << 20)
    five = msgspec.structs.replace(first, size_bytes=5_000_000_000)
    assert (130 + root_mib(five, five)) << 20 > 4_790_000_000
    assert room_bytes(root_mib(five, five)) > needed_for(2_411_724_800)
