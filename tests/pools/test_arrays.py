"""Plans about md arrays, by value."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from host.commands.base import Command
from host.commands.datasets.mounting import MakeFileSystem, StartMount, StopMount, SyncUnits
from host.commands.disks.md import (
    MdAdd,
    MdCreate,
    MdFail,
    MdGrow,
    MdReAdd,
    MdRemove,
    MdReplace,
    MdStop,
    MdZeroSuperblock,
)
from host.commands.disks.partition import WritePartition
from host.inventory import ArrayWork
from jobs.plan import Plan, Refused
from pools.arrays import (
    add_member,
    check_array,
    create_array,
    destroy_array,
    grow_array,
    remove_member,
    replace_member,
    start_array,
)
from tests import made
from tests.pools.arrays import LINK, NODE, array, exported, machine, member


def commands(plan: Plan, kind: type[Command]) -> list[Any]:
    return [one for step in plan.steps for one in step.commands if isinstance(one, kind)]


def codes(refused: pytest.ExceptionInfo[Refused]) -> set[tuple[str, str]]:
    return {(one.code, one.field) for one in refused.value.findings if one.level == "error"}


def create(**changes: Any) -> create_array.CreateArray:
    values: dict[str, Any] = {"name": "backup", "level": 1, "disks": (made.disk(1).id, made.disk(2).id)}
    return create_array.CreateArray(**(values | changes))


def test_disks_become_an_array_with_a_file_system_that_is_mounted() -> None:
    plan = create_array.plan(create(fstype="ext4"), machine())
    assert [step.title for step in plan.steps] == [
        "Prepare 2 disks",
        "Create array backup as RAID 1",
        "Make an empty ext4 file system on it",
        "Mount it at /mnt/backup, now and at every start",
    ]
    assert {one.use for one in commands(plan, WritePartition)} == {"md"}
    (made_array,) = commands(plan, MdCreate)
    assert made_array.members == tuple(f"{made.disk(n).link}-part1" for n in (1, 2))
    assert commands(plan, MakeFileSystem)[0].device == LINK
    assert commands(plan, StartMount)[0].folder == "/mnt/backup"
    assert plan.steps[-1].commands[-1] == SyncUnits()  # a cut of the power leaves no empty unit
    assert plan.claims == ("array:backup", f"disk:{made.disk(1).id}", f"disk:{made.disk(2).id}")
    assert plan.destroys == ()


def test_what_is_on_the_disks_is_said() -> None:
    inventory = msgspec.structs.replace(machine(), disks=(made.with_file_system(1), made.disk(2)))
    (loss,) = create_array.plan(create(), inventory).destroys
    assert (loss.disk, loss.bay) == (made.disk(1).id, "A1") and "Backup" in loss.holds


def test_an_array_without_a_file_system_is_not_mounted() -> None:
    plan = create_array.plan(create(), machine())
    assert commands(plan, MakeFileSystem) == commands(plan, StartMount) == []


@pytest.mark.parametrize("name", ["", "-x", "0", "md127", "d0", "a b", "ä", "x" * 28, "any:x", "../x"])
def test_odd_names_are_refused(name: str) -> None:
    with pytest.raises(Refused) as refused:
        create_array.plan(create(name=name, fstype="ext4"), machine())
    assert ("bad-name", "name") in codes(refused)


def test_all_faults_are_told_at_once() -> None:
    inventory = machine(array(member(1), member(2)))
    asked = create(level=5, disks=(made.disk(1).id, made.disk(3).id, made.disk(3).id), mountpoint="/etc")
    with pytest.raises(Refused) as refused:
        create_array.plan(asked, inventory)
    assert codes(refused) == {
        ("name-taken", "name"),
        ("nothing-to-mount", "mountpoint"),
        ("disk-in-use", "disks[0]"),
        ("duplicate-disk", "disks[2]"),
    }


@pytest.mark.parametrize(("level", "disks"), [(1, 1), (5, 2), (6, 3), (10, 3)])
def test_each_level_takes_its_number_of_disks(level: Any, disks: int) -> None:
    with pytest.raises(Refused) as refused:
        names = tuple(made.disk(n).id for n in range(1, disks + 1))
        create_array.plan(create(level=level, disks=names), machine())
    assert codes(refused) == {("too-few-disks", "disks")}


@pytest.mark.parametrize(
    "folder",
    ["/mnt", "/mnt/a/b", "/home/x", "/mnt/../etc", "mnt/x", "/mnt/a b", "/mnt/-x", f"/mnt/{'x' * 96}"],
)
def test_only_folders_below_mnt_and_srv_are_mounted(folder: str) -> None:
    with pytest.raises(Refused) as refused:
        create_array.plan(create(fstype="xfs", mountpoint=folder), machine())
    assert codes(refused) == {("bad-mountpoint", "mountpoint")}


def test_a_folder_that_is_mounted_is_refused() -> None:
    other = array(member(3), member(4), name="other", kname="md126", mountpoints=("/mnt/backup",))
    with pytest.raises(Refused) as refused:
        create_array.plan(create(fstype="xfs"), machine(other))
    assert codes(refused) == {("mountpoint-taken", "mountpoint")}


def test_disks_of_different_sizes_are_a_warning() -> None:
    small = made.disk(2, size_bytes=2_000_000_000_000)
    inventory = msgspec.structs.replace(machine(), disks=(made.disk(1), small))
    found = create_array.plan(create(), inventory).findings
    assert ("warning", "mixed-sizes") in {(one.level, one.code) for one in found}


SYSTEM = array(member(1), member(2), name="root", mountpoints=("/",))


@pytest.mark.parametrize(
    ("plan", "request_"),
    [
        (add_member.plan, add_member.AddToArray(name="root", disk=made.disk(3).id)),
        (
            replace_member.plan,
            replace_member.ReplaceInArray(name="root", member=made.disk(1).id, disk=made.disk(3).id),
        ),
        (remove_member.plan, remove_member.RemoveFromArray(name="root", member=made.disk(1).id)),
        (grow_array.plan, grow_array.GrowArray(name="root", what="space")),
        (destroy_array.plan, destroy_array.DestroyArray(name="root")),
    ],
)
@pytest.mark.parametrize("point", ["/", "[SWAP]", "/boot/efi"])
def test_what_carries_the_system_is_never_touched(plan: Any, request_: Any, point: str) -> None:
    inventory = machine(msgspec.structs.replace(SYSTEM, mountpoints=(point,)))
    with pytest.raises(Refused) as refused:
        plan(request_, inventory)
    assert codes(refused) == {("carries-system", "name")}


def test_what_carries_the_system_may_be_checked() -> None:
    plan = check_array.plan(check_array.CheckArray(name="root"), machine(SYSTEM))
    assert plan.steps[0].commands[0].argv() == ("mdadm", "--action=check", NODE)
    assert plan.claims == ("array:root",)


def test_nothing_is_checked_twice_or_while_it_is_rebuilt() -> None:
    busy = array(member(1), member(2), work=ArrayWork(kind="recovery", percent=3.0))
    with pytest.raises(Refused) as refused:
        check_array.plan(check_array.CheckArray(name="backup"), machine(busy))
    assert codes(refused) == {("already-running", "action")}
    with pytest.raises(Refused) as refused:
        check_array.plan(check_array.CheckArray(name="backup", action="stop"), machine(busy))
    assert codes(refused) == {("not-running", "action")}


def test_a_stripe_has_nothing_to_compare() -> None:
    with pytest.raises(Refused) as refused:
        stripe = array(member(1), member(2), level="raid0")
        check_array.plan(check_array.CheckArray(name="backup"), machine(stripe))
    assert codes(refused) == {("nothing-to-compare", "name")}


def test_a_new_disk_takes_the_empty_place() -> None:
    inventory = machine(array(member(1)))
    plan = add_member.plan(add_member.AddToArray(name="backup", disk=made.disk(3).id), inventory)
    (added,) = commands(plan, MdAdd)
    assert (added.array, added.members) == (NODE, (f"{made.disk(3).link}-part1",))
    assert "rebuild-follows" in {one.code for one in plan.findings}


def test_a_disk_too_small_for_the_others_is_refused() -> None:
    inventory = machine(array(member(1)))
    small = made.disk(3, size_bytes=2_000_000_000_000)
    inventory = msgspec.structs.replace(inventory, disks=(inventory.disks[0], small))
    with pytest.raises(Refused) as refused:
        add_member.plan(add_member.AddToArray(name="backup", disk=small.id), inventory)
    assert codes(refused) == {("disk-too-small", "disk")}


def test_a_disk_that_comes_back_only_catches_up() -> None:
    plan = add_member.plan(add_member.AddToArray(name="backup", disk=made.disk(2).id), exported())
    assert commands(plan, MdReAdd)[0].member == f"{made.disk(2).link}-part1"
    assert plan.destroys == () and commands(plan, WritePartition) == []


def test_a_disk_that_comes_back_is_made_anew_where_that_is_asked_for() -> None:
    asked = add_member.AddToArray(name="backup", disk=made.disk(2).id, anew=True)
    plan = add_member.plan(asked, exported())
    assert commands(plan, MdReAdd) == [] and len(commands(plan, MdAdd)) == 1
    assert [loss.disk for loss in plan.destroys] == [made.disk(2).id]


def test_a_member_that_works_is_copied_before_it_goes() -> None:
    asked = replace_member.ReplaceInArray(name="backup", member=made.disk(1).id, disk=made.disk(3).id)
    plan = replace_member.plan(asked, machine(array(member(1), member(2))))
    (done,) = commands(plan, MdReplace)
    assert (done.old, done.new) == (f"{made.disk(1).link}-part1", f"{made.disk(3).link}-part1")
    assert commands(plan, MdFail) == []


def test_a_faulty_member_goes_first() -> None:
    faulty = member(2, state="faulty", slot=None)
    asked = replace_member.ReplaceInArray(name="backup", member=made.disk(2).id, disk=made.disk(3).id)
    plan = replace_member.plan(asked, machine(array(member(1), faulty)))
    kinds = [type(one) for step in plan.steps for one in step.commands]
    assert kinds[0] is MdRemove and MdReplace not in kinds


def test_an_empty_place_is_filled_before_a_member_is_replaced() -> None:
    asked = replace_member.ReplaceInArray(name="backup", member=made.disk(1).id, disk=made.disk(3).id)
    with pytest.raises(Refused) as refused:
        replace_member.plan(asked, machine(array(member(1))))
    assert codes(refused) == {("degraded", "name")}


@pytest.mark.parametrize(
    ("level", "whole", "here", "warned"),
    [
        ("raid1", 2, 2, True), ("raid1", 2, 1, None), ("raid1", 3, 3, False), ("raid5", 3, 3, True),
        ("raid5", 3, 2, None), ("raid6", 4, 4, False), ("raid6", 4, 3, True), ("raid6", 4, 2, None),
        ("raid10", 4, 4, True), ("raid10", 4, 3, None),
    ],
)  # fmt: skip
def test_no_member_leaves_that_the_data_needs(level: str, whole: int, here: int, warned: bool | None) -> None:
    members = [member(n) for n in range(1, here + 1)]
    inventory = machine(array(*members, level=level, wanted=whole))
    asked = remove_member.RemoveFromArray(name="backup", member=made.disk(1).id)
    if warned is None:
        with pytest.raises(Refused) as refused:
            remove_member.plan(asked, inventory)
        assert codes(refused) == {("would-lose-data", "member")}
        return
    plan = remove_member.plan(asked, inventory)
    assert ("no-redundancy-left" in {one.code for one in plan.findings}) is warned
    kinds = [type(one).__name__ for one in plan.steps[0].commands]
    assert kinds == ["MdFail", "MdRemove", "MdZeroSuperblock", "UdevSettle"]
    assert [loss.serial for loss in plan.destroys] == ["WD-0001"]


@pytest.mark.parametrize("kind", ["resync", "recovery", "reshape"])
def test_no_member_leaves_while_copies_or_parity_are_made(kind: Any) -> None:
    members = [member(n) for n in range(1, 5)]
    work = ArrayWork(kind=kind, percent=3.0)
    inventory = machine(array(*members, level="raid6", wanted=4, work=work))
    with pytest.raises(Refused) as refused:
        remove_member.plan(remove_member.RemoveFromArray(name="backup", member=made.disk(1).id), inventory)
    assert codes(refused) == {("busy-array", "name")}


def test_a_spare_leaves_without_a_word() -> None:
    inventory = machine(array(member(1), member(2), member(3, state="spare", slot=None)))
    plan = remove_member.plan(remove_member.RemoveFromArray(name="backup", member=made.disk(3).id), inventory)
    assert commands(plan, MdFail) == [] and plan.destroys == () and plan.findings == ()


def test_a_disk_of_another_array_is_no_member() -> None:
    with pytest.raises(Refused) as refused:
        asked = remove_member.RemoveFromArray(name="backup", member=made.disk(5).id)
        remove_member.plan(asked, machine(array(member(1), member(2))))
    assert codes(refused) == {("not-a-member", "member")}


def test_an_array_is_unmounted_taken_apart_and_forgotten() -> None:
    plan = destroy_array.plan(destroy_array.DestroyArray(name="backup"), machine(array(member(1), member(2))))
    assert plan.confirm == "backup"
    assert commands(plan, StopMount)[0].folder == "/mnt/backup"
    assert commands(plan, MdStop)[0].array == NODE
    assert len(commands(plan, MdZeroSuperblock)[0].members) == 2
    assert [loss.bay for loss in plan.destroys] == ["A1", "A2"]
    assert "ext4 file system “backup”" in plan.destroys[0].holds


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"mountpoints": ("/home",)}, "mounted-elsewhere"),
        ({"fstype": "LVM2_member", "mountpoints": ()}, "built-upon"),
    ],
)
def test_what_something_is_built_upon_stays(changes: dict[str, Any], code: str) -> None:
    with pytest.raises(Refused) as refused:
        used = array(member(1), member(2), **changes)
        destroy_array.plan(destroy_array.DestroyArray(name="backup"), machine(used))
    assert codes(refused) == {(code, "name")}


def test_more_disks_and_then_more_devices() -> None:
    inventory = machine(array(member(1), member(2), member(3), level="raid5", wanted=3))
    asked = grow_array.GrowArray(name="backup", what="disks", disks=(made.disk(4).id,))
    plan = grow_array.plan(asked, inventory)
    assert commands(plan, MdGrow)[0].argv()[-1] == "--raid-devices=4"
    assert isinstance(plan.steps[1].commands[0], MdAdd)
    assert "reshape-follows" in {one.code for one in plan.findings}


def test_an_array_and_its_file_system_use_all_space() -> None:
    plan = grow_array.plan(
        grow_array.GrowArray(name="backup", what="space"), machine(array(member(1), member(2)))
    )
    said = [one.argv() for step in plan.steps for one in step.commands]
    assert ("mdadm", "--grow", NODE, "--size=max") in said and ("resize2fs", LINK) in said


@pytest.mark.parametrize(
    ("changes", "code"),
    [({"work": ArrayWork(kind="recovery", percent=1.0)}, "busy-array"), ({"wanted": 3}, "degraded"),
     ({"mountpoints": ()}, "not-mounted")],
)  # fmt: skip
def test_nothing_grows_that_is_not_whole(changes: dict[str, Any], code: str) -> None:
    with pytest.raises(Refused) as refused:
        grown = array(member(1), member(2), **changes)
        grow_array.plan(grow_array.GrowArray(name="backup", what="space"), machine(grown))
    assert codes(refused) == {(code, "name")}


def test_an_array_that_waits_is_started_as_it_is() -> None:
    waiting = array(member(1), state="inactive", path="/dev/md127", level="unknown", wanted=0)
    plan = start_array.plan(start_array.StartArray(name="backup"), machine(waiting))
    assert plan.steps[0].commands[0].argv() == ("mdadm", "--run", "/dev/md127")
    with pytest.raises(Refused) as refused:
        start_array.plan(start_array.StartArray(name="backup"), machine(array(member(1))))
    assert codes(refused) == {("runs-already", "name")}


def test_an_unknown_array_is_told() -> None:
    with pytest.raises(Refused) as refused:
        check_array.plan(check_array.CheckArray(name="nope"), machine())
    assert codes(refused) == {("unknown-array", "name")}
