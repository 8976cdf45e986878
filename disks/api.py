"""`disks/`, `chassis/` and `bays/`."""

from __future__ import annotations

from typing import Literal

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from disks.chassis import Bay, chassis
from host.inventory import Disk
from jobs.api import paging
from jobs.api.document import PAGING, describe
from jobs.api.shapes import Moment
from jobs.api.views import View, found, inventory_now


class DiskAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A disk. `used_by` says what claims it, null when it is free; `path` is its name now and may change."""

    id: str
    serial: str | None
    wwn: str | None
    model: str
    vendor: str | None
    size_bytes: int
    logical_sector_bytes: int
    physical_sector_bytes: int
    medium: Literal["hdd", "ssd", "flash", "unknown"]
    rpm: int | None
    transport: str | None
    bay: str | None
    temperature_celsius: int | None
    health: Literal["good", "warning", "failing", "unknown"]
    used_by: str | None
    in_use: bool
    path: str
    links: tuple[str, ...]
    as_of: Moment


class DiskPage(msgspec.Struct, frozen=True, kw_only=True):
    """Disks in the order of their bays."""

    results: tuple[DiskAnswer, ...]
    next: str | None
    as_of: Moment


class BayAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A bay; row and column count from 0 at the top left of its group. `known_by` is null when empty."""

    label: str
    group: str
    row: int
    column: int
    disk: str | None
    known_by: Literal["enclosure", "path", "taught"] | None


class BayPage(msgspec.Struct, frozen=True, kw_only=True):
    """All bays, group by group."""

    results: tuple[BayAnswer, ...]
    next: str | None
    as_of: Moment


class BayGroupAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A block of bays."""

    name: str
    rows: int
    columns: int
    bays: tuple[BayAnswer, ...]


class ChassisAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The case, as it is drawn."""

    groups: tuple[BayGroupAnswer, ...]
    as_of: Moment


class Disks(View):
    """All disks."""

    area = "disks"

    @describe("list_disks", {200: DiskPage}, parameters=PAGING)
    def get(self, request: Request) -> Response:
        """A page of disks."""
        inventory = inventory_now()
        seated = [bay.disk for bay in chassis(inventory).bays if bay.disk]
        return paging.of_values(
            request,
            seated,
            key=lambda disk: disk.id,
            show=lambda disk: _disk(disk, inventory.as_of),
            as_of=inventory.as_of,
        )


class OneDisk(View):
    """One disk, by any of its names under /dev/disk/by-id."""

    area = "disks"

    @describe("get_disk", {200: DiskAnswer})
    def get(self, request: Request, disk_id: str) -> Response:
        """The disk."""
        inventory = inventory_now()
        return Response(_disk(found(inventory.disk(disk_id), "disk"), inventory.as_of))


class ChassisView(View):
    """The case."""

    area = "disks"

    @describe("get_chassis", {200: ChassisAnswer})
    def get(self, request: Request) -> Response:
        """Groups of bays in rows and columns."""
        inventory = inventory_now()
        groups = tuple(
            BayGroupAnswer(
                name=group.name,
                rows=group.rows,
                columns=group.columns,
                bays=tuple(_bay(group.name, bay) for bay in group.bays),
            )
            for group in chassis(inventory).groups
        )
        return Response(ChassisAnswer(groups=groups, as_of=inventory.as_of))


class Bays(View):
    """All bays."""

    area = "disks"

    @describe("list_bays", {200: BayPage}, parameters=PAGING)
    def get(self, request: Request) -> Response:
        """Which disk sits where, and how that is known."""
        inventory = inventory_now()
        bays = [_bay(group.name, bay) for group in chassis(inventory).groups for bay in group.bays]
        return paging.of_values(
            request, bays, key=lambda bay: bay.label, show=lambda bay: bay, as_of=inventory.as_of
        )


def _disk(disk: Disk, as_of: str) -> DiskAnswer:
    return DiskAnswer(
        id=disk.id,
        serial=disk.serial,
        wwn=disk.wwn,
        model=disk.model,
        vendor=disk.vendor,
        size_bytes=disk.size_bytes,
        logical_sector_bytes=disk.logical_sector_bytes,
        physical_sector_bytes=disk.physical_sector_bytes,
        medium=disk.medium,
        rpm=disk.rpm,
        transport=disk.transport,
        bay=disk.bay,
        temperature_celsius=disk.temperature_celsius,
        health=disk.health,
        used_by=disk.used_by,
        in_use=disk.in_use,
        path=disk.path,
        links=disk.links,
        as_of=as_of,
    )


def _bay(group: str, bay: Bay) -> BayAnswer:
    return BayAnswer(
        label=bay.label,
        group=group,
        row=bay.row,
        column=bay.column,
        disk=bay.disk.id if bay.disk else None,
        known_by="path" if bay.disk else None,  # today bays follow the order of ports; teaching comes later
    )
