"""Examples of plans."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from host.commands.disks.md import Level
from host.commands.system.moved_state import Moved
from host.inventory import ArrayMember, ArrayWork, BootNotes, Disk, Inventory, MovedState
from jobs.plan import Plan
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
from pools.boot import (
    add_half,
    adopt,
    convert,
    convert_leave,
    convert_restart,
    discard_state,
    move_state,
    remove_half,
    replace_half,
    return_state,
    set_swap,
    write_copies,
)
from tests import made
from tests.pools.arrays import array, exported, machine, member
from tests.pools.boot.pairs import SPACE, half, moved, pair, single, stick, swapping, with_pool

_IDS = [made.disk(number).id for number in range(10)]


def _with_content(inventory: Inventory, *numbers: int) -> Inventory:
    """The machine with an old file system on these disks."""
    held = {made.disk(n).id: made.with_file_system(n) for n in numbers}
    disks = tuple(held.get(disk.id, disk) for disk in inventory.disks)
    return msgspec.structs.replace(inventory, disks=disks)


def _parity(wanted: int, *, level: str = "raid5") -> Inventory:
    members = (member(n) for n in range(1, wanted + 1))
    size = (wanted - (2 if level == "raid6" else 1)) * 2_900_000_000_000
    return machine(array(*members, level=level, wanted=wanted, size_bytes=size), disks=9)


def _faulty() -> ArrayMember:
    return member(2, state="faulty", slot=None)


def _create(inventory: Inventory, level: Level, disks: int, *, fstype: bool = True) -> Plan:
    names = tuple(_IDS[1 : disks + 1])
    request = create_array.CreateArray(
        name="backup", level=level, disks=names, fstype="ext4" if fstype else None
    )
    return create_array.plan(request, inventory)


def _add(inventory: Inventory, number: int = 3) -> Plan:
    return add_member.plan(add_member.AddToArray(name="backup", disk=_IDS[number]), inventory)


def _replace(inventory: Inventory, old: int) -> Plan:
    request = replace_member.ReplaceInArray(name="backup", member=_IDS[old], disk=_IDS[3])
    return replace_member.plan(request, inventory)


def _remove(inventory: Inventory, number: int) -> Plan:
    return remove_member.plan(remove_member.RemoveFromArray(name="backup", member=_IDS[number]), inventory)


def _check(inventory: Inventory) -> Plan:
    checking = inventory.arrays[0].work is not None
    request = check_array.CheckArray(name="backup", action="stop" if checking else "start")
    return check_array.plan(request, inventory)


def _start() -> Plan:
    waiting = array(member(1), state="inactive", level="unknown", wanted=0, mountpoints=())
    return start_array.plan(start_array.StartArray(name="backup"), machine(waiting))


def _grow(inventory: Inventory, *numbers: int) -> Plan:
    disks = tuple(_IDS[number] for number in numbers)
    request = grow_array.GrowArray(name="backup", what="disks" if disks else "space", disks=disks)
    return grow_array.plan(request, inventory)


def _destroy(inventory: Inventory) -> Plan:
    return destroy_array.plan(destroy_array.DestroyArray(name="backup"), inventory)


ARRAYS: dict[str, tuple[Callable[[], Plan], ...]] = {
    "array.create": (
        lambda: _create(machine(), 1, 2),
        lambda: _create(_with_content(machine(), 1, 2, 3, 4), 6, 4),
        lambda: _create(_with_content(machine(), 2), 5, 3, fstype=False),
    ),
    "array.add": (
        lambda: _add(machine(array(member(1)))),
        lambda: _add(_with_content(machine(array(member(1), member(2))), 3)),
        lambda: _add(exported(), 2),
    ),
    "array.replace": (
        lambda: _replace(_with_content(machine(array(member(1), _faulty())), 3), 2),
        lambda: _replace(machine(array(member(1), member(2))), 1),
    ),
    "array.remove": (
        lambda: _remove(machine(array(member(1), member(2))), 2),
        lambda: _remove(_parity(4, level="raid6"), 2),
        lambda: _remove(machine(array(member(1), _faulty())), 2),
        lambda: _remove(machine(array(member(1), member(2), member(3, state="spare", slot=None))), 3),
    ),
    "array.check": (
        lambda: _check(machine(array(member(1), member(2)))),
        lambda: _check(_parity(4)),
        lambda: _check(machine(array(member(1), member(2), work=ArrayWork(kind="check", percent=12.0)))),
    ),
    "array.start": (_start,),
    "array.grow": (
        lambda: _grow(_parity(3), 4),
        lambda: _grow(_with_content(_parity(3), 4, 5), 4, 5),
        lambda: _grow(machine(array(member(1), member(2))), 3),
        lambda: _grow(machine(array(member(1), member(2)))),
        lambda: _grow(machine(array(member(1), member(2), fstype="btrfs"))),
    ),
    "array.destroy": (
        lambda: _destroy(machine(array(member(1), member(2)))),
        lambda: _destroy(machine(array(member(1), member(2), fstype=None, mountpoints=()))),
    ),
}


def _used_stick(number: int) -> Disk:
    used = made.with_file_system(number)
    return stick(number, claims=used.claims, partitions=used.partitions)


def _join(inventory: Inventory) -> Plan:
    return add_half.plan(add_half.AddHalf(disk=stick(3).id), inventory)


def _exchange(inventory: Inventory) -> Plan:
    return replace_half.plan(replace_half.ReplaceHalf(old=stick(1).id, disk=stick(3).id), inventory)


def _leave(inventory: Inventory) -> Plan:
    return remove_half.plan(remove_half.RemoveHalf(disk=stick(2).id), inventory)


def _one_failed() -> Inventory:
    """A pair whose second half has failed."""
    whole = pair()
    root = whole.arrays[0]
    broken = msgspec.structs.replace(root.members[1], state="faulty", slot=None)
    failed = msgspec.structs.replace(root, members=(root.members[0], broken))
    return msgspec.structs.replace(whole, arrays=(failed,))


def _adopt(inventory: Inventory, *, written: bool = False) -> Plan:
    notes = inventory.boot if written else BootNotes()
    return adopt.plan(adopt.Adopt(), msgspec.structs.replace(inventory, boot=notes))


def _copy(inventory: Inventory) -> Plan:
    return convert.plan(convert.Convert(disk=stick(2).id), inventory)


def _give_up(inventory: Inventory) -> Plan:
    return convert_leave.plan(convert_leave.ConvertLeave(), inventory)


def _pulled(inventory: Inventory) -> Inventory:
    """The machine without the stick that the copy is on."""
    return msgspec.structs.replace(inventory, disks=inventory.disks[:1], arrays=())


def _swap(kind: set_swap.Kind, inventory: Inventory) -> Plan:
    return set_swap.plan(set_swap.SetSwap(kind=kind), inventory)


def _move(*folders: Moved) -> Plan:
    found = with_pool(MovedState(spaces=(SPACE, SPACE, SPACE)))
    return move_state.plan(move_state.MoveState(pool="tank", folders=folders), found)


def _return(state: MovedState, *left: str, as_here: bool = False) -> Plan:
    return return_state.plan(return_state.ReturnState(as_here=as_here), with_pool(state, *left))


def _discard(*left: str) -> Plan:
    found = with_pool(MovedState(), *left)
    return discard_state.plan(discard_state.DiscardState(pool="tank"), found)


BOOT: dict[str, tuple[Callable[[], Plan], ...]] = {
    "boot.add": (
        lambda: _join(pair(stick(3), numbers=(1,))),
        lambda: _join(pair(_used_stick(3), numbers=(1,))),
    ),
    "boot.replace": (lambda: _exchange(pair(stick(3))), lambda: _exchange(pair(_used_stick(3)))),
    "boot.remove": (
        lambda: _leave(pair()),
        lambda: _leave(_one_failed()),
        lambda: _leave(swapping(pair(), "raid0")),
    ),
    "boot.copies": (
        lambda: write_copies.plan(write_copies.WriteCopies(), pair()),
        lambda: write_copies.plan(write_copies.WriteCopies(), pair(numbers=(1,))),
    ),
    "boot.adopt": (
        lambda: _adopt(pair(bitmap=False)),
        lambda: _adopt(pair()),
        lambda: _adopt(pair(bitmap=False), written=True),
    ),
    "boot.convert": (lambda: _copy(single(stick(2))), lambda: _copy(single(_used_stick(2)))),
    "boot.convert-restart": (
        lambda: convert_restart.plan(convert_restart.ConvertRestart(), single(half(2), copied=True)),
    ),
    "boot.convert-leave": (
        lambda: _give_up(single(half(2), copied=True)),
        lambda: _give_up(_pulled(single(half(2), copied=True))),
    ),
    "boot.swap": (
        lambda: _swap("zram", swapping(pair(), "none")),
        lambda: _swap("zram", swapping(pair(), "raid0")),
        lambda: _swap("raid0", swapping(pair(), "zram")),
        lambda: _swap("none", swapping(pair(), "zram")),
        lambda: _swap("none", swapping(pair(), "zram", "/swapfile")),
        lambda: _swap("zram", swapping(pair(), "none", "/swapfile")),
    ),
    "boot.move-state": (lambda: _move("var", "home"), lambda: _move("var")),
    "boot.return-state": (
        lambda: _return(moved(), "var", "home"),
        lambda: _return(moved(phase="waiting", here=True, since=None), "var", "home"),
        lambda: _return(moved(here=True, why="pool-missing"), as_here=True),
    ),
    "boot.discard-state": (lambda: _discard("var", "home"), lambda: _discard("home")),
}
EXAMPLES = ARRAYS | BOOT
