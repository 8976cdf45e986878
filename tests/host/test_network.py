"""What is made of the words of ip, networkd, systemctl and find."""

from __future__ import annotations

from host.commands.network import PENDING, UNDONE
from host.inventory import Address
from host.probe.network import parse_machine, parse_units

# As iproute2 6.15 and systemd 257 write it, shortened.
ADDRESSES = """[{"ifindex":1,"ifname":"lo","flags":["LOOPBACK","UP","LOWER_UP"],"mtu":65536,
"link_type":"loopback","address":"00:00:00:00:00:00","addr_info":[]},
{"ifindex":2,"ifname":"enp1s0","flags":["BROADCAST","MULTICAST","UP","LOWER_UP"],"mtu":1500,"operstate":"UP",
"link_type":"ether","address":"02:fc:00:00:00:01","addr_info":[
{"family":"inet","local":"192.0.2.2","prefixlen":24,"scope":"global","dynamic":true,"label":"enp1s0"},
{"family":"inet6","local":"fd00::2","prefixlen":64,"scope":"global"},
{"family":"inet6","local":"fe80::fc:ff:fe00:1","prefixlen":64,"scope":"link"}]},
{"ifindex":3,"ifname":"wlp2s0","flags":["BROADCAST","MULTICAST"],"mtu":1500,"operstate":"DOWN",
"link_type":"ether","address":"02:fc:00:00:00:02","addr_info":[]},
{"ifindex":5,"ifname":"enp3s0","flags":["BROADCAST","UP","LOWER_UP"],"mtu":1500,"master":"br0","operstate":"UP",
"link_type":"ether","address":"02:fc:00:00:00:03","linkinfo":{"info_slave_kind":"bridge"},"addr_info":[]},
{"ifindex":4,"ifname":"br0","flags":["BROADCAST","UP","LOWER_UP"],"mtu":9000,"operstate":"UP","link_type":"ether",
"address":"02:fc:00:00:00:01","linkinfo":{"info_kind":"bridge"},"addr_info":[]}]"""
ROUTE4 = '[{"dst":"default","gateway":"192.0.2.1","dev":"enp1s0","protocol":"dhcp","metric":1024,"flags":[]}]'
ROUTE6 = '[{"dst":"default","gateway":"fe80::1","dev":"enp1s0","flags":[]},{"dst":"default","dev":"br0"}]'
UNITS = """Id=systemd-networkd.service
ActiveState=active
SubState=running
ActiveEnterTimestamp=@1790000000

Id=systemd-resolved.service
ActiveState=inactive
SubState=dead
ActiveEnterTimestamp=

Id=nasweb-network-rollback.timer
ActiveState=active
SubState=waiting
ActiveEnterTimestamp=@1790000100
"""
OURS = "/etc/systemd/network/05-nasweb-02fc00000001.network"


def lines(**files: str) -> str:
    return "".join(f"{path}\0{line}\n" for path, text in files.items() for line in text.splitlines())


FILES = lines(
    **{
        "/etc/hostname": "# of this machine\nnas\n",
        "/proc/sys/kernel/hostname": "attic\n",
        "/etc/hosts": "127.0.0.1 localhost\n",
        "/etc/resolv.conf": "# made by hand\nnameserver 9.9.9.9\nsearch lan home.arpa\n",
        "/run/network/ifstate": "lo=lo\nwlp2s0=wlp2s0\n",
        "/run/systemd/netif/links/2": (
            "# This is private data. Do not parse.\nADMIN_STATE=configured\nOPER_STATE=routable\n"
            "NETWORK_FILE=/etc/systemd/network/80-dhcp.network\nDNS=192.0.2.1 192.0.2.3\nDOMAINS=lan\n"
        ),
        "/run/systemd/netif/links/3": "ADMIN_STATE=unmanaged\n",
        OURS: "[Match]\nMACAddress=02:fc:00:00:00:01\n",
        PENDING: "05-nasweb-02fc00000001.network\nenp1s0\nnone\n",
        UNDONE: "05-nasweb-02fc00000001.network\nbr0\nkept\n[Match]\n",
    }
)
MARKS = f"/etc/localtime\t../usr/share/zoneinfo/Europe/Berlin\t1.0\n{UNDONE}\t\t1790000001.5000000000\n"
FOUND = parse_machine((FILES, MARKS, UNITS, ADDRESSES, ROUTE4, ROUTE6))


def test_the_name_in_use_and_the_one_that_comes_back() -> None:
    assert (FOUND.naming.name, FOUND.naming.kept) == ("attic", "nas")
    assert FOUND.naming.time_zone == "Europe/Berlin"


def test_a_port_of_networkd() -> None:
    port = FOUND.network.interface("enp1s0")
    assert port is not None
    assert (port.kind, port.manager, port.state, port.carrier) == ("ethernet", "networkd", "configured", True)
    assert port.addresses == (
        Address(address="192.0.2.2", prefix=24, origin="automatic"),
        Address(address="fd00::2", prefix=64, origin="fixed"),
        Address(address="fe80::fc:ff:fe00:1", prefix=64, origin="link"),
    )
    assert port.gateways == ("192.0.2.1", "fe80::1")
    assert (port.dns, port.search) == (("192.0.2.1", "192.0.2.3"), ("lan",))
    assert port.file == "/etc/systemd/network/80-dhcp.network"
    assert port.ours == "[Match]\nMACAddress=02:fc:00:00:00:01\n"


def test_what_others_decide_on() -> None:
    wireless, bridge = FOUND.network.interface("wlp2s0"), FOUND.network.interface("br0")
    assert wireless is not None
    assert bridge is not None
    assert (wireless.kind, wireless.manager, wireless.dns) == ("wireless", "ifupdown", ("9.9.9.9",))
    assert wireless.search == ("lan", "home.arpa")
    assert (bridge.kind, bridge.manager, bridge.gateways) == ("virtual", "none", ())
    port = FOUND.network.interface("enp3s0")
    assert port is not None
    assert (port.kind, port.part_of, bridge.part_of) == ("ethernet", "br0", "")


def test_the_loopback_is_left_out() -> None:
    assert FOUND.network.interface("lo") is None


def test_services_and_what_waits() -> None:
    assert (FOUND.network.networkd, FOUND.network.resolved) == (True, False)
    pending, undone = FOUND.network.pending, FOUND.network.undone
    assert pending is not None
    assert undone is not None
    assert (pending.interface, pending.until) == ("enp1s0", 1790000160.0)
    assert (undone.interface, undone.at) == ("br0", 1790000001.5)


def test_a_machine_that_reports_nothing_has_nothing() -> None:
    found = parse_machine(("", "", "", "", "", ""))
    assert (found.naming.name, found.network.interfaces, found.network.pending) == ("", (), None)


def test_a_unit_that_is_not_there_does_not_run() -> None:
    assert parse_units("Id=a.timer\nActiveState=inactive\n\n\nId=b.service\nActiveState=active\n") == {
        "a.timer": {"Id": "a.timer", "ActiveState": "inactive"},
        "b.service": {"Id": "b.service", "ActiveState": "active"},
    }
