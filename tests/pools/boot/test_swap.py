"""Swap: what is chosen, what stands in the way, and what becomes of it when a half goes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from host.boot_pair import boot_pair
from host.commands.datasets.mounting import ReadUnits, SyncUnits
from host.commands.disks.md import MdStop
from host.commands.disks.partition import UdevSettle
from host.commands.system.boot_pair import BootCopy
from host.commands.system.swap import (
    SWAP_UNIT,
    AddSwapPartition,
    MakeSwapArray,
    SetZram,
    StartSwap,
    StartZram,
    StopSwap,
    StopZram,
)
from host.inventory import Disk, Inventory, Swap
from host.probe.system.swap import parse_swap
from host.probe.whole import probe
from host.simulated import SimulatedHost
from jobs.plan import Plan, Refused
from pools.boot import add_half, remove_half, set_swap
from pools.boot.preparing import can_join
from pools.boot.set_swap import SetSwap
from pools.boot.swap_array import MIB, free_mib, swap_array

FILES = """/proc/swaps\0Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority
/proc/swaps\0/dev/zram0                              partition\t4026528\t512\t100
/proc/swaps\0/swap\\040file                          file\t\t1048572\t0\t-2
/etc/fstab\0# /dev/sdz none swap sw 0 0
/etc/fstab\0UUID=1 / ext4 noatime 0 1
/etc/fstab\0UUID=2 none swap sw 0 0
/etc/systemd/zram-generator.conf\0[zram0]
"""


@pytest.fixture
def host(tmp_path: Path) -> SimulatedHost:
    """SSDs of 120 GB with room behind the system."""
    return SimulatedHost(tmp_path / "machine.json", "flash4")


def carry_out(host: SimulatedHost, plan: Plan) -> None:
    for step in plan.steps:
        for command in step.commands:
            if not isinstance(command, BootCopy):  # this profile's disks have no room for a boot loader
                host.run(command)


def choose(host: SimulatedHost, kind: Any) -> Plan:
    plan = set_swap.plan(SetSwap(kind=kind), probe(host))
    carry_out(host, plan)
    return plan


def kinds(plan: Plan) -> list[type]:
    return [type(command) for step in plan.steps for command in step.commands]


def refused(kind: Any, inventory: Inventory) -> list[str]:
    with pytest.raises(Refused) as refusal:
        set_swap.plan(SetSwap(kind=kind), inventory)
    return [finding.code for finding in refusal.value.findings if finding.level == "error"]


def test_what_the_files_tell_is_read() -> None:
    found = parse_swap(FILES, "/usr/lib/systemd/system-generators/zram-generator\n")
    assert [(one.path, one.size_bytes, one.used_bytes) for one in found.spaces] == [
        ("/dev/zram0", 4026528 << 10, 512 << 10),
        ("/swap file", 1048572 << 10, 0),
    ]
    assert (found.zram_set, found.fstab, found.kind) == (True, ("UUID=2",), "zram")
    assert parse_swap("", "") == Swap()
    assert parse_swap(FILES, "").zram_set is False


def test_the_units_name_is_what_systemd_makes_of_the_device() -> None:
    name = SWAP_UNIT.removesuffix(".swap").replace("-", "/").encode().decode("unicode_escape")
    assert f"/{name}" == "/dev/disk/by-id/md-name-any:swap"


def test_swap_goes_to_compressed_memory_and_away_again(host: SimulatedHost) -> None:
    assert kinds(choose(host, "zram"))[0] is SetZram
    now = probe(host).swap
    assert (now.kind, now.zram_set) == ("zram", True)
    assert any(space.in_memory for space in now.spaces)
    assert refused("zram", probe(host)) == ["nothing-to-do"]
    assert kinds(choose(host, "none")) == [StopZram, SetZram, ReadUnits, SyncUnits]
    assert probe(host).swap.zram_set is False
    host.restart_state()
    assert not any(space.in_memory for space in probe(host).swap.spaces)


def test_without_its_program_there_is_no_compressed_memory(host: SimulatedHost) -> None:
    host.lose_zram()
    assert refused("zram", probe(host)) == ["zram-missing"]


def test_what_others_set_up_stays(host: SimulatedHost) -> None:
    inventory = probe(host)
    assert inventory.swap.kind == "other"
    assert refused("none", inventory) == ["not-ours"]
    plan = set_swap.plan(SetSwap(kind="zram"), inventory)
    assert [finding.code for finding in plan.findings if finding.level == "warning"] == ["others-stay"]


def test_swap_goes_to_both_halves_and_leaves_its_partitions(host: SimulatedHost) -> None:
    choose(host, "zram")
    plan = choose(host, "raid0")
    made = kinds(plan)
    assert made.index(StartSwap) < made.index(SyncUnits)  # a cut of the power leaves no empty unit
    assert made.index(StartSwap) < made.index(StopZram)  # the old one gives up only what the new one can take
    assert {f.code for f in plan.findings if f.level == "warning"} >= {"lost-with-a-half", "wears-out"}
    inventory = probe(host)
    array = swap_array(inventory)
    assert array is not None
    assert (array.level, array.mountpoints, inventory.swap.kind) == ("raid0", ("[SWAP]",), "raid0")
    assert {member.partition for member in array.members} == {3}
    pair = boot_pair(inventory)
    assert pair is not None
    assert pair.complete
    assert all(half.disk.partitions[-1].size_bytes == 2048 * MIB for half in pair.halves)
    choose(host, "zram")
    assert swap_array(probe(host)) is None
    again = choose(host, "raid0")
    assert AddSwapPartition not in kinds(again)
    assert swap_array(probe(host)) is not None


def test_without_room_the_numbers_are_told(tmp_path: Path) -> None:
    inventory = probe(SimulatedHost(tmp_path / "home.json", "home"))
    pair = boot_pair(inventory)
    assert pair is not None
    with pytest.raises(Refused) as refusal:
        set_swap.plan(SetSwap(kind="raid0"), inventory)
    report = next(finding for finding in refusal.value.findings if finding.code == "no-room")
    assert f"{max(free_mib(pair.halves[0].disk), 0)} MiB on {pair.halves[0].disk.id}" in report.message


def test_a_machine_without_a_pair_has_no_second_half(host: SimulatedHost) -> None:
    assert refused("raid0", msgspec.structs.replace(probe(host), arrays=())) == ["no-whole-pair"]


def test_swap_ends_with_a_half_and_is_made_anew_with_the_next(host: SimulatedHost) -> None:
    choose(host, "raid0")
    inventory = probe(host)
    pair = boot_pair(inventory)
    assert pair is not None
    leaves = pair.halves[1].disk
    plan = remove_half.plan(remove_half.RemoveHalf(disk=leaves.id), inventory)
    assert kinds(plan)[:2] == [StopSwap, MdStop]
    assert "swap-anew" in {finding.code for finding in plan.findings}
    carry_out(host, plan)
    assert (swap_array(probe(host)), probe(host).swap.kind) == (None, "raid0")
    host.swap(leaves.serial or "", "BTWL399999999120LGN")
    inventory = probe(host)
    new = next(disk for disk in inventory.disks if disk.serial == "BTWL399999999120LGN")
    plan = add_half.plan(add_half.AddHalf(disk=new.id), inventory)
    assert MakeSwapArray in kinds(plan)
    assert plan.steps[-1].title == "Create the swap on both halves again"
    carry_out(host, plan)
    array = swap_array(probe(host))
    assert array is not None
    assert {member.disk for member in array.members} == {pair.halves[0].disk.id, new.id}
    assert array.mountpoints == ("[SWAP]",)


def test_an_array_that_lost_a_half_does_not_make_the_other_one_unsound(host: SimulatedHost) -> None:
    choose(host, "raid0")
    pair = boot_pair(probe(host))
    assert pair is not None
    host.pull(pair.halves[1].disk.id)
    host.halt_array("swap")
    inventory = probe(host)
    left = boot_pair(inventory)
    assert left is not None
    assert [half.state for half in left.halves] == ["whole"]
    assert StartZram in kinds(set_swap.plan(SetSwap(kind="zram"), inventory))


def test_a_half_that_comes_back_and_took_up_swap_by_itself_is_made_a_half_again(host: SimulatedHost) -> None:
    choose(host, "raid0")
    pair = boot_pair(probe(host))
    assert pair is not None
    back = pair.halves[1].disk
    host.pull(back.id)
    host.insert(back.serial or "")
    inventory = probe(host)
    claims = {claim.words for disk in inventory.disks if disk.id == back.id for claim in disk.claims}
    assert "swap in use" in claims
    assert [disk.id for disk in candidates(inventory)] == [back.id]
    plan = add_half.plan(add_half.AddHalf(disk=back.id), inventory)
    # Before anything is written to it, and once.
    assert kinds(plan)[:3] == [StopSwap, MdStop, UdevSettle]
    assert kinds(plan).count(MdStop) == 1
    carry_out(host, plan)
    array = swap_array(probe(host))
    assert array is not None
    assert array.mountpoints == ("[SWAP]",)
    now = boot_pair(probe(host))
    assert now is not None
    assert {half.disk.id for half in now.halves} == {half.disk.id for half in pair.halves}


def candidates(inventory: Inventory) -> list[Disk]:
    """Disks that are no half and could be one."""
    pair = boot_pair(inventory)
    ids = {half.disk.id for half in pair.halves} if pair else set()
    return [
        disk
        for disk in inventory.disks
        if disk.id not in ids and disk.size_bytes < 10**12 and can_join(disk, inventory)
    ]
