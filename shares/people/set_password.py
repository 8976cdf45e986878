"""person.password: the password by which somebody signs in to shares."""

from __future__ import annotations

import msgspec

from host.commands.closed import AnyCommand
from host.commands.shares.accounts import DisableInSamba, SetSambaExpiry, SetSambaPassword
from host.inventory import Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from shares.people.names import NameText, found_person
from shares.people.password import Password
from shares.people.reporting import check_samba
from shares.wording import OPEN_CONNECTIONS


class SetPassword(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Give somebody a password, their first one or another."""

    name: NameText
    password: Password


def plan(request: SetPassword, inventory: Inventory) -> Plan:
    """Raises `Refused` for a person who is not there, and without Samba."""
    findings = Findings()
    person = found_person(request.name, inventory, findings)
    check_samba("password", inventory, findings)
    findings.refuse_on_error()
    commands: list[AnyCommand] = [SetSambaPassword(name=person.name, secret=request.password)]
    name = person.name
    if person.samba == "none":
        summary = f"{name} gets a first password and can sign in to shares with it immediately."
        # Of itself Samba lets a new account end in 2036.
        commands.append(SetSambaExpiry(name=person.name))
        findings.info("may-sign-in", "password", f"{person.name} can sign in with it immediately.")
    elif person.samba == "disabled":
        summary = f"{name} gets a new password, but stays disabled and cannot sign in until enabled."
        # A password enables whoever had been disabled.
        commands.append(DisableInSamba(name=person.name))
        findings.info("stays-disabled", "password", f"{person.name} is disabled, and stays disabled.")
    else:
        summary = f"{name} gets a new password, and the old one no longer works. {OPEN_CONNECTIONS}"
        message = "A connection that is open now stays open. The next one needs the new password."
        findings.info("stays-connected", "password", message)
    return Plan(
        operation="person.password",
        steps=(Step(title=f"Set the password of {person.name}", commands=tuple(commands)),),
        summary=summary,
        findings=findings.all(),
        claims=(f"person:{person.name}",),
    )
