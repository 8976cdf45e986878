"""The file for networkd: what is written can be read again, and nothing else is taken for it."""

from __future__ import annotations

import pytest

from host.inventory import Address
from machine.network.settings import Addressing, InterfaceSettings, read, render, settings_now
from tests.machine.cases import interface

MAC = "52:54:00:00:00:01"
FIXED = InterfaceSettings(
    ipv4=Addressing(method="fixed", addresses=("192.168.1.20/24",), gateway="192.168.1.1"),
    ipv6=Addressing(method="off"),
    dns=("192.168.1.1", "9.9.9.9"),
    search=("home.arpa", "lan"),
)


def test_a_fixed_address() -> None:
    assert render(FIXED, MAC).partition("\n")[2] == (
        "\n[Match]\nMACAddress=52:54:00:00:00:01\nType=ether\nKind=!*\n"
        "\n[Network]\nDHCP=no\nIPv6AcceptRA=no\nLinkLocalAddressing=no\nAddress=192.168.1.20/24\n"
        "Gateway=192.168.1.1\nDNS=192.168.1.1\nDNS=9.9.9.9\nDomains=home.arpa lan\n"
    )


def test_all_by_the_network() -> None:
    text = render(InterfaceSettings(), MAC)
    assert "DHCP=ipv4\nIPv6AcceptRA=yes\nLinkLocalAddressing=ipv6\n" in text
    assert "[DHCPv4]\nClientIdentifier=mac\nUseDNS=yes\nUseDomains=yes\n" in text


def test_own_servers_replace_those_that_the_network_announces() -> None:
    text = render(InterfaceSettings(dns=("9.9.9.9",)), MAC)
    assert text.count("UseDNS=no") == 3  # DHCPv4, DHCPv6, router
    assert "UseDomains=yes" in text


@pytest.mark.parametrize(
    "wanted",
    [
        FIXED,
        InterfaceSettings(),
        InterfaceSettings(ipv4=Addressing(method="off")),
        InterfaceSettings(
            ipv6=Addressing(method="fixed", addresses=("fd00::2/64", "fd01::2/64"), gateway="fe80::1")
        ),
        InterfaceSettings(search=("lan",), dns=("fd00::1",)),
    ],
)
def test_what_was_written_is_read_again(wanted: InterfaceSettings) -> None:
    assert read(render(wanted, MAC), MAC) == wanted


@pytest.mark.parametrize(
    ("old", "new"),
    [("DHCP=no", "DHCP=no\nVLAN=guests"), ("9.9.9.9", "9.9.9.9\n# mine"), ("[Match]", "[match]")],
)
def test_a_change_by_hand_is_not_taken_for_ours(old: str, new: str) -> None:
    assert read(render(FIXED, MAC).replace(old, new), MAC) is None


def test_an_interface_without_our_file_is_described_by_its_addresses() -> None:
    fixed = interface(
        addresses=(Address(address="10.0.0.5", prefix=8),), gateways=("10.0.0.1",), dns=("10.0.0.1",)
    )
    assert settings_now(fixed) == InterfaceSettings(
        ipv4=Addressing(method="fixed", addresses=("10.0.0.5/8",), gateway="10.0.0.1"), dns=("10.0.0.1",)
    )
    assert settings_now(interface()) == InterfaceSettings()
    assert settings_now(interface(ours=render(FIXED, MAC), mac=MAC)) == FIXED
