"""network.set, network.confirm and network.revert, by comparing values."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from host.commands.network import (
    ConfirmNetwork,
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
)
from host.inventory import Address, Inventory, PendingChange, Sharing, SharingSettings
from jobs.plan import Plan, Refused
from machine.network import confirm, set_network
from machine.network.confirm import ConfirmChange, RevertChange
from machine.network.set_network import SetNetwork
from machine.network.settings import Addressing, InterfaceSettings, render
from tests.machine.cases import interface, machine

MAC = "52:54:00:00:00:01"
FIXED = Addressing(method="fixed", addresses=("192.168.1.20/24",), gateway="192.168.1.1")


def plan(inventory: Inventory | None = None, **changes: Any) -> Plan:
    values: dict[str, Any] = {"interface": "eno1", "ipv4": FIXED, "dns": ("192.168.1.1",)}
    return set_network.plan(SetNetwork(**(values | changes)), inventory or machine())


def faults(inventory: Inventory | None = None, **changes: Any) -> set[tuple[str, str]]:
    with pytest.raises(Refused) as refused:
        plan(inventory, **changes)
    return {(one.field, one.code) for one in refused.value.findings if one.level == "error"}


def warnings(inventory: Inventory | None = None, **changes: Any) -> dict[str, str]:
    found = plan(inventory, **changes).findings
    return {one.code: one.message for one in found if one.level == "warning"}


def fixed(*addresses: str, gateway: str = "") -> Addressing:
    return Addressing(method="fixed", addresses=addresses, gateway=gateway)


def test_a_file_of_somebody_s_own_is_named_that_will_not_be_used_any_more() -> None:
    own = "/etc/systemd/network/10-eno1.network"
    here = msgspec.structs.replace(interface("eno1"), file=own, ours=None)
    assert own in warnings(machine(here))["file-replaced"]
    for known in ({"file": "/etc/systemd/network/80-dhcp.network"}, {"file": None}):
        assert "file-replaced" not in warnings(machine(msgspec.structs.replace(here, **known)))


def test_the_way_back_is_on_the_disk_before_anything_changes() -> None:
    text = render(InterfaceSettings(ipv4=FIXED, dns=("192.168.1.1",)), MAC)
    prepare, place = plan().steps
    assert prepare.commands == (
        ForgetUndone(),
        StageNetwork(mac=MAC, text=text),
        StageWayBack(mac=MAC, interface="eno1", before=None),
        SyncNetwork(mac=MAC),
    )
    assert place.commands == (
        StartRollbackTimer(),
        HoldWayBack(),
        PlaceNetwork(mac=MAC),
        ReloadNetworks(),
        ReconfigureInterface(interface="eno1"),
    )
    assert place.undo == (RollBackNetwork(), StopRollbackTimer())
    assert "+Address=192.168.1.20/24" in prepare.changes[0].diff


def test_the_file_of_before_is_what_comes_back() -> None:
    before = render(InterfaceSettings(), MAC)
    prepare = plan(machine(interface(ours=before))).steps[0]
    assert StageWayBack(mac=MAC, interface="eno1", before=before) in prepare.commands


def test_who_is_about_to_lose_the_page_is_shown_where_it_will_be() -> None:
    message = warnings()["address-changes"]
    assert "192.168.1.10" in message
    assert "https://192.168.1.20/ or https://nas.local/ within 60 s" in message


def test_nothing_is_warned_of_where_the_address_stays() -> None:
    assert warnings(ipv4=fixed("192.168.1.10/24", gateway="192.168.1.1")) == {}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"interface": "eno7"}, {("interface", "unknown-interface")}),
        ({"ipv4": fixed()}, {("ipv4.addresses", "required")}),
        ({"ipv4": fixed("192.168.1.20")}, {("ipv4.addresses[0]", "bad-address")}),
        ({"ipv4": fixed("192.168.1.20/255.255.255.0")}, {("ipv4.addresses[0]", "bad-address")}),
        ({"ipv4": fixed("192.168.1.0/24")}, {("ipv4.addresses[0]", "bad-address")}),
        ({"ipv4": fixed("192.168.1.255/24")}, {("ipv4.addresses[0]", "bad-address")}),
        ({"ipv4": fixed("224.0.0.5/24")}, {("ipv4.addresses[0]", "bad-address")}),
        ({"ipv4": fixed("127.0.0.2/8")}, {("ipv4.addresses[0]", "bad-address")}),
        ({"ipv4": fixed("fd00::2/64")}, {("ipv4.addresses[0]", "bad-address")}),
        ({"ipv4": fixed("10.0.0.5/8\nDNS=6.6.6.6")}, {("ipv4.addresses[0]", "bad-address")}),
        ({"ipv6": fixed("fd00::/64")}, {("ipv6.addresses[0]", "bad-address")}),
        ({"ipv6": fixed("fe80::2%eno1/64")}, {("ipv6.addresses[0]", "bad-address")}),
        ({"ipv4": fixed("10.0.0.5/8", "10.0.0.5/16")}, {("ipv4.addresses[1]", "twice")}),
        ({"ipv4": fixed("10.0.0.5/8", gateway="11.0.0.1")}, {("ipv4.gateway", "bad-gateway")}),
        ({"ipv4": fixed("10.0.0.5/8", gateway="10.0.0.5")}, {("ipv4.gateway", "bad-gateway")}),
        ({"ipv4": fixed("10.0.0.5/24", gateway="10.0.0.255")}, {("ipv4.gateway", "bad-gateway")}),
        ({"ipv4": fixed("10.0.0.5/8", gateway="router")}, {("ipv4.gateway", "bad-gateway")}),
        ({"ipv4": Addressing(gateway="10.0.0.1")}, {("ipv4.gateway", "not-used")}),
        ({"dns": ("dns.example",)}, {("dns[0]", "bad-address")}),
        ({"dns": ("9.9.9.9", "9.9.9.9")}, {("dns[1]", "twice")}),
        ({"search": ("a b",)}, {("search[0]", "bad-domain")}),
        ({"search": ("lan\n[Link]",)}, {("search[0]", "bad-domain")}),
        ({"search": ("home\u017f",)}, {("search[0]", "bad-domain")}),
        (
            {"ipv4": Addressing(method="off"), "ipv6": Addressing(method="off")},
            {("ipv4.method", "no-way-in")},
        ),
    ],
)  # fmt: skip
def test_what_cannot_work_is_refused_by_its_field(
    changes: dict[str, Any], expected: set[tuple[str, str]]
) -> None:
    assert faults(**changes) == expected


def test_all_faults_are_reported_at_once() -> None:
    found = faults(ipv4=fixed("10.0.0.0/8", gateway="x"), ipv6=fixed(), dns=("y",), search=("-",))
    assert {field for field, _ in found} == {
        "ipv4.addresses[0]", "ipv4.gateway", "ipv6.addresses", "dns[0]", "search[0]",
    }  # fmt: skip


def test_a_router_of_ipv6_may_be_known_by_its_own_cable_alone() -> None:
    found = plan(ipv6=fixed("fd00::2/64", gateway="fe80::1"))
    assert found.operation == "network.set"


def test_addresses_are_written_as_everybody_writes_them() -> None:
    (prepare, _) = plan(ipv6=fixed("FD00:0:0::0002/64"), search=("Home.Arpa.",)).steps
    assert "+Address=fd00::2/64" in prepare.changes[0].diff
    assert "+Domains=home.arpa" in prepare.changes[0].diff


def test_another_port_may_have_the_address() -> None:
    other = interface("eno2", addresses=(Address(address="192.168.1.20", prefix=24),), gateways=())
    assert faults(machine(interface(), other)) == {("ipv4.addresses[0]", "address-taken")}


def test_two_ports_in_one_network_are_warned_of() -> None:
    other = interface("eno2", addresses=(Address(address="192.168.1.30", prefix=24),))
    found = warnings(machine(interface(), other))
    assert "eno2 is in 192.168.1.0/24 too" in found["same-network"]
    assert "eno2 has a gateway too" in found["two-gateways"]


def test_a_machine_without_a_way_out_is_warned_of() -> None:
    found = warnings(ipv4=fixed("192.168.1.20/24"), ipv6=Addressing(method="off"), dns=())
    assert {"no-gateway", "no-dns"} <= found.keys()


def test_what_samba_is_bound_to_is_thought_of() -> None:
    sharing = Sharing(settings=SharingSettings(interfaces=("192.168.1.10/24",)))
    found = warnings(msgspec.structs.replace(machine(), sharing=sharing))
    assert "192.168.1.10" in found["samba-bound"]


def test_servers_that_nobody_would_ask_are_warned_of() -> None:
    assert "systemd-resolved" in warnings(machine(resolved=False))["dns-unused"]


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"manager": "NetworkManager"}, "NetworkManager manages"),
        ({"manager": "ifupdown"}, "ifupdown manages"),
        ({"kind": "wireless"}, "wireless"),
        ({"kind": "virtual"}, "built on others"),
        ({"part_of": "br0"}, "eno1 is a part of br0"),
    ],
)
def test_what_others_decide_on_is_left_to_them(changes: dict[str, Any], word: str) -> None:
    with pytest.raises(Refused, match=word):
        plan(machine(interface(**changes)))


def test_without_networkd_nothing_is_written() -> None:
    assert faults(machine(interface(manager="none"), networkd=False)) == {("interface", "not-ours")}


def test_a_change_by_hand_is_written_over_and_reported() -> None:
    text = render(InterfaceSettings(), MAC) + "\n[Link]\nMTUBytes=9000\n"
    assert "by hand" in warnings(machine(interface(ours=text)))["drift"]


def test_the_same_again_changes_nothing() -> None:
    text = render(InterfaceSettings(ipv4=FIXED, dns=("192.168.1.1",)), MAC)
    assert faults(machine(interface(ours=text))) == {("", "nothing-changes")}


def test_one_change_at_a_time() -> None:
    waiting = machine(pending=PendingChange(interface="eno1", until=60.0))
    assert faults(waiting) == {("", "unconfirmed")}
    assert confirm.plan(ConfirmChange(), waiting).steps[0].commands == (
        ConfirmNetwork(),
        StopRollbackTimer(),
        SyncNetwork(),
    )
    assert confirm.plan_revert(RevertChange(), waiting).steps[0].commands == (
        RollBackNetwork(),
        StopRollbackTimer(),
    )


def test_where_nothing_waits_nothing_can_be_kept() -> None:
    with pytest.raises(Refused) as kept:
        confirm.plan(ConfirmChange(), machine())
    with pytest.raises(Refused) as reverted:
        confirm.plan_revert(RevertChange(), machine())
    for refused in (kept, reverted):
        assert refused.value.findings[0].code == "nothing-pending"


def test_a_file_that_cannot_be_put_back_is_mended_by_hand_first() -> None:
    found = machine(interface(ours="[Network]\nDHCP=yes\nwhat is this\n"))
    assert faults(found) == {("", "bad-file")}
