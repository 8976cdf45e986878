"""What a simulated machine has of a network."""

from __future__ import annotations

import msgspec

from host.inventory.network import Manager

DHCP = "80-dhcp.network"  # the image's own file: whatever is plugged in asks for an address


class Link(msgspec.Struct, kw_only=True):
    """An interface; `lease` is what a DHCP server in its network gives it."""

    name: str
    mac: str
    carrier: bool = True
    lease: str = ""
    manager: Manager = "networkd"
    kind: str = ""  # of a virtual one, as ip prints it
    mbit: int = 1000  # agreed on with the other end


def first_links() -> list[Link]:
    """Two ports, with a cable in one."""
    return [
        Link(name="eno1", mac="52:54:00:6e:61:73", lease="192.168.1.10/24"),
        Link(name="eno2", mac="52:54:00:6e:61:74", carrier=False),
    ]


class NetworkState(msgspec.Struct, kw_only=True):
    """All of it; the files are with the machine's others."""

    links: list[Link] = msgspec.field(default_factory=first_links)
    applied: dict[str, str] = {}  # by interface: the text of our file as networkd read it last
    armed: float = 0.0  # when the timer was started, by the machine's clock; 0: it does not run
    undone: float = 0.0  # when a change was taken back
    forwarding: bool = False  # the journal is sent to a log server
    kept_name: str = ""  # empty: the one in use
    time_zone: str = "Etc/UTC"
    synchronized: bool = True
    certificate: str = "nas"  # for which name the console made itself one
