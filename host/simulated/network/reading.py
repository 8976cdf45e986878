"""What the programs that read name, clock and network print of a simulated machine."""

from __future__ import annotations

import ipaddress
from typing import Any
from uuid import UUID

import msgspec

from host.base import Result
from host.commands.logs import UNIT as LOG_UNIT
from host.commands.naming import CERTIFICATE, HOSTS, ClockState
from host.commands.network import (
    BOOT_ID,
    FOLDER,
    HOSTNAME_KEPT,
    HOSTNAME_NOW,
    IFSTATE,
    LINKS,
    NM_DEVICES,
    PENDING,
    PREFIX,
    RESOLV_CONF,
    TIMER,
    UNDONE,
    UNITS,
    Addresses,
    DefaultRoutes,
    MachineFiles,
    MachineMarks,
    NetworkUnits,
    network_file,
)
from host.contents.logs import AUTHORITY, FILE
from host.simulated.handlers import always, on
from host.simulated.network.certificate import pem
from host.simulated.network.changes import zone_file
from host.simulated.network.state import DHCP, Link
from host.simulated.refusal import done
from host.simulated.state import Machine

_FOREVER = 4294967295
_ROUTER = "192.168.1.1"
_HOSTS_TEXT = "127.0.0.1\tlocalhost\n127.0.1.1\tnas\n"


def settings_of(machine: Machine, link: Link) -> dict[str, list[str]]:
    """What our file says, by key; none where another file is for the interface."""
    found: dict[str, list[str]] = {}
    for line in machine.network.applied.get(link.name, "").splitlines():
        key, equals, value = line.partition("=")
        if equals and not line.startswith("#"):
            found.setdefault(key, []).append(value)
    return found


def _lines(machine: Machine) -> list[str]:
    texts = {
        HOSTS: machine.files.get(HOSTS, _HOSTS_TEXT),
        CERTIFICATE: machine.files.get(CERTIFICATE) or pem(machine.network.certificate),
        HOSTNAME_KEPT: f"{machine.network.kept_name or machine.hostname}\n",
        HOSTNAME_NOW: f"{machine.hostname}\n",
        BOOT_ID: f"{UUID(int=int(machine.booted * 1e6))}\n",
        RESOLV_CONF: f"nameserver {_ROUTER}\nsearch lan\n",
    }
    up = [link.name for link in machine.network.links if link.manager == "ifupdown"]
    if up:
        texts[IFSTATE] = "".join(f"{name}={name}\n" for name in ("lo", *up))
    for path, text in machine.files.items():
        ours = path.startswith(f"{FOLDER}/{PREFIX}") and path.endswith(".network")
        if ours or path in {PENDING, UNDONE, FILE, AUTHORITY}:
            texts[path] = text
    for number, link in enumerate(machine.network.links, 2):
        texts[f"{LINKS}/{number}"] = _state_file(machine, link)
        if link.manager == "NetworkManager":
            texts[f"{NM_DEVICES}/{number}"] = "[device]\nmanaged=true\n"
    return [f"{path}\0{line}\n" for path, text in texts.items() for line in text.splitlines()]


def _state_file(machine: Machine, link: Link) -> str:
    heading = "# This is private data. Do not parse.\n"
    if link.manager != "networkd":
        return f"{heading}ADMIN_STATE=unmanaged\nOPER_STATE=routable\n"
    state = "configured" if link.carrier else "configuring"
    ours = link.name in machine.network.applied
    file = network_file(link.mac) if ours else f"{FOLDER}/{DHCP}"
    dns, search = _resolver(machine, link)
    return (
        f"{heading}ADMIN_STATE={state}\nOPER_STATE={'routable' if link.carrier else 'no-carrier'}\n"
        f"NETWORK_FILE={file}\nDNS={' '.join(dns)}\nDOMAINS={' '.join(search)}\n"
    )


def _resolver(machine: Machine, link: Link) -> tuple[list[str], list[str]]:
    found = settings_of(machine, link)
    leased = link.carrier and bool(link.lease) and _asks(machine, link, 4)
    dns = found.get("DNS", [_ROUTER] if leased else [])
    return dns, found.get("Domains", ["lan"] if leased else [])


def _show_files(machine: Machine) -> str:
    return "".join(_lines(machine))


def _show_addresses(machine: Machine) -> str:
    links = (_link(machine, link, number) for number, link in enumerate(machine.network.links, 2))
    return msgspec.json.encode([_loopback(), *links]).decode()


def _show_routes(machine: Machine, command: DefaultRoutes) -> str:
    routes = [way for link in machine.network.links for way in _routes(machine, link, command.family)]
    return msgspec.json.encode(routes).decode()


