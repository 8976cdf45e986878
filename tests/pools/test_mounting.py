"""Every plan holds each file system that it mounts, moves or makes to the one rule of where that may be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from host.inventory import Inventory, Property
from jobs.plan import Plan, Refused
from jobs.rights import ADMIN
from pools import create_pool
from pools.datasets import create_dataset, mount_dataset, rename_dataset, set_properties
from pools.keys import load_key
from pools.snapshots import clone
from tests import made
from tests.host.test_mountpoints import HOSTILE

DISK = made.disk(1)
SYSTEM, ELSEWHERE = "/var/spool", "/home"
Planned = Callable[[], Plan]


def machine(top: str = "/mnt/top", **more: Any) -> Inventory:
    """A dataset at `top` that hands its place down to `new`, and one beside it that can move there."""
    datasets = (
        made.dataset("tank"),
        made.dataset("tank/top", mountpoint=top, **more),
        made.dataset("tank/top/cron", mountpoint=made.inherited(f"{top}/cron", "tank/top")),
        made.dataset("tank/cron", mountpoint=made.inherited("/mnt/tank/cron", "tank")),
        made.dataset("tank/cron/deep", mountpoint=made.inherited("/mnt/tank/cron/deep", "tank")),
        made.dataset("tank/away", canmount="on", mountpoint=f"{top}/away"),
        made.dataset(
            "tank/locked", canmount="on", mountpoint=f"{top}/locked", encryptionroot="tank/locked",
            keystatus="unavailable", keyformat="passphrase",
        ),
    )  # fmt: skip
    return made.inventory(
        DISK, pools=(made.pool(),), datasets=datasets, snapshots=(made.snapshot("tank/cron@one"),)
    )


def put(name: str, inventory: Inventory, **properties: str | None) -> Plan:
    return set_properties.plan(set_properties.SetProperties(name=name, properties=properties), inventory)


WAYS: dict[str, Callable[[str], Plan]] = {
    "set": lambda top: put("tank/cron", machine(), mountpoint=f"{top}/cron"),
    "set-in-bulk": lambda top: set_properties.plan_bulk(
        set_properties.BulkSetProperties(names=("tank/cron",), properties={"mountpoint": f"{top}/cron"}),
        machine(),
    ),
    "inherit": lambda top: put("tank/top/own", own(top), mountpoint=None),
    "go-back-to-what-was-received": lambda top: set_properties.plan(
        set_properties.SetProperties(name="tank/top/own", received=("mountpoint",)), own(top)
    ),
    "let-it-be-mounted-by-itself": lambda top: put("tank/top", machine(f"{top}/x"), canmount="on"),
    "create-at": lambda top: create_dataset.plan(
        create_dataset.CreateDataset(name="tank/new", properties={"mountpoint": f"{top}/new"}), machine()
    ),
    "create-below": lambda top: create_dataset.plan(
        create_dataset.CreateDataset(name="tank/top/new"), machine(top)
    ),
    "clone-at": lambda top: clone.plan(
        clone.CloneSnapshot(
            snapshot="tank/cron@one", name="tank/new", properties={"mountpoint": f"{top}/new"}
        ),
        machine(),
    ),
    "clone-below": lambda top: clone.plan(
        clone.CloneSnapshot(snapshot="tank/cron@one", name="tank/top/new"), machine(top)
    ),
    "rename-below": lambda top: rename_dataset.plan(
        rename_dataset.RenameDataset(name="tank/cron", to="tank/top/moved"), machine(top)
    ),
    "mount": lambda top: mount_dataset.plan(mount_dataset.MountDataset(name="tank/away"), machine(top)),
    "unlock": lambda top: load_key.plan(
        load_key.LoadKey(names=("tank/locked",), passphrase=f"secret:{32 * '0'}"), machine(top)
    ),
    "create-pool": lambda top: create_pool.plan(
        create_pool.CreatePool(
            name="pond",
            vdevs=(create_pool.NewVdev(layout="stripe", disks=(DISK.id,)),),
            mountpoint=f"{top}/x",
        ),
        machine(),
    ),
}


def own(top: str) -> Inventory:
    """`tank/top/own` has a place of its own, and received another one."""
    place = Property(value="/mnt/own", source="local", received=f"{top}/own")
    found = machine(top)
    return made.inventory(
        pools=found.pools, datasets=(*found.datasets, made.dataset("tank/top/own", mountpoint=place))
    )


@pytest.mark.parametrize("way", WAYS)
def test_nothing_is_mounted_over_a_folder_of_the_system(way: str) -> None:
    with pytest.raises(Refused) as refused:
        WAYS[way](SYSTEM)
    said = [f.message for f in refused.value.findings if f.level == "error"]
    assert said
    assert all("/var/spool/" in one and "Choose a folder below /mnt" in one for one in said)


@pytest.mark.parametrize("way", WAYS)
def test_elsewhere_is_an_admins_and_warned_of(way: str) -> None:
    found = [one for one in WAYS[way](ELSEWHERE).findings if one.needs]
    assert {(one.level, one.code, one.needs) for one in found} == {("warning", "mounts-elsewhere", ADMIN)}
    assert all("/home/" in one.message and "admin" in one.message for one in found)


@pytest.mark.parametrize("way", WAYS)
def test_below_the_open_roots_nothing_is_said(way: str) -> None:
    assert [one for one in WAYS[way]("/srv/x").findings if one.needs] == []


def test_children_are_held_to_it_that_follow_their_parent() -> None:
    with pytest.raises(Refused) as refused:
        put("tank/cron", machine(), mountpoint="/var")
    assert {f.message.partition(" ")[0] for f in refused.value.findings if f.level == "error"} >= {"/var"}
    found = [f.message for f in put("tank/cron", machine(), mountpoint="/data").findings if f.needs]
    assert [one.partition(" would")[0] for one in found] == ["tank/cron", "tank/cron/deep"]


def test_a_bulk_change_follows_what_its_first_part_has_moved() -> None:
    datasets = (
        made.dataset("tank", mountpoint="/srv/tank"),
        made.dataset("tank/a", mountpoint="/home/a"),
        made.dataset("tank/a/b", mountpoint="/mnt/b"),
    )
    request = set_properties.BulkSetProperties(names=("tank/a", "tank/a/b"), properties={"mountpoint": None})
    found = set_properties.plan_bulk(request, made.inventory(pools=(made.pool(),), datasets=datasets))
    assert [one for one in found.findings if one.needs] == []


def test_a_pools_root_that_inherits_its_place_lies_below_the_root_of_all() -> None:
    datasets = (made.dataset("etc"), made.dataset("data"))
    inventory = made.inventory(pools=(made.pool("etc"), made.pool("data")), datasets=datasets)
    with pytest.raises(Refused):
        put("etc", inventory, mountpoint=None)
    assert [one.needs for one in put("data", inventory, mountpoint=None).findings if one.needs] == [ADMIN]


@pytest.mark.parametrize("path", HOSTILE)
def test_no_spelling_leads_past_it(path: str) -> None:
    with pytest.raises(Refused):
        put("tank/cron", machine(), mountpoint=path)


def test_what_stays_where_it_is_can_be_renamed() -> None:
    inventory = machine("/var/lib/x")
    request = rename_dataset.RenameDataset(name="tank/top", to="tank/other")
    assert rename_dataset.plan(request, inventory).steps


@pytest.mark.parametrize("name", ["setuid", "devices"])
@pytest.mark.parametrize("way", ["set", "inherit", "create", "clone", "rename"])
def test_files_that_give_rights_are_let_work_again_by_admins_alone(way: str, name: str) -> None:
    shut = {name: made.inherited("off", "tank/shut")}
    datasets = (
        made.dataset("tank", **{name: Property(value="on", source="default")}),
        made.dataset("tank/shut", **{name: "off"}),
        made.dataset("tank/shut/in", mountpoint=made.inherited("/mnt/tank/shut/in", "tank/shut"), **shut),
        made.dataset("tank/open", **{name: Property(value="on", source="default")}),
    )
    inventory = made.inventory(
        pools=(made.pool(),), datasets=datasets, snapshots=(made.snapshot("tank/shut@one"),)
    )
    ways: dict[str, Planned] = {
        "set": lambda: put("tank/shut", inventory, **{name: "on"}),
        "inherit": lambda: put("tank/shut", inventory, **{name: None}),
        "create": lambda: create_dataset.plan(
            create_dataset.CreateDataset(name="tank/shut/new", properties={name: "on"}), inventory
        ),
        "clone": lambda: clone.plan(
            clone.CloneSnapshot(snapshot="tank/shut@one", name="tank/open/new"), inventory
        ),
        "rename": lambda: rename_dataset.plan(
            rename_dataset.RenameDataset(name="tank/shut/in", to="tank/open/in"), inventory
        ),
    }
    found = [one for one in ways[way]().findings if one.needs]
    assert {(one.level, one.code, one.needs) for one in found} == {("warning", f"lets-{name}", ADMIN)}
    assert put("tank/open", inventory, **{name: "on"}).steps
    assert [one for one in put("tank/open", inventory, **{name: "on"}).findings if one.needs] == []
