"""`boot/swap/` and `boot/state/`: what the system swaps to, and where it keeps /var and /home."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from host.inventory import Inventory, SwapSpace
from host.inventory.memory import SwapKind
from host.inventory.moved import MovedPhase, NotThere
from jobs.api.document import describe
from jobs.api.operations import writes
from jobs.api.shapes import Moment
from jobs.api.views import View, inventory_now
from pools.boot.discard_state import DiscardState
from pools.boot.left_state import left_on
from pools.boot.move_state import MoveState
from pools.boot.return_state import ReturnState
from pools.boot.set_swap import SetSwap


class SwapAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """`kind` is what the console made, or `other`. `spaces` are in use now."""

    as_of: Moment
    kind: SwapKind
    spaces: tuple[SwapSpace, ...]
    zram_installed: bool


class LeftAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A dataset of an earlier move, which no start of this machine uses."""

    pool: str
    dataset: str
    used_bytes: int


class StateAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """`here`: the system's own disk holds them. `falls_back`: although they were moved; `why` and `reason`
    say why, `said` what failed. `left` is what lies on pools besides, of an earlier move."""

    as_of: Moment
    phase: MovedPhase
    pool: str | None
    folders: tuple[str, ...]
    since: str | None
    here: bool
    falls_back: bool
    why: NotThere | None
    reason: str
    said: str
    left: tuple[LeftAnswer, ...]


class SwapSetting(View):
    """Swap."""

    area = "pools"

    @describe("read_swap", {200: SwapAnswer})
    def get(self, _request: Request) -> Response:
        """What is swapped to now, and what the console set."""
        now = inventory_now()
        answer = SwapAnswer(
            as_of=now.as_of,
            kind=now.swap.kind,
            spaces=now.swap.spaces,
            zram_installed=now.swap.zram_installed,
        )
        return Response(answer)

    @writes("boot.swap", SetSwap)
    def post(self, _request: Request) -> Mapping[str, Any]:
        """Swap to compressed memory, to both halves of the boot pair, or to nothing."""
        return {}


class State(View):
    """/var and /home."""

    area = "pools"

    @describe("read_state", {200: StateAnswer})
    def get(self, _request: Request) -> Response:
        """Where they lie, and whether the last start could use that."""
        now = inventory_now()
        moved = now.moved
        answer = StateAnswer(
            as_of=now.as_of, phase=moved.phase, pool=moved.pool or None, folders=moved.folders,
            since=moved.since, here=moved.here, falls_back=moved.falls_back, why=moved.why,
            reason=moved.reason, said=moved.said, left=_left(now),
        )  # fmt: skip
        return Response(answer)


class Move(View):
    """To a pool."""

    area = "pools"

    @writes("boot.move-state", MoveState)
    def post(self, _request: Request) -> Mapping[str, Any]:
        """Copy /var and /home to a pool. The next start switches to them."""
        return {}


class Return(View):
    """And back."""

    area = "pools"

    @writes("boot.return-state", ReturnState)
    def post(self, _request: Request) -> Mapping[str, Any]:
        """Move them back at the next start, call a move off, or go on without a pool that is gone."""
        return {}


class Discard(View):
    """What an earlier move left."""

    area = "pools"

    @writes("boot.discard-state", DiscardState)
    def post(self, _request: Request) -> Mapping[str, Any]:
        """Destroy the /var and /home on a pool that no start of this machine uses."""
        return {}


def _left(inventory: Inventory) -> tuple[LeftAnswer, ...]:
    return tuple(
        LeftAnswer(pool=pool.name, dataset=one.name, used_bytes=one.number("used"))
        for pool in inventory.pools
        for one in left_on(pool, inventory)
    )
