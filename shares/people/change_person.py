"""person.change: a person's full name, groups, and whether and until when they may sign in."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import msgspec
from msgspec import UNSET, UnsetType

from host.commands.closed import AnyCommand
from host.commands.shares.accounts import (
    ChangePerson,
    DisableInSamba,
    EnableInSamba,
    JoinGroup,
    LeaveGroup,
    SetSambaExpiry,
)
from host.inventory import Inventory, Person
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.wording import listed
from shares.people.names import Names, NameText, check_full_name, check_groups, found_person
from shares.people.reporting import check_day, check_samba, warn_of_many_groups
from shares.wording import OPEN_CONNECTIONS, everyone_like, named, open_to


class ChangeOnePerson(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Change what is given, and leave the rest. `groups` are all that they shall be in.

    `expires` is the first day, in UTC, on which they are shut out; null for never.
    """

    name: NameText
    full_name: NameText | None = None
    groups: Names | None = None
    disabled: bool | None = None
    expires: date | UnsetType | None = UNSET


class _Differing(msgspec.Struct, frozen=True, kw_only=True):
    """What of a request is not so already."""

    full_name: str | None = None
    joins: tuple[str, ...] = ()
    leaves: tuple[str, ...] = ()
    disabled: bool | None = None
    expires: date | UnsetType | None = UNSET

    @property
    def of_samba(self) -> tuple[str, ...]:
        """The fields that Samba keeps."""
        given = (("disabled", self.disabled is not None), ("expires", self.expires is not UNSET))
        return tuple(field for field, differs in given if differs)


def plan(request: ChangeOnePerson, inventory: Inventory) -> Plan:
    """Raises `Refused` for a person or group that is not there, and where nothing would change."""
    findings = Findings()
    person = found_person(request.name, inventory, findings)
    check_full_name(request.full_name, findings)
    check_groups(request.groups or (), inventory.accounts, findings)
    differing = _differing(request, person, inventory)
    if isinstance(differing.expires, date):
        check_day(differing.expires, inventory, findings)
    if differing.of_samba:
        _check_known(person, differing, inventory, findings)
    findings.refuse_on_error()
    commands = tuple(_commands(person, differing))
    if not commands:
        findings.refuse(
            "nothing-changes", "", f"{person.name} already has these settings: nothing would change."
        )
    _add_findings(person, request, differing, findings)
    groups = (*differing.joins, *differing.leaves)
    return Plan(
        operation="person.change",
        steps=(Step(title=f"Change {person.name}", commands=commands),),
        summary=_summary(person, differing, inventory),
        findings=findings.all(),
        claims=(f"person:{person.name}", *(f"group:{name}" for name in groups)),
    )


def _summary(person: Person, differing: _Differing, inventory: Inventory) -> str:
    groups = {*person.groups, *differing.joins} - {*differing.leaves}
    before = open_to(everyone_like(person.name, person.groups), inventory)
    after = open_to(everyone_like(person.name, groups), inventory)
    gained, lost = [one for one in after if one not in before], [one for one in before if one not in after]
    words = list(_changes(differing, inventory))
    words += [f"gains access to {named('share', gained)}"] if gained else []
    words += [f"loses access to {named('share', lost)}"] if lost else []
    narrower = differing.leaves or differing.disabled or isinstance(differing.expires, date)
    stay = f" {OPEN_CONNECTIONS}" if narrower or differing.joins else ""
    return f"{person.name} {listed(words, most=len(words))}.{stay}"


def _changes(differing: _Differing, inventory: Inventory) -> Iterator[str]:
    if differing.full_name is not None:
        yield f"has the full name “{differing.full_name}”" if differing.full_name else "has no full name"
    if differing.joins:
        yield f"joins {named('group', differing.joins)}"
    if differing.leaves:
        yield f"leaves {named('group', differing.leaves)}"
    if differing.disabled is not None:
        yield "can no longer sign in to shares" if differing.disabled else "can sign in to shares again"
    if differing.expires is None:
        yield "has an account that never expires"
    elif isinstance(differing.expires, date):
        ended = differing.expires.isoformat() <= inventory.as_of[:10]
        yield f"has an account that expire{'d' if ended else 's'} on {differing.expires}"


def _differing(request: ChangeOnePerson, person: Person, inventory: Inventory) -> _Differing:
    """Groups of the system that somebody was put into by hand are left as they are."""
    ours = {group.name for group in inventory.accounts.groups}
    now = tuple(name for name in person.groups if name in ours)
    wanted = now if request.groups is None else request.groups
    expires = None if person.expires is None else date.fromisoformat(person.expires)
    is_disabled = person.samba == "disabled"
    return _Differing(
        full_name=None if request.full_name in {None, person.full_name} else request.full_name,
        joins=tuple(name for name in wanted if name not in now),
        leaves=tuple(name for name in now if name not in wanted),
        disabled=None if request.disabled in {None, is_disabled} else request.disabled,
        expires=UNSET if request.expires == expires else request.expires,
    )


def _check_known(person: Person, differing: _Differing, inventory: Inventory, findings: Findings) -> None:
    check_samba(differing.of_samba[0], inventory, findings)
    if inventory.accounts.samba_answers and person.samba == "none":
        message = f"{person.name} has no password and so cannot sign in anyway. Set a password first."
        findings.error("no-password", differing.of_samba[0], message)


def _commands(person: Person, differing: _Differing) -> Iterator[AnyCommand]:
    if differing.full_name is not None:
        yield ChangePerson(name=person.name, full_name=differing.full_name)
    for name in differing.joins:
        yield JoinGroup(group=name, person=person.name)
    for name in differing.leaves:
        yield LeaveGroup(group=name, person=person.name)
    if not isinstance(differing.expires, UnsetType):
        yield SetSambaExpiry(name=person.name, day=differing.expires)
    if differing.disabled is not None:
        yield (DisableInSamba if differing.disabled else EnableInSamba)(name=person.name)


def _add_findings(
    person: Person, request: ChangeOnePerson, differing: _Differing, findings: Findings
) -> None:
    if differing.disabled:
        message = (
            f"{person.name} cannot sign in any more. A connection that is open now stays open: disconnect "
            "it under Shares, Connections."
        )
        findings.warning("stays-connected", "disabled", message)
    if differing.joins or differing.leaves:
        message = "People who are connected now keep their old groups until they connect again."
        findings.info("next-sign-in", "groups", message)
    warn_of_many_groups(request.groups or (), findings)
