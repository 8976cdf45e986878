"""On which interfaces SMB answers: at least one of them has to be there, or nobody reaches a share."""

from __future__ import annotations

import msgspec
import pytest

from host.inventory import Address, Interface, Inventory, Network
from jobs.plan import Plan, Refused
from shares.set_sharing import SetSharing, plan
from tests import made

ENO1 = Interface(
    name="eno1", addresses=(Address(address="10.0.0.5", prefix=24), Address(address="fd00::5", prefix=64))
)
NAS = msgspec.structs.replace(made.inventory(), network=Network(interfaces=(ENO1, Interface(name="eno2"))))


def planned(*interfaces: str, inventory: Inventory = NAS, **more: str) -> Plan:
    return plan(SetSharing(interfaces=interfaces, **more), inventory)  # type: ignore[arg-type]


@pytest.mark.parametrize("given", ["eno1", "eno2", "10.0.0.5", "10.0.0.5/24", "10.0.0.0/8", "fd00::/64"])
def test_what_an_interface_has_is_taken(given: str) -> None:
    assert planned(given).findings == ()


@pytest.mark.parametrize("given", ["enol", "10.0.0.6", "10.1.0.0/16", "fd01::/64", "10.0.0.999"])
def test_what_none_has_is_refused(given: str) -> None:
    with pytest.raises(Refused) as refused:
        planned(given, "eth7")
    found = [(one.field, one.code) for one in refused.value.findings]
    assert found == [("interfaces[0]", "unknown-interface"), ("interfaces[1]", "unknown-interface")]
    assert refused.value.findings[0].message == (
        f"No interface of this machine has {given}. There are: eno1 (10.0.0.5, fd00::5) and eno2."
    )


def test_one_that_may_come_later_is_warned_of_beside_one_that_is_there() -> None:
    (found,) = planned("eno1", "wg0").findings
    assert (found.level, found.field, found.code) == ("warning", "interfaces[1]", "unknown-interface")
    assert found.message.endswith(" SMB does not answer there until Samba restarts with it.")


def test_what_is_set_already_is_in_nobodys_way() -> None:
    settings = msgspec.structs.replace(NAS.sharing.settings, interfaces=("eth7",))
    sharing = msgspec.structs.replace(NAS.sharing, settings=settings)
    before = msgspec.structs.replace(NAS, sharing=sharing)
    assert planned("eth7", inventory=before, workgroup="HOME").findings == ()


def test_nothing_is_compared_with_a_network_that_could_not_be_read() -> None:
    assert planned("eno1", inventory=made.inventory()).findings == ()
