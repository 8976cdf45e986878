"""group.delete: delete a group of people."""

from __future__ import annotations

import msgspec

from host.commands.shares.accounts import RemoveGroup
from host.inventory import Group, Inventory
from jobs.plan import Loss, Plan, Step
from jobs.planning.findings import Findings
from jobs.wording import counted
from shares import stored
from shares.people.change_group import found_group
from shares.people.leaving import with_shares, without
from shares.people.names import NameText, listed


class DeleteGroup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Delete a group. Its members and files stay."""

    name: NameText


def plan(request: DeleteGroup, inventory: Inventory) -> Plan:
    """Raises `Refused` for a group that is not there."""
    findings = Findings()
    group = found_group(request.name, inventory, findings)
    message = f"Files of {group.name} stay, under GID {group.gid}. Its members stay."
    findings.info("files-stay", "name", message)
    members = f", with {listed(group.members)} in it" if group.members else ", with nobody in it"
    loss = Loss(account=group.name, holds=f"group, number {group.gid}{members}")
    plan = Plan(
        operation="group.delete",
        steps=(
            Step(
                title=f"Delete the group {group.name}",
                commands=(RemoveGroup(name=group.name),),
                destroys=(loss,),
            ),
        ),
        summary=_summary(group),
        findings=findings.all(),
        claims=(f"group:{group.name}", *(f"person:{name}" for name in group.members)),
        confirm=group.name,
    )
    return with_shares(plan, f"@{group.name}", inventory)


def _summary(group: Group) -> str:
    count = len(group.members)
    its = f"its {counted(count, 'member')} keep{'s' if count == 1 else ''}"
    members = f"; {its} {'an account' if count == 1 else 'their accounts'}" if count else ""
    access = f"Its files stay, under GID {group.gid}; whoever has access only through it loses that access."
    return f"The group {group.name} is deleted for good{members}. {access}"


def remember(request: DeleteGroup, inventory: Inventory, _actor: str) -> None:
    """Shares name it no longer."""
    stored.keep(without(f"@{request.name}", inventory))
