"""Events of simulated pools, counted as our zedlet counts those that zed reports."""

from __future__ import annotations

from collections.abc import Mapping

from host.base import Result
from host.commands.pools.events import ZedEvents
from host.programs import zfs_event
from host.simulated.handlers import always
from host.simulated.state import Machine, Pool, Vdev
from host.zed import CHANGES, DEVICES, FAULTS


def fault(
    machine: Machine, pool: Pool, name: str, leaf: Vdev | None = None, *, times: int = 1,
    error: int | None = None, took_s: float | None = None,
) -> None:  # fmt: skip
    """Let something fail so many times at once."""
    more = {
        "ZEVENT_ZIO_ERR": error,
        "ZEVENT_ZIO_DELAY": None if took_s is None else int(took_s * 1e9),
        "ZEVENT_VDEV_STATE_STR": leaf.state if leaf else None,
    }
    _record(machine, pool, FAULTS + name, leaf, times, more)


def device(machine: Machine, pool: Pool, name: str, leaf: Vdev, *, before: str | None = None) -> None:
    """A device is in another state: `removed` or `statechange`."""
    more = {"ZEVENT_VDEV_STATE_STR": leaf.state, "ZEVENT_VDEV_LASTSTATE_STR": before}
    _record(machine, pool, DEVICES + name, leaf, 1, more)


def change(machine: Machine, pool: Pool, name: str, leaf: Vdev | None = None) -> None:
    """Something was begun, ended or changed."""
    _record(machine, pool, CHANGES + name, leaf, 1, {})


def _record(
    machine: Machine, pool: Pool, event: str, leaf: Vdev | None, times: int, more: Mapping[str, object]
) -> None:
    machine.zfs_events += 1
    now_ns = machine.now_ns()
    said = {
        "ZEVENT_CLASS": event,
        "ZEVENT_EID": machine.zfs_events,
        "ZEVENT_TIME_SECS": now_ns // 10**9,
        "ZEVENT_TIME_NSECS": now_ns % 10**9,
        "ZEVENT_POOL": pool.name,
        "ZEVENT_POOL_GUID": f"0x{pool.guid:016X}",
        "ZEVENT_VDEV_GUID": f"0x{leaf.guid:016X}" if leaf else None,
        "ZEVENT_VDEV_PATH": leaf.path if leaf else None,
        **more,
    }
    found = zfs_event.read(
        {name: str(value) for name, value in said.items() if value is not None},
        boot=f"00000000-0000-4000-8000-{int(machine.booted):012x}",
        up_ms=int((machine.now() - machine.booted) * 1000),
    )
    if found is not None:
        machine.zfs_events += times - 1
        machine.zed = zfs_event.counted(machine.zed, found | {"count": str(times)})


def output(machine: Machine) -> Result:
    """`tail` of the file; 1 where there is none."""
    return Result(exit=0 if machine.zed else 1, stdout="".join(f"{line}\n" for line in machine.zed))


HANDLERS = always(ZedEvents, output)
