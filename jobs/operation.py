"""What an operation is, and where the table of all of them is found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple, cast

import msgspec
from django.conf import settings
from django.utils.module_loading import import_string

from host.base import Host
from host.families import EVERYTHING, Families
from host.inventory import Inventory
from jobs.needs import Needs
from jobs.plan import Plan
from jobs.wording import Data, Link, Losses, Wording, filled


def nothing_more(_request: Any, _inventory: Inventory) -> Needs:
    """For plans that read the inventory alone."""
    return Needs()


def nothing_to_remember(_request: Any, _inventory: Inventory, _actor: str) -> None:
    """For operations that change the machine alone."""


def one_scope(_request: Any) -> tuple[str, ...]:
    """For operations that their one scope is enough for."""
    return ()


def nothing_comes_back(_request: Any, _inventory: Inventory) -> Mapping[str, str]:
    """For operations that bring no lost dataset back."""
    return {}


def nothing_is_replaced(_request: Any, _inventory: Inventory) -> Mapping[str, str]:
    """For operations after which each dataset is what it was."""
    return {}


type Effect = Literal["harmless", "changes", "destroys"]


class Asked(NamedTuple):
    """An operation to be asked for."""

    operation: str
    data: dict[str, Any]


def no_undo(_data: Data) -> Asked | None:
    """For operations that no other takes back."""
    return None


class Operation[R](msgspec.Struct, frozen=True, kw_only=True):
    """One thing a user can ask for.

    `effect` is the worst that it does: `destroys` where a plan may lose something, `changes` where a service
    stops, the machine restarts or somebody has to think first. What is `harmless` runs at one click in the
    console (`jobs.planning.effects`). A function tells it by the request, where that decides.
    `undo` is the request of another operation that takes a harmless one back; None where nothing has to be.
    `plan` is pure: it returns a `Plan` or raises `jobs.plan.Refused` with every finding.
    `facts` are the families of facts that it and all the others read of an inventory: the worker reads them
    anew before it plans again, and the rest is as of the last seconds.
    `needs` says what else the plan must know, and is given the inventory without it.
    `also_needs` are scopes that just this request needs beside `scope`.
    `remember` writes what only the database knows, in one transaction once all steps have succeeded; it is
    given the request, the inventory that the plan was made from and who submitted it.
    `names_files`: its request, commands and output name people's files (`jobs.withheld`).
    `moves_datasets`: it may unmount, move, rename or destroy some, which their shares follow.
    `replaces`: datasets that others take the place of, by guid: what follows one follows the other from then
    on.
    `brings_back`: datasets that stand for lost ones from then on, by the names of those: their shares are
    the lost ones'.
    `routine`: runs on schedule, often. Where nobody asked for it and it succeeded and destroyed nothing the
    audit log does not mention it; lists of jobs fold it, and it is forgotten after a week (`jobs.routine`).
    `listed`: False of what nobody asks for later, such as a light: lists of jobs fold it once it succeeded.
    """

    name: str  # dotted, such as pool.create
    request: type[R]
    plan: Callable[[R, Inventory], Plan]
    scope: str  # what the submitter must be allowed, such as pools:write
    effect: Effect | Callable[[Data], Effect]
    wording: Wording
    undo: Callable[[Data], Asked | None] = no_undo
    also_needs: Callable[[R], tuple[str, ...]] = one_scope
    facts: Families = EVERYTHING
    needs: Callable[[R, Inventory], Needs] = nothing_more
    remember: Callable[[R, Inventory, str], None] = nothing_to_remember
    names_files: bool = False
    moves_datasets: bool = False
    brings_back: Callable[[R, Inventory], Mapping[str, str]] = nothing_comes_back
    replaces: Callable[[R, Inventory], Mapping[str, str]] = nothing_is_replaced
    routine: bool = False
    listed: bool = True

    def effect_of(self, data: Data) -> Effect:
        """The worst that a request of this operation does."""
        return self.effect if isinstance(self.effect, str) else self.effect(data)

    def title(self, data: Data) -> str:
        """`Create pool tank`; its own name where the request says too little."""
        title = self.wording.title
        return (filled(title, data) if isinstance(title, str) else title(data)) or self.name

    def button(self, data: Data, losses: Losses) -> str:
        """What the button does, with what it erases: `Create tank, erase 2 disks`."""
        return self.wording.button(data, losses) if self.wording.button else self.title(data)

    def result(self, data: Data) -> Link:
        """The page that shows what it made or left."""
        return (self.wording.result or self.wording.page)(data)


class UnknownOperation(LookupError):
    """No operation of that name."""


def operations() -> Mapping[str, Operation[Any]]:
    """The table that `nasweb` composes."""
    return cast("Mapping[str, Operation[Any]]", import_string(settings.NASWEB_OPERATIONS))


def operation(name: str) -> Operation[Any]:
    """The operation called `name`. Raises `UnknownOperation`."""
    try:
        return operations()[name]
    except KeyError:
        raise UnknownOperation(name) from None


def title_of(name: str, data: Data) -> str:
    """What that operation does with `data`; its name where this version has none of that name."""
    known = operations().get(name)
    return known.title(data) if known else name


def result_of(name: str, data: Data) -> Link:
    """The page that shows what it made or left; the overview where this version has none of that name."""
    known = operations().get(name)
    return known.result(data) if known else Link("Overview", "/")


def page_of(name: str, data: Data) -> Link:
    """The page where it is asked for; the overview where this version has none of that name."""
    known = operations().get(name)
    return known.wording.page(data) if known else Link("Overview", "/")


def the_host() -> Host:
    """The machine this installation manages. Only the worker may ask for it."""
    return cast("Host", import_string(settings.NASWEB_HOST_FACTORY)())


def take_inventory(host: Host, fresh: Families = EVERYTHING) -> Inventory:
    """An inventory with the disks in their bays, of which `fresh` is read now. Raises `HostError`."""
    return cast("Inventory", import_string(settings.NASWEB_TAKE_INVENTORY)(host, fresh))


def forget_facts(touched: Families) -> None:
    """No inventory may repeat what was known of `touched` until now."""
    import_string(settings.NASWEB_FORGET_FACTS)(touched)
