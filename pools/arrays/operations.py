"""The operations on md arrays."""

from __future__ import annotations

from typing import Any

from jobs.operation import Asked, Operation
from jobs.wording import Data, Wording, at, filled
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
from pools.links import ARRAY_PAGE, OPEN_ARRAY


def _check(data: Data) -> str | None:
    stop = data.get("action") == "stop"
    return filled("Stop the check of array {name}" if stop else "Check array {name}", data)


def _stop_check(data: Data) -> Asked | None:
    return (
        None
        if data.get("action") == "stop"
        else Asked("array.check", {"name": data.get("name"), "action": "stop"})
    )


OPERATIONS: tuple[Operation[Any], ...] = (
    Operation(
        name="array.create",
        request=create_array.CreateArray,
        plan=create_array.plan,
        scope="pools:write",
        effect="destroys",
        wording=Wording(
            title="Create array {name}",
            page=at("New array", "/create/array/"),
            result=OPEN_ARRAY,
            editable=True,
        ),
    ),
    Operation(
        name="array.add",
        request=add_member.AddToArray,
        plan=add_member.plan,
        scope="pools:write",
        effect="destroys",
        wording=Wording(title="Add a disk to array {name}", page=ARRAY_PAGE, result=OPEN_ARRAY),
    ),
    Operation(
        name="array.replace",
        request=replace_member.ReplaceInArray,
        plan=replace_member.plan,
        scope="pools:write",
        effect="destroys",
        wording=Wording(title="Replace a disk of array {name}", page=ARRAY_PAGE, result=OPEN_ARRAY),
    ),
    Operation(
        name="array.remove",
        request=remove_member.RemoveFromArray,
        plan=remove_member.plan,
        scope="pools:write",
        effect="destroys",
        wording=Wording(title="Remove a disk from array {name}", page=ARRAY_PAGE, result=OPEN_ARRAY),
    ),
    Operation(
        name="array.check",
        request=check_array.CheckArray,
        plan=check_array.plan,
        scope="pools:write",
        effect="harmless",
        undo=_stop_check,
        wording=Wording(title=_check, page=ARRAY_PAGE, result=OPEN_ARRAY),
    ),
    Operation(
        name="array.start",
        request=start_array.StartArray,
        plan=start_array.plan,
        scope="pools:write",
        effect="changes",
        wording=Wording(title="Start array {name}", page=ARRAY_PAGE, result=OPEN_ARRAY),
    ),
    Operation(
        name="array.grow",
        request=grow_array.GrowArray,
        plan=grow_array.plan,
        scope="pools:write",
        effect="destroys",
        wording=Wording(title="Grow array {name}", page=ARRAY_PAGE, result=OPEN_ARRAY),
    ),
    Operation(
        name="array.destroy",
        request=destroy_array.DestroyArray,
        plan=destroy_array.plan,
        scope="pools:write",
        effect="destroys",
        wording=Wording(title="Destroy array {name}", page=ARRAY_PAGE, result=at("Arrays", "/arrays/")),
    ),
)
