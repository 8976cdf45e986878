"""File systems on simulated arrays, and the units that mount them."""

from __future__ import annotations

from host.base import Result
from host.commands.datasets.mounting import (
    UNITS,
    GrowFileSystem,
    MakeFileSystem,
    ReadUnits,
    RemoveMount,
    StartMount,
    StopMount,
    SyncUnits,
    WriteMount,
    mount_unit,
)
from host.simulated.arrays.devices import find
from host.simulated.handlers import always, on
from host.simulated.refusal import Refusal, done
from host.simulated.state import Machine, Signature


def _make(machine: Machine, command: MakeFileSystem) -> Result:
    holder = machine.holders[find(machine, command.device).kname]
    if holder.content is not None and holder.content.mountpoints:
        raise Refusal(f"{command.device} is mounted; will not make a filesystem here!\n")
    holder.content = Signature(fstype=command.fstype, label=command.label, uuid=machine.uuid())
    return done()


def _grow(machine: Machine, command: GrowFileSystem) -> Result:
    holder = machine.holders[find(machine, command.device).kname]
    if holder.content is None or command.folder not in holder.content.mountpoints:
        raise Refusal(f"{command.folder} is not a mounted file system\n")
    return done()


def _start(machine: Machine, command: StartMount) -> Result:
    unit = mount_unit(command.folder)
    text = machine.files.get(f"{UNITS}/{unit}")
    if text is None:
        raise Refusal(f"Failed to enable unit: Unit {unit} does not exist\n")
    values = dict(line.split("=", 1) for line in text.splitlines() if "=" in line)
    content = machine.holders[find(machine, values["What"]).kname].content
    if content is None or content.fstype != values["Type"]:
        raise Refusal(f'Job for {unit} failed.\nSee "systemctl status {unit}" for details.\n')
    if command.folder not in content.mountpoints:
        content.mountpoints = [*content.mountpoints, command.folder]
    return done(stderr=f"Created symlink '{UNITS}/multi-user.target.wants/{unit}' → '{UNITS}/{unit}'.\n")


def _stop(machine: Machine, command: StopMount) -> Result:
    unit = mount_unit(command.folder)
    for holder in machine.holders.values():
        content = holder.content
        if content is not None and command.folder in content.mountpoints:
            if content.busy:
                raise Refusal(f'Job for {unit} failed.\nSee "systemctl status {unit}" for details.\n')
            content.mountpoints = [point for point in content.mountpoints if point != command.folder]
            return done()
    return Result(exit=5, stderr=f"Failed to stop {unit}: Unit {unit} not loaded.\n")


def _write(machine: Machine, command: WriteMount) -> str:
    machine.files[command.argv()[1]] = command.input()
    return command.input()


def _remove(machine: Machine, command: RemoveMount) -> None:
    machine.files.pop(f"{UNITS}/{mount_unit(command.folder)}", None)


def _nothing(_machine: Machine) -> None:
    """systemd reads its units and the disk is written to: there is neither here."""


HANDLERS = (
    on(MakeFileSystem, _make)
    | on(GrowFileSystem, _grow)
    | on(WriteMount, _write)
    | always(ReadUnits, _nothing)
    | always(SyncUnits, _nothing)
    | on(StartMount, _start)
    | on(StopMount, _stop)
    | on(RemoveMount, _remove)
)