def _show_clock(machine: Machine) -> str:
    return f"NTP=yes\nNTPSynchronized={'yes' if machine.network.synchronized else 'no'}\n"


def _marks(machine: Machine) -> Result:
    path, target = zone_file(machine)
    text = f"{path}\t{target}\t{machine.booted:.10f}\n"
    if UNDONE in machine.files:
        return done(f"{text}{UNDONE}\t\t{machine.network.undone:.10f}\n")
    said = f"find: ‘{UNDONE}’: No such file or directory\n"
    return Result(exit=1, stdout=text, stderr=said)


def _units(machine: Machine) -> str:
    armed = machine.network.armed
    networkd = any(link.manager == "networkd" for link in machine.network.links)
    states = {
        UNITS[0]: ("active", "running", machine.booted) if networkd else ("inactive", "dead", 0.0),
        UNITS[1]: ("active", "running", machine.booted) if networkd else ("inactive", "dead", 0.0),
        # systemd prints the time of the machine's clock, which may be ahead of ours
        TIMER: ("active", "waiting", armed) if armed else ("inactive", "dead", 0.0),
        LOG_UNIT: ("active", "running", machine.booted)
        if machine.network.forwarding
        else ("inactive", "dead", 0.0),
    }
    blocks = (
        f"Id={name}\nActiveState={active}\nSubState={sub}\n"
        f"ActiveEnterTimestamp={f'@{since:.0f}' if since else ''}\n"
        for name, (active, sub, since) in states.items()
    )
    return "\n".join(blocks)


def _asks(machine: Machine, link: Link, family: int) -> bool:
    """Whether networkd asks the network for an address of that family."""
    if link.name not in machine.network.applied:
        return link.manager != "none"
    found = settings_of(machine, link)
    return found.get("DHCP") == ["ipv4"] if family == 4 else found.get("IPv6AcceptRA") == ["yes"]


def _loopback() -> dict[str, Any]:
    return {
        "ifindex": 1, "ifname": "lo", "flags": ["LOOPBACK", "UP", "LOWER_UP"], "mtu": 65536,
        "operstate": "UNKNOWN", "link_type": "loopback", "address": "00:00:00:00:00:00",
        "addr_info": [_address("127.0.0.1/8", "host"), _address("::1/128", "host")],
    }  # fmt: skip


def _link(machine: Machine, link: Link, number: int) -> dict[str, Any]:
    flags = ["BROADCAST", "MULTICAST", "UP", *(["LOWER_UP"] if link.carrier else ["NO-CARRIER"])]
    report: dict[str, Any] = {
        "ifindex": number, "ifname": link.name, "flags": flags, "mtu": 1500,
        "operstate": "UP" if link.carrier else "DOWN", "link_type": "ether", "address": link.mac,
        "addr_info": _addresses(machine, link) if link.carrier else [],
    }  # fmt: skip
    return report | ({"linkinfo": {"info_kind": link.kind}} if link.kind else {})


def _addresses(machine: Machine, link: Link) -> list[dict[str, Any]]:
    found = settings_of(machine, link)
    report = [_address(address, "global") for address in found.get("Address", [])]
    if link.lease and _asks(machine, link, 4):
        report.append(_address(link.lease, "global") | {"dynamic": True, "valid_life_time": 3600})
    if found.get("LinkLocalAddressing") != ["no"]:
        last = link.mac.replace(":", "")[-6:]
        own = ipaddress.IPv6Address(f"fe80::5054:ff:fe{last[:2]}:{last[2:]}")
        report.append(_address(f"{own}/64", "link"))
    return report


def _address(address: str, scope: str) -> dict[str, Any]:
    found = ipaddress.ip_interface(address)
    return {
        "family": "inet" if found.version == 4 else "inet6", "local": str(found.ip),
        "prefixlen": found.network.prefixlen, "scope": scope,
        "valid_life_time": _FOREVER, "preferred_life_time": _FOREVER,
    }  # fmt: skip


def _routes(machine: Machine, link: Link, family: int) -> list[dict[str, Any]]:
    if not link.carrier:
        return []
    gateways = settings_of(machine, link).get("Gateway", [])
    if link.lease and _asks(machine, link, family) and family == 4:
        gateways = [*gateways, _ROUTER]
    return [
        {"dst": "default", "gateway": one, "dev": link.name, "protocol": "static", "flags": []}
        for one in gateways
        if ipaddress.ip_address(one).version == family
    ]


HANDLERS = (
    always(MachineFiles, _show_files)
    | always(MachineMarks, _marks)
    | always(NetworkUnits, _units)
    | always(Addresses, _show_addresses)
    | on(DefaultRoutes, _show_routes)
    | always(ClockState, _show_clock)
)
