"""mdadm on simulated arrays."""

from __future__ import annotations

from host.base import Result
from host.commands.disks.md import (
    MdAdd,
    MdBitmap,
    MdCheck,
    MdCreate,
    MdFail,
    MdGrow,
    MdReAdd,
    MdRemove,
    MdReplace,
    MdRun,
    MdStop,
    MdZeroSuperblock,
)
from host.simulated.arrays import clock, events
from host.simulated.arrays.array import Array, Member
from host.simulated.arrays.devices import device, device_of, find, member
from host.simulated.blocks.devices import MIB, Device, busy
from host.simulated.handlers import on
from host.simulated.refusal import Refusal, done
from host.simulated.state import Holder, Machine, Signature
from host.simulated.units import burning

_CHUNK = 512 << 10
_SMALL = 8 << 30  # below, mdadm leaves little room before the data
_LEAST = {1: 2, 5: 2, 6: 4, 10: 2}
_BUSY = "Device or resource busy"


def _create(machine: Machine, command: MdCreate) -> Result:
    found = [device(machine, path) for path in command.members]
    for path, one in zip(command.members, found, strict=True):
        if busy(one) or burning(machine, one.disk):
            raise Refusal(f"mdadm: cannot open {path}: {_BUSY}\n", exit_status=2)
    wanted = len(found) + command.missing
    if wanted < _LEAST[command.level]:
        least = f"mdadm: at least {_LEAST[command.level]} raid-devices needed for level {command.level}\n"
        raise Refusal(least, exit_status=2)
    if any(array.name.partition(":")[2] == command.name for array in machine.arrays.values()):
        raise Refusal(f"mdadm: Array name /dev/md/{command.name} is in use already.\n")
    taken = {holder.kname for holder in machine.holders.values()}
    kname = next(f"md{number}" for number in range(127, -1, -1) if f"md{number}" not in taken)
    plain = machine.uuid().replace("-", "")
    array = Array(
        kname=kname,
        name=f"any:{command.name}",
        uuid=":".join(plain[start : start + 8] for start in range(0, 32, 8)),
        level=f"raid{command.level}",
        wanted=wanted,
        component=min(_component(one, command.level) for one in found),
    )
    machine.arrays[kname] = array
    machine.holders[kname] = Holder(
        name=kname, kname=kname, path=f"/dev/{kname}", kind=array.level, size=array.size, ids=array.ids
    )
    for slot, one in enumerate(found):
        array.members.append(_join(array, one, slot))
    events.record(machine, array, "NewArray")
    if command.level == 5:  # its last member is rebuilt from the others: that is faster
        array.members[-1].state = "rebuilding"
    if not command.missing:
        clock.start(machine, array, "recover" if command.level == 5 else "resync")
    return done(stderr=f"mdadm: array /dev/md/{command.name} started.\n")


def _add(machine: Machine, command: MdAdd) -> Result:
    array = find(machine, command.array)
    for path in command.members:
        found = _unused(machine, path)
        if found.size - MIB < array.component:  # the room that mdadm leaves in front gives way
            raise Refusal(f"mdadm: {path} not large enough to join array\n")
        array.members.append(_join(array, found, None, state="spare"))
    clock.fill_places(machine, array)
    return done(stderr="".join(f"mdadm: added {path}\n" for path in command.members))


def _re_add(machine: Machine, command: MdReAdd) -> Result:
    array = find(machine, command.array)
    found = _unused(machine, command.member)
    content = found.content
    known = content is not None and content.uuid == dashed(array.uuid)
    taken = {one.slot for one in array.members}
    free = [slot for slot in range(array.wanted) if slot not in taken]
    if not known or not free or not array.bitmap or found.disk.serial not in array.missed:
        raise Refusal(f"mdadm: --re-add for {command.member} to {command.array} is not possible\n")
    array.missed.remove(found.disk.serial)
    array.members.append(_join(array, found, free[0]))
    return done(stderr=f"mdadm: re-added {command.member}\n")


