"""machine.first-start: from a new machine to a shared folder, in one plan and one job.

Each part is planned by the operation that it is, on the machine as it will be after the parts before it, so
that no rule stands here. The worker plans all of it again before the first step, as for every operation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta

from host.commands.closed import AnyCommand
from host.commands.naming import MakeCertificate
from host.inventory import Inventory, Person
from jobs.operation import Effect, Operation
from jobs.plan import Finding, Plan, Refused, Step
from jobs.planning.findings import fault
from jobs.wording import Data, Link, Losses, Wording, at, counted
from machine.naming.set_name import SetName
from machine.naming.set_time_zone import ChangeTimeZone
from nasweb.expected import after, with_person, with_pool
from pools.create_pool import CreatePool
from pools.links import POOL_PAGE
from shares.links import CONNECT, OPEN_PERSON
from shares.people.create_person import CreatePerson
from shares.share_folder import ShareFolder
from shares.wording import UNDISTURBED

NAME = "machine.first-start"
_NAME, _ZONE, _POOL = "machine.set-name", "machine.set-time-zone", "pool.create"
_PERSON, _FOLDER = "person.create", "folder.share"
PARTS = (_NAME, _ZONE, _POOL, _PERSON, _FOLDER)

Rows = Mapping[str, Operation[Any]]


class FirstStart(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Set up a new NAS at once: its name, its time zone, a pool, somebody who uses it, and a shared folder.

    Each part takes what its own endpoint takes. What is left out is left as it is.
    """

    name: Annotated[str, Meta(max_length=300)] | None = None
    time_zone: Annotated[str, Meta(max_length=100)] | None = None
    pool: CreatePool | None = None
    person: CreatePerson | None = None
    folder: ShareFolder | None = None


class _Part(NamedTuple):
    """A part of the request; `path` leads to its fields, and is empty where the field is our own."""

    path: str
    row: Operation[Any]
    request: Any


class _Planned(NamedTuple):
    """A part, the machine that it finds, and its plan or why there is none."""

    part: _Part
    inventory: Inventory
    plan: Plan | Refused


def first_start_of(rows: Rows) -> Operation[FirstStart]:
    """The row, made of those of its parts."""
    return Operation(
        name=NAME,
        request=FirstStart,
        plan=partial(plan, rows=rows),
        scope="system:write",
        effect=_effect,
        also_needs=partial(also_needs, rows=rows),
        facts=frozenset().union(*(rows[name].facts for name in PARTS)),
        remember=partial(remember, rows=rows),
        wording=Wording(
            title="Set up this NAS",
            page=at("Set up this NAS", "/welcome/start/"),
            result=_result,
            button=_button,
            editable=True,
        ),
    )


def plan(request: FirstStart, inventory: Inventory, *, rows: Rows) -> Plan:
    """Raises `Refused` with all that is wrong with any part."""
    found = tuple(_planned(request, inventory, rows))
    if not found:
        message = "Nothing is asked for. Give a name, a time zone, a pool, a person or a folder."
        raise Refused((fault("nothing-asked", "", message),))
    if any(isinstance(one.plan, Refused) for one in found):
        raise Refused(tuple(_faults(request, found)))
    plans = {one.part.row.name: one.plan for one in found if isinstance(one.plan, Plan)}
    return Plan(
        operation=NAME,
        steps=_in_order(step for one in plans.values() for step in one.steps),
        summary=_summary(request, plans),
        takes=next((one.takes for one in plans.values() if one.takes), ""),
        findings=tuple(finding for one in found for finding in _findings(one)),
        claims=tuple(dict.fromkeys(claim for one in plans.values() for claim in one.claims)),
        confirm=next((one.confirm for one in plans.values() if one.confirm), None),
    )


def also_needs(request: FirstStart, *, rows: Rows) -> tuple[str, ...]:
    """All that the parts need."""
    parts = tuple(_parts(request, rows))
    scopes = (scope for part in parts for scope in (part.row.scope, *part.row.also_needs(part.request)))
    return tuple(dict.fromkeys(scopes))


def remember(request: FirstStart, inventory: Inventory, actor: str, *, rows: Rows) -> None:
    """Write what each part writes."""
    for one in _planned(request, inventory, rows):
        one.part.row.remember(one.part.request, one.inventory, actor)


