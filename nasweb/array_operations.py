"""The operations on md arrays, for the table in `nasweb.operations`."""

from __future__ import annotations

from functools import partial

from jobs.operation import Operation
from pools.arrays import (
    add_member,
    check_array,
    create_array,
    destroy_array,
    grow_array,
    remove_member,
    replace_member,
    start_array,
)

_on_pools = partial(Operation, scope="pools:write")

ARRAYS: tuple[Operation, ...] = (
    _on_pools(name="array.create", request=create_array.CreateArray, plan=create_array.plan),
    _on_pools(name="array.add", request=add_member.AddToArray, plan=add_member.plan),
    _on_pools(name="array.replace", request=replace_member.ReplaceInArray, plan=replace_member.plan),
    _on_pools(name="array.remove", request=remove_member.RemoveFromArray, plan=remove_member.plan),
    _on_pools(name="array.check", request=check_array.CheckArray, plan=check_array.plan),
    _on_pools(name="array.start", request=start_array.StartArray, plan=start_array.plan),
    _on_pools(name="array.grow", request=grow_array.GrowArray, plan=grow_array.plan),
    _on_pools(name="array.destroy", request=destroy_array.DestroyArray, plan=destroy_array.plan),
)
