"""`boot/adopt/` and `boot/convert/`: how a system comes onto a boot pair that the image did not make."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from host.inventory import Inventory
from host.inventory.conversion import ConversionState
from jobs.api.document import describe
from jobs.api.operations import writes
from jobs.api.shapes import Moment
from jobs.api.views import View, inventory_now
from pools.boot.adopt import Adopt, Trait, traits
from pools.boot.convert import Convert, candidates
from pools.boot.convert_leave import ConvertLeave
from pools.boot.convert_restart import ConvertRestart
from pools.boot.running import copy_of, needed_for, running


class AdoptionAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """`adopted` where nothing is missing; `possible` where nothing keeps it from that."""

    as_of: Moment
    adopted: bool
    possible: bool
    traits: tuple[Trait, ...]


class RunsFrom(msgspec.Struct, frozen=True, kw_only=True):
    """The one disk that the system is on. `needed_bytes`: the room that it is given on a pair at least."""

    disk: str
    partition: int
    fstype: str | None
    used_bytes: int | None
    needed_bytes: int | None
    mountpoints: tuple[str, ...]  # that would be copied


class SystemCopyAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """How far the copy has come. `here`: its disk is in the machine and its array runs."""

    state: ConversionState
    running: bool
    here: bool
    disk: str
    done_bytes: int
    total_bytes: int
    started_at: Moment
    updated_at: Moment
    words: str


class ConversionAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """`runs_from` is null on a pair, and where the root is on what cannot be moved. `candidates`: ids of
    disks that the system could be copied to, the best first."""

    as_of: Moment
    runs_from: RunsFrom | None
    copy: SystemCopyAnswer | None
    candidates: tuple[str, ...]


def adoption_answer(inventory: Inventory) -> AdoptionAnswer:
    """What `GET boot/adopt/` says."""
    found = traits(inventory)
    states = {trait.state for trait in found}
    return AdoptionAnswer(
        as_of=inventory.as_of,
        adopted=not states & {"missing", "refused"},
        possible="refused" not in states,
        traits=found,
    )


def conversion_answer(inventory: Inventory) -> ConversionAnswer:
    """What `GET boot/convert/` says."""
    now = running(inventory)
    return ConversionAnswer(
        as_of=inventory.as_of,
        runs_from=None
        if now is None
        else RunsFrom(
            disk=now.disk.id,
            partition=now.root.number,
            fstype=now.root.fstype,
            used_bytes=now.used_bytes,
            needed_bytes=None if now.used_bytes is None else needed_for(now.used_bytes),
            mountpoints=tuple(sorted(point for part in now.copied for point in part.mountpoints)),
        ),
        copy=_copy(inventory),
        candidates=() if now is None else tuple(disk.id for disk in candidates(now, inventory)),
    )


def _copy(inventory: Inventory) -> SystemCopyAnswer | None:
    found = copy_of(inventory)
    if found is None:
        return None
    report, array, disk = found
    return SystemCopyAnswer(
        state=report.state,
        running=report.running,
        here=array is not None and disk is not None,
        disk=report.disk,
        done_bytes=report.done_bytes,
        total_bytes=report.total_bytes,
        started_at=report.started_at,
        updated_at=report.updated_at,
        words=report.words,
    )


class Adoption(View):
    """A pair that somebody else made."""

    area = "pools"

    @describe("read_boot_adoption", {200: AdoptionAnswer})
    def get(self, _request: Request) -> Response:
        """What of a boot pair is there, what is missing, and what keeps it from being one."""
        return Response(adoption_answer(inventory_now()))

    @writes("boot.adopt", Adopt)
    def post(self, _request: Request) -> Mapping[str, Any]:
        """Write what is missing: boot loaders on each half, a bitmap."""
        return {}


class Conversion(View):
    """A system on one disk."""

    area = "pools"

    @describe("read_boot_conversion", {200: ConversionAnswer})
    def get(self, _request: Request) -> Response:
        """What the system runs from, where it could be copied to, and how far that has come."""
        return Response(conversion_answer(inventory_now()))

    @writes("boot.convert", Convert)
    def post(self, _request: Request) -> Mapping[str, Any]:
        """Copy the system to a second disk. The first one stays as it is, and keeps starting the machine."""
        return {}


class Restart(View):
    """Into the copy."""

    area = "pools"

    @writes("boot.convert-restart", ConvertRestart)
    def post(self, _request: Request) -> Mapping[str, Any]:
        """Copy what was written since, and start once from the copy. Then `boot/add/` takes the first."""
        return {}


class Leave(View):
    """The copy is given up."""

    area = "pools"

    @writes("boot.convert-leave", ConvertLeave)
    def post(self, _request: Request) -> Mapping[str, Any]:
        """Stop copying, and erase the copy."""
        return {}
