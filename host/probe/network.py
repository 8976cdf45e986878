"""What the machine says of its name, its clock and its network."""

from __future__ import annotations

from typing import Any, NamedTuple

from host import typed
from host.base import CommandFailed, Host
from host.commands.base import Command
from host.commands.logs import UNIT as LOG_UNIT
from host.commands.naming import CERTIFICATE, HOSTS, ClockState
from host.commands.network import (
    BOOT_ID,
    CONFIRM_S,
    HOSTNAME_KEPT,
    HOSTNAME_NOW,
    IFSTATE,
    LINKS,
    LOCALTIME,
    NM_DEVICES,
    PENDING,
    RESOLV_CONF,
    TIMER,
    UNDONE,
    Addresses,
    DefaultRoutes,
    MachineFiles,
    MachineMarks,
    NetworkUnits,
    network_file,
)
from host.contents import logs
from host.inventory import Address, Interface, Naming, Network, PendingChange, UndoneChange
from host.inventory.network import InterfaceKind, Manager, Origin
from host.lines import by_path
from host.probe.certificate import parse_certificate

# What it takes to know the machine's names, and what it takes beside that to know its network.
NAMES: tuple[Command, ...] = (MachineFiles(), MachineMarks())
NETWORK: tuple[Command, ...] = (
    NetworkUnits(), Addresses(), DefaultRoutes(family=4), DefaultRoutes(family=6),
)  # fmt: skip
_Files = dict[str, str]


class Found(NamedTuple):
    """What `NAMES` and `NETWORK` report."""

    naming: Naming
    network: Network


def read_clock(host: Host) -> bool | None:
    """Whether the clock follows others; None where that is not reported. Raises `HostError`."""
    try:
        said = host.run(ClockState()).stdout
    except CommandFailed:
        return None
    return parse_clock(said) if said else None


def parse_machine(said: tuple[str, ...]) -> Found:
    """From what `NAMES` and `NETWORK` print, in their order; what the machine cannot say is left out."""
    listed, marked, shown, addresses, *routes = said
    files = parse_files(listed)
    rows = (row.split("\t") for row in marked.splitlines())
    marks = {path: (target, moment) for path, target, moment in rows}
    units = parse_units(shown)
    ways = [way for text in routes for way in typed.decode(text or "[]")]
    network = Network(
        interfaces=tuple(
            _interface(link, ways, files)
            for link in typed.decode(addresses or "[]")
            if link.get("link_type") != "loopback"
        ),
        networkd=_runs(units, "systemd-networkd.service"),
        resolved=_runs(units, "systemd-resolved.service"),
        pending=_pending(files, units),
        undone=_undone(files, marks),
        logs=logs.read(files.get(logs.FILE), files.get(logs.AUTHORITY, ""), active=_runs(units, LOG_UNIT)),
    )
    return Found(naming=_naming(files, marks), network=network)


def parse_interfaces(addresses: str) -> tuple[Interface, ...]:
    """From what `Addresses` prints alone: names and addresses, nothing of who manages them."""
    return parse_machine(("", "", "", addresses, "", "")).network.interfaces


def parse_files(text: str) -> _Files:
    """The text of each file that `MachineFiles` read."""
    return {path: "\n".join(lines) + "\n" for path, lines in by_path(text).items()}


def parse_units(text: str) -> dict[str, dict[str, str]]:
    """What `systemctl show` prints of each unit, by its name."""
    blocks = (_assignments(block) for block in text.split("\n\n"))
    return {block["Id"]: block for block in blocks if "Id" in block}


def parse_clock(text: str) -> bool:
    """Whether the clock follows others."""
    return "NTPSynchronized=yes" in text.splitlines()


