"""What an operation is, and where the table of all of them is found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

import msgspec
from django.conf import settings
from django.utils.module_loading import import_string

from host.base import Host
from host.families import EVERYTHING, Families
from host.inventory import Inventory
from jobs.plan import Plan


class WantedSnapshots(msgspec.Struct, frozen=True, kw_only=True):
    """The snapshots that a plan must know: those of `datasets` and of all below, or only some `tags`."""

    datasets: tuple[str, ...] = ()
    everywhere_below: bool = True
    tags: tuple[str, ...] | None = None


def no_snapshots(_request: Any) -> WantedSnapshots:
    """For operations whose plan looks at no snapshot."""
    return WantedSnapshots()


def nothing_to_remember(_request: Any, _inventory: Inventory, _actor: str) -> None:
    """For operations that change the machine alone."""


def nothing_more(_request: Any) -> tuple[str, ...]:
    """For operations that their one scope is enough for."""
    return ()


class Labels(msgspec.Struct, frozen=True, kw_only=True):
    """What a plan must know of pools that are not imported. To read it wakes every disk."""

    losses_of: tuple[str, ...] = ()  # guids of those whose rewind is asked for


def no_labels(_request: Any) -> Labels | None:
    """For operations whose plan looks at imported pools alone."""
    return None


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """A question to the machine whose answer the plan must know; its name is the key in `Inventory.told`."""

    question: str
    data: dict[str, Any]


def no_questions(_request: Any, _inventory: Inventory) -> tuple[Wanted, ...]:
    """For operations whose plan needs the inventory alone."""
    return ()


class Operation(msgspec.Struct, frozen=True, kw_only=True):
    """One thing a user can ask for.

    `plan` is pure: it returns a `Plan` or raises `jobs.plan.Refused` with every finding.
    `snapshots` tells which snapshots the plan must know: `WantedSnapshots`, or just the names of datasets,
    which stand for all snapshots of those and of what is below them.
    `labels` tells what it must know of pools that are not imported, if anything.
    `also_needs` are scopes that just this request needs beside `scope`.
    `asks` tells which questions (`jobs.questions`) are answered into the inventory before.
    `remember` writes what only the database knows, in one transaction once all steps have succeeded; it is
    given the request, the inventory that the plan was made from and who submitted it.
    `names_files`: its request, commands and output name people's files (`jobs.withheld`).
    `needs` are the families of facts that all of these read of an inventory: the worker reads them anew
    before it plans again, and the rest is as of the last seconds.
    `routine`: done by the clock many times a day. Where it went well and destroyed nothing the audit log does
    not tell of it; lists of jobs fold it, and it is forgotten after a week (`jobs.routine`).
    """

    name: str  # dotted, such as pool.create
    request: type[msgspec.Struct]
    plan: Callable[[Any, Inventory], Plan]
    scope: str  # what the submitter must be allowed, such as pools:write
    also_needs: Callable[[Any], tuple[str, ...]] = nothing_more
    snapshots: Callable[[Any], WantedSnapshots | tuple[str, ...]] = no_snapshots
    labels: Callable[[Any], Labels | None] = no_labels
    asks: Callable[[Any, Inventory], tuple[Wanted, ...]] = no_questions
    remember: Callable[[Any, Inventory, str], None] = nothing_to_remember
    names_files: bool = False
    needs: Families = EVERYTHING
    routine: bool = False

    def wants(self, request: Any) -> WantedSnapshots:
        """The snapshots that the plan of `request` must know."""
        wanted = self.snapshots(request)
        return wanted if isinstance(wanted, WantedSnapshots) else WantedSnapshots(datasets=wanted)


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


def take_inventory(host: Host, fresh: Families = EVERYTHING) -> Inventory:
    """An inventory with the disks in their bays, of which `fresh` is read now. Raises `HostError`."""
    return cast("Inventory", import_string(settings.NASWEB_TAKE_INVENTORY)(host, fresh))


def forget_facts(touched: Families) -> None:
    """No inventory may tell what was known of `touched` until now."""
    import_string(settings.NASWEB_FORGET_FACTS)(touched)
