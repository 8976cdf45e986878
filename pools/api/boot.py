"""`boot/`: the pair of disks that the system runs from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from host.boot_pair import HalfState, boot_pair
from host.inventory import ArrayWork, Inventory
from jobs.api.document import describe
from jobs.api.operations import writes
from jobs.api.shapes import Moment
from jobs.api.views import View, inventory_now
from pools.boot.add_half import AddHalf
from pools.boot.remove_half import RemoveHalf
from pools.boot.replace_half import ReplaceHalf
from pools.boot.write_copies import WriteCopies


class HalfAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A disk that carries the system."""

    disk: str
    bay: str | None
    model: str
    serial: str | None
    size_bytes: int
    state: HalfState


class BootAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """`pair` is false where the system is on no md RAID1. `work` is what the kernel does with its array."""

    as_of: Moment
    pair: bool
    complete: bool  # either half may fail
    array: str | None
    arrays: tuple[str, ...]
    halves: tuple[HalfAnswer, ...]
    work: ArrayWork | None


def boot_answer(inventory: Inventory) -> BootAnswer:
    """What `GET boot/` says."""
    pair = boot_pair(inventory)
    halves = () if pair is None else pair.halves
    return BootAnswer(
        as_of=inventory.as_of,
        pair=pair is not None,
        complete=pair is not None and pair.complete,
        array=pair.root.name if pair else None,
        arrays=tuple(array.name for array in pair.arrays) if pair else (),
        halves=tuple(
            HalfAnswer(
                disk=half.disk.id, bay=half.disk.bay, model=half.disk.model, serial=half.disk.serial,
                size_bytes=half.disk.size_bytes, state=half.state,
            )
            for half in halves
        ),
        work=pair.root.work if pair else None,
    )  # fmt: skip


class Boot(View):
    """The boot pair."""

    area = "pools"

    @describe("read_boot", {200: BootAnswer})
    def get(self, _request: Request) -> Response:
        """The disks that the system runs from, and what goes on with them."""
        return Response(boot_answer(inventory_now()))


class Add(View):
    """The second half."""

    area = "pools"

    @writes("boot.add", AddHalf)
    def post(self, _request: Request) -> Mapping[str, Any]:
        """Make a disk the second half; also in the place of one that failed or is gone."""
        return {}


class Replace(View):
    """Another half."""

    area = "pools"

    @writes("boot.replace", ReplaceHalf)
    def post(self, _request: Request) -> Mapping[str, Any]:
        """Exchange a half that still works: it stays in use until the new one holds everything."""
        return {}


class Remove(View):
    """One half less."""

    area = "pools"

    @writes("boot.remove", RemoveHalf)
    def post(self, _request: Request) -> Mapping[str, Any]:
        """Let go of a half, so that it can be pulled."""
        return {}


class Copies(View):
    """The boot loader."""

    area = "pools"

    @writes("boot.copies", WriteCopies)
    def post(self, _request: Request) -> Mapping[str, Any]:
        """Write GRUB to every half again."""
        return {}