def _parts(request: FirstStart, rows: Rows) -> Iterator[_Part]:
    if request.name is not None:
        yield _Part("", rows[_NAME], SetName(name=request.name))
    if request.time_zone is not None:
        yield _Part("", rows[_ZONE], ChangeTimeZone(time_zone=request.time_zone))
    if request.pool is not None:
        yield _Part("pool", rows[_POOL], request.pool)
    if request.person is not None:
        yield _Part("person", rows[_PERSON], request.person)
    if request.folder is not None:
        yield _Part("folder", rows[_FOLDER], request.folder)


def _planned(request: FirstStart, inventory: Inventory, rows: Rows) -> Iterator[_Planned]:
    for part in _parts(request, rows):
        try:
            found: Plan | Refused = part.row.plan(part.request, inventory)
        except Refused as refused:
            found = refused
        yield _Planned(part, inventory, found)
        if isinstance(found, Plan):
            inventory = after(inventory, _commands(found))
        else:
            inventory = _supposed(part.request, inventory)


def _commands(planned: Plan) -> Iterator[AnyCommand]:
    return (command for step in planned.steps for command in step.commands)


def _supposed(request: Any, inventory: Inventory) -> Inventory:
    """As if a refused part had been done: those behind it are judged by their own faults alone."""
    match request:
        case CreatePool(name=name):
            return with_pool(inventory, name, f"/mnt/{name}")
        case CreatePerson(name=name):
            return with_person(inventory, Person(name=name, uid=0, samba="enabled"))
    return inventory


def _faults(request: FirstStart, found: tuple[_Planned, ...]) -> Iterator[Finding]:
    everything = [finding for one in found for finding in _findings(one)]
    misnamed = any(one.field == "pool.name" and one.level == "error" for one in everything)
    for finding in everything:
        # A folder in a pool that cannot have its name has an impossible path: that is said once.
        if not (finding.field == "folder.dataset" and misnamed and _is_in_new_pool(request)):
            yield finding


def _is_in_new_pool(request: FirstStart) -> bool:
    pool, folder = request.pool, request.folder
    return bool(pool and folder and folder.dataset.startswith(f"{pool.name}/"))


def _findings(one: _Planned) -> Iterator[Finding]:
    """Those of a part, with the paths that its fields have in the whole request."""
    for finding in one.plan.findings:
        field = ".".join(filter(None, (one.part.path, finding.field)))
        yield msgspec.structs.replace(finding, field=field)


def _in_order(steps: Iterator[Step]) -> tuple[Step, ...]:
    """With the new certificate last: browsers that see it lose sight of the job until it is accepted, and
    nothing else may fail because it could not be made."""
    found = tuple(steps)
    last = [step for step in found if any(isinstance(one, MakeCertificate) for one in step.commands)]
    return (*(step for step in found if step not in last), *last)


def _summary(request: FirstStart, plans: Mapping[str, Plan]) -> str:
    """In a sentence each: what the machine is called and where, its pool, and who finds which folder."""
    name = f"is called {request.name}" if request.name is not None else ""
    zone = f"is set to the time zone {request.time_zone}" if request.time_zone is not None else ""
    machine = " and ".join(filter(None, (name, zone)))
    pool, person, folder = (plans[part].summary if part in plans else "" for part in PARTS[2:])
    folder = folder.removesuffix(f" {UNDISTURBED}")  # which goes without saying where nobody could be yet
    if request.person is not None and folder:
        can = "" if request.person.password is not None else ", without a password yet"
        person, folder = "", f"{request.person.name} gets an account for the shares{can}, and {folder}"
    return " ".join(filter(None, (f"The NAS {machine}." if machine else "", pool, person, folder)))


def _effect(data: Data) -> Effect:
    return "destroys" if data.get("pool") else "changes"


def _button(_data: Data, losses: Losses) -> str:
    disks = sum("disk" in loss for loss in losses)
    return "Set up this NAS" + (f", erase {counted(disks, 'disk')}" if disks else "")


def _result(data: Data) -> Link:
    """The page of the last thing that was made, as far as that is one to use."""
    for part, page in (("folder", CONNECT), ("person", OPEN_PERSON), ("pool", POOL_PAGE)):
        made = data.get(part)
        if isinstance(made, Mapping) and isinstance(made.get("name"), str):
            return page(made)
    return Link("Setup", "/welcome/")
