"""The operations on what the machine starts from, for the table in `nasweb.operations`."""

from __future__ import annotations

from functools import partial

from jobs.operation import Operation
from pools.boot import (
    add_half,
    adopt,
    convert,
    convert_leave,
    convert_restart,
    remove_half,
    replace_half,
    write_copies,
)

_on_pools = partial(Operation, scope="pools:write")

BOOT: tuple[Operation, ...] = (
    _on_pools(name="boot.add", request=add_half.AddHalf, plan=add_half.plan),
    _on_pools(name="boot.replace", request=replace_half.ReplaceHalf, plan=replace_half.plan),
    _on_pools(name="boot.remove", request=remove_half.RemoveHalf, plan=remove_half.plan),
    _on_pools(name="boot.copies", request=write_copies.WriteCopies, plan=write_copies.plan),
    _on_pools(name="boot.adopt", request=adopt.Adopt, plan=adopt.plan),
    _on_pools(name="boot.convert", request=convert.Convert, plan=convert.plan),
    _on_pools(name="boot.convert-restart", request=convert_restart.ConvertRestart, plan=convert_restart.plan),
    _on_pools(name="boot.convert-leave", request=convert_leave.ConvertLeave, plan=convert_leave.plan),
)
