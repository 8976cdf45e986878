"""`disks/{id}/…/`: what can be done with one disk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework.request import Request

from disks.drives.burn_in import BurnInDisk
from disks.drives.locate import LocateDisk
from disks.drives.note import NoteDisk
from disks.drives.smart_test import RunSelfTest
from disks.drives.stop_burn_in import StopBurnIn
from disks.drives.wipe import WipeDisk
from jobs.api.operations import writes
from jobs.api.views import View, found, inventory_now


class Locate(View):
    """The disk's light."""

    area = "disks"

    @writes("disk.locate", LocateDisk, by_path=("disk",))
    def post(self, request: Request, disk_id: str) -> Mapping[str, Any]:
        """Let it blink for a while, or end that."""
        return _here(disk_id)


class SmartTests(View):
    """Self-tests inside the disk."""

    area = "disks"

    @writes("disk.smart-test", RunSelfTest, by_path=("disk",))
    def post(self, request: Request, disk_id: str) -> Mapping[str, Any]:
        """Start one, or abort the one that runs."""
        return _here(disk_id)


class BurnIns(View):
    """The test of a new disk that overwrites all of it."""

    area = "disks"

    @writes("disk.burn-in", BurnInDisk, by_path=("disk",))
    def post(self, request: Request, disk_id: str) -> Mapping[str, Any]:
        """Start it. What is on the disk is lost."""
        return _here(disk_id)

    @writes("disk.stop-burn-in", StopBurnIn, by_path=("disk",))
    def delete(self, request: Request, disk_id: str) -> Mapping[str, Any]:
        """Stop it."""
        return _here(disk_id)


class Wipe(View):
    """What tells what is on the disk."""

    area = "disks"

    @writes("disk.wipe", WipeDisk, by_path=("disk",))
    def post(self, request: Request, disk_id: str) -> Mapping[str, Any]:
        """Erase it, so that the disk is free. Refused while anything on it is in use."""
        return _here(disk_id)


class Note(View):
    """What a person knows of the disk."""

    area = "disks"

    @writes("disk.note", NoteDisk, by_path=("disk",))
    def put(self, request: Request, disk_id: str) -> Mapping[str, Any]:
        """Write note and dates as a whole, also of a disk that left."""
        inventory = inventory_now()
        left = next((absent for absent in inventory.gone if absent.id == disk_id), None)
        return {"disk": left.id} if left and not inventory.disk(disk_id) else _here(disk_id)


def _here(disk_id: str) -> Mapping[str, Any]:
    """Of one without a lasting name the operation says why nothing is done with it."""
    inventory = inventory_now()
    return {"disk": found(inventory.disk(disk_id) or inventory.nameless(disk_id), "disk").id}
