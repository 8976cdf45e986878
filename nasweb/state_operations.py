"""The operations on swap and on where the system keeps its state, for the table in `nasweb.operations`."""

from __future__ import annotations

from functools import partial

from jobs.operation import Operation
from pools.boot import discard_state, move_state, return_state, set_swap

_on_pools = partial(Operation, scope="pools:write")

STATE: tuple[Operation, ...] = (
    _on_pools(name="boot.swap", request=set_swap.SetSwap, plan=set_swap.plan),
    _on_pools(name="boot.move-state", request=move_state.MoveState, plan=move_state.plan),
    _on_pools(name="boot.return-state", request=return_state.ReturnState, plan=return_state.plan),
    _on_pools(name="boot.discard-state", request=discard_state.DiscardState, plan=discard_state.plan),
)
