"""`pools/{name}/…`: what is done with the members of a pool."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework.request import Request

from jobs.api.operations import writes
from jobs.api.views import View, found, inventory_now
from pools.members.add import AddVdevs
from pools.members.attach import AttachDisk
from pools.members.clear import ClearPool
from pools.members.detach import DetachMember
from pools.members.expand import ExpandPool
from pools.members.offline import OfflineMember
from pools.members.online import OnlineMember
from pools.members.remove import RemoveVdev
from pools.members.replace import ReplaceMember


class Clear(View):
    """Clear of one pool."""

    area = "pools"

    @writes("pool.clear", ClearPool, by_path=("name",))
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Set error counters back, and let what failed or is suspended try again."""
        return _named(name)


class Add(View):
    """Add of one pool."""

    area = "pools"

    @writes("pool.add", AddVdevs, by_path=("name",))
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Add vdevs of any role."""
        return _named(name)


class Attach(View):
    """Attach of one pool."""

    area = "pools"

    @writes("pool.attach", AttachDisk, by_path=("name",))
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Make a mirror, or a mirror or raidz wider."""
        return _named(name)


class Detach(View):
    """Detach of one pool."""

    area = "pools"

    @writes("pool.detach", DetachMember, by_path=("name",))
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Take a disk out of a mirror, a replacement or a spare in use."""
        return _named(name)


class Replace(View):
    """Replace of one pool."""

    area = "pools"

    @writes("pool.replace", ReplaceMember, by_path=("name",))
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Replace a member by another disk or by a spare. A healthy one only with its guid in `confirm`."""
        return _named(name)


class Offline(View):
    """Offline of one pool."""

    area = "pools"

    @writes("pool.offline", OfflineMember, by_path=("name",))
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Let a member rest."""
        return _named(name)


class Online(View):
    """Online of one pool."""

    area = "pools"

    @writes("pool.online", OnlineMember, by_path=("name",))
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Use a member again."""
        return _named(name)


class Remove(View):
    """Remove of one pool."""

    area = "pools"

    @writes("pool.remove", RemoveVdev, by_path=("name",))
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Take a whole vdev out of the pool, or call that off."""
        return _named(name)


class Expand(View):
    """Expand of one pool."""

    area = "pools"

    @writes("pool.expand", ExpandPool, by_path=("name",))
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Use the space by which disks have grown."""
        return _named(name)


def _named(name: str) -> Mapping[str, Any]:
    return {"name": found(inventory_now().pool(name), "pool").name}
