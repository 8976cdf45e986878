"""network.set: the addresses of an interface. The change is reverted unless it is confirmed in time."""

from __future__ import annotations

import difflib
import ipaddress
import re
from collections.abc import Iterator
from typing import Annotated

import msgspec
from msgspec import Meta

from host.commands.network import (
    CONFIRM_S,
    ForgetUndone,
    HoldWayBack,
    PlaceNetwork,
    ReconfigureInterface,
    ReloadNetworks,
    RollBackNetwork,
    StageNetwork,
    StageWayBack,
    StartRollbackTimer,
    StopRollbackTimer,
    SyncNetwork,
    network_file,
)
from host.contents.network import kept_fault
from host.inventory import Interface, Inventory
from jobs.plan import FileChange, Plan, Step
from jobs.planning.findings import Findings
from jobs.wording import listed
from machine.network import warnings
from machine.network.rules import check
from machine.network.settings import Addressing, InterfaceSettings, read, render, settings_now

CLAIM = "network:files"
_Text = Annotated[str, Meta(max_length=300)]
_MAC = re.compile(r"[0-9a-f]{2}(?::[0-9a-f]{2}){5}")


class SetNetwork(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Set up `interface`. `dns` and `search`, where given, replace what the network announces."""

    interface: _Text
    ipv4: Addressing = Addressing()
    ipv6: Addressing = Addressing()
    dns: Annotated[tuple[_Text, ...], Meta(max_length=8)] = ()
    search: Annotated[tuple[_Text, ...], Meta(max_length=8)] = ()


def plan(request: SetNetwork, inventory: Inventory) -> Plan:
    """Raises `Refused` with all that is wrong, or where nothing would differ."""
    findings = Findings()
    found = _interface(request.interface, inventory, findings)
    settings = normal(request)
    check(settings, found, inventory, findings)
    text = render(settings, found.mac)
    if text == found.ours:
        findings.error("nothing-changes", "", "These settings are already in place.")
    if found.ours is not None and (fault := kept_fault(found.ours)):
        # It could not be taken back to what it was.
        findings.error("bad-file", "", f"{fault} Correct {network_file(found.mac)} by hand, or delete it.")
    findings.refuse_on_error()
    warnings.add(settings, found, inventory, findings)
    if found.ours is not None and read(found.ours, found.mac) is None:
        path = network_file(found.mac)
        message = f"Somebody changed {path} by hand. The change will be overwritten; the plan shows it."
        findings.warning("drift", "", message)
    return Plan(
        operation="network.set",
        steps=_steps(found, text),
        summary=_summary(settings, found),
        findings=findings.all(),
        claims=(CLAIM,),
    )


def _summary(settings: InterfaceSettings, found: Interface) -> str:
    changes = "; it ".join(_changes(settings, settings_now(found)))
    going = warnings.leaving(settings, found)
    ends = f", and the machine is no longer reached at {listed(going)}" if going else ""
    new = warnings.console(settings) if going else ()
    where = f"the console at {new[0]}" if new else "the console"
    return (
        f"{found.name} {changes or 'keeps its addresses, and the console manages it from now on'}. "
        f"Connections through it are cut off for a moment{ends}. "
        f"If nobody confirms the change in {where} within {CONFIRM_S} seconds, it is reverted."
    )


def _changes(wanted: InterfaceSettings, now: InterfaceSettings) -> Iterator[str]:
    for family, new, old in ((4, wanted.ipv4, now.ipv4), (6, wanted.ipv6, now.ipv6)):
        if new != old:
            yield _addressing(new, family)
    if wanted.dns != now.dns:
        servers = f"server{'s' if len(wanted.dns) > 1 else ''} {listed(wanted.dns)}"
        yield f"uses the DNS {servers}" if wanted.dns else "uses the DNS servers that the network announces"
    if wanted.search != now.search:
        domains = listed(wanted.search) or "the domains that the network announces"
        yield f"looks up short names in {domains}"


def _addressing(new: Addressing, family: int) -> str:
    if new.method == "off":
        return f"has no IPv{family} addresses"
    if new.method == "automatic":
        return "gets its IPv4 address by DHCP" if family == 4 else "gets its IPv6 addresses from the router"
    gateway = f" and the gateway {new.gateway}" if new.gateway else ""
    return f"gets the fixed address{'es' if len(new.addresses) > 1 else ''} {listed(new.addresses)}{gateway}"


def normal(request: SetNetwork) -> InterfaceSettings:
    """The request with each address in its canonical form."""
    return InterfaceSettings(
        ipv4=_normal(request.ipv4),
        ipv6=_normal(request.ipv6),
        dns=tuple(_plain(one) for one in request.dns),
        search=tuple(one.lower().rstrip(".") for one in request.search),
    )


def _normal(given: Addressing) -> Addressing:
    addresses = tuple(_with_prefix(one) for one in given.addresses)
    return msgspec.structs.replace(given, addresses=addresses, gateway=_plain(given.gateway))


def _with_prefix(text: str) -> str:
    try:
        found = ipaddress.ip_interface(text)
    except ValueError:
        return text
    return str(found) if text.partition("/")[2].isdecimal() else text


def _plain(text: str) -> str:
    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        return text


def _interface(name: str, inventory: Inventory, findings: Findings) -> Interface:
    """The interface, where it is ours to set up. Raises `Refused`."""
    found = inventory.network.interface(name)
    if found is None:
        findings.refuse("unknown-interface", "interface", "There is no such interface.")
    if fault := why_not(found, inventory):
        findings.refuse("not-ours", "interface", fault)
    if (pending := inventory.network.pending) is not None:
        message = (
            f"The last change, of {pending.interface}, is waiting to be confirmed. Keep or revert it first."
        )
        findings.refuse("unconfirmed", "", message)
    return found


def why_not(found: Interface, inventory: Inventory) -> str | None:
    """Why an interface cannot be set up here; None when it can."""
    if found.kind != "ethernet":
        kind = "wireless" if found.kind == "wireless" else "built on others"
        return f"{found.name} is {kind}; the console only sets up wired ports."
    if found.part_of:
        return f"{found.name} is a part of {found.part_of}, which has the addresses. Change that one by hand."
    if found.manager in {"NetworkManager", "ifupdown"}:
        return f"{found.manager} manages {found.name}. Change it there, or hand it over to systemd-networkd."
    if not inventory.network.networkd:
        return (
            f"systemd-networkd is not running, so what the console writes for {found.name} would have no "
            "effect."
        )
    if not _MAC.fullmatch(found.mac):
        return f"{found.name} has no MAC address to recognise it by."
    return None


def _steps(found: Interface, text: str) -> tuple[Step, ...]:
    mac, path = found.mac, network_file(found.mac)
    lines = difflib.unified_diff(
        (found.ours or "").splitlines(), text.splitlines(), path, path, n=2, lineterm=""
    )
    prepare = Step(
        title="Write the file, and what reverts it",
        commands=(
            ForgetUndone(),
            StageNetwork(mac=mac, text=text),
            StageWayBack(mac=mac, interface=found.name, before=found.ours),
            SyncNetwork(mac=mac),
        ),
        changes=(FileChange(path=path, diff="\n".join(lines)),),
    )
    place = Step(
        title=f"Apply it to {found.name}; it is reverted after {CONFIRM_S} s unless it is confirmed",
        commands=(
            StartRollbackTimer(),
            HoldWayBack(),
            PlaceNetwork(mac=mac),
            ReloadNetworks(),
            ReconfigureInterface(interface=found.name),
        ),
        undo=(RollBackNetwork(), StopRollbackTimer()),
    )
    return (prepare, place)
