"""person.create: somebody who may use shares."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import msgspec

from host.commands.closed import AnyCommand
from host.commands.shares.accounts import (
    AddPerson,
    DisableInSamba,
    RemoveFromSamba,
    RemovePerson,
    SetSambaExpiry,
    SetSambaPassword,
)
from host.inventory import Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from shares.people.names import Names, NameText, check_full_name, check_groups, check_new_name
from shares.people.numbers import next_uid
from shares.people.password import Password
from shares.people.reporting import check_day, check_samba, warn_of_many_groups
from shares.wording import everyone_like, named, open_to


class CreatePerson(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Create a person. Without a `password` they cannot sign in yet.

    `expires` is the first day, in UTC, on which they are shut out; null for never.
    """

    name: NameText
    full_name: NameText = ""
    groups: Names = ()
    password: Password | None = None
    disabled: bool = False
    expires: date | None = None


def plan(request: CreatePerson, inventory: Inventory) -> Plan:
    """Raises `Refused` with all that is wrong with the name, the groups or the day."""
    findings = Findings()
    check_new_name(request.name, inventory.accounts, findings)
    check_full_name(request.full_name, findings)
    check_groups(request.groups, inventory.accounts, findings)
    check_day(request.expires, inventory, findings)
    if request.password is not None:
        check_samba("password", inventory, findings)
    else:
        _check_no_password(request, findings)
    uid = next_uid(inventory.accounts, findings)
    findings.refuse_on_error()
    warn_of_many_groups(request.groups, findings)
    findings.info("number", "name", f"Files that they create belong to UID {uid}.")
    account = AddPerson(name=request.name, uid=uid, full_name=request.full_name, groups=request.groups)
    in_samba = tuple(_in_samba(request))
    step = Step(
        title=f"Create {request.name}" + (" with a password" if in_samba else ""),
        commands=(account, *in_samba),
        # Not where the account itself could not be made: then one of that name came from elsewhere.
        undo=(RemoveFromSamba(name=request.name), RemovePerson(name=request.name)) if in_samba else (),
    )
    return Plan(
        operation="person.create",
        steps=(step,),
        summary=_summary(request, inventory),
        findings=findings.all(),
        claims=(f"person:{request.name}", f"uid:{uid}", *(f"group:{name}" for name in request.groups)),
    )


def _summary(request: CreatePerson, inventory: Inventory) -> str:
    name, day = request.name, request.expires
    groups = f" and joins {named('group', request.groups)}" if request.groups else ""
    account = f"{name} gets an account for the shares{groups}"
    if request.password is None:
        return f"{account}, but cannot sign in until a password is set."
    if request.disabled:
        return f"{account}, but cannot sign in until the account is enabled."
    if day is not None and day.isoformat() <= inventory.as_of[:10]:
        return f"{account}, but cannot sign in, because the account expired on {day}."
    until = f" until {day}" if day else ""
    shares = open_to(everyone_like(name, request.groups), inventory)
    if not shares:
        return f"{account}. The password is valid at once{until}, but no share lets {name} in yet."
    return f"{account}. With this password {name} can use {named('share', shares)} at once{until}."


def _check_no_password(request: CreatePerson, findings: Findings) -> None:
    for field, given in (("disabled", request.disabled), ("expires", request.expires)):
        if given:
            message = "Samba stores this with the password. Set a password too, or leave this out."
            findings.error("no-password", field, message)
    findings.info(
        "no-password", "password", "Without a password, this person cannot sign in to any share yet."
    )


def _in_samba(request: CreatePerson) -> Iterator[AnyCommand]:
    if request.password is None:
        return
    yield SetSambaPassword(name=request.name, secret=request.password)
    yield SetSambaExpiry(name=request.name, day=request.expires)
    if request.disabled:
        yield DisableInSamba(name=request.name)
