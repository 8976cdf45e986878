"""The operations on the machine itself, for the table in `nasweb.operations`."""

from __future__ import annotations

from functools import partial

from jobs.operation import Operation
from machine.keeping import keep, restore, set_keeping
from machine.naming import set_name, set_time_zone
from machine.network import confirm, set_network

_on_system = partial(Operation, scope="system:write")

MACHINE: tuple[Operation, ...] = (
    _on_system(name="machine.set-name", request=set_name.SetName, plan=set_name.plan),
    _on_system(name="machine.set-time-zone", request=set_time_zone.ChangeTimeZone, plan=set_time_zone.plan),
    _on_system(name="network.set", request=set_network.SetNetwork, plan=set_network.plan),
    _on_system(name="network.confirm", request=confirm.ConfirmChange, plan=confirm.plan),
    _on_system(name="network.revert", request=confirm.RevertChange, plan=confirm.plan_revert),
    _on_system(
        name=keep.OPERATION, request=keep.KeepConfiguration, plan=keep.plan, asks=keep.asks,
        remember=keep.remember,
    ),
    _on_system(
        name=keep.ROUTINE, request=keep.KeepConfiguration, plan=keep.plan_following, asks=keep.asks,
        remember=keep.remember, routine=True,
    ),
    _on_system(
        name="configuration.set-copies", request=set_keeping.SetCopies, plan=set_keeping.plan,
        also_needs=set_keeping.also_needs, remember=set_keeping.remember,
    ),
    _on_system(
        name=restore.OPERATION, request=restore.RestoreConfiguration, plan=restore.plan,
        asks=restore.asks, also_needs=restore.also_needs,
    ),
)  # fmt: skip
