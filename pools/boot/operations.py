"""The operations on what the machine starts from: boot pair, swap and state."""

from __future__ import annotations

from typing import Any

from jobs.operation import Operation
from jobs.wording import Wording, at
from pools.boot import (
    add_half,
    adopt,
    convert,
    convert_leave,
    convert_restart,
    discard_state,
    move_state,
    remove_half,
    replace_half,
    return_state,
    set_swap,
    write_copies,
)

PAIR_PAGE = at("Boot pair", "/boot/")
STATE_PAGE = at("State of the system", "/boot/state/")


OPERATIONS: tuple[Operation[Any], ...] = (
    Operation(
        name="boot.add",
        request=add_half.AddHalf,
        plan=add_half.plan,
        scope="pools:write",
        effect="destroys",
        wording=Wording(title="Add a half to the boot pair", page=PAIR_PAGE),
    ),
    Operation(
        name="boot.replace",
        request=replace_half.ReplaceHalf,
        plan=replace_half.plan,
        scope="pools:write",
        effect="destroys",
        wording=Wording(title="Replace a half of the boot pair", page=PAIR_PAGE),
    ),
    Operation(
        name="boot.remove",
        request=remove_half.RemoveHalf,
        plan=remove_half.plan,
        scope="pools:write",
        effect="changes",
        wording=Wording(title="Remove a half from the boot pair", page=PAIR_PAGE),
    ),
    Operation(
        name="boot.copies",
        request=write_copies.WriteCopies,
        plan=write_copies.plan,
        scope="pools:write",
        effect="changes",
        wording=Wording(title="Write the boot loader to both halves", page=PAIR_PAGE),
    ),
    Operation(
        name="boot.adopt",
        request=adopt.Adopt,
        plan=adopt.plan,
        scope="pools:write",
        effect="changes",
        wording=Wording(title="Adopt the boot pair", page=PAIR_PAGE),
    ),
    Operation(
        name="boot.convert",
        request=convert.Convert,
        plan=convert.plan,
        scope="pools:write",
        effect="destroys",
        wording=Wording(title="Copy the system to a second disk", page=PAIR_PAGE),
    ),
    Operation(
        name="boot.convert-restart",
        request=convert_restart.ConvertRestart,
        plan=convert_restart.plan,
        scope="pools:write",
        effect="changes",
        wording=Wording(title="Restart into the copy of the system", page=PAIR_PAGE),
    ),
    Operation(
        name="boot.convert-leave",
        request=convert_leave.ConvertLeave,
        plan=convert_leave.plan,
        scope="pools:write",
        effect="destroys",
        wording=Wording(title="Discard the copy of the system", page=PAIR_PAGE),
    ),
    Operation(
        name="boot.swap",
        request=set_swap.SetSwap,
        plan=set_swap.plan,
        scope="pools:write",
        effect="changes",
        wording=Wording(title="Set up swap", page=at("Swap", "/boot/swap/")),
    ),
    Operation(
        name="boot.move-state",
        request=move_state.MoveState,
        plan=move_state.plan,
        scope="pools:write",
        effect="changes",
        wording=Wording(title="Move /var and /home to a pool", page=STATE_PAGE),
    ),
    Operation(
        name="boot.return-state",
        request=return_state.ReturnState,
        plan=return_state.plan,
        scope="pools:write",
        effect="destroys",
        wording=Wording(title="Move /var and /home back", page=STATE_PAGE),
    ),
    Operation(
        name="boot.discard-state",
        request=discard_state.DiscardState,
        plan=discard_state.plan,
        scope="pools:write",
        effect="destroys",
        wording=Wording(title="Destroy old copies of /var and /home", page=STATE_PAGE),
    ),
)
