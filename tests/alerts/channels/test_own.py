"""This machine's own names and addresses: no receiver of messages, unless an admin says so."""

from __future__ import annotations

import socket

import msgspec
import pytest

from alerts.channels.hosts import Own, fault_of_address, fault_of_host
from alerts.channels.own import is_here
from host.inventory.network import Address, Interface, Network
from host.own_names import of_machine
from tests import made

PORT = Interface(
    name="eno1", search=("Lan.example.org",),
    addresses=(Address(address="192.168.1.5", prefix=24), Address(address="2001:DB8::0005", prefix=64),
               Address(address="fe80::1", prefix=64, origin="link")),
)  # fmt: skip


def own(name: str = "NAS", *, allowed: bool = False) -> Own:
    inventory = made.inventory()
    inventory = msgspec.structs.replace(
        inventory, facts=msgspec.structs.replace(inventory.facts, name=name),
        network=Network(interfaces=(PORT,)),
    )  # fmt: skip
    return of_machine(inventory, allowed=allowed)


@pytest.mark.parametrize(
    "host",
    ["192.168.1.5", "::ffff:192.168.1.5", "2001:db8::5", "[2001:db8:0::5]", "nas", "NAS.", "nas.local",
     "Nas.Local.", "nas.lan.example.org", "169.254.169.254", "fe80::77", "127.0.0.1", "::1", "localhost"],
)  # fmt: skip
def test_they_are_refused_and_an_admin_may_allow_them(host: str) -> None:
    assert fault_of_host(host, own()) != ""
    assert fault_of_host(host, own(allowed=True)) == ""


@pytest.mark.parametrize(
    "host", ["192.168.1.6", "nas2", "nas.example.com", "nas.local.example.org", "2001:db8::6"]
)
def test_others_are_not(host: str) -> None:
    assert fault_of_host(host, own()) == ""


@pytest.mark.parametrize("address", ["224.0.0.1", "255.255.255.255", "ff02::1"])
def test_what_is_no_server_is_refused_whoever_says_so(address: str) -> None:
    assert fault_of_address(address, own(allowed=True)) != ""


def test_a_name_with_a_domain_is_known_by_all_its_forms() -> None:
    assert own("box.home.example.org").names == {
        "box", "box.local", "box.home.example.org", "box.lan.example.org"
    }  # fmt: skip


def test_the_kernel_knows_its_addresses_without_a_packet() -> None:
    assert (is_here("127.0.0.1"), is_here("::ffff:127.0.0.1"), is_here("192.0.2.77")) == (True, True, False)
    assert is_here(_source())


def _source() -> str:
    """The address that this machine sends from: without a network that of the loopback."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        try:
            out.connect(("192.0.2.77", 9))
        except OSError:
            out.connect(("127.0.0.1", 9))
        return str(out.getsockname()[0])
