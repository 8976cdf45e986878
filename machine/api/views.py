"""`system/settings/` and `network/`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from jobs.api.document import describe
from jobs.api.operations import writes
from jobs.api.views import View, found, inventory_now
from machine.answers import (
    InterfaceAnswer,
    NetworkAnswer,
    SettingsAnswer,
    interface_answer,
    network_answer,
    settings_answer,
)
from machine.naming.set_name import SetName
from machine.naming.set_time_zone import ChangeTimeZone
from machine.network.confirm import ConfirmChange, RevertChange
from machine.network.set_network import SetNetwork


class Settings(View):
    """Name and clock."""

    area = "system"

    @describe("get_settings", {200: SettingsAnswer})
    def get(self, request: Request) -> Response:
        """What the machine is called, and its clock."""
        return Response(settings_answer(inventory_now()))


class Name(View):
    """The machine's name."""

    area = "system"

    @writes("machine.set-name", SetName)
    def put(self, request: Request) -> Mapping[str, Any]:
        """Rename the machine."""
        return {}


class TimeZone(View):
    """The machine's time zone."""

    area = "system"

    @writes("machine.set-time-zone", ChangeTimeZone)
    def put(self, request: Request) -> Mapping[str, Any]:
        """Set another time zone."""
        return {}


class WholeNetwork(View):
    """All interfaces."""

    area = "system"

    @describe("get_network", {200: NetworkAnswer})
    def get(self, request: Request) -> Response:
        """The interfaces, and whether a change waits to be confirmed."""
        return Response(network_answer(inventory_now()))


class OneInterface(View):
    """One interface."""

    area = "system"

    @describe("get_interface", {200: InterfaceAnswer})
    def get(self, request: Request, interface: str) -> Response:
        """What it has, and how it is set up."""
        inventory = inventory_now()
        one = found(inventory.network.interface(interface), "interface")
        return Response(interface_answer(one, inventory))

    @writes("network.set", SetNetwork, by_path=("interface",))
    def put(self, request: Request, interface: str) -> Mapping[str, Any]:
        """Set it up. Unless `network/confirm/` is called within 60 s, it is taken back."""
        return {"interface": found(inventory_now().network.interface(interface), "interface").name}


class Confirm(View):
    """Confirms the change that waits."""

    area = "system"

    @writes("network.confirm", ConfirmChange)
    def post(self, request: Request) -> Mapping[str, Any]:
        """Keep the last change. Calling it under the new address proves that this works."""
        return {}


class Revert(View):
    """Reverts the change that waits."""

    area = "system"

    @writes("network.revert", RevertChange)
    def post(self, request: Request) -> Mapping[str, Any]:
        """Revert the last change now."""
        return {}
