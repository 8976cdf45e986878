"""The parsers, on what real machines said (tests/transcripts, one folder a machine)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from host.base import Result, UnknownFormat, check
from host.commands.base import Command
from host.commands.disks.labels import ZdbLabel
from host.commands.facts import DiskLinks, Lsblk
from host.inventory import Disk, Pool, leaves
from host.probe.datasets.datasets import parse_zfs_get
from host.probe.datasets.marks import parse_marks
from host.probe.datasets.snapshots import parse_list
from host.probe.disks.disks import parse_disk_links, parse_lsblk
from host.probe.disks.labels import Labels, parse_zdb_label
from host.probe.json_output import decode
from host.probe.membership import settle
from host.probe.pools.pools import parse_zpool_get, parse_zpool_status
from host.simulated import SimulatedHost

MACHINES = Path(__file__).parent.parent / "transcripts"


LABELS = ("member", "detached", "replaced", "removed-log", "removed-top-level", "removed-spare")


class OnlyLabels:
    """A host that answers for labels alone; pools named in `destroyed` are."""

    kind = "local"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def run(self, command: Command) -> Result:
        assert isinstance(command, ZdbLabel)
        self.asked.append(command.device)
        gone = command.device.endswith(("0005-part1", "0006-part1"))
        return Result(exit=0, stdout=f"    version: 5000\n    state: {2 if gone else 1}\n")


def read(machine: str, labels: Labels | None = None) -> tuple[dict[str, Disk], dict[str, Pool]]:
    folder = MACHINES / machine
    links = parse_disk_links((folder / "links.txt").read_text())
    devices = parse_lsblk((folder / "lsblk.json").read_text())
    settings = parse_zpool_get((folder / "zpool-get.json").read_text())
    pools = parse_zpool_status((folder / "zpool-status.json").read_text(), settings)
    disks, pools = settle(devices, links, pools, OnlyLabels(), labels or Labels())
    return {disk.serial or disk.path: disk for disk in disks}, {pool.name: pool for pool in pools}


def sata(number: int) -> str:
    return f"WD-WMC1T000000{number}"


def test_blank_disks_are_free_and_the_root_disk_is_not() -> None:
    disks, pools = read("home-empty")
    first = disks[sata(1)]
    assert (first.id, first.size_bytes, first.transport, first.medium, first.free) == (
        "ata-WDC_WD30EFRX-68EUZN0_WD-WMC1T0000001", 3_000_592_982_016, "sata", "hdd", True,
    )  # fmt: skip
    assert disks["FLASH0001"].medium == "flash"
    assert disks["/dev/vda"].used_by == "the running system (/)"
    assert pools == {}


def test_a_folder_that_disappears_while_links_are_read_is_no_failure() -> None:
    # Seen in the lab: udev took partitions back while `find` walked /dev/disk/by-path.
    gone = "find: ‘/dev/disk/by-path/pci-0000:00:08.0-ata-3.0-part/by-uuid’: No such file or directory\n"
    said = Result(exit=1, stdout="/dev/disk/by-id/ata-ONE_1\t../../sdd\n", stderr=gone)
    assert parse_disk_links(check(DiskLinks(), said).stdout).by_id == {"/dev/sdd": ("ata-ONE_1",)}


def test_a_disk_that_is_just_going_is_left_out_and_a_new_partition_has_its_number() -> None:
    # Seen in the lab: udev has not spoken yet, or the kernel has removed everything but the name.
    (going, *rest) = msgspec.json.decode((MACHINES / "home-claimed" / "lsblk.json").read_text())[
        "blockdevices"
    ]
    here = next(device for device in rest if device.get("children"))
    going |= {key: None for key in going if key not in {"name", "kname", "path", "type", "mountpoints"}}
    here["children"][0] |= {"partn": None, "fstype": None, "label": None}
    devices = parse_lsblk(msgspec.json.encode({"blockdevices": [going, here]}).decode())
    assert [device["kname"] for device in devices] == [here["kname"]]
    (disk,), _ = settle(devices, parse_disk_links(""), (), OnlyLabels(), Labels())
    assert disk.partitions[0].number == 1


def test_a_disk_in_the_place_of_another_is_left_out_until_its_links_are_its_own(tmp_path: Path) -> None:
    host = SimulatedHost(tmp_path / "machine.json", "home")
    links, devices = parse_disk_links(host.run(DiskLinks()).stdout), host.run(Lsblk()).stdout
    before = parse_lsblk(devices)
    # The kernel has given the name to the next disk that came; udev has not got so far.
    before[0]["disk-seq"] += 100
    disks, _ = settle(before, links, (), OnlyLabels(), Labels())
    assert [disk.path for disk in disks] == [f"/dev/{device['kname']}" for device in before[1:]]


def test_members_of_a_pool_are_found_by_their_links() -> None:
    disks, pools = read("home-tank")
    tank = pools["tank"]
    assert (tank.state, tank.health, tank.ashift) == ("ONLINE", "healthy", 12)
    recorded = (MACHINES / "home-tank" / "zpool-status.json").read_text()
    assert f'"pool_guid":{tank.guid},' in recorded
    (raidz,) = tank.vdevs
    assert (raidz.kind, raidz.role, len(raidz.children)) == ("raidz", "data", 6)
    assert [leaf.disk for leaf in leaves(raidz)] == [disks[sata(n)].id for n in range(1, 7)]
    assert {disks[sata(n)].used_by for n in range(1, 7)} == {"member of pool tank"}


@pytest.mark.parametrize(
    ("machine", "serial", "active", "words"),
    [
        ("home-claimed", sata(1), False, "ext4 file system “Backup”, 2.7 TiB, not mounted"),
        ("home-claimed", sata(2), True, "ext4 file system “Photos”, 2.7 TiB, mounted at /srv/photos"),
        ("home-claimed", sata(3), True, "md member of md0"),
        ("home-claimed", sata(5), True, "LVM physical volume"),
        ("home-claimed", sata(6), True, "LUKS encrypted volume"),
        ("home-claimed-2", sata(1), True, "swap in use"),
        ("home-claimed-2", sata(2), True, "exported pool old"),
        ("home-claimed-2", sata(4), False, "ntfs file system “Backup”, 20.0 GiB, not mounted"),
    ],
)
def test_what_claims_a_disk_is_reported_in_words(machine: str, serial: str, active: bool, words: str) -> None:
    disks, _ = read(machine)
    assert [(claim.words, claim.active) for claim in disks[serial].claims] == [(words, active)]


def test_disks_of_a_destroyed_pool_are_free() -> None:
    disks, _ = read("home-claimed-2")
    assert disks[sata(5)].free
    assert disks[sata(6)].free


def test_a_label_is_read_once_and_again_after_its_pool_came_or_went() -> None:
    labels, host = Labels(), OnlyLabels()
    link = "/dev/disk/by-id/x-0005-part1"
    for imported, asked in ((set(), 1), (set(), 1), ({"77"}, 2), ({"77"}, 2), ({"78"}, 3), ({"79"}, 3)):
        labels.forget(imported)
        found = labels.read(host, link, "77")
        assert found is not None
        assert found.nobodys
        assert len(host.asked) == asked


def test_the_label_of_a_member_is_read_again_once_it_is_none() -> None:
    labels, host = Labels(), OnlyLabels()
    link = "/dev/disk/by-id/x-0005-part1"
    labels.read(host, link, "77")
    labels.forget(set(), [link])
    labels.read(host, link, "77")
    assert len(host.asked) == 2


def test_the_label_of_a_disk_that_was_away_is_read_again() -> None:
    labels, host = Labels(), OnlyLabels()
    link = "/dev/disk/by-id/x-0005-part1"
    for here, asked in (({link}, 1), ({link}, 1), (set[str](), 2)):
        labels.forget(set(), (), here)
        labels.read(host, link, "77")
        assert len(host.asked) == asked


@pytest.mark.parametrize(("state", "found"), [("ONLINE", True), ("UNAVAIL", False), ("OFFLINE", False)])
def test_a_missing_member_is_not_the_disk_that_has_its_name_of_the_kernel_now(
    state: str, *, found: bool
) -> None:
    folder = MACHINES / "home-tank"
    links = parse_disk_links((folder / "links.txt").read_text())
    devices = parse_lsblk((folder / "lsblk.json").read_text())
    (pool,) = parse_zpool_status((folder / "zpool-status.json").read_text(), {})
    (raidz,) = pool.vdevs
    other = next(device for device in devices if device["serial"] == sata(2))["children"][0]["path"]
    gone = msgspec.structs.replace(raidz.children[0], path=other, state=state)
    raidz = msgspec.structs.replace(raidz, children=(gone, *raidz.children[2:]))
    tank = msgspec.structs.replace(pool, vdevs=(raidz,))
    _, (placed,) = settle(devices, links, (tank,), OnlyLabels(), Labels())
    assert (next(leaves(placed.vdevs[0])).disk is not None) is found


def test_labels_of_members_of_former_members_and_of_spares_are_told_apart() -> None:
    folder = MACHINES / "labels"
    found = {name: parse_zdb_label((folder / f"{name}.txt").read_text()) for name in LABELS}
    assert {name: label and (label.state, label.left, label.nobodys) for name, label in found.items()} == {
        "member": ("0", False, False), "detached": ("0", True, False), "replaced": ("0", True, False),
        "removed-log": ("0", True, False), "removed-top-level": ("0", True, False),
        "removed-spare": ("3", False, True),
    }  # fmt: skip
    detached = found["detached"]
    assert detached is not None
    assert detached.guid == "7598584074515517957"  # the leaf's, not the pool's or the mirror's


def test_all_roles_are_told_apart() -> None:
    _, pools = read("home-claimed-2")
    assert [(vdev.role, vdev.kind) for vdev in pools["all"].vdevs] == [
        ("data", "mirror"), ("special", "mirror"), ("log", "disk"), ("cache", "disk"), ("spare", "disk"),
    ]  # fmt: skip


def test_a_pulled_disk_and_the_spare_that_stands_in_are_seen() -> None:
    _, pools = read("tank-degraded")
    tank = pools["tank"]
    assert (tank.state, tank.health) == ("DEGRADED", "degraded")
    spare = next(child for child in tank.vdevs[0].children if child.kind == "spare")
    assert [leaf.state for leaf in spare.children] == ["REMOVED", "ONLINE"]
    assert spare.children[0].disk is None
    assert (tank.vdevs[1].role, tank.vdevs[1].state) == ("spare", "INUSE")
    assert tank.scan is not None
    assert (tank.scan.function, tank.scan.state, tank.scan.percent) == ("RESILVER", "FINISHED", None)


def test_disks_that_report_one_serial_or_one_wwn_are_told_apart_and_named() -> None:
    folder = MACHINES / "dup-wwn"
    links = parse_disk_links((folder / "links.txt").read_text())
    found, _ = settle(parse_lsblk((folder / "lsblk.json").read_text()), links, (), OnlyLabels(), Labels())
    ids = [disk.id for disk in found]
    assert len(set(ids)) == len(found) == 6
    flash = "usb-QEMU_QEMU_HARDDISK_FLASH0001-0:0"
    assert {disk.id: disk.twins for disk in found if disk.twins} == {
        f"ata-WDC_WD30EFRX-68EUZN0_{sata(1)}": (f"ata-WDC_WD30EFRX-68EUZN0_{sata(2)}",),
        f"ata-WDC_WD30EFRX-68EUZN0_{sata(2)}": (f"ata-WDC_WD30EFRX-68EUZN0_{sata(1)}",),
        flash: ("sdd",),
        "sdd": (flash,),
    }


def test_disks_know_their_scsi_address() -> None:
    disks, _ = read("tank-degraded")
    assert {serial: disk.hctl for serial, disk in disks.items() if serial.startswith("PCK")} == {
        f"PCK0000{n}": f"0:0:{n - 1}:0" for n in (1, 2, 4, 5, 6, 7)
    }
    assert disks["/dev/vda"].hctl is None


def test_a_value_with_line_feeds_and_tabs_keeps_nothing_else_from_being_read() -> None:
    text = (MACHINES / "home-tank" / "zfs-get.txt").read_text()
    hostile = (
        "tank/vol\tevil:note\ta\tb\tlocal\n"
        "tank/vol\tevil:more\tone\ntwo\ntmp\tmountpoint\t/etc\tlocal\n\tlocal\n"
    )
    assert parse_zfs_get(text + hostile) == parse_zfs_get(text)
    refs = "\tuserrefs\t0\t-\n"
    marks = f"t@a{refs}t@a\tnasweb:auto\tx\ty\tlocal\nt@b{refs}t@b\tnasweb:auto\thourly\tlocal\n"
    assert parse_marks(marks) == {"t@b": "hourly"}
    assert [one.tag for one in parse_list("t@a\t1\t2\nt@b\t1\n")] == ["a"]


def test_properties_know_where_they_come_from() -> None:
    datasets = {d.name: d for d in parse_zfs_get((MACHINES / "home-tank" / "zfs-get.txt").read_text())}
    assert set(datasets) == {"tank", "tank/media", "tank/media/films", "tank/vol"}
    assert (datasets["tank/vol"].kind, datasets["tank/vol"].number("volsize")) == ("volume", 1 << 30)
    local, below = (
        datasets["tank/media"].properties["compression"],
        datasets["tank/media/films"].properties["compression"],
    )
    assert (local.value, local.source) == ("zstd", "local")
    assert (below.value, below.source, below.inherited_from) == ("zstd", "inherited", "tank/media")


def test_another_major_version_of_the_format_is_refused() -> None:
    with pytest.raises(UnknownFormat):
        decode('{"output_version": {"vers_major": 1, "vers_minor": 0}}', command="zpool status")


def test_text_that_is_no_label_has_no_state() -> None:
    assert parse_zdb_label("failed to unpack label 0\n") is None


def held(*built: dict[str, object], table: bool = False, loops: str = "", **loop: Any) -> Disk:
    """A blank disk of a recorded machine with devices built on it, or on a partition of it."""
    folder = MACHINES / "home-empty"
    tree = msgspec.json.decode((folder / "lsblk.json").read_text())["blockdevices"]
    disk = next(device for device in tree if device["serial"] == sata(1))
    nodes = [disk | {"size": 2 << 30, "mountpoints": [], "serial": None} | one for one in built]
    part = disk | {"name": "sdx1", "kname": "sdx1", "path": "/dev/sdx1", "type": "part", "partn": 1}
    disk["children"] = [part | {"parttype": _ZFS, "children": nodes}] if table else nodes
    tree += [disk | {"children": [], "mountpoints": [None], "serial": None} | loop] if loop else []
    text = msgspec.json.encode({"blockdevices": tree}).decode()
    links = parse_disk_links((folder / "links.txt").read_text())
    found, _ = settle(parse_lsblk(text, loops), links, (), OnlyLabels(), Labels())
    return next(one for one in found if one.serial == sata(1))


_ZFS = "6a898cc3-1dd2-11b2-99a6-080020736631"


def a_map(kind: str, name: str, **more: object) -> dict[str, object]:
    return {"name": name, "kname": "dm-0", "path": f"/dev/mapper/{name}", "type": kind, **more}


@pytest.mark.parametrize("table", [False, True])
@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("crypt", "held by encrypted mapping secret until it is closed (cryptsetup close)"),
        ("mpath", "held by multipath map secret until it is flushed (multipath -f)"),
        ("dm", "held by device-mapper map secret until it is removed (dmsetup remove)"),
        ("raid1", "held by md array secret until it is stopped (mdadm --stop)"),
    ],
)
def test_whatever_is_built_on_a_disk_claims_it(kind: str, words: str, table: bool) -> None:
    disk = held(a_map(kind, "secret"), table=table)
    assert (disk.in_use, disk.used_by, [claim.kind for claim in disk.claims]) == (True, words, ["held"])


def test_a_map_that_is_mounted_shows_where(tmp_path: Path) -> None:
    disk = held(a_map("crypt", "secret", mountpoints=["/srv/secret"]))
    assert [claim.kind for claim in disk.claims] == ["mounted", "held"]
    assert "mounted at /srv/secret" in (disk.used_by or "")


def test_a_partition_that_kpartx_made_is_a_map_and_no_partition() -> None:
    disk = held(a_map("part", "sda1"))
    assert disk.partitions == ()
    assert disk.used_by == "held by device-mapper map sda1 until it is removed (dmsetup remove)"


def test_a_loop_device_on_a_disk_claims_it_though_lsblk_does_not_show_it_there() -> None:
    loop: dict[str, Any] = {"name": "loop0", "kname": "loop0", "path": "/dev/loop0", "type": "loop"}
    tree = msgspec.json.decode((MACHINES / "home-empty" / "lsblk.json").read_text())["blockdevices"]
    path = next(device["path"] for device in tree if device["serial"] == sata(1))
    file = "/sys/devices/virtual/block/loop0/loop/backing_file"
    disk = held(loops=f"{file}\0{path}\n", **loop)
    assert disk.used_by == "held by loop device loop0 until it is detached (losetup --detach)"
    assert disk.in_use
    assert held(loops=f"{file}\0/srv/image.iso\n", **loop).free
