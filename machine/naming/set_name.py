"""machine.set-name: what the machine is called in its network."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from host.commands.closed import AnyCommand
from host.commands.naming import HOSTS, MakeCertificate, PlaceHosts, SetHostname, StageHosts
from host.commands.shares.sharing import ReloadService
from host.contents.network import hosts_fault
from host.inventory import Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from machine.naming.names import LONGEST_NETBIOS, hosts_with, name_fault

CLAIM = "machine:name"


class SetName(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Name the machine `name`: one label without a domain, such as nas."""

    name: Annotated[str, Meta(max_length=300)]


def plan(request: SetName, inventory: Inventory) -> Plan:
    """Raises `Refused` for a name that no machine can have, or where it has it already."""
    findings = Findings()
    now = inventory.naming
    if fault := name_fault(request.name):
        findings.refuse("bad-name", "name", fault)
    steps = _certificate(request.name, inventory)
    if request.name == now.name == now.kept:
        # Its certificate may have failed: then that alone is done again.
        if not steps:
            findings.refuse("nothing-changes", "name", "The machine already has this name.")
        _warn_of_certificate(request.name, inventory, findings)
    else:
        if _hosts(request.name, inventory) != now.hosts and (fault := hosts_fault(now.hosts)):
            findings.refuse("bad-file", "", fault)
        _warn(request.name, inventory, findings)
        steps = (_step(request.name, inventory), *steps)
    return Plan(
        operation="machine.set-name",
        steps=steps,
        summary=_summary(request.name, inventory),
        findings=findings.all(),
        claims=(CLAIM,),
    )


def _summary(name: str, inventory: Inventory) -> str:
    now = inventory.naming
    if name == now.name == now.kept:
        sentences = [f"The console gets a new certificate for {name}."]
    elif name == now.name:
        sentences = [f"The name {name} is kept across restarts; until now {now.kept} would have come back."]
    else:
        new = f"The machine is called {name} instead of {now.name}, and the console moves to"
        sentences = [f"{new} https://{name}.local/."]
        if inventory.sharing.smb or inventory.sharing.nfs:
            sentences.append("Open connections to shares stay; new ones must use the new name.")
    if _certificate(name, inventory):
        sentences.append("Browsers ask again whether to trust the console, because its certificate is new.")
    return " ".join(sentences)


def _step(name: str, inventory: Inventory) -> Step:
    now = inventory.naming
    hosts = _hosts(name, inventory)
    forward: list[AnyCommand] = [SetHostname(name=name)]
    back: list[AnyCommand] = [SetHostname(name=now.kept)] if now.kept else []
    if hosts != now.hosts:
        forward = [StageHosts(text=hosts), *forward, PlaceHosts()]
        back += [StageHosts(text=now.hosts), PlaceHosts()]
    if inventory.served.services.get("avahi-daemon") == "active":
        # It reads the name once, when it starts.
        report = ReloadService(service="avahi-daemon", how="restart")
        forward, back = [*forward, report], [*back, report]
    if inventory.served.services.get("wsdd2") == "active":
        # By which Windows finds the machine: it too asks for the name once.
        found = ReloadService(service="wsdd2", how="restart")
        forward, back = [*forward, found], [*back, found]
    return Step(title=f"Name the machine {name}", commands=tuple(forward), undo=tuple(back))


def _hosts(name: str, inventory: Inventory) -> str:
    return hosts_with(inventory.naming.hosts, old=inventory.naming.kept, new=name)


def _certificate(name: str, inventory: Inventory) -> tuple[Step, ...]:
    """A step of its own, the last one: if it fails, the machine has its name and the old certificate."""
    known = inventory.naming.certificate
    if known is None or not known.ours or name in known.names:
        return ()
    made = MakeCertificate(name=name)
    return (Step(title=f"Make a certificate for {name} for the console", commands=(made,)),)


def _warn(name: str, inventory: Inventory, findings: Findings) -> None:
    now = inventory.naming
    if name != now.name:
        message = (
            f"Afterwards the console is at https://{name}.local/, and no longer at https://{now.name}.local/."
        )
        findings.warning("address-changes", "name", message)
    if inventory.sharing.smb or inventory.sharing.nfs:
        called = "" if inventory.sharing.settings.name else f" In SMB it is {name[:LONGEST_NETBIOS].upper()}."
        message = f"Clients that use the name {now.name} for shares have to use {name} from then on.{called}"
        findings.warning("clients-use-name", "name", message)
    if len(name) > LONGEST_NETBIOS and not inventory.sharing.settings.name:
        short = name[:LONGEST_NETBIOS].strip("-").upper()
        message = (
            f"Windows names are limited to {LONGEST_NETBIOS} characters: it shows the machine as {short}."
        )
        findings.warning("cut-in-smb", "name", message)
    if _hosts(name, inventory) == now.hosts and now.kept in now.hosts.split():
        message = f"{HOSTS} names {now.kept} in a line that is not Debian's own; it is left as it is."
        findings.info("hosts-stay", "name", message)
    _warn_of_certificate(name, inventory, findings)


def _warn_of_certificate(name: str, inventory: Inventory, findings: Findings) -> None:
    known = inventory.naming.certificate
    if _certificate(name, inventory):
        message = (
            "The console gets a new certificate for the new name. Every browser with an exception for the "
            "old one asks again, this one while the job runs: then reopen the console."
        )
        findings.warning("certificate-renewed", "name", message)
    elif known is not None and not known.ours:
        named = ", ".join(known.names) or "no name"
        message = f"The console uses your own certificate, for {named}. It stays as it is."
        if not {name, f"{name}.local", "*.local"} & set(known.names):
            message += f" Browsers that know {name}.local by it will warn: replace it when you can."
        findings.info("certificate-stays", "name", message)
