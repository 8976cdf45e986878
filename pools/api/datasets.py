"""`datasets/`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from host.inventory import Dataset, Property
from jobs.api import paging
from jobs.api.document import PAGING, describe
from jobs.api.operations import writes
from jobs.api.shapes import Moment
from jobs.api.views import View, found, inventory_now
from pools.datasets.create_dataset import CreateDataset
from pools.datasets.destroy_dataset import DestroyDataset
from pools.datasets.destroy_many import DestroyDatasets
from pools.datasets.set_properties import BulkSetProperties, SetProperties


class DatasetAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A file system or volume. Property values are ZFS's own words, sizes among them in bytes."""

    name: str
    kind: Literal["filesystem", "volume"]
    guid: str
    pool: str
    parent: str | None
    mounted: bool
    mountpoint: str | None
    used_bytes: int
    available_bytes: int
    referenced_bytes: int
    volume_bytes: int | None
    properties: dict[str, Property]
    as_of: Moment


class DatasetPage(msgspec.Struct, frozen=True, kw_only=True):
    """Datasets by name, parents before children."""

    results: tuple[DatasetAnswer, ...]
    next: str | None
    as_of: Moment


class Datasets(View):
    """All datasets."""

    area = "pools"

    @describe("list_datasets", {200: DatasetPage}, parameters=PAGING)
    def get(self, request: Request) -> Response:
        """A page of datasets."""
        inventory = inventory_now()
        return paging.of_values(
            request,
            inventory.datasets,
            key=lambda dataset: dataset.name,
            show=lambda dataset: _dataset(dataset, inventory.as_of),
            as_of=inventory.as_of,
        )

    @writes("dataset.create", CreateDataset)
    def post(self, request: Request) -> Mapping[str, Any]:
        """Create a file system or a volume."""
        return {}

    @writes("dataset.bulk-set", BulkSetProperties)
    def patch(self, request: Request) -> Mapping[str, Any]:
        """Set properties of many datasets; null lets a property be inherited again."""
        return {}

    @writes("dataset.bulk-destroy", DestroyDatasets, recursive=True)
    def delete(self, request: Request) -> Mapping[str, Any]:
        """Destroy several datasets, or none of them if anything stands in the way."""
        return {}


class OneDataset(View):
    """One dataset; its name contains slashes."""

    area = "pools"

    @describe("get_dataset", {200: DatasetAnswer})
    def get(self, request: Request, name: str) -> Response:
        """The dataset with its properties and where their values come from."""
        inventory = inventory_now()
        return Response(_dataset(found(inventory.dataset(name), "dataset"), inventory.as_of))

    @writes("dataset.set", SetProperties, by_path=("name",))
    def patch(self, request: Request, name: str) -> Mapping[str, Any]:
        """Set properties; null lets a property be inherited again."""
        return {"name": found(inventory_now().dataset(name), "dataset").name}

    @writes("dataset.destroy", DestroyDataset, by_path=("name",), recursive=True)
    def delete(self, request: Request, name: str) -> Mapping[str, Any]:
        """Destroy the dataset."""
        return {"name": found(inventory_now().dataset(name), "dataset").name}


def _dataset(dataset: Dataset, as_of: str) -> DatasetAnswer:
    return DatasetAnswer(
        name=dataset.name,
        kind=dataset.kind,
        guid=dataset.guid,
        pool=dataset.pool,
        parent=dataset.parent,
        mounted=dataset.mounted,
        mountpoint=dataset.value("mountpoint"),
        used_bytes=dataset.number("used"),
        available_bytes=dataset.number("available"),
        referenced_bytes=dataset.number("referenced"),
        volume_bytes=dataset.number("volsize") if dataset.kind == "volume" else None,
        properties=dataset.properties,
        as_of=as_of,
    )