def _replace(machine: Machine, command: MdReplace) -> Result:
    array = find(machine, command.array)
    old = member(array, device(machine, command.old))
    new = member(array, device(machine, command.new))
    if old is None or old.slot is None:
        raise Refusal(f"mdadm: {command.old} is not a member of {command.array}\n")
    if new is None or new.state != "spare":
        raise Refusal(f"mdadm: {command.new} is not a spare of {command.array}\n")
    new.slot, new.state, new.replaces = old.slot, "rebuilding", old.slot
    clock.start(machine, array, "recover")
    return done(
        stderr=f"mdadm: Marked {command.old} (device {old.slot} in {command.array}) for replacement\n"
    )


def _fail(machine: Machine, command: MdFail) -> Result:
    array = find(machine, command.array)
    one = member(array, device(machine, command.member))
    if one is None:
        raise Refusal(f"mdadm: set device faulty failed for {command.member}:  No such device\n")
    if one.state == "in_sync" and array.whole <= array.wanted - array.redundancy:
        raise Refusal(f"mdadm: set device faulty failed for {command.member}:  {_BUSY}\n")
    give_up(machine, array, one)
    return done(stderr=f"mdadm: set {command.member} faulty in {command.array}\n")


def give_up(machine: Machine, array: Array, one: Member) -> None:
    """A member is faulty from now on; a spare takes its place."""
    report = "Fail" if one.state == "in_sync" else "FailSpare"
    events.record(machine, array, report, events.path_of(machine, one))
    one.slot, one.state, one.replaces = None, "faulty", None
    if array.work is not None and not any(other.state == "rebuilding" for other in array.members):
        array.work = None
    clock.fill_places(machine, array)


def _remove(machine: Machine, command: MdRemove) -> Result:
    array = find(machine, command.array)
    if command.member in {"failed", "detached"}:
        leaving = [one for one in array.members if one.state == "faulty"]
        if command.member == "detached":
            leaving = [one for one in leaving if device_of(machine, one) is None]
    else:
        one = member(array, device(machine, command.member))
        if one is None:
            raise Refusal(f"mdadm: hot remove failed for {command.member}: No such device or address\n")
        if one.state not in {"faulty", "spare"}:
            raise Refusal(f"mdadm: hot remove failed for {command.member}: {_BUSY}\n")
        leaving = [one]
    for one in leaving:
        let_go(machine, array, one)
    return done(stderr=f"mdadm: hot removed {command.member} from {command.array}\n")


def let_go(machine: Machine, array: Array, one: Member) -> None:
    """Remove a device from the array; its superblock stays on it."""
    array.members.remove(one)
    array.missed.append(one.serial)
    for disk in machine.disks:
        part = disk.partition(one.partition) if one.partition else None
        content = part.content if part else disk.content
        if disk.serial == one.serial and content is not None:
            content.holder = None


def _run(machine: Machine, command: MdRun) -> Result:
    array = find(machine, command.array)
    if array.whole < array.wanted - array.redundancy:
        raise Refusal(f"mdadm: failed to start array {command.array}: Input/output error\n")
    array.running = True
    events.record(machine, array, "NewArray")
    if array.whole < array.wanted:
        events.record(machine, array, "DegradedArray")
    machine.holders[array.kname].ids = array.ids
    return done(stderr=f"mdadm: started array {command.array}\n")


def _stop(machine: Machine, command: MdStop) -> Result:
    array = find(machine, command.array)
    content = machine.holders[array.kname].content
    if content is not None and (content.mountpoints or content.holder or content.busy):
        raise Refusal(
            f"mdadm: Cannot get exclusive access to {command.array}:Perhaps a running process, mounted "
            "filesystem or active volume group?\n"
        )
    for one in list(array.members):
        let_go(machine, array, one)
    del machine.arrays[array.kname], machine.holders[array.kname]
    events.record(machine, array, "DeviceDisappeared")
    return done(stderr=f"mdadm: stopped {command.array}\n")


