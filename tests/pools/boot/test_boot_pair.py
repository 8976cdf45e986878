"""The boot pair: what makes a second half, exchanges one, lets one go, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from host.boot_pair import Pair, boot_pair
from host.commands.disks.md import MdAdd, MdFail, MdRemove, MdReplace
from host.commands.disks.partition import UdevWait, WipeSignatures
from host.commands.system.boot_pair import BootCopy, CopyTable
from host.inventory import Inventory
from host.probe.whole import probe
from host.simulated import SimulatedHost
from jobs.plan import Plan, Refused
from pools.boot import add_half, remove_half, replace_half, write_copies

NEW = "4C530001999999999999"


@pytest.fixture
def host(tmp_path: Path) -> SimulatedHost:
    return SimulatedHost(tmp_path / "machine.json", "home")


def pair(inventory: Inventory) -> Pair:
    found = boot_pair(inventory)
    assert found is not None
    return found


def sticks(host: SimulatedHost) -> tuple[str, str]:
    one, two = pair(probe(host)).halves
    return one.disk.id, two.disk.id


def swapped(host: SimulatedHost) -> tuple[str, str]:
    """The half that stayed, and the new stick in the place of the other one."""
    stays, leaves = sticks(host)
    host.swap(leaves, NEW)
    new = next(disk.id for disk in probe(host).disks if disk.serial == NEW)
    return stays, new


def carry_out(host: SimulatedHost, plan: Plan, *, but: tuple[type, ...] = ()) -> None:
    for step in plan.steps:
        for command in step.commands:
            if not isinstance(command, but):
                host.run(command)


def refused(plan: Any, request: Any, inventory: Inventory) -> dict[str, str]:
    with pytest.raises(Refused) as refusal:
        plan(request, inventory)
    return {finding.code: finding.field for finding in refusal.value.findings if finding.level == "error"}


def test_the_pair_is_found_with_all_its_arrays(host: SimulatedHost) -> None:
    found = pair(probe(host))
    assert (found.root.level, found.complete) == ("raid1", True)
    assert [half.state for half in found.halves] == ["whole", "whole"]
    assert {array.fstype for array in found.arrays} == {"ext4", "swap"}
    assert all(half.disk.transport == "usb" for half in found.halves)


def test_a_machine_on_one_disk_has_no_pair(host: SimulatedHost) -> None:
    inventory = msgspec.structs.replace(probe(host), arrays=())
    assert boot_pair(inventory) is None
    assert refused(add_half.plan, add_half.AddHalf(disk="x"), inventory) == {"no-boot-pair": ""}


def test_a_new_stick_becomes_the_missing_half(host: SimulatedHost) -> None:
    stays, new = swapped(host)
    inventory = probe(host)
    assert not pair(inventory).complete
    plan = add_half.plan(add_half.AddHalf(disk=new), inventory)
    link, model = f"/dev/disk/by-id/{new}", f"/dev/disk/by-id/{stays}"
    root = pair(inventory).root
    assert plan.steps[0].commands == (
        WipeSignatures(disk=link, partitions=()),
        CopyTable(source=model, target=link),
        UdevWait(links=(f"{link}-part1", f"{link}-part2")),
        BootCopy(disk=link),
    )
    assert plan.steps[0].destroys == ()
    added = MdAdd(array=root.node, members=(f"{link}-part1",))
    assert added in plan.steps[1].commands
    assert f"array:{root.name}" in plan.claims
    assert f"disk:{new}" in plan.claims
    carry_out(host, plan)
    now = pair(probe(host))
    assert [half.state for half in now.halves if half.disk.id == new] == ["rebuilding"]
    host.pass_time(3600)
    now = pair(probe(host))
    assert now.complete
    assert {half.disk.id for half in now.halves} == {stays, new}


def test_what_the_new_stick_holds_is_told_and_confirmed_by_its_serial(host: SimulatedHost) -> None:
    _, new = swapped(host)
    host.occupy(new, "unmounted-ntfs")
    plan = add_half.plan(add_half.AddHalf(disk=new), probe(host))
    assert [(loss.disk, loss.serial) for loss in plan.destroys] == [(new, NEW)]
    assert plan.confirm == NEW


def test_a_half_that_was_away_is_filled_anew(tmp_path: Path) -> None:
    host = SimulatedHost(tmp_path / "rack.json", "rack24")
    stays, leaves = sticks(host)
    host.pull(leaves)
    host.insert(leaves)
    inventory = probe(host)
    assert [half.disk.id for half in pair(inventory).halves] == [stays]
    plan = add_half.plan(add_half.AddHalf(disk=leaves), inventory)
    assert ["an md array" in loss.holds for loss in plan.destroys] == [True]
    carry_out(host, plan, but=(BootCopy,))  # this profile's disks have no room for a boot loader
    host.pass_time(3600)
    assert pair(probe(host)).complete


def test_a_whole_pair_takes_no_third_half(host: SimulatedHost) -> None:
    inventory = probe(host)
    free = next(disk.id for disk in inventory.disks if disk.free)
    assert refused(add_half.plan, add_half.AddHalf(disk=free), inventory) == {"pair-is-whole": "disk"}


def test_disks_that_cannot_be_a_half_are_refused(host: SimulatedHost) -> None:
    stays, new = swapped(host)
    inventory = probe(host)

    def with_new(**changes: Any) -> Inventory:
        disks = tuple(
            msgspec.structs.replace(disk, **changes) if disk.id == new else disk for disk in inventory.disks
        )
        return msgspec.structs.replace(inventory, disks=disks)

    wish = add_half.AddHalf(disk=new)
    assert refused(add_half.plan, add_half.AddHalf(disk=stays), inventory) == {"already-a-half": "disk"}
    assert refused(add_half.plan, add_half.AddHalf(disk="sdz"), inventory) == {"unknown-disk": "disk"}
    assert refused(add_half.plan, wish, with_new(size_bytes=1 << 30)) == {"disk-too-small": "disk"}
    host.occupy(new, "exported-pool")
    inventory = probe(host)
    assert refused(add_half.plan, wish, inventory) == {"disk-in-use": "disk"}


def test_a_half_is_exchanged_while_it_still_works(host: SimulatedHost) -> None:
    inventory = probe(host)
    old = pair(inventory).halves[0]
    blank = next(disk for disk in inventory.disks if disk.free)
    plan = replace_half.plan(replace_half.ReplaceHalf(old=old.disk.id, disk=blank.id), inventory)
    root = pair(inventory).root
    exchange = MdReplace(array=root.node, old=f"{old.disk.link}-part1", new=f"{blank.link}-part1")
    assert exchange in plan.steps[1].commands
    carry_out(host, plan)
    now = pair(probe(host))
    assert [half.state for half in now.halves if half.disk.id == old.disk.id] == ["whole"]
    host.pass_time(36000)
    now = pair(probe(host))
    assert {half.disk.id: half.state for half in now.halves}[blank.id] == "whole"
    assert {half.disk.id: half.state for half in now.halves}.get(old.disk.id, "gone") in {"faulty", "gone"}


def test_a_half_leaves_but_not_the_last_one(host: SimulatedHost) -> None:
    one, two = sticks(host)
    inventory = probe(host)
    plan = remove_half.plan(remove_half.RemoveHalf(disk=one), inventory)
    kinds = [type(command) for command in plan.steps[0].commands]
    assert kinds[:2] == [MdFail, MdRemove]
    assert {finding.code for finding in plan.findings} >= {"no-redundancy"}
    carry_out(host, plan)
    assert [half.disk.id for half in pair(probe(host)).halves] == [two]
    last = remove_half.RemoveHalf(disk=two)
    assert refused(remove_half.plan, last, probe(host)) == {"last-half": "disk"}
    stranger = remove_half.RemoveHalf(disk="ata-other")
    assert refused(remove_half.plan, stranger, inventory) == {"not-a-half": "disk"}


def test_the_boot_loader_goes_to_each_half(host: SimulatedHost) -> None:
    one, two = sticks(host)
    plan = write_copies.plan(write_copies.WriteCopies(), probe(host))
    commands = [command for step in plan.steps for command in step.commands]
    assert commands == [BootCopy(disk=f"/dev/disk/by-id/{name}") for name in (one, two)]
    carry_out(host, plan)
