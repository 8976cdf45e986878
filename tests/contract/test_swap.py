"""Swap over two partitions, and requests for /var and /home: made, read, and removed again.

Nothing is moved here: what starts make of it is a drill of its own (tests/lab/test_moved_state.py).
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from host.base import CommandFailed, Host
from host.commands.datasets.mounting import ReadUnits, SyncUnits
from host.commands.disks.md import MdStop, MdZeroSuperblock
from host.commands.disks.partition import UdevSettle, UdevWait, WipeSignatures, WritePartition
from host.commands.system.moved_state import ForgetState, SyncState, WantState
from host.commands.system.swap import (
    ARRAY,
    DEVICE,
    LABEL,
    MakeSwap,
    MakeSwapArray,
    RemoveSwapUnit,
    StartSwap,
    StopSwap,
    WriteSwapUnit,
)
from host.inventory import Disk
from host.probe.system.moved import read_moved
from host.probe.system.swap import read_swap
from tests.contract.bench import read_array
from tests.contract.conftest import prepare

_SIZE_MIB = 128


@pytest.fixture
def members(host: Host, prepared: tuple[Disk, ...]) -> Iterator[tuple[str, str]]:
    """Two small partitions for md; as they were afterwards, with no swap left."""
    disks = prepared[:2]
    for disk in disks:
        host.run(WipeSignatures(disk=disk.link, partitions=(1,)))
        host.run(WritePartition(disk=disk.link, size_mib=_SIZE_MIB, use="md"))
    one, two = (f"{disk.link}-part1" for disk in disks)
    host.run(UdevWait(links=(one, two)))
    yield one, two
    host.run(StopSwap())
    host.run(RemoveSwapUnit())
    host.run(ReadUnits())
    if (array := read_array(host, ARRAY)) is not None:
        host.run(MdStop(array=array.node))
        host.run(MdZeroSuperblock(members=(one, two)))
        host.run(UdevSettle())
    prepare(host, *disks)


def test_swap_lies_on_two_partitions_until_it_is_ended(host: Host, members: tuple[str, str]) -> None:
    before = read_swap(host)
    assert before.raid0_set is False
    host.run(MakeSwapArray(members=members))
    host.run(UdevWait(links=(DEVICE,)))
    host.run(MakeSwap())
    for command in (WriteSwapUnit(), ReadUnits(), StartSwap(), SyncUnits()):
        host.run(command)
    array, swap = read_array(host, ARRAY), read_swap(host)
    assert array is not None
    assert (array.level, array.fstype, array.label, array.mountpoints) == (
        "raid0",
        "swap",
        LABEL,
        ("[SWAP]",),
    )
    assert (swap.raid0_set, swap.kind) == (True, "raid0")
    space = next(space for space in swap.spaces if space.path == array.node)
    assert 2 * 100 << 20 < space.size_bytes < 2 * _SIZE_MIB << 20
    with pytest.raises(CommandFailed):
        host.run(MdStop(array=array.node))  # it is in use
    host.run(StopSwap())
    assert {one.path for one in read_swap(host).spaces} == {one.path for one in before.spaces}


def test_there_is_nothing_to_end_twice(host: Host) -> None:
    assert host.run(StopSwap()).exit == 5


@pytest.mark.core
def test_a_request_to_move_the_state_is_read_until_it_is_removed(host: Host) -> None:
    before = read_moved(host)
    assert (before.phase, before.here, before.spaces[0].mountpoint) == ("none", True, "/")
    assert all(space.used_bytes > 0 and space.free_bytes >= 0 for space in before.spaces)
    host.run(WantState(pool="tank", guid="42", what=("var",)))
    host.run(SyncState())
    moved = read_moved(host)
    assert (moved.phase, moved.pool, moved.guid, moved.folders) == ("broken-off", "tank", "42", ("var",))
    host.run(ForgetState())
    assert read_moved(host).phase == "none"
