"""Where messages may go, in words: the rule is `host.addresses`.

An admin may allow the rest, channel by channel. A name is looked up by the worker just before it sends; on
an installed machine the unit's own address filter stands behind this.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address

from host.addresses import UNKNOWN as UNKNOWN
from host.addresses import Own as Own
from host.addresses import Problem, problem_of_address, problem_of_host

ITSELF = (
    "This leads to the NAS itself, which can notify nobody once it fails. Use another server; for a channel "
    "an admin can allow it."
)
_WORDS: dict[Problem, str] = {
    "itself": ITSELF,
    "link-local": "Link-local addresses mean something different on each network port. Use another one; "
    "for a channel an admin can allow them.",
    "no-name": "Enter the name of a server, such as push.example.org, or its address.",
    "not-one": "This is not the address of one server.",
}


def fault_of_host(host: str, own: Own = UNKNOWN) -> str:
    """Why no message goes to `host`, a name or an address as it was typed; empty where one may."""
    problem = problem_of_host(host, own)
    return _WORDS[problem] if problem else ""


def fault_of_address(address: IPv4Address | IPv6Address | str, own: Own = UNKNOWN) -> str:
    """Why no message goes to `address`; empty where one may."""
    problem = problem_of_address(address, own)
    return _WORDS[problem] if problem else ""
