"""`datasets/{path}/…`: what is done with one dataset."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from django.http import HttpRequest, HttpResponseBase
from rest_framework.request import Request

from jobs import cache
from jobs.api.operations import writes
from jobs.api.views import View, found, inventory_now
from pools.api.datasets import OneDataset
from pools.datasets.mount_dataset import MountDataset
from pools.datasets.promote_dataset import PromoteDataset
from pools.datasets.rename_dataset import RenameDataset
from pools.datasets.unmount_dataset import UnmountDataset


class Action(View):
    """A POST to `datasets/{path}/<verb>/`. What else is asked there means a dataset called like the verb."""

    area = "pools"
    verb: ClassVar[str]

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """`GET datasets/tank/mount/` reads the dataset `tank/mount`."""
        inventory = None if request.method == "POST" else cache.current()
        name = f"{kwargs['name']}/{self.verb}"
        if inventory is not None and inventory.dataset(name) is not None:
            return OneDataset.as_view()(request, name=name)
        return super().dispatch(request, *args, **kwargs)


def named(name: str) -> Mapping[str, Any]:
    """The field `name` of a dataset that exists; 404 otherwise."""
    return {"name": found(inventory_now().dataset(name), "dataset").name}


class Rename(Action):
    """Rename of one dataset."""

    verb = "rename"

    @writes("dataset.rename", RenameDataset, by_path=("name",))
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Give it another name or parent in its pool."""
        return named(name)


class Promote(Action):
    """Promotion of one clone."""

    verb = "promote"

    @writes("dataset.promote", PromoteDataset, by_path=("name",))
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Make the clone the original of what it grew from."""
        return named(name)


class Mount(Action):
    """Mount of one file system."""

    verb = "mount"

    @writes("dataset.mount", MountDataset, by_path=("name",), recursive=True)
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Mount it, and with `recursive` what is below it."""
        return named(name)


class Unmount(Action):
    """Unmount of one file system."""

    verb = "unmount"

    @writes("dataset.unmount", UnmountDataset, by_path=("name",))
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Unmount it with what is mounted below it."""
        return named(name)
