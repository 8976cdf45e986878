"""What an operation is, and where the table of all of them is found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

import msgspec
from django.conf import settings
from django.utils.module_loading import import_string

from host.base import Host
from host.inventory import Inventory
from jobs.plan import Plan


def no_snapshots(_request: Any) -> tuple[str, ...]:
    """For operations whose plan looks at no snapshot."""
    return ()


def nothing_to_remember(_request: Any, _inventory: Inventory, _actor: str) -> None:
    """For operations that change the machine alone."""


class Operation(msgspec.Struct, frozen=True, kw_only=True):
    """One thing a user can ask for.

    `plan` is pure: it returns a `Plan` or raises `jobs.plan.Refused` with every finding.
    `snapshots` names the datasets (with all below them) whose snapshots the plan must know.
    `remember` writes what only the database knows, in one transaction once all steps have succeeded; it is
    given the request, the inventory that the plan was made from and who submitted it.
    """

    name: str  # dotted, such as pool.create
    request: type[msgspec.Struct]
    plan: Callable[[Any, Inventory], Plan]
    scope: str  # what the submitter must be allowed, such as pools:write
    snapshots: Callable[[Any], tuple[str, ...]] = no_snapshots
    remember: Callable[[Any, Inventory, str], None] = nothing_to_remember


class UnknownOperation(LookupError):
    """No operation of that name."""


def operations() -> Mapping[str, Operation]:
    """The table that `nasweb` composes."""
    return cast("Mapping[str, Operation]", import_string(settings.NASWEB_OPERATIONS))


def operation(name: str) -> Operation:
    """The operation called `name`. Raises `UnknownOperation`."""
    try:
        return operations()[name]
    except KeyError:
        raise UnknownOperation(name) from None


def the_host() -> Host:
    """The machine this installation manages. Only the worker may ask for it."""
    return cast("Host", import_string(settings.NASWEB_HOST_FACTORY)())


def take_inventory(host: Host) -> Inventory:
    """A fresh inventory with the disks in their bays."""
    return cast("Inventory", import_string(settings.NASWEB_TAKE_INVENTORY)(host))
