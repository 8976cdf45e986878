"""`dataset-properties/` and `dataset-presets/`: what can be chosen, and why."""

from __future__ import annotations

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from jobs.api.document import describe
from jobs.api.shapes import Moment
from jobs.api.views import View, inventory_now
from pools.datasets.meanings import meaning
from pools.datasets.presets import PRESETS, Preset


class PropertyAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A native property: what ZFS's own table says of it, and what it means.

    What is not `editable` and yet `inheritable` is chosen when a dataset is created, for good.
    """

    name: str
    editable: bool
    inheritable: bool
    values: str
    meaning: str
    unchanged: str  # what a change does not do


class PropertyList(msgspec.Struct, frozen=True, kw_only=True):
    """All native properties of this machine's ZFS."""

    results: tuple[PropertyAnswer, ...]
    as_of: Moment


class PresetList(msgspec.Struct, frozen=True, kw_only=True):
    """All presets for new datasets."""

    results: tuple[Preset, ...]


class Properties(View):
    """What can be said of properties."""

    area = "pools"

    @describe("list_dataset_properties", {200: PropertyList})
    def get(self, request: Request) -> Response:
        """The native properties that this ZFS knows, with their values and meanings."""
        inventory = inventory_now()
        results = [
            PropertyAnswer(
                name=entry.name,
                editable=entry.editable,
                inheritable=entry.inheritable,
                values=entry.values,
                meaning=meaning(entry.name).words,
                unchanged=meaning(entry.name).unchanged,
            )
            for entry in inventory.facts.native
        ]
        return Response({"results": results, "as_of": inventory.as_of})


class Presets(View):
    """What new datasets may be for."""

    area = "pools"

    @describe("list_dataset_presets", {200: PresetList})
    def get(self, request: Request) -> Response:
        """The presets, each value with its reason."""
        return Response({"results": PRESETS})
