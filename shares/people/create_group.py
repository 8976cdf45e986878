"""group.create: a group of people."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from host.commands.shares.accounts import AddGroup, RemoveGroup, SetMembers
from host.inventory import Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from shares.people.names import NameText, check_members, check_new_name, listed
from shares.people.numbers import next_gid
from shares.wording import people

Members = Annotated[tuple[NameText, ...], Meta(max_length=5000)]


class CreateGroup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Create a group, with members or without."""

    name: NameText
    members: Members = ()


def plan(request: CreateGroup, inventory: Inventory) -> Plan:
    """Raises `Refused` with all that is wrong with the name or the members."""
    findings = Findings()
    check_new_name(request.name, inventory.accounts, findings)
    check_members(request.members, inventory.accounts, findings)
    gid = next_gid(inventory.accounts, findings)
    findings.refuse_on_error()
    add = AddGroup(name=request.name, gid=gid)
    fill = SetMembers(group=request.name, members=request.members)
    step = Step(
        title=f"Create the group {request.name}"
        + (f" with {listed(request.members)}" if request.members else ""),
        commands=(add, fill) if request.members else (add,),
        undo=(RemoveGroup(name=request.name),) if request.members else (),
    )
    return Plan(
        operation="group.create",
        steps=(step,),
        summary=_summary(request),
        findings=findings.all(),
        claims=(f"group:{request.name}", f"gid:{gid}", *(f"person:{name}" for name in request.members)),
    )


def _summary(request: CreateGroup) -> str:
    members = people(request.members) or "nobody"
    access = "It gives no access until a share or a folder names it."
    return f"The group {request.name} is created, with {members} in it. {access}"
