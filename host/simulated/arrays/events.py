"""Events that mdadm's monitor reports of simulated arrays, and that its program stores."""

from __future__ import annotations

import json

from host.base import Result
from host.commands.disks.md import MdEvents
from host.simulated.arrays.array import Array, Member
from host.simulated.arrays.devices import device_of
from host.simulated.handlers import always
from host.simulated.md_events import SimulatedEvent
from host.simulated.state import Machine

_KEPT = 200


def record(machine: Machine, array: Array, event: str, detail: str | None = None) -> None:
    """Let the monitor report an event. It does not watch arrays without redundancy."""
    if array.level == "raid0":
        return
    last = machine.md_reports[-1].at_ns if machine.md_reports else 0
    report = SimulatedEvent(
        at_ns=max(machine.now_ns(), last + 1), event=event, array=array.kname, uuid=array.uuid, detail=detail
    )
    machine.md_reports = [*machine.md_reports[1 - _KEPT :], report]


def path_of(machine: Machine, one: Member) -> str | None:
    """What the monitor calls a member."""
    found = device_of(machine, one)
    return f"/dev/{found.kname}" if found is not None else None


def output(machine: Machine) -> Result:
    """`tail` of the file; 1 where there is none."""
    text = "".join(
        json.dumps(
            {"at_ns": one.at_ns, "event": one.event, "array": one.array,
             "uuid": None if one.event == "DeviceDisappeared" else one.uuid, "detail": one.detail}
        )
        + "\n"
        for one in machine.md_reports
    )  # fmt: skip
    return Result(exit=0 if text else 1, stdout=text)


HANDLERS = always(MdEvents, output)
