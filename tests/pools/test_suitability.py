"""What plans and advice warn of: disks that do not suit what is made of them."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from host.commands.pools.zpool import Role
from host.inventory import Bay, Disk, DiskClaim, Inventory, Pool, Vdev
from pools.create_pool import CreatePool, NewVdev, plan
from pools.members.add import AddVdevs
from pools.members.add import plan as add
from pools.smr import shingled
from tests import made

TB = 10**12
SERIALS = (
    "PK1331PAG",
    "WD-WCC4N",
    "Z1F0A",
    "ZA1B7",
    "WD-WX11",
    "VAG2X",
    "2SG9",
    "K7H3",
    "Y6KM",
    "VRJ1",
    "Q9",
    "T5",
)


def various(count: int, **changes: Any) -> tuple[Disk, ...]:
    """Disks of no batch."""
    return tuple(
        made.disk(number, serial=f"{SERIALS[number % 12]}{number * 7919}", **changes)
        for number in range(1, count + 1)
    )


def codes(layout: str, disks: tuple[Disk, ...], *, ashift: int = 12, **more: Any) -> dict[str, str]:
    request = CreatePool(
        name="tank", ashift=ashift, vdevs=(NewVdev(layout=layout, disks=tuple(disk.id for disk in disks)),)
    )
    inventory: Inventory = msgspec.structs.replace(made.inventory(*disks), **more)
    return {finding.code: finding.field for finding in plan(request, inventory).findings}


def test_a_usual_layout_of_various_disks_is_not_warned_of() -> None:
    assert codes("raidz2", various(6)) == {}
    assert codes("mirror", various(2, size_bytes=20 * TB)) == {}


def test_raidz1_is_warned_of_where_a_rebuild_reads_more_than_makers_promise() -> None:
    assert codes("raidz1", various(3, size_bytes=4 * TB)) == {}
    assert codes("raidz1", various(5, size_bytes=4 * TB)) == {"raidz1-large-disks": "vdevs[0].layout"}
    assert codes("raidz2", various(6, size_bytes=20 * TB)) == {}
    assert codes("raidz1", various(5, size_bytes=4 * TB, medium="ssd")) == {}
    assert "raidz1-large-disks" in codes("draid1:4d:12c:1s", various(12, size_bytes=4 * TB))


@pytest.mark.parametrize(
    ("layout", "count", "wastes"),
    [("raidz1", 3, False), ("raidz1", 5, False), ("raidz2", 6, False), ("raidz2", 7, True),
     ("raidz2", 8, False), ("raidz2", 10, False), ("raidz2", 12, True), ("raidz3", 8, True),
     ("raidz3", 11, False)],
)  # fmt: skip
def test_a_width_that_wastes_space_is_told(layout: str, count: int, wastes: bool) -> None:
    assert ("width-wastes-space" in codes(layout, various(count, size_bytes=TB))) == wastes


def test_larger_sectors_waste_more() -> None:
    assert "width-wastes-space" not in codes("raidz2", various(6))
    assert codes("raidz2", various(6), ashift=16)["width-wastes-space"] == "vdevs[0].disks"


@pytest.mark.parametrize(
    "model",
    ["WDC WD60EFAX-68SHWN0", "WDC WD20EZAZ-00GGJB0", "ST8000DM004-2CX188", "ST4000LM024-2AN17V",
     "TOSHIBA HDWD240", "TOSHIBA DT02ABA600", "TOSHIBA MQ04ABF100"],
)  # fmt: skip
def test_shingled_models_are_known(model: str) -> None:
    assert shingled(model)


@pytest.mark.parametrize(
    "model",
    ["WDC WD30EFRX-68EUZN0", "WDC WD80EFAX-68LHPN0", "WDC WD60EFZX-68B3FN0", "ST4000VN008-2DR166",
     "ST16000NM001G", "TOSHIBA HDWN180", "HGST HUS724040ALS640", "Samsung SSD 870 EVO 1TB"],
)  # fmt: skip
def test_other_models_are_not_suspected(model: str) -> None:
    assert not shingled(model)


def test_a_shingled_disk_an_unwell_one_and_one_on_usb_are_named() -> None:
    disks = various(4)
    disks = (
        msgspec.structs.replace(disks[0], model="WDC WD40EFAX-68JH4N1"),
        msgspec.structs.replace(disks[1], health="failing"),
        msgspec.structs.replace(disks[2], transport="usb"),
        disks[3],
    )
    assert codes("raidz2", disks) == {
        "smr-disk": "vdevs[0].disks[0]", "disk-unwell": "vdevs[0].disks[1]", "usb-disk": "vdevs[0].disks[2]",
    }  # fmt: skip


def test_hard_disks_and_ssds_in_one_pool_are_warned_of() -> None:
    disks = various(4)
    assert codes("raidz2", (*disks[:3], msgspec.structs.replace(disks[3], medium="ssd"))) == {
        "mixed-media": "vdevs"
    }


def test_disks_of_one_batch_are_warned_of() -> None:
    batch = tuple(made.disk(number, serial=f"WD-WMC1T00000{number:02}") for number in range(1, 7))
    assert codes("raidz2", batch) == {"one-batch": "vdevs"}
    other = (*batch[:5], msgspec.structs.replace(batch[5], serial="WD-WCC4N3PAZ006"))
    assert codes("raidz2", other) == {}
    another_model = (*batch[:5], msgspec.structs.replace(batch[5], model="ST4000VN008-2DR166"))
    assert codes("raidz2", another_model) == {}
    assert codes("mirror", batch[:2]) == {}
    assert codes("raidz2", tuple(msgspec.structs.replace(disk, serial=None) for disk in batch)) == {}


def bay(label: str, disk: str | None) -> Bay:
    return Bay(label=label, group="front", row=0, column=0, disk=disk)


def test_a_chassis_without_a_free_bay_is_warned_of() -> None:
    disks = various(4)
    full = tuple(bay(disk.bay or "", disk.id) for disk in disks)
    assert codes("raidz2", disks, bays=full) == {"no-spare-bay": "vdevs"}
    assert codes("raidz2", disks, bays=(*full, bay("A5", None))) == {}
    assert codes("raidz2", disks, bays=()) == {}


def test_a_bay_whose_disk_nothing_uses_is_as_good_as_free_and_so_is_a_spare() -> None:
    disks = various(5)
    full = tuple(bay(disk.bay or "", disk.id) for disk in disks)
    inventory = msgspec.structs.replace(made.inventory(*disks), bays=full)
    ids = tuple(disk.id for disk in disks)

    def warned(*vdevs: NewVdev) -> set[str]:
        return {finding.code for finding in plan(CreatePool(name="tank", vdevs=vdevs), inventory).findings}

    assert warned(NewVdev(layout="raidz2", disks=ids[:4])) == set()
    spare = NewVdev(role="spare", layout="stripe", disks=ids[4:])
    assert warned(NewVdev(layout="raidz2", disks=ids[:4]), spare) == set()
    assert warned(NewVdev(layout="raidz2", disks=ids)) == {"no-spare-bay"}


def test_spares_of_a_draid_and_of_the_pool_that_grows_are_spares_too() -> None:
    disks = various(16)
    full = tuple(bay(disk.bay or str(index), disk.id) for index, disk in enumerate(disks))
    assert "no-spare-bay" not in codes("draid1:8d:1s", disks, bays=full)
    assert "no-spare-bay" in codes("draid1:8d:0s", disks, bays=full)
    ids = tuple(disk.id for disk in disks)
    mirror = made.pool(vdevs=(vdev("mirror-0", "data", ids[:2]),))
    spared = made.pool(vdevs=(*mirror.vdevs, leaf("spare", ids[2])))
    request = AddVdevs(name="tank", vdevs=(NewVdev(layout="mirror", disks=ids[4:6]),))
    warned = [
        {finding.code for finding in add(request, in_use(disks, full, pool)).findings}
        for pool in (mirror, spared)
    ]
    assert ["no-spare-bay" in codes for codes in warned] == [True, False]


def leaf(role: Role, disk: str) -> Vdev:
    return Vdev(guid=disk[-6:], name=disk, kind="disk", role=role, state="ONLINE", disk=disk)


def vdev(name: str, role: Role, disks: tuple[str, ...]) -> Vdev:
    children = tuple(leaf(role, disk) for disk in disks)
    return Vdev(guid="77", name=name, kind="mirror", role=role, state="ONLINE", children=children)


def in_use(disks: tuple[Disk, ...], bays: tuple[Bay, ...], pool: Pool) -> Inventory:
    """All disks but the fifth and sixth are used by something."""
    claim = DiskClaim(kind="lvm", words="LVM physical volume", active=True)
    used = tuple(
        disk if index in {4, 5} else msgspec.structs.replace(disk, claims=(claim,))
        for index, disk in enumerate(disks)
    )
    return msgspec.structs.replace(made.inventory(*used), bays=bays, pools=(pool,))
