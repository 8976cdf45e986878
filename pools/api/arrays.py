"""`arrays/`: md arrays beside ZFS, and those that carry the system."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from host.inventory import ArrayMember, ArrayWork, Inventory, MdArray
from host.inventory.arrays import MemberState
from jobs.api import paging
from jobs.api.document import PAGING, describe
from jobs.api.operations import writes
from jobs.api.shapes import Moment
from jobs.api.views import View, found, inventory_now
from pools.arrays.add_member import AddToArray
from pools.arrays.check_array import CheckArray
from pools.arrays.chosen import of_system, running
from pools.arrays.create_array import CreateArray
from pools.arrays.destroy_array import DestroyArray
from pools.arrays.grow_array import GrowArray
from pools.arrays.remove_member import RemoveFromArray
from pools.arrays.replace_member import ReplaceInArray
from pools.arrays.start_array import StartArray


class MemberAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A member: `disk` is the id of the disk it lies on, `slot` is null for a spare or a faulty one."""

    path: str
    disk: str | None
    partition: int | None
    bay: str | None
    serial: str | None
    slot: int | None
    state: MemberState


class ArrayAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """An array. `wanted` are the members it has when it is whole; `mismatches` are sectors that the last
    check found to differ, null where nothing can be compared. `of_system`: it is not changed here."""

    name: str
    kname: str
    path: str
    uuid: str
    level: str
    metadata: str
    state: str
    running: bool
    degraded: bool
    read_only: bool
    of_system: bool
    bitmap: bool
    size_bytes: int
    wanted: int
    in_sync: int
    mismatches: int | None
    fstype: str | None
    label: str | None
    mountpoints: tuple[str, ...]
    work: ArrayWork | None
    members: tuple[MemberAnswer, ...]
    as_of: Moment


class ArrayPage(msgspec.Struct, frozen=True, kw_only=True):
    """Arrays by name."""

    results: tuple[ArrayAnswer, ...]
    next: str | None
    as_of: Moment


class Arrays(View):
    """All md arrays that are assembled."""

    area = "pools"

    @describe("list_arrays", {200: ArrayPage}, parameters=PAGING)
    def get(self, request: Request) -> Response:
        """A page of arrays."""
        inventory = inventory_now()
        return paging.of_values(
            request,
            sorted(inventory.arrays, key=lambda array: array.name),
            key=lambda array: array.name,
            show=lambda array: _array(array, inventory),
            as_of=inventory.as_of,
        )

    @writes("array.create", CreateArray)
    def post(self, request: Request) -> Mapping[str, Any]:
        """Create an array of whole disks, with a file system where one is wanted."""
        return {}


class OneArray(View):
    """One array."""

    area = "pools"

    @describe("get_array", {200: ArrayAnswer})
    def get(self, request: Request, name: str) -> Response:
        """The array with its members, disks and bays."""
        inventory = inventory_now()
        return Response(_array(found(inventory.array(name), "array"), inventory))

    @writes("array.destroy", DestroyArray, by_path=("name",))
    def delete(self, request: Request, name: str) -> Mapping[str, Any]:
        """Unmount the array, take it apart and free its disks."""
        return _named(name)


class Add(View):
    """Further disks of an array."""

    area = "pools"

    @writes("array.add", AddToArray, by_path=("name",))
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Add a disk, which takes an empty place or waits as a spare."""
        return _named(name)


class Replace(View):
    """Exchange of a member."""

    area = "pools"

    @writes("array.replace", ReplaceInArray, by_path=("name",))
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Let a disk take the place of a member."""
        return _named(name)


class Remove(View):
    """Members that leave."""

    area = "pools"

    @writes("array.remove", RemoveFromArray, by_path=("name",))
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Take a disk out, where no data is lost with it."""
        return _named(name)


class Check(View):
    """Comparing the members."""

    area = "pools"

    @writes("array.check", CheckArray, by_path=("name",))
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Start a check or stop it."""
        return _named(name)


class Start(View):
    """An array that waits for members."""

    area = "pools"

    @writes("array.start", StartArray, by_path=("name",))
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Start it with the members that are present."""
        return _named(name)


class Grow(View):
    """More disks, or more of each."""

    area = "pools"

    @writes("array.grow", GrowArray, by_path=("name",))
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Spread the array over more disks, or let it use all the space of those it has."""
        return _named(name)


def _named(name: str) -> Mapping[str, Any]:
    return {"name": found(inventory_now().array(name), "array").name}


def _array(array: MdArray, inventory: Inventory) -> ArrayAnswer:
    return ArrayAnswer(
        name=array.name,
        kname=array.kname,
        path=array.path,
        uuid=array.uuid,
        level=array.level,
        metadata=array.metadata,
        state=array.state,
        running=running(array),
        degraded=array.degraded,
        read_only=array.read_only,
        of_system=of_system(array),
        bitmap=array.bitmap,
        size_bytes=array.size_bytes,
        wanted=array.wanted,
        in_sync=array.in_sync,
        mismatches=array.mismatches,
        fstype=array.fstype,
        label=array.label,
        mountpoints=array.mountpoints,
        work=array.work,
        members=tuple(_member(member, inventory) for member in array.members),
        as_of=inventory.as_of,
    )


def _member(member: ArrayMember, inventory: Inventory) -> MemberAnswer:
    disk = inventory.disk(member.disk) if member.disk else None
    return MemberAnswer(
        path=member.path,
        disk=member.disk,
        partition=member.partition,
        bay=disk.bay if disk else None,
        serial=disk.serial if disk else None,
        slot=member.slot,
        state=member.state,
    )
