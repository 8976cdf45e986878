"""`pools/{name}/scrub/` and its neighbours: what keeps a pool healthy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework.request import Request

from jobs.api.operations import writes
from jobs.api.views import View, found, inventory_now
from pools.care.checkpoint import CheckpointPool
from pools.care.initialize import InitializePool
from pools.care.scrub import ScrubPool
from pools.care.trim import TrimPool
from pools.care.upgrade import UpgradePool


class Scrub(View):
    """Reading all of a pool."""

    area = "pools"

    @writes("pool.scrub", ScrubPool, by_path=("name",))
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Start a scrub or go on with a paused one, pause it, or stop it."""
        return named(name)


class Trim(View):
    """Telling SSDs what is free."""

    area = "pools"

    @writes("pool.trim", TrimPool, by_path=("name",))
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Start a trim or go on with a suspended one, suspend it, or cancel it."""
        return named(name)


class Initialize(View):
    """Writing to what was never written."""

    area = "pools"

    @writes("pool.initialize", InitializePool, by_path=("name",))
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Start an initialization or go on with a suspended one, suspend it, or cancel it."""
        return named(name)


class Upgrade(View):
    """Features that a pool was made without."""

    area = "pools"

    @writes("pool.upgrade", UpgradePool, by_path=("name",))
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Enable all that this system knows."""
        return named(name)


class Checkpoint(View):
    """A state to return to."""

    area = "pools"

    @writes("pool.checkpoint", CheckpointPool, by_path=("name",))
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Take a checkpoint, or discard the one that is kept."""
        return named(name)


def named(name: str) -> Mapping[str, Any]:
    """The field that the address gives. Raises `NotFound`."""
    return {"name": found(inventory_now().pool(name), "pool").name}
