"""`datasets/{path}/{load-key,unload-key,change-key,test-key}/`: locks of encrypted datasets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework.request import Request

from jobs.api.operations import writes
from pools.api.dataset_actions import Action, named
from pools.keys.change_key import ChangeKey
from pools.keys.load_key import LoadKey
from pools.keys.test_key import TestKey
from pools.keys.unload_key import UnloadKey


class Load(Action):
    """Unlocking."""

    verb = "load-key"

    @writes("dataset.load-key", LoadKey, by_path=("names",), recursive=True)
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Unlock it, with `recursive` also what is below it and opens with the same, and mount all that."""
        return {"names": [named(name)["name"]]}


class Unload(Action):
    """Locking."""

    verb = "unload-key"

    @writes("dataset.unload-key", UnloadKey, by_path=("name",), recursive=True)
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Unmount it and lock it, with `recursive` also what is below it and has its own key."""
        return named(name)


class Change(Action):
    """Another key."""

    verb = "change-key"

    @writes("dataset.change-key", ChangeKey, by_path=("name",))
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Give it another passphrase or key, or let it open with the dataset above it."""
        return named(name)


class Try(Action):
    """Trying a key."""

    verb = "test-key"

    @writes("dataset.test-key", TestKey, by_path=("name",))
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Find out whether a passphrase or key is the right one. The job fails where it is not."""
        return named(name)
