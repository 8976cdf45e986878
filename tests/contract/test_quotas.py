"""Quotas and reservations, and who takes how much of a file system."""

from __future__ import annotations

import pytest

from host.commands.datasets.space import Whose, ZfsSetQuota, ZfsSpace
from host.commands.datasets.zfs import ZfsCreate, ZfsSet
from host.commands.facts import ReadFact
from host.probe.datasets.space import AccountSpace, parse_names, parse_zfs_space
from tests.contract.bench import Bench

MIB = 1 << 20


def space(tank: Bench, name: str, whose: Whose) -> dict[str, AccountSpace]:
    found = parse_zfs_space(tank.host.run(ZfsSpace(name=name, whose=whose)).stdout)
    return {one.number: one for one in found}


@pytest.mark.core
def test_limits_are_the_datasets_own_and_lifted_by_none(tank: Bench) -> None:
    name = tank.fresh()
    sizes = {"quota": 256, "refquota": 128, "reservation": 64, "refreservation": 32}
    tank.host.run(ZfsSet(name=name, properties={key: str(size * MIB) for key, size in sizes.items()}))
    found = tank.dataset(name)
    assert {key: found.number(key) // MIB for key in sizes} == sizes
    assert found.number("available") <= 128 * MIB
    tank.host.run(ZfsSet(name=name, properties=dict.fromkeys(sizes, "none")))
    assert [tank.dataset(name).number(key) for key in sizes] == [0, 0, 0, 0]


def test_a_quota_below_what_is_there_is_refused(tank: Bench) -> None:
    name = tank.fresh()
    for limit in ("quota", "refquota"):
        refused = tank.refuse(ZfsSet(name=name, properties={limit: "8192"}))
        assert refused.exit == 255
        words = "size is less than current used or reserved space"
        assert refused.stderr == f"cannot set property for '{name}': {words}\n"


def test_a_reservation_of_more_than_there_is_is_refused(tank: Bench) -> None:
    name = tank.fresh()
    for limit in ("reservation", "refreservation"):
        refused = tank.refuse(ZfsSet(name=name, properties={limit: str(1 << 60)}))
        assert refused.exit == 255
        words = "size is greater than available space"
        assert refused.stderr == f"cannot set property for '{name}': {words}\n"


def test_root_owns_a_fresh_file_system(tank: Bench) -> None:
    name = tank.fresh()
    for whose in ("user", "group", "project"):
        rows = space(tank, name, whose)
        assert set(rows) == {"0"}
        assert rows["0"].used_bytes > 0
        assert (rows["0"].quota_bytes, rows["0"].objects_quota) == (None, None)
        assert (rows["0"].objects or 0) > 0


@pytest.mark.parametrize("whose", ["user", "group", "project"])
def test_accounts_are_bounded_in_bytes_and_objects(tank: Bench, whose: Whose) -> None:
    name = tank.fresh()
    for objects, limit in ((False, 64 * MIB), (True, 1000)):
        tank.host.run(ZfsSetQuota(name=name, whose=whose, account="1234", objects=objects, limit=limit))
    row = space(tank, name, whose)["1234"]
    assert (row.used_bytes, row.quota_bytes, row.objects_quota) == (0, 64 * MIB, 1000)
    for objects in (False, True):
        tank.host.run(ZfsSetQuota(name=name, whose=whose, account="1234", objects=objects))
    assert "1234" not in space(tank, name, whose)


def test_an_account_is_known_by_name(tank: Bench) -> None:
    name = tank.fresh()
    names = parse_names(tank.host.run(ReadFact(path="/etc/passwd")).stdout)
    assert (names["0"], names["65534"]) == ("root", "nobody")
    tank.host.run(ZfsSetQuota(name=name, whose="user", account="nobody", limit=MIB))
    assert space(tank, name, "user")["65534"].quota_bytes == MIB


def test_an_unknown_name_is_refused(tank: Bench) -> None:
    name = tank.fresh()
    refused = tank.refuse(ZfsSetQuota(name=name, whose="user", account="nosuchperson", limit=MIB))
    assert refused.exit == 255
    words = "'userquota@nosuchperson' has an invalid user/group name"
    assert refused.stderr == f"cannot set property for '{name}': {words}\n"


def test_a_volume_has_no_accounts(tank: Bench) -> None:
    name = f"{tank.fresh()}/volume"
    tank.host.run(ZfsCreate(name=name, volume_bytes=16 * MIB, sparse=True))
    refused = tank.refuse(ZfsSpace(name=name, whose="user"))
    assert refused.exit == 1
