"""The machine's name, clock and network: what is read, and what is set and set back.

The network through which a real machine is reached is left alone: the files are for a port that no machine
has (RFC 7042, 2.1.2), and only the mark, the timer and the program that takes a change back meet them.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from uuid import UUID

import pytest

from host.base import CommandFailed, Host
from host.commands.naming import MakeCertificate, PlaceHosts, SetHostname, SetTimeZone, StageHosts
from host.commands.network import (
    CONFIRM_S,
    ConfirmNetwork,
    ForgetUndone,
    HoldWayBack,
    MachineFiles,
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
from host.families import Family
from host.inventory import Naming, Network
from host.probe.network import NAMES, NETWORK, Found, parse_files, parse_machine, read_clock
from machine.network.settings import Addressing, InterfaceSettings, render
from tests.contract.bench import read_inventory

MAC = "00:00:5e:00:53:fe"
FIRST = render(InterfaceSettings(), MAC)
SECOND = render(InterfaceSettings(ipv4=Addressing(method="fixed", addresses=("192.0.2.9/24",))), MAC)


def machine(host: Host) -> Found:
    return parse_machine(tuple(host.run(command).stdout for command in (*NAMES, *NETWORK)))


def naming(host: Host) -> Naming:
    return machine(host).naming


def network(host: Host) -> Network:
    return machine(host).network


def ours(host: Host) -> str | None:
    return parse_files(host.run(MachineFiles()).stdout).get(network_file(MAC))


def stage(host: Host, text: str, *, before: str | None) -> None:
    host.run(StageNetwork(mac=MAC, text=text))
    host.run(StageWayBack(mac=MAC, interface="contract0", before=before))
    host.run(SyncNetwork(mac=MAC))


@pytest.fixture
def named(host: Host) -> Iterator[Host]:
    """The machine with its name, hosts and time zone as they were, before and after."""
    before = naming(host)
    yield host
    now = naming(host)
    if (now.name, now.kept) != (before.name, before.kept):
        host.run(SetHostname(name=before.kept))
    if before.time_zone and now.time_zone != before.time_zone:
        host.run(SetTimeZone(zone=before.time_zone))
    if now.hosts != before.hosts:
        host.run(StageHosts(text=before.hosts))
        host.run(PlaceHosts())


@pytest.fixture
def port(host: Host) -> Iterator[Host]:
    """A machine where nothing waits, and that has no file for the port; afterwards neither."""
    assert network(host).pending is None
    yield host
    host.run(StageWayBack(mac=MAC, interface="contract0", before=None))
    host.run(HoldWayBack())
    host.run(RollBackNetwork())
    host.run(StopRollbackTimer())
    host.run(ForgetUndone())


def test_the_machine_reports_its_name_and_its_clock(host: Host) -> None:
    found = read_inventory(host, frozenset({Family.NAMES}))
    assert found.naming.name == found.facts.name != ""
    assert found.naming.kept
    assert "localhost" in found.naming.hosts
    assert len(UUID(found.naming.boot).hex) == 32
    assert found.naming.time_zone
    assert found.naming.synchronized in {True, False}
    assert read_clock(host) == found.naming.synchronized


def test_the_network_is_reported(host: Host) -> None:
    found = network(host)
    assert found.networkd
    assert "lo" not in {one.name for one in found.interfaces}
    used = [one for one in found.interfaces if one.carrier and one.leads_here]
    assert used
    assert any(one.gateways for one in used)
    for one in used:
        assert len(one.mac) == 17
        for address in one.addresses:
            assert ipaddress.ip_interface(f"{address.address}/{address.prefix}")


def test_an_interface_shows_what_manages_it_and_by_which_file(host: Host) -> None:
    managed = [one for one in network(host).interfaces if one.manager == "networkd" and one.carrier]
    assert managed
    for one in managed:
        assert one.state in {"configured", "configuring"}
        assert (one.file or "").endswith(".network")


@pytest.mark.user_space
def test_the_name_is_set_at_once_and_for_good(named: Host) -> None:
    named.run(SetHostname(name="contract-nas"))
    found = naming(named)
    assert (found.name, found.kept) == ("contract-nas", "contract-nas")


@pytest.mark.user_space
def test_the_console_makes_itself_a_certificate_for_its_name(host: Host) -> None:
    before = naming(host).certificate
    if before is None or not before.ours:
        pytest.skip("Its certificate is none that it made itself.")
    host.run(MakeCertificate(name="contract-nas"))
    try:
        found = naming(host).certificate
        assert found is not None and found.ours
        assert found.names == ("contract-nas", "contract-nas.local", "localhost", "127.0.0.1")
    finally:
        host.run(MakeCertificate(name=before.names[0]))
    assert naming(host).certificate == before


@pytest.mark.parametrize("zone", ["Asia/Tokyo", "America/Argentina/Buenos_Aires", "UTC"])
@pytest.mark.user_space
def test_the_time_zone_is_set(named: Host, zone: str) -> None:
    named.run(SetTimeZone(zone=zone))
    assert naming(named).time_zone in {zone, f"Etc/{zone}"}


@pytest.mark.user_space
def test_a_zone_that_is_not_there_is_refused(named: Host) -> None:
    before = naming(named).time_zone
    with pytest.raises(CommandFailed, match="Mars/Base"):
        named.run(SetTimeZone(zone="Mars/Base"))
    assert naming(named).time_zone == before


@pytest.mark.user_space
def test_names_that_were_staged_take_the_place_of_those_before(named: Host) -> None:
    text = naming(named).hosts + "192.0.2.7\tcontract\n"
    named.run(StageHosts(text=text))
    assert naming(named).hosts != text
    named.run(PlaceHosts())
    assert naming(named).hosts == text
    with pytest.raises(CommandFailed, match="cannot stat"):
        named.run(PlaceHosts())


@pytest.mark.core
def test_a_change_waits_for_a_minute_and_can_be_kept(port: Host) -> None:
    stage(port, FIRST, before=None)
    assert ours(port) is None
    port.run(StartRollbackTimer())
    port.run(HoldWayBack())
    port.run(PlaceNetwork(mac=MAC))
    pending = network(port).pending
    assert pending is not None
    assert pending.interface == "contract0"
    assert pending.until is not None
    assert pending.until > CONFIRM_S
    port.run(ConfirmNetwork())
    port.run(StopRollbackTimer())
    port.run(SyncNetwork())
    assert network(port).pending is None
    assert ours(port) == FIRST
    with pytest.raises(CommandFailed, match="cannot remove"):
        port.run(ConfirmNetwork())


def test_a_mark_without_a_timer_has_no_time(port: Host) -> None:
    stage(port, FIRST, before=None)
    port.run(HoldWayBack())
    pending = network(port).pending
    assert pending is not None
    assert pending.until is None


def test_the_program_puts_back_what_the_mark_holds(port: Host) -> None:
    port.run(ForgetUndone())
    stage(port, FIRST, before=None)
    port.run(PlaceNetwork(mac=MAC))
    stage(port, SECOND, before=FIRST)
    port.run(HoldWayBack())
    port.run(PlaceNetwork(mac=MAC))
    assert ours(port) == SECOND
    port.run(RollBackNetwork())
    assert ours(port) == FIRST
    found = network(port)
    assert found.pending is None
    assert found.undone is not None
    assert found.undone.interface == "contract0"
    assert found.undone.at > 1e9
    port.run(ForgetUndone())
    assert network(port).undone is None


def test_the_program_removes_what_was_not_there(port: Host) -> None:
    stage(port, FIRST, before=None)
    port.run(HoldWayBack())
    port.run(PlaceNetwork(mac=MAC))
    port.run(RollBackNetwork())
    assert ours(port) is None


def test_the_program_does_nothing_without_a_mark(port: Host) -> None:
    port.run(ForgetUndone())
    # Six times: systemd's own limit of starts would refuse the last, and a change that nobody kept stayed.
    for _time in range(6):
        port.run(RollBackNetwork())
    assert network(port).undone is None


def test_what_is_not_staged_is_not_put_in_place(port: Host) -> None:
    stage(port, FIRST, before=None)
    port.run(HoldWayBack())
    port.run(PlaceNetwork(mac=MAC))
    for command in (SyncNetwork(mac=MAC), PlaceNetwork(mac=MAC), HoldWayBack()):
        with pytest.raises(CommandFailed, match="No such file"):
            port.run(command)


def test_files_are_read_again_and_an_unknown_interface_is_reported(port: Host) -> None:
    port.run(ReloadNetworks())
    with pytest.raises(CommandFailed, match="contract9"):
        port.run(ReconfigureInterface(interface="contract9"))
