"""`disks/`: what the machine says of its disks, and what is remembered of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from disks import records
from disks.api.shapes import DiskAnswer, DiskDetail, DiskPage, DiskStory
from disks.chassis import chassis
from disks.drives.forget import ForgetDisk
from disks.identity import recognise
from disks.models import DiskEvent, DiskRecord
from disks.records import iso
from disks.smart import days
from disks.trends import trends, wears_out
from disks.verdict import DiskVerdict, verdict
from host.inventory import Disk, Inventory
from jobs.api import paging, query
from jobs.api.document import PAGING, describe
from jobs.api.operations import writes
from jobs.api.views import View, found, inventory_now

_GONE = OpenApiParameter("gone", bool, OpenApiParameter.QUERY, description="Include removed disks.")


class Disks(View):
    """All disks."""

    area = "disks"

    @describe("list_disks", {200: DiskPage}, parameters=[_GONE, *PAGING])
    def get(self, request: Request) -> Response:
        """A page of disks."""
        inventory = inventory_now()
        known = in_bay_order(inventory)
        answers = [DiskAnswer(**_of_disk(disk, inventory)) for disk in known]
        if query.flag(request, "gone"):
            left = records.all_records(gone=True)
            answers += [DiskAnswer(**_of_record(record, inventory)) for record in left]
        return paging.of_values(
            request,
            answers,
            key=lambda disk: f"{disk.id} {disk.gone_since}",
            show=lambda disk: disk,
            as_of=inventory.as_of,
        )


class OneDisk(View):
    """One disk, by any name under /dev/disk/by-id, or the only one it has; one that left by its best."""

    area = "disks"

    @describe("get_disk", {200: DiskDetail})
    def get(self, request: Request, disk_id: str) -> Response:
        """The disk with all that is known of it."""
        inventory = inventory_now()
        disk = inventory.disk(disk_id) or inventory.nameless(disk_id)
        if disk is None:
            record = found(_left(disk_id), "disk")
            return Response(DiskDetail(**_of_record(record, inventory), **_remembered(record)))
        here = recognise((disk,), records.all_records(gone=False)).get(disk.id)
        detail = DiskDetail(
            **_of_disk(disk, inventory),
            **_remembered(here),
            partitions=disk.partitions,
            claims=disk.claims,
        )
        return Response(detail)

    @writes("disk.forget", ForgetDisk, by_path=("disk",))
    def delete(self, request: Request, disk_id: str) -> Mapping[str, Any]:
        """Forget a disk that left: its record, story and note."""
        here = inventory_now().disk(disk_id)
        return {"disk": here.id if here else found(_left(disk_id), "disk").last_id}


class DiskHistory(View):
    """What happened to a disk."""

    area = "disks"

    @describe("get_disk_story", {200: DiskStory}, parameters=PAGING)
    def get(self, request: Request, disk_id: str) -> Response:
        """A page of events, newest first."""
        disk = inventory_now().disk(disk_id)
        here = recognise((disk,), records.all_records(gone=False)).get(disk.id) if disk else None
        record = found(here or _left(disk_id), "disk")
        return paging.of_rows(request, DiskEvent.objects.filter(record=record), show=DiskEvent.view)


def in_bay_order(inventory: Inventory) -> list[Disk]:
    """All disks in the order of their bays, then those that are in none."""
    placed = [bay.disk for bay in chassis(inventory).bays if bay.disk]
    ids = {disk.id for disk in placed}
    return [*placed, *(disk for disk in inventory.disks if disk.id not in ids)]


def _left(disk_id: str) -> DiskRecord | None:
    return DiskRecord.objects.filter(last_id=disk_id, gone_since__isnull=False).order_by("-last_seen").first()


def _of_disk(disk: Disk, inventory: Inventory) -> dict[str, Any]:
    names = set(DiskAnswer.__struct_fields__) - {"as_of", "gone_since", "last_bay"}
    return {name: getattr(disk, name) for name in names} | {"as_of": inventory.as_of}


def _of_record(record: DiskRecord, inventory: Inventory) -> dict[str, Any]:
    facts = record.facts
    return {
        "id": record.last_id,
        "serial": record.serial,
        "wwn": record.wwn,
        "model": record.model,
        "vendor": facts.get("vendor"),
        "size_bytes": record.size_bytes,
        "logical_sector_bytes": facts.get("logical_sector_bytes"),
        "physical_sector_bytes": facts.get("physical_sector_bytes"),
        "medium": facts.get("medium", "unknown"),
        "rpm": None,
        "transport": facts.get("transport"),
        "port": None,
        "bay": None,
        "temperature_celsius": None,
        "asleep": None,
        "health": record.verdict,
        "used_by": None,
        "in_use": False,
        "path": None,
        "links": (record.last_id,),
        "twins": (),
        "gone_since": iso(record.gone_since) if record.gone_since else None,
        "last_bay": record.last_bay or None,
        "as_of": inventory.as_of,
    }


def _remembered(record: DiskRecord | None) -> dict[str, Any]:
    if record is None:
        return {"verdict": DiskVerdict(level="unknown")}
    reading = records.reading_of(record)
    earlier = records.earlier_of(record)
    today = timezone.now().date()
    kept = days.until_now(days.days_of(record, today - days.KEPT), reading)
    names = ("temperature", "read_bytes", "write_bytes")
    return {
        "smart": reading,
        "verdict": verdict(reading, earlier) if reading else DiskVerdict(level="unknown"),
        "trends": trends(kept, today),
        "wears_out": wears_out(kept, today),
        "burn_in": records.burn_in_of(record),
        "first_seen": iso(record.first_seen),
        "bays": tuple(record.bays),
        "note": record.note,
        "purchased": record.purchased,
        "warranty_until": record.warranty_until,
        "located_until": iso(record.located_until) if record.located_until else None,
        "series": {name: f"disk.{name}:{records.series_key(record)}" for name in names},
    }
