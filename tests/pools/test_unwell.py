"""A disk that is not well joins nothing before that was confirmed: one rule for every operation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from host.commands.disks.md import MdCreate
from host.commands.disks.partition import UdevWait, WipeSignatures, WritePartition
from host.commands.pools.zpool import VdevSpec, ZpoolCreate
from host.inventory import Disk, Inventory
from host.probe.whole import probe
from host.simulated import SimulatedHost
from jobs.plan import Refused
from nasweb.operations import OPERATIONS
from pools.arrays.candidates import to_join
from pools.members.candidates import to_add, to_attach, to_replace
from pools.members.places import find

WORDS = ("8 pending sectors", "2 uncorrectable sectors")


@pytest.fixture
def host(tmp_path: Path) -> SimulatedHost:
    """A pool of two disks with a spare, and an array of two; the last disk is free, and one stick was new."""
    host = SimulatedHost(tmp_path / "machine.json", "home")
    disks = data(probe(host))
    for disk in disks[:5]:
        numbers = tuple(part.number for part in disk.partitions)
        host.run(WipeSignatures(disk=disk.link, partitions=numbers))
        size = (disk.size_bytes >> 20) - 4096
        host.run(WritePartition(disk=disk.link, size_mib=size, use="md" if disk in disks[3:5] else "zfs"))
    one, two, three, four, five = (f"{disk.link}-part1" for disk in disks[:5])
    host.run(UdevWait(links=(one, two, three, four, five)))
    mirror = VdevSpec(role="data", layout="mirror", devices=(one, two))
    spare = VdevSpec(role="spare", layout="stripe", devices=(three,))
    host.run(ZpoolCreate(name="tank", vdevs=(mirror, spare), mountpoint="/mnt/tank"))
    host.run(MdCreate(name="media", level=1, members=(four, five)))
    return host


def data(inventory: Inventory) -> list[Disk]:
    return [disk for disk in inventory.disks if disk.transport == "sata"]


def sick(inventory: Inventory, disk_id: str) -> Inventory:
    disks = tuple(
        msgspec.structs.replace(disk, unwell=WORDS) if disk.id == disk_id else disk
        for disk in inventory.disks
    )
    return msgspec.structs.replace(inventory, disks=disks)


def requests(inventory: Inventory) -> dict[str, tuple[str, dict[str, Any]]]:
    """Every way for the sixth disk, or the spare, to become a part of something."""
    disks = data(inventory)
    free = disks[5].id
    pool = inventory.pool("tank")
    assert pool is not None
    top = next(vdev for vdev in pool.vdevs if vdev.role == "data")
    leaf = top.children[0].guid
    alone = [{"role": "data", "layout": "stripe", "disks": [free]}]
    replaced = {"name": "tank", "vdev": leaf, "confirm": leaf}
    return {
        "pool.create": (free, {"name": "other", "vdevs": alone}),
        "pool.add": (free, {"name": "tank", "vdevs": alone, "confirm": "tank"}),
        "pool.add a spare": (free, {"name": "tank", "vdevs": [alone[0] | {"role": "spare"}]}),
        "pool.attach": (free, {"name": "tank", "vdev": leaf, "disk": free}),
        "pool.replace": (free, replaced | {"disk": free}),
        "pool.replace by a spare": (disks[2].id, replaced | {"disk": disks[2].id}),
        "array.add": (free, {"name": "media", "disk": free}),
        "array.replace": (free, {"name": "media", "member": disks[3].id, "disk": free}),
        "array.grow": (free, {"name": "media", "what": "disks", "disks": [free]}),
    }


def check(operation: str, disk: str, request: dict[str, Any], inventory: Inventory) -> None:
    known = OPERATIONS[operation.split()[0]]
    ill = sick(inventory, disk)
    assert known.plan(msgspec.convert(request, known.request), inventory).operation == known.name
    with pytest.raises(Refused) as refused:
        known.plan(msgspec.convert(request, known.request), ill)
    errors = [finding for finding in refused.value.findings if finding.level == "error"]
    assert [(one.code, one.field) for one in errors] == [("unwell-unconfirmed", "accept_unwell")]
    assert all(word in errors[0].message for word in (disk, *WORDS))
    with pytest.raises(Refused):
        known.plan(msgspec.convert(request | {"accept_unwell": ["another"]}, known.request), ill)
    plan = known.plan(msgspec.convert(request | {"accept_unwell": [disk]}, known.request), ill)
    (warning,) = [finding for finding in plan.findings if finding.code == "disk-unwell"]
    assert warning.level == "warning"
    assert "8 pending sectors; 2 uncorrectable sectors" in warning.message


OF_DATA_DISKS = (
    "pool.create", "pool.add", "pool.add a spare", "pool.attach", "pool.replace", "pool.replace by a spare",
    "array.add", "array.replace", "array.grow",
)  # fmt: skip


@pytest.mark.parametrize("operation", OF_DATA_DISKS)
def test_a_disk_that_is_not_well_is_taken_once_that_was_confirmed(
    host: SimulatedHost, operation: str
) -> None:
    host.pass_time(10**6)  # whatever is copied to the array's second member
    inventory = probe(host)
    check(operation, *requests(inventory)[operation], inventory)


def test_so_it_is_with_a_new_array(tmp_path: Path) -> None:
    inventory = probe(SimulatedHost(tmp_path / "machine.json", "home"))
    one, two, *_ = data(inventory)
    check("array.create", one.id, {"name": "media", "level": 1, "disks": [one.id, two.id]}, inventory)


def test_so_it_is_with_the_boot_pair(tmp_path: Path) -> None:
    host = SimulatedHost(tmp_path / "machine.json", "home")
    sticks = [disk for disk in probe(host).disks if any(claim.kind == "boot" for claim in disk.claims)]
    free = data(probe(host))[0]
    check("boot.replace", free.id, {"old": sticks[0].id, "disk": free.id}, probe(host))
    host.swap(sticks[0].id, "4C530001999999999999")
    new = next(disk for disk in probe(host).disks if disk.serial == "4C530001999999999999")
    check("boot.add", new.id, {"disk": new.id}, probe(host))


def test_so_it_is_where_the_system_moves_onto_a_pair(tmp_path: Path) -> None:
    inventory = probe(SimulatedHost(tmp_path / "machine.json", "single"))
    second = [disk for disk in inventory.disks if disk.transport == "usb"][1]
    check("boot.convert", second.id, {"disk": second.id}, inventory)


def test_it_is_offered_last_and_says_why(host: SimulatedHost) -> None:
    inventory = probe(host)
    free = data(inventory)[5].id
    inventory = sick(inventory, free)
    pool, array = inventory.pool("tank"), inventory.array("media")
    assert pool is not None
    assert array is not None
    place = find(pool, pool.vdevs[0].children[0].guid)
    assert place is not None
    for offered in (
        to_add(inventory),
        to_attach(pool, place, inventory),
        to_replace(pool, place, inventory),
        to_join(array, inventory),
    ):
        possible = [one for one in offered if not one.why]
        assert possible[-1].disk.id == free
        assert possible[-1].unwell == "8 pending sectors; 2 uncorrectable sectors"