def _grow(machine: Machine, command: MdGrow) -> Result:
    array = find(machine, command.array)
    if array.work is not None:
        raise Refusal(f"mdadm: {command.array} is performing resync/recovery and cannot be reshaped\n")
    if command.devices is None:
        present = [found for one in array.members if (found := device_of(machine, one))]
        array.component = min(_component(found, int(array.level[4:])) for found in present)
        machine.holders[array.kname].size = array.size
        return done(
            stderr=f"mdadm: component size of {command.array} has been set to {array.component >> 10}K\n"
        )
    spares = sum(one.state == "spare" for one in array.members)
    if array.level != "raid1" and command.devices - array.wanted > spares:
        raise Refusal(f"mdadm: Need {command.devices - array.wanted - spares} more spares\n")
    before, array.wanted = array.wanted, command.devices
    if array.level == "raid1":
        clock.fill_places(machine, array)
        return done()
    array.before = before
    for slot in range(before, command.devices):
        spare = next(one for one in array.members if one.state == "spare")
        spare.slot, spare.state = slot, "in_sync"
    clock.start(machine, array, "reshape")
    return done()


def _bitmap(machine: Machine, command: MdBitmap) -> Result:
    array = find(machine, command.array)
    if array.bitmap:
        raise Refusal(f"mdadm: {command.array} already has a bitmap.\n")
    array.bitmap = True
    return done()


def _check(machine: Machine, command: MdCheck) -> Result:
    array = find(machine, command.array)
    if array.level == "raid0":
        raise Refusal("mdadm: Count not set action for md: Invalid argument\n")
    if command.action == "start":
        if array.work is not None:
            raise Refusal(f"mdadm: Count not set action for {array.kname} to check: {_BUSY}\n")
        clock.start(machine, array, "check")
    elif array.work is not None and array.work.action == "check":
        clock.stop(machine, array)
    return done()


def _zero(machine: Machine, command: MdZeroSuperblock) -> Result:
    for path in command.members:
        found = device(machine, path)
        if busy(found):
            raise Refusal(f"mdadm: Couldn't open {path} for write - not zeroing\n", exit_status=2)
        if found.content is None or found.content.fstype != "linux_raid_member":
            raise Refusal(f"mdadm: Unrecognised md component device - {path}\n", exit_status=2)
        found.put(None)
    return done()


def dashed(uuid: str) -> str:
    """The UUID of an array as blkid writes it."""
    plain = uuid.replace(":", "")
    return "-".join((plain[:8], plain[8:12], plain[12:16], plain[16:20], plain[20:]))


def _unused(machine: Machine, path: str) -> Device:
    found = device(machine, path)
    if busy(found) or burning(machine, found.disk):
        raise Refusal(f"mdadm: Cannot open {path}: {_BUSY}\n")
    return found


def _join(array: Array, found: Device, slot: int | None, *, state: str = "in_sync") -> Member:
    uuid = dashed(array.uuid)
    found.put(Signature(fstype="linux_raid_member", label=array.name, uuid=uuid, holder=array.kname))
    number = 0 if found.partition is None else found.partition.number
    serial = found.disk.serial
    if serial in array.missed:
        array.missed.remove(serial)
    if state == "spare":
        return Member(serial=serial, partition=number, slot=slot, state="spare")
    return Member(serial=serial, partition=number, slot=slot)


def _component(found: Device, level: int) -> int:
    """Bytes of a member that hold data: after its superblock and bitmap, in whole chunks."""
    usable = found.size - (MIB if found.size < _SMALL else 129 * MIB)
    chunk = _CHUNK if level != 1 else 64 << 10
    return usable // chunk * chunk


HANDLERS = (
    on(MdCreate, _create)
    | on(MdAdd, _add)
    | on(MdReAdd, _re_add)
    | on(MdReplace, _replace)
    | on(MdFail, _fail)
    | on(MdRemove, _remove)
    | on(MdRun, _run)
    | on(MdStop, _stop)
    | on(MdGrow, _grow)
    | on(MdCheck, _check)
    | on(MdBitmap, _bitmap)
    | on(MdZeroSuperblock, _zero)
)
