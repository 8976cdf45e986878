"""Swap of a simulated machine: compressed memory, and an array over both halves of the boot pair."""

from __future__ import annotations

from host.base import Result
from host.commands.datasets.mounting import UNITS
from host.commands.system.swap import (
    ARRAY,
    DEVICE,
    FSTAB,
    LABEL,
    PROC_SWAPS,
    SWAP_UNIT,
    ZRAM_CONF,
    AddSwapPartition,
    MakeSwap,
    MakeSwapArray,
    RemoveSwapUnit,
    SetZram,
    StartSwap,
    StartZram,
    StopSwap,
    StopZram,
    SwapFiles,
    WriteSwapUnit,
    ZramProgram,
)
from host.commands.system.swap import ZRAM_PROGRAM as PROGRAM
from host.simulated.arrays.array import Array, Member
from host.simulated.arrays.devices import device, find
from host.simulated.arrays.mdadm import dashed
from host.simulated.blocks.devices import MIB, RAID_TYPE, SECTOR, busy, devices
from host.simulated.handlers import always, on
from host.simulated.refusal import Refusal, done
from host.simulated.state import Holder, Machine, Partition, Signature

_BACKUP_TABLE = 33  # sectors at the end that the second copy of a GPT takes
_CHUNK = 512 << 10
_UNIT_FILE = f"{UNITS}/{SWAP_UNIT}"


def _zram_program(machine: Machine) -> Result:
    if machine.memory.zram_installed:
        return done(f"{PROGRAM}\n")
    return Result(exit=1, stderr=f"find: ‘{PROGRAM}’: No such file or directory\n")


def _write(machine: Machine, command: SetZram | WriteSwapUnit) -> str:
    machine.files[command.argv()[1]] = command.input()
    return command.input()


def _remove_unit(machine: Machine) -> None:
    machine.files.pop(_UNIT_FILE, None)


def _start_zram(machine: Machine) -> None:
    if not machine.memory.zram_installed or "[zram0]" not in machine.files.get(ZRAM_CONF, ""):
        raise Refusal("Failed to start dev-zram0.swap: Unit dev-zram0.swap not found.\n", exit_status=5)
    machine.memory.zram_used = True


def _stop_zram(machine: Machine) -> None:
    machine.memory.zram_used = False


def _make_swap(machine: Machine) -> None:
    holder = machine.holders[find(machine, DEVICE).kname]
    holder.content = Signature(fstype="swap", label=LABEL, uuid=machine.uuid())


def restarted(machine: Machine) -> None:
    """What the units and the generator use at the start."""
    machine.memory.zram_used = machine.memory.zram_installed and "[zram0]" in machine.files.get(ZRAM_CONF, "")


def _files(machine: Machine) -> Result:
    lines = [f"{PROC_SWAPS}\0Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority"]
    if machine.memory.zram_used:
        size = min(machine.memory_kib // 2, 4 << 20)
        lines.append(f"{PROC_SWAPS}\0/dev/zram0                              partition\t{size}\t0\t100")
    for holder in _swapping(machine):
        size = holder.size // 1024 - 4  # a page holds what it says of itself
        lines.append(f"{PROC_SWAPS}\0{holder.path}                              partition\t{size}\t0\t-2")
    lines += [f"{ZRAM_CONF}\0{line}" for line in machine.files.get(ZRAM_CONF, "").splitlines()]
    for holder in _swapping(machine):
        if holder.content and holder.content.label != LABEL:
            lines.append(f"{FSTAB}\0UUID={holder.content.uuid} none swap sw 0 0")
    lines += [f"{_UNIT_FILE}\0{line}" for line in machine.files.get(_UNIT_FILE, "").splitlines()]
    missing = not {ZRAM_CONF, _UNIT_FILE} <= machine.files.keys()
    return Result(exit=2 if missing else 0, stdout="".join(f"{line}\n" for line in lines))


def _swapping(machine: Machine) -> list[Holder]:
    return [one for one in machine.holders.values() if one.content and "[SWAP]" in one.content.mountpoints]


def _add_partition(machine: Machine, command: AddSwapPartition) -> Result:
    found = devices(machine).get(command.disk)
    if found is None:
        raise Refusal(f"There is no disk {command.disk}.\n")
    disk = found.disk
    if disk.partition(command.number) is not None:
        return done()
    end = max((part.start + part.size // SECTOR for part in disk.partitions), default=0)
    start, size = -(-end // 2048) * 2048, command.size_mib * MIB
    if start + size // SECTOR + _BACKUP_TABLE > disk.size // SECTOR:
        raise Refusal(f"sfdisk: failed to add #{command.number} partition: No space left on device\n")
    disk.partitions.append(
        Partition(number=command.number, start=start, size=size, parttype=RAID_TYPE, partuuid=machine.uuid())
    )
    return done()


def _make_array(machine: Machine, command: MakeSwapArray) -> Result:
    found = [device(machine, path) for path in command.members]
    for path, one in zip(command.members, found, strict=True):
        if busy(one):
            raise Refusal(f"mdadm: cannot open {path}: Device or resource busy\n", exit_status=2)
    kname = next(f"md{number}" for number in range(127, -1, -1) if f"md{number}" not in machine.holders)
    plain = machine.uuid().replace("-", "")
    array = Array(
        kname=kname, name=f"any:{ARRAY}", level="raid0", wanted=2, bitmap=False,
        uuid=":".join(plain[start : start + 8] for start in range(0, 32, 8)),
        component=min((one.size - MIB) // _CHUNK * _CHUNK for one in found),
    )  # fmt: skip
    for slot, one in enumerate(found):
        member = Signature(
            fstype="linux_raid_member", label=array.name, uuid=dashed(array.uuid), holder=kname
        )
        one.put(member)
        number = 0 if one.partition is None else one.partition.number
        array.members.append(Member(serial=one.disk.serial, partition=number, slot=slot))
    machine.arrays[kname] = array
    machine.holders[kname] = Holder(
        name=kname, kname=kname, path=f"/dev/{kname}", kind="raid0", size=array.size, ids=array.ids
    )
    return done(stderr=f"mdadm: array /dev/md/{ARRAY} started.\n")


def _start(machine: Machine) -> Result:
    if _UNIT_FILE not in machine.files:
        raise Refusal(f"Failed to enable unit: Unit {SWAP_UNIT} does not exist\n")
    content = machine.holders[find(machine, DEVICE).kname].content
    if content is None or content.fstype != "swap":
        raise Refusal(f'Job for {SWAP_UNIT} failed.\nSee "systemctl status {SWAP_UNIT}" for details.\n')
    content.mountpoints = ["[SWAP]"]
    return done()


def _stop(machine: Machine) -> Result:
    for holder in machine.holders.values():
        if holder.content and holder.content.label == LABEL and holder.content.mountpoints:
            holder.content.mountpoints = []
            return done()
    if _UNIT_FILE in machine.files:
        return done()
    return Result(exit=5, stderr=f"Failed to stop {SWAP_UNIT}: Unit {SWAP_UNIT} not loaded.\n")


HANDLERS = (
    always(SwapFiles, _files)
    | always(ZramProgram, _zram_program)
    | on(SetZram, _write)
    | on(WriteSwapUnit, _write)
    | always(RemoveSwapUnit, _remove_unit)
    | always(StartZram, _start_zram)
    | always(StopZram, _stop_zram)
    | on(AddSwapPartition, _add_partition)
    | on(MakeSwapArray, _make_array)
    | always(MakeSwap, _make_swap)
    | always(StartSwap, _start)
    | always(StopSwap, _stop)
)
