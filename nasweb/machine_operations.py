"""The operations on the machine itself, for the table in `nasweb.operations`."""

from __future__ import annotations

from functools import partial

from jobs.operation import Operation
from machine.naming import set_name, set_time_zone
from machine.network import confirm, set_network

_on_system = partial(Operation, scope="system:write")

MACHINE: tuple[Operation, ...] = (
    _on_system(name="machine.set-name", request=set_name.SetName, plan=set_name.plan),
    _on_system(name="machine.set-time-zone", request=set_time_zone.ChangeTimeZone, plan=set_time_zone.plan),
    _on_system(name="network.set", request=set_network.SetNetwork, plan=set_network.plan),
    _on_system(name="network.confirm", request=confirm.ConfirmChange, plan=confirm.plan),
    _on_system(name="network.revert", request=confirm.RevertChange, plan=confirm.plan_revert),
)
