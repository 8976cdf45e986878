"""The bounds of a simulated machine's cache: ZFS's parameters, its counters, and the file for each start."""

from __future__ import annotations

from msgspec.structs import replace

from host.commands.system.arc import (
    STATS,
    ArcFiles,
    CheckArcBound,
    PlaceArcBounds,
    RemoveArcBounds,
    SetArcBound,
    StageArcBounds,
)
from host.contents.arc import FILE, FOLDER, read
from host.inventory.memory import ArcBounds
from host.simulated.handlers import always, on
from host.simulated.network.changes import move
from host.simulated.refusal import Refusal
from host.simulated.state import Machine


def _bounds(machine: Machine) -> ArcBounds:
    return machine.memory.bounds(machine.memory_kib << 10)


def _counter(bound: str, size_bytes: int) -> str:
    return f"{f'c_{bound}':<31} 4    {size_bytes}"


def _files(machine: Machine) -> str:
    now = _bounds(machine)
    lines = [f"{STATS}\0{_counter('min', now.min_bytes)}", f"{STATS}\0{_counter('max', now.max_bytes)}"]
    for path, text in machine.files.items():
        if path.startswith(f"{FOLDER}/") and path.endswith(".conf"):
            lines += [f"{path}\0{line}" for line in text.splitlines() if "zfs" in line.lower()]
    return "".join(f"{line}\n" for line in lines)


def _stage(machine: Machine, command: StageArcBounds) -> str:
    machine.files[command.argv()[1]] = command.input()
    return command.input()


def _place(machine: Machine) -> None:
    move(machine, f"{FILE}.next", FILE)


def _remove(machine: Machine) -> None:
    machine.files.pop(FILE, None)


def _set(machine: Machine, command: SetArcBound) -> str:
    field = "max_bytes" if command.bound == "max" else "min_bytes"
    asked = replace(machine.memory.asked, **{field: command.size_bytes})
    machine.memory.ask(asked, machine.memory_kib << 10)
    return command.input()


def _check(machine: Machine, command: CheckArcBound) -> str:
    now = _bounds(machine)
    value = now.max_bytes if command.bound == "max" else now.min_bytes
    if value != command.size_bytes:
        raise Refusal("")
    return f"{_counter(command.bound, value)}\n"


def restarted(machine: Machine) -> None:
    """Load ZFS's module anew."""
    machine.memory.load(read(machine.files.get(FILE)) or ArcBounds(), machine.memory_kib << 10)


HANDLERS = (
    always(ArcFiles, _files)
    | on(StageArcBounds, _stage)
    | always(PlaceArcBounds, _place)
    | always(RemoveArcBounds, _remove)
    | on(SetArcBound, _set)
    | on(CheckArcBound, _check)
)
