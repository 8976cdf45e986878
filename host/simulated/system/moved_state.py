"""/var and /home of a simulated machine on a pool: what the program and the starts make of requests."""

from __future__ import annotations

import time
from datetime import UTC, datetime

from host.base import Result
from host.commands.system.moved_state import (
    COPY_UNIT,
    CRYPTTAB,
    FAILED,
    ORDER,
    PLACE,
    RETURN,
    TOLD,
    WANTED,
    ForgetState,
    OrderReturn,
    StartStateCopy,
    StateCopying,
    StateFiles,
    StateSpace,
    StopStateCopy,
    SyncState,
    WantState,
    WatchState,
    dataset_of,
)
from host.simulated.handlers import always, on
from host.simulated.refusal import Refusal, done
from host.simulated.state import Dataset, Machine, Pool

COPY_S = 40.0  # how long the first copy takes
_FILES = (WANTED, ORDER, PLACE, RETURN, FAILED, TOLD, CRYPTTAB)
_SYSTEM = 3_100_000_000  # bytes that the system's own disk holds
_STATE = 640_000_000  # and of these, what is in /var and /home


def restarted(machine: Machine) -> None:
    """What the units make of it at the start of the machine."""
    _settle(machine)
    machine.files.pop(TOLD, None)
    machine.state_copied_at = None
    for dataset in _datasets(machine):
        dataset.mounted = dataset.busy = False
    if ORDER in machine.files and (pool := _reached(machine, ORDER)):
        order = machine.files.pop(ORDER)
        since = datetime.fromtimestamp(machine.now(), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        machine.files[PLACE] = f"{order}since={since}\n"
        for dataset in _wanted(machine, pool, PLACE):
            dataset.data = _STATE
    if RETURN in machine.files and (PLACE not in machine.files or _reached(machine, PLACE)):
        machine.files.pop(PLACE, None)
        machine.files.pop(RETURN)
    if PLACE in machine.files and (pool := _reached(machine, PLACE)):
        for dataset in _wanted(machine, pool, PLACE):
            dataset.mounted = dataset.busy = True
        machine.files[TOLD] = "from=pool\nwhy=\nsaid=\n"


def _reached(machine: Machine, path: str) -> Pool | None:
    values = _values(machine, path)
    pool = next((one for one in machine.pools.values() if str(one.guid) == values["guid"]), None)
    why = "pool-missing"
    if pool is not None:
        why = "pool-suspended" if pool.suspended else "pool-read-only" if pool.readonly else ""
        if not why and len(_wanted(machine, pool, path)) < len(values["what"].split()):
            why = "dataset-missing"
    if why:
        machine.files[TOLD] = f"from=here\nwhy={why}\nsaid=\n"
        return None
    return pool


def _wanted(machine: Machine, pool: Pool, path: str) -> list[Dataset]:
    wanted = {f"{dataset_of(pool.name)}/{folder}" for folder in _values(machine, path)["what"].split()}
    return [dataset for name, dataset in pool.datasets.items() if name in wanted]


def _datasets(machine: Machine) -> list[Dataset]:
    return [
        dataset
        for pool in machine.pools.values()
        for name, dataset in pool.datasets.items()
        if name.startswith(f"{dataset_of(pool.name)}/")
    ]


def _values(machine: Machine, path: str) -> dict[str, str]:
    return dict(line.split("=", 1) for line in machine.files[path].splitlines() if "=" in line)


def _copying(machine: Machine) -> bool:
    return machine.state_copied_at is not None and machine.now() < machine.state_copied_at


def _settle(machine: Machine) -> None:
    """The copy that has come to its end puts the order in place."""
    done_at = machine.state_copied_at
    if done_at is not None and machine.now() >= done_at and WANTED in machine.files:
        machine.files[ORDER] = machine.files.pop(WANTED)


def _start_copy(machine: Machine) -> Result:
    if _copying(machine):
        there = f"Unit {COPY_UNIT} was already loaded or has a fragment file."
        raise Refusal(f"Failed to start transient service unit: {there}\n")
    machine.state_copied_at = machine.now() + COPY_S
    return done(stderr=f"Running as unit: {COPY_UNIT}; invocation ID: {int(time.time()):032x}\n")


def _print_files(machine: Machine) -> Result:
    files = dict(machine.files)
    ended = machine.state_copied_at is not None and machine.now() >= machine.state_copied_at
    if ended and WANTED in files:
        files[ORDER] = files.pop(WANTED)
    lines = [f"{path}\0{line}\n" for path in _FILES for line in files.get(path, "").splitlines()]
    return Result(exit=2, stdout="".join(lines))  # never are all of them there


def _space(machine: Machine) -> Result:
    free = machine.root_free_bytes
    lines = ["Mounted on Used Avail", f"/ {_SYSTEM} {free}"]
    for folder in ("var", "home"):
        there = next((d for d in _datasets(machine) if d.mounted and d.name.endswith(f"/{folder}")), None)
        lines.append(f"/ {_SYSTEM} {free}" if there is None else f"/{folder} {there.data} 900000000000")
    return done("".join(f"{line}\n" for line in lines))


def _show_copying(machine: Machine) -> str:
    return "active\n" if _copying(machine) else "inactive\n"


def _write(machine: Machine, command: WantState | OrderReturn) -> str:
    machine.files[command.argv()[1]] = command.input()
    return command.input()


def _stop_copy(machine: Machine) -> None:
    machine.state_copied_at = None


def _nothing(_machine: Machine) -> None:
    """Units that start nothing until the next start, and a disk that is never late."""


def _forget(machine: Machine) -> None:
    for path in (WANTED, ORDER, RETURN, FAILED, PLACE):
        machine.files.pop(path, None)


HANDLERS = (
    always(StateFiles, _print_files)
    | always(StateSpace, _space)
    | always(StateCopying, _show_copying)
    | on(WantState, _write)
    | on(OrderReturn, _write)
    | always(StartStateCopy, _start_copy)
    | always(StopStateCopy, _stop_copy)
    | always(WatchState, _nothing)
    | always(SyncState, _nothing)
    | always(ForgetState, _forget)
)
