"""Machines with networks, made by hand."""

from __future__ import annotations

from typing import Any

import msgspec

from host.inventory import Address, Interface, Inventory, Naming, Network
from tests import made

HOSTS = "127.0.0.1\tlocalhost\n127.0.1.1\tnas.lan nas\n\n::1\tlocalhost\n"


def interface(name: str = "eno1", **changes: Any) -> Interface:
    """A port with a cable and an address by DHCP."""
    values: dict[str, Any] = {
        "name": name,
        "mac": f"52:54:00:00:00:0{name[-1]}",
        "carrier": True,
        "addresses": (Address(address="192.168.1.10", prefix=24, origin="automatic"),),
        "gateways": ("192.168.1.1",),
        "dns": ("192.168.1.1",),
        "manager": "networkd",
        "state": "configured",
    }
    return Interface(**(values | changes))


def machine(*interfaces: Interface, naming: Naming | None = None, **changes: Any) -> Inventory:
    """A machine called nas with these ports, one where none is given; `changes` are of its network."""
    network: dict[str, Any] = {"networkd": True, "resolved": True, "interfaces": interfaces or (interface(),)}
    named = naming or Naming(name="nas", kept="nas", hosts=HOSTS, time_zone="Etc/UTC", synchronized=True)
    return msgspec.structs.replace(made.inventory(), naming=named, network=Network(**(network | changes)))
