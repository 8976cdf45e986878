"""What lies below an export and has one of its own: who may mount it, also once that is off or deleted."""

from __future__ import annotations

import re

import msgspec
import pytest

from host.inventory import Inventory, NfsClient, NfsShare, Served, Sharing
from jobs.plan import Finding, Plan
from jobs.rights import ADMIN
from shares.applying import texts
from shares.nfs.exports import ChangeNfsShare, DeleteNfsShare, plan_change, plan_delete
from shares.nfs.render import exported, render
from tests import made

LAN = NfsClient(host="192.168.1.0/24")
ROOTED = NfsClient(host="192.168.1.0/24", squash="none")
ONE = NfsClient(host="10.0.0.7", read_only=True)
DATASETS = tuple(
    made.dataset(name, mounted="yes", mountpoint=f"/mnt/{name}")
    for name in ("tank/media", "tank/media/films", "tank/media/films/old", "tank/music")
)
GUIDS = {one.name: one.guid for one in DATASETS}


def export(number: int, dataset: str, *clients: NfsClient, below: bool = True, on: bool = True) -> NfsShare:
    return NfsShare(id=number, guid=GUIDS[dataset], dataset=dataset, clients=clients, below=below, enabled=on)


def nas(*shares: NfsShare) -> Inventory:
    """A machine that serves these."""
    found = msgspec.structs.replace(made.inventory(datasets=DATASETS), sharing=Sharing(nfs=shares))
    served = Served(
        files=texts(found.sharing, found),
        services={"nfs-server": "active"},
        exported=exported(found.sharing, found),
    )
    return msgspec.structs.replace(found, served=served)


def mounters(inventory: Inventory) -> dict[str, str]:
    """Who may mount which folder, as our file says it."""
    return dict(re.findall(r'"/mnt/tank/([^"]+)" ([^(]+)\(', render(inventory.sharing, inventory)))


def warned(plan: Plan) -> list[Finding]:
    return [one for one in plan.findings if one.code == "still-exported"]


def test_an_export_that_is_off_keeps_its_folder_out_of_the_one_above() -> None:
    off = nas(export(1, "tank/media", LAN), export(2, "tank/media/films", ONE, on=False))
    assert mounters(off) == {"media": "192.168.1.0/24"}
    assert exported(off.sharing, off) == ("/mnt/tank/media",)


def test_one_that_is_off_and_alone_leaves_what_lies_below_to_the_one_above() -> None:
    off = nas(export(1, "tank/media", LAN), export(2, "tank/media/films", ONE, below=False, on=False))
    assert mounters(off) == {"media": "192.168.1.0/24", "media/films/old": "192.168.1.0/24"}


def test_one_whose_stored_clients_are_no_clients_is_not_served_to_those_of_the_one_above() -> None:
    bad = nas(export(1, "tank/media", LAN), export(2, "tank/media/films", NfsClient(host="a b")))
    assert mounters(bad) == {"media": "192.168.1.0/24"}


def test_to_turn_one_off_ends_it_for_everybody() -> None:
    machine = nas(export(1, "tank/media", ROOTED), export(2, "tank/media/films", ONE))
    plan = plan_change(ChangeNfsShare(id=2, enabled=False), machine)
    assert warned(plan) == []
    assert "nobody can mount it" in plan.summary


def test_to_delete_one_says_to_whom_the_one_above_exports_its_folder() -> None:
    machine = nas(export(1, "tank/media", LAN), export(2, "tank/media/films", ONE))
    plan = plan_delete(DeleteNfsShare(id=2), machine)
    words = "the export of tank/media includes it: machines in 192.168.1.0/24 may read and write"
    assert plan.summary == (
        f"tank/media/films has no export of its own any more, but {words}; its files stay. "
        "10.0.0.7 can no longer use it and will see errors where it is mounted."
    )
    (found,) = warned(plan)
    assert (found.level, found.needs) == ("warning", None)
    assert found.message == f"tank/media/films stays exported, as {words}."


def test_who_may_mount_it_through_the_one_above_too_is_not_cut_off() -> None:
    machine = nas(export(1, "tank/media", LAN), export(2, "tank/media/films", LAN))
    plan = plan_delete(DeleteNfsShare(id=2), machine)
    assert plan.summary.endswith("Nobody is disconnected.")
    assert "cut-off" not in {one.code for one in plan.findings}


@pytest.mark.parametrize("on", [True, False])
def test_only_an_admin_hands_a_folder_to_clients_that_are_root_there(on: bool) -> None:
    machine = nas(export(1, "tank/media", ROOTED), export(2, "tank/media/films", ONE, on=on))
    (found,) = warned(plan_delete(DeleteNfsShare(id=2), machine))
    assert found.needs == ADMIN
    assert found.message.endswith(" Root on machines in 192.168.1.0/24 may read and change every file there.")


def test_what_is_not_mounted_now_is_handed_over_once_it_is() -> None:
    machine = nas(export(1, "tank/media", ROOTED), export(2, "tank/media/films", ONE))
    films = made.dataset("tank/media/films", mounted="no", mountpoint="/mnt/tank/media/films")
    machine = msgspec.structs.replace(machine, datasets=(DATASETS[0], films))
    assert [one.needs for one in warned(plan_delete(DeleteNfsShare(id=2), machine))] == [ADMIN]


def test_what_lies_below_goes_to_the_one_above_where_it_is_included_no_more() -> None:
    machine = nas(export(1, "tank/media", ROOTED), export(2, "tank/media/films", ONE))
    plan = plan_change(ChangeNfsShare(id=2, below=False), machine)
    (found,) = warned(plan)
    assert found.needs == ADMIN
    assert found.message.startswith("What lies below tank/media/films stays exported, as the export of ")


@pytest.mark.parametrize(
    "above",
    [
        export(1, "tank/media", ROOTED, below=False),
        export(1, "tank/media", ROOTED, on=False),
        export(1, "tank/music", ROOTED),
    ],
)
def test_one_that_does_not_reach_it_gets_nothing(above: NfsShare) -> None:
    plan = plan_delete(DeleteNfsShare(id=2), nas(above, export(2, "tank/media/films", ONE)))
    assert warned(plan) == []
    assert plan.summary.startswith("tank/media/films is no longer exported by NFS; its files stay.")


def test_what_is_mounted_elsewhere_is_not_within_the_export_above() -> None:
    machine = nas(export(1, "tank/media", ROOTED), export(2, "tank/media/films", ONE))
    away = made.dataset("tank/media/films", mounted="yes", mountpoint="/mnt/films")
    machine = msgspec.structs.replace(machine, datasets=(DATASETS[0], away))
    assert warned(plan_delete(DeleteNfsShare(id=2), machine)) == []
