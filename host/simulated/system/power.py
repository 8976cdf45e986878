"""A simulated machine that restarts: what does not outlive that is gone. One that is shut down stays on."""

from __future__ import annotations

import msgspec

from host.base import Result
from host.commands.system.converting import UNIT as CONVERTING
from host.commands.system.power import (
    DELAY_S,
    DESCRIPTIONS,
    TIMER,
    CancelPower,
    PowerOffSoon,
    PowerOrder,
    PowerOrdered,
    RestartSoon,
)
from host.not_beside import refused
from host.simulated import units
from host.simulated.datasets.locks import is_locked
from host.simulated.handlers import always
from host.simulated.network import changes as network
from host.simulated.refusal import Refusal, done
from host.simulated.runs import PowerRun
from host.simulated.state import Machine
from host.simulated.system import converting, moved_state, swap

START_S = 10.0  # from the order's end until the machine is there again
_STAYS_ON = "This machine is simulated: it stays on.\n"


def due(machine: Machine) -> bool:
    """Whether an order has been carried out since."""
    return machine.power is not None and machine.now() >= machine.power.since + DELAY_S + START_S


def settle(machine: Machine) -> None:
    """The machine has started again, or stayed on."""
    run = machine.power
    if run is None or not due(machine):
        return
    machine.power = None
    if run.order == "restart":
        _start_again(machine)


def _start_again(machine: Machine) -> None:
    machine.booted = machine.now()
    if machine.kernels:
        *older, newest = machine.kernels
        machine.kernels = {machine.kernel: True} | {name: machine.kernels[name] for name in older}
        machine.kernel = newest
    machine.zfs_module = machine.zfs_userland
    units.restarted(machine)
    network.roll_back(machine)
    for run in machine.rights_runs.values():
        run.stopped = run.stopped or machine.now()
    for measuring in machine.measuring_runs.values():
        measuring.cut_off = measuring.cut_off or machine.now()
    machine.clients, machine.handed = [], {}
    for pool in machine.pools.values():
        for dataset in pool.datasets.values():
            dataset.busy = False
            if dataset.key is not None:
                dataset.key.loaded = False
        for dataset in pool.datasets.values():
            dataset.mounted = dataset.mounted and not is_locked(pool, dataset)
    swap.restarted(machine)
    moved_state.restarted(machine)


def _restart(machine: Machine) -> Result:
    return _order(machine, "restart")


def _power_off(machine: Machine) -> Result:
    result = _order(machine, "shut down")
    return msgspec.structs.replace(result, stderr=result.stderr + _STAYS_ON)


def _order(machine: Machine, order: PowerOrder) -> Result:
    if converting.runs(machine):
        raise Refusal(refused(CONVERTING))
    if machine.power is not None:
        there = f"Unit {TIMER} was already loaded or has a fragment file."
        raise Refusal(f"Failed to start transient timer unit: {there}\n")
    machine.power = PowerRun(order=order, since=machine.now())
    service = TIMER.replace(".timer", ".service")
    return done(stderr=f"Running timer as unit: {TIMER}\nWill run service as unit: {service}\n")


def _cancel(machine: Machine) -> Result:
    if machine.power is None:
        raise Refusal(f"Failed to stop {TIMER}: Unit {TIMER} not loaded.\n", exit_status=5)
    machine.power = None
    return done()


def _ordered(machine: Machine) -> str:
    rows = []
    if machine.power is not None:
        description = DESCRIPTIONS[machine.power.order]
        rows = [
            {
                "unit": TIMER,
                "load": "loaded",
                "active": "active",
                "sub": "waiting",
                "description": description,
            }
        ]
    return msgspec.json.encode(rows).decode() + "\n"


HANDLERS = (
    always(RestartSoon, _restart)
    | always(PowerOffSoon, _power_off)
    | always(CancelPower, _cancel)
    | always(PowerOrdered, _ordered)
)
