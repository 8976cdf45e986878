"""`groups/`: groups of the people who use the shares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from host.inventory import Group
from jobs.api import paging
from jobs.api.document import PAGING, describe
from jobs.api.operations import writes
from jobs.api.views import View, found, inventory_now
from shares.api.shapes import GroupAnswer, GroupPage
from shares.people.change_group import ChangeGroup
from shares.people.create_group import CreateGroup
from shares.people.delete_group import DeleteGroup


class Groups(View):
    """All groups."""

    area = "shares"

    @describe("list_groups", {200: GroupPage}, parameters=PAGING)
    def get(self, request: Request) -> Response:
        """A page of groups."""
        inventory = inventory_now()
        return paging.of_values(
            request,
            inventory.accounts.groups,
            key=lambda group: group.name,
            show=lambda group: _group(group, inventory.as_of),
            as_of=inventory.as_of,
        )

    @writes("group.create", CreateGroup)
    def post(self, request: Request) -> Mapping[str, Any]:
        """Create a group."""
        return {}


class OneGroup(View):
    """One group."""

    area = "shares"

    @describe("get_group", {200: GroupAnswer})
    def get(self, request: Request, name: str) -> Response:
        """The group with its members."""
        inventory = inventory_now()
        return Response(_group(found(inventory.accounts.group(name), "group"), inventory.as_of))

    @writes("group.change", ChangeGroup, by_path=("name",))
    def patch(self, request: Request, name: str) -> Mapping[str, Any]:
        """Make these people its members, and no others."""
        return _named(name)

    @writes("group.delete", DeleteGroup, by_path=("name",))
    def delete(self, request: Request, name: str) -> Mapping[str, Any]:
        """Delete the group; its members and files stay."""
        return _named(name)


def _named(name: str) -> Mapping[str, Any]:
    return {"name": found(inventory_now().accounts.group(name), "group").name}


def _group(group: Group, as_of: str) -> GroupAnswer:
    return GroupAnswer(name=group.name, gid=group.gid, members=group.members, as_of=as_of)