def _naming(files: _Files, marks: dict[str, tuple[str, str]]) -> Naming:
    target = marks.get(LOCALTIME, ("", ""))[0]
    now = files.get(HOSTNAME_NOW, "").strip()
    kept = [line.strip() for line in files.get(HOSTNAME_KEPT, "").splitlines() if not line.startswith("#")]
    return Naming(
        name=now,
        kept=next(filter(None, kept), now),
        boot=files.get(BOOT_ID, "").strip(),
        hosts=files.get(HOSTS, ""),
        time_zone=target.partition("zoneinfo/")[2] or None,
        certificate=parse_certificate(files[CERTIFICATE]) if CERTIFICATE in files else None,
    )


def _interface(link: dict[str, Any], ways: list[dict[str, Any]], files: _Files) -> Interface:
    name, mac = link["ifname"], link.get("address", "")
    state = _assignments(files.get(f"{LINKS}/{link['ifindex']}", ""))
    manager = _manager(link, state, files)
    by_networkd = manager == "networkd"
    resolver = files.get(RESOLV_CONF, "") if not by_networkd else ""
    return Interface(
        name=name,
        mac=mac,
        kind=_kind(link),
        carrier="LOWER_UP" in link["flags"],
        mtu=link["mtu"],
        addresses=tuple(_address(one) for one in link.get("addr_info", ()) if one.get("scope") != "host"),
        gateways=tuple(way["gateway"] for way in ways if way.get("dev") == name and "gateway" in way),
        dns=tuple(state.get("DNS", "").split()) if by_networkd else _words(resolver, "nameserver"),
        search=tuple(state.get("DOMAINS", "").split()) if by_networkd else _words(resolver, "search"),
        manager=manager,
        state=state.get("ADMIN_STATE"),
        file=state.get("NETWORK_FILE"),
        ours=files.get(network_file(mac)) if mac else None,
        part_of=link.get("master", ""),
    )


def _kind(link: dict[str, Any]) -> InterfaceKind:
    if "info_kind" in link.get("linkinfo", {}) or link.get("link_type") != "ether":
        return "virtual"
    return "wireless" if link["ifname"].startswith("wl") else "ethernet"


def _manager(link: dict[str, Any], state: dict[str, str], files: _Files) -> Manager:
    if state.get("ADMIN_STATE", "unmanaged") not in {"unmanaged", "linger"}:
        return "networkd"
    if _assignments(files.get(f"{NM_DEVICES}/{link['ifindex']}", "")).get("managed") in {"true", "1", "full"}:
        return "NetworkManager"
    brought_up = (line.partition("=")[0] for line in files.get(IFSTATE, "").splitlines())
    return "ifupdown" if link["ifname"] in brought_up else "none"


def _address(one: dict[str, Any]) -> Address:
    origin: Origin = "automatic" if one.get("dynamic") else "fixed"
    if one.get("scope") == "link":
        origin = "link"
    return Address(address=one["local"], prefix=one["prefixlen"], origin=origin)


def _pending(files: _Files, units: dict[str, dict[str, str]]) -> PendingChange | None:
    lines = files.get(PENDING, "").splitlines()
    if len(lines) < 2:
        return None
    timer = units.get(TIMER, {})
    since = timer.get("ActiveEnterTimestamp", "").removeprefix("@")
    armed = timer.get("SubState") == "waiting" and since.isdecimal()
    return PendingChange(interface=lines[1], until=float(since) + CONFIRM_S if armed else None)


def _undone(files: _Files, marks: dict[str, tuple[str, str]]) -> UndoneChange | None:
    lines = files.get(UNDONE, "").splitlines()
    if len(lines) < 2 or UNDONE not in marks:
        return None
    return UndoneChange(interface=lines[1], at=float(marks[UNDONE][1]))


def _runs(units: dict[str, dict[str, str]], name: str) -> bool:
    return units.get(name, {}).get("ActiveState") in {"active", "reloading"}


def _assignments(text: str) -> dict[str, str]:
    lines = (line for line in text.splitlines() if "=" in line and not line.startswith("#"))
    return dict(line.split("=", 1) for line in lines)


def _words(text: str, key: str) -> tuple[str, ...]:
    rows = (line.split() for line in text.splitlines())
    return tuple(word for row in rows if row[:1] == [key] for word in row[1:])
