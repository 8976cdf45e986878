"""group.change: who is in a group."""

from __future__ import annotations

import msgspec

from host.commands.shares.accounts import SetMembers
from host.inventory import Group, Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from shares.people.create_group import Members
from shares.people.leaving import naming
from shares.people.names import NameText, check_members, listed
from shares.wording import OPEN_CONNECTIONS, named, people


class ChangeGroup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Make these people the members of a group, and no others."""

    name: NameText
    members: Members


def plan(request: ChangeGroup, inventory: Inventory) -> Plan:
    """Raises `Refused` for a group or people who are not there, and where nothing would change."""
    findings = Findings()
    group = found_group(request.name, inventory, findings)
    check_members(request.members, inventory.accounts, findings)
    findings.refuse_on_error()
    # Accounts that are no people of the shares were put in by hand, and are left in.
    others = tuple(name for name in group.members if inventory.accounts.person(name) is None)
    before = {name for name in group.members if name not in others}
    joins = sorted(set(request.members) - before)
    leaves = sorted(before - set(request.members))
    if not joins and not leaves:
        findings.refuse("nothing-changes", "members", f"{group.name} already has exactly these members.")
    for field, names in (("joins", joins), ("leaves", leaves)):
        if names:
            findings.info(field, "members", f"{'In' if field == 'joins' else 'Out'}: {listed(names)}.")
    message = "People who are connected now keep their old groups until they connect again."
    findings.info("next-sign-in", "members", message)
    if others:
        message = f"{listed(others)} are system accounts and stay in the group."
        findings.info("others-stay", "members", message)
    command = SetMembers(group=group.name, members=tuple(sorted({*others, *request.members})))
    return Plan(
        operation="group.change",
        steps=(Step(title=f"Change the members of {group.name}", commands=(command,)),),
        summary=_summary(group.name, joins, leaves, inventory),
        findings=findings.all(),
        claims=(f"group:{group.name}", *(f"person:{name}" for name in (*joins, *leaves))),
    )


def _summary(name: str, joins: list[str], leaves: list[str], inventory: Inventory) -> str:
    words = [f"gains {people(joins)}"] if joins else []
    words += [f"loses {people(leaves)}"] if leaves else []
    shares = [one.name for one in naming(f"@{name}", inventory)]
    reach = f"It gives access to {named('share', shares)}." if shares else "No share names it."
    return f"The group {name} {' and '.join(words)}. {reach} {OPEN_CONNECTIONS}"


def found_group(name: str, inventory: Inventory, findings: Findings) -> Group:
    """The group of that name. Raises `Refused`."""
    group = inventory.accounts.group(name)
    if group is None:
        findings.refuse("unknown-group", "name", "There is no group of that name.")
    return group
