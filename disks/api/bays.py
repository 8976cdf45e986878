"""`chassis/` and `bays/`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from disks.api.shapes import (
    BayAnswer,
    BayGroupAnswer,
    BayPage,
    CaseText,
    ChassisAnswer,
    ProfileAnswer,
    ProfileList,
)
from disks.bays import case_file
from disks.bays.import_case import ImportCase
from disks.bays.set_bays import SetBays
from disks.bays.set_chassis import SetChassis
from disks.bays.stored import stored
from disks.bays.teach_bay import TeachBay
from disks.chassis import DrawnBay, chassis, layout_of
from disks.layout import Case
from disks.profiles import PROFILES
from jobs.api import paging
from jobs.api.document import PAGING, describe
from jobs.api.operations import writes
from jobs.api.views import View, found, inventory_now


class ChassisView(View):
    """The case."""

    area = "disks"

    @describe("get_chassis", {200: ChassisAnswer})
    def get(self, request: Request) -> Response:
        """Groups of bays in rows and columns."""
        inventory, case = inventory_now(), stored()
        drawn = chassis(inventory)
        layouts = {group.name: group for group in case.layout.groups} if case.layout else {}
        groups = tuple(
            BayGroupAnswer(
                name=group.name,
                rows=group.rows,
                columns=group.columns,
                origin=getattr(layouts.get(group.name), "origin", None),
                order=getattr(layouts.get(group.name), "order", None),
                bays=tuple(_bay(group.name, bay, case) for bay in group.bays),
            )
            for group in drawn.groups
        )
        return Response(ChassisAnswer(name=drawn.name, groups=groups, as_of=inventory.as_of))

    @writes("chassis.set", SetChassis)
    def put(self, request: Request) -> Mapping[str, Any]:
        """Describe the whole case, by a profile or by its groups."""
        return {}


class Profiles(View):
    """Cases that are known."""

    area = "disks"

    @describe("list_profiles", {200: ProfileList})
    def get(self, request: Request) -> Response:
        """All profiles."""
        results = tuple(
            ProfileAnswer(profile=name, bays=len(layout.labels), chassis=layout)
            for name, layout in PROFILES.items()
        )
        return Response(ProfileList(results=results))


class Export(View):
    """The case as a text."""

    area = "disks"

    @describe("export_chassis", {200: CaseText})
    def get(self, request: Request) -> Response:
        """YAML of the case and of what was taught; as it was guessed before somebody described it."""
        case = stored()
        return Response(
            CaseText(yaml=case_file.write(case.layout or layout_of(inventory_now()), case.teachings))
        )


class Import(View):
    """The case from a text."""

    area = "disks"

    @writes("chassis.import", ImportCase)
    def post(self, request: Request) -> Mapping[str, Any]:
        """Take over a case and what was taught of its bays, whole or not at all."""
        return {}


class Bays(View):
    """All bays."""

    area = "disks"

    @describe("list_bays", {200: BayPage}, parameters=PAGING)
    def get(self, request: Request) -> Response:
        """Which disk sits where, and how that is known."""
        inventory, case = inventory_now(), stored()
        bays = [_bay(group.name, bay, case) for group in chassis(inventory).groups for bay in group.bays]
        return paging.of_values(
            request, bays, key=lambda bay: bay.label, show=lambda bay: bay, as_of=inventory.as_of
        )

    @writes("bays.set", SetBays)
    def put(self, request: Request) -> Mapping[str, Any]:
        """Teach all bays at once."""
        return {}


class OneBay(View):
    """One bay, by its label."""

    area = "disks"

    @describe("get_bay", {200: BayAnswer})
    def get(self, request: Request, label: str) -> Response:
        """The bay."""
        case = stored()
        for group in chassis(inventory_now()).groups:
            for bay in group.bays:
                if bay.label == label:
                    return Response(_bay(group.name, bay, case))
        return Response(found(None, "bay"))

    @writes("bays.teach", TeachBay, by_path=("bay",))
    def put(self, request: Request, label: str) -> Mapping[str, Any]:
        """Say which disk sits in it."""
        return {"bay": found(inventory_now().seat(label), "bay").label}


def _bay(group: str, bay: DrawnBay, case: Case) -> BayAnswer:
    taught = next((teaching for teaching in case.teachings if teaching.bay == bay.label), None)
    return BayAnswer(
        label=bay.label,
        group=group,
        row=bay.row,
        column=bay.column,
        disk=bay.disk.id if bay.disk else None,
        known_by=bay.known_by,
        missing=bay.missing,
        fresh=bay.fresh,
        taught=bay.taught,
        doubt=bay.doubt,
        enclosure=taught.enclosure if taught else None,
        slot=taught.slot if taught else None,
        port=taught.port if taught else None,
        serial=taught.serial if taught else None,
    )
