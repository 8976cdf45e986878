"""machine.set-name: what the machine is called in its network."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from host.commands import AnyCommand, PlaceHosts, ReloadService, SetHostname, StageHosts
from host.commands.naming import HOSTS
from host.inventory import Inventory
from jobs.findings import Findings
from jobs.plan import Plan, Step
from machine.naming.names import LONGEST_NETBIOS, hosts_with, name_fault

CLAIM = "machine:name"


class SetName(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Call the machine `name`: one label without a domain, such as nas."""

    name: Annotated[str, Meta(max_length=300)]


def plan(request: SetName, inventory: Inventory) -> Plan:
    """Raises `Refused` for a name that no machine can have, or where it has it already."""
    findings = Findings()
    now = inventory.naming
    if fault := name_fault(request.name):
        findings.refuse("bad-name", "name", fault)
    if request.name == now.name == now.kept:
        findings.refuse("nothing-changes", "name", "That is its name already.")
    _warn(request.name, inventory, findings)
    return Plan(
        operation="machine.set-name",
        steps=(_step(request.name, inventory),),
        findings=findings.all(),
        claims=(CLAIM,),
    )


def _step(name: str, inventory: Inventory) -> Step:
    now = inventory.naming
    hosts = hosts_with(now.hosts, old=now.kept, new=name)
    forward: list[AnyCommand] = [SetHostname(name=name)]
    back: list[AnyCommand] = [SetHostname(name=now.kept)] if now.kept else []
    if hosts != now.hosts:
        forward = [StageHosts(text=hosts), *forward, PlaceHosts()]
        back += [StageHosts(text=now.hosts), PlaceHosts()]
    if inventory.served.services.get("avahi-daemon") == "active":
        # It reads the name once, when it starts.
        told = ReloadService(service="avahi-daemon", how="restart")
        forward, back = [*forward, told], [*back, told]
    return Step(title=f"Call the machine {name}", commands=tuple(forward), undo=tuple(back))


def _warn(name: str, inventory: Inventory, findings: Findings) -> None:
    now = inventory.naming
    if name != now.name:
        message = f"The console is at https://{name}.local/ then, and no longer at https://{now.name}.local/."
        findings.warning("address-changes", "name", message)
    if inventory.sharing.smb or inventory.sharing.nfs:
        called = "" if inventory.sharing.settings.name else f" In SMB it is {name[:LONGEST_NETBIOS].upper()}."
        message = f"Who connects to shares by the name {now.name} has to use {name} from then on.{called}"
        findings.warning("clients-use-name", "name", message)
    if len(name) > LONGEST_NETBIOS and not inventory.sharing.settings.name:
        short = name[:LONGEST_NETBIOS].strip("-").upper()
        message = f"Windows knows names of {LONGEST_NETBIOS} characters: it shows the machine as {short}."
        findings.warning("cut-in-smb", "name", message)
    if hosts_with(now.hosts, old=now.kept, new=name) == now.hosts and now.kept in now.hosts.split():
        message = f"{HOSTS} names {now.kept} in a line that is not Debian's own; it is left as it is."
        findings.info("hosts-stay", "name", message)
    message = "The certificate keeps the old name: a browser that made an exception for it asks again."
    findings.info("certificate-stays", "name", message)
