"""The simulated programs answer in the formats of the real ones (tests/transcripts), field by field."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from host.commands.datasets.snapshots import ZfsListSnapshots, ZfsSnapshot, ZfsSnapshotDetails
from host.commands.datasets.zfs import ZfsCreate, ZfsGet, ZfsVersion
from host.commands.disks.partition import WritePartition
from host.commands.facts import DiskLinks, EccControllers, Lsblk, ReadFact
from host.commands.pools.zpool import VdevSpec, ZpoolCreate, ZpoolGet, ZpoolStatus
from host.probe.whole import probe
from host.simulated import SimulatedHost
from host.simulated.profiles import NAMES, build

MACHINES = Path(__file__).parents[1] / "transcripts"
_OWN = {"guid", "pool_guid", "txg", "load_guid", "alloc_space", "allocated", "free", "name", "path", "uuid"}
ROOT = {"compression": "lz4", "atime": "off", "xattr": "sa", "acltype": "posixacl"}


def _read(machine: str, file: str) -> str:
    return (MACHINES / machine / file).read_text()


@pytest.fixture
def blank(tmp_path: Path) -> SimulatedHost:
    return SimulatedHost(tmp_path / "blank.json", "home")


@pytest.fixture
def host(tmp_path: Path) -> SimulatedHost:
    """The state that `home-tank` was recorded in."""
    host = SimulatedHost(tmp_path / "machine.json", "home")
    links = [f"/dev/disk/by-id/{disk.ids[0]}" for disk in host.machine().disks[:6]]
    for link in links:
        host.run(WritePartition(disk=link, size_mib=2_859_539))
    parts = tuple(f"{link}-part1" for link in links)
    host.run(
        ZpoolCreate(
            name="tank",
            vdevs=(VdevSpec(role="data", layout="raidz2", devices=parts),),
            mountpoint="/tank",
            properties={"ashift": "12", "autoexpand": "on"},
            root_properties=ROOT,
        )
    )
    host.run(ZfsCreate(name="tank/media", properties={"compression": "zstd"}))
    host.run(ZfsCreate(name="tank/media/films"))
    host.run(ZfsCreate(name="tank/vol", volume_bytes=1 << 30, sparse=True))
    host.run(ZfsSnapshot(names=("tank/media@before-move",)))
    host.run(ZfsSnapshot(names=("tank/media/films@auto-2026-11-01_00-00",)))
    host.hold("tank/media@before-move")
    return host


_NOT_RECORDED = {"init_state", "trim_state", "trim_notsup"}  # what -i and -t add to each leaf


def _shape(value: Any, key: str = "") -> Any:
    """JSON with what is a machine's own replaced by its type; device names by their place."""
    if isinstance(value, dict):
        rows = ((k, v) for k, v in value.items() if k not in _NOT_RECORDED)
        return [(k if "/dev/" not in k else "device", _shape(v, k)) for k, v in rows]
    if isinstance(value, list):
        return [_shape(item, key) for item in value]
    return type(value).__name__ if key in _OWN or isinstance(value, dict) else value


@pytest.mark.parametrize(
    ("command", "file"),
    [(ZpoolStatus(), "zpool-status.json"), (ZpoolGet(), "zpool-get.json")],
    ids=["status", "get"],
)
def test_pools_are_reported_key_for_key(
    host: SimulatedHost, command: ZpoolStatus | ZpoolGet, file: str
) -> None:
    said, real = json.loads(host.run(command).stdout), json.loads(_read("home-tank", file))
    if file == "zpool-get.json":
        # What was written there has taken space.
        for answer in (said, real):
            for name in ("allocated", "free", "guid", "load_guid"):
                answer["pools"]["tank"]["properties"][name]["value"] = 0
    assert _shape(said) == _shape(real)


@pytest.mark.parametrize("command", [ZpoolStatus(), ZpoolGet()], ids=["status", "get"])
def test_no_pools_are_reported_to_the_letter(blank: SimulatedHost, command: ZpoolStatus | ZpoolGet) -> None:
    file = "zpool-status.json" if isinstance(command, ZpoolStatus) else "zpool-get.json"
    assert json.loads(blank.run(command).stdout) == json.loads(_read("home-empty", file))


def test_versions_are_reported_to_the_letter(blank: SimulatedHost) -> None:
    assert blank.run(ZfsVersion()).stdout.strip() == _read("home-empty", "zfs-version.json").strip()


def _properties(text: str) -> dict[tuple[str, str], tuple[str, ...]]:
    rows = (line.split("\t") for line in text.splitlines())
    return {(row[0], row[1]): tuple(row[2:]) for row in rows}


# Names, times and what writing 20 MB leaves: the real machine's own.
_MOVED = {
    "creation", "guid", "objsetid", "createtxg", "snapshots_changed", "used", "available", "written",
    "usedbychildren", "usedbysnapshots", "logicalused",
}  # fmt: skip


def test_properties_have_the_real_order_values_and_sources(host: SimulatedHost) -> None:
    said, real = _properties(host.run(ZfsGet()).stdout), _properties(_read("home-tank", "zfs-get.txt"))
    assert list(said) == list(real)
    for key, columns in real.items():
        if key[1] in _MOVED:
            assert said[key][1:] == columns[1:], key
        else:
            assert said[key] == columns, key


def test_a_fresh_pool_takes_and_offers_what_a_real_one_does(host: SimulatedHost) -> None:
    said, real = _properties(host.run(ZfsGet()).stdout), _properties(_read("home-tank", "zfs-get.txt"))

    def total(rows: dict[tuple[str, str], tuple[str, ...]]) -> int:
        return int(rows["tank", "used"][0]) + int(rows["tank", "available"][0])

    assert total(said) == total(real) == 11_842_399_240_192


def test_block_devices_have_the_real_columns(host: SimulatedHost) -> None:
    real = json.loads(_read("home-tank", "lsblk.json"))["blockdevices"]
    said = json.loads(host.run(Lsblk()).stdout)["blockdevices"]
    for index in (0, -2):  # a disk with its partition, and a zvol
        mine = said[-1] if index == -2 else said[0]
        expected, found = dict(real[index]), dict(mine)
        for own in ("serial", "wwn", "hctl", "name", "kname", "path", "pkname"):
            for node in (expected, found, *expected.get("children", ()), *found.get("children", ())):
                if node[own] is not None:
                    node[own] = type(node[own]).__name__
        for node in (*expected.get("children", ()), *found.get("children", ())):
            node["uuid"] = node["uuid"].isdecimal()
        for node in (found, *found.get("children", ())):
            del node["disk-seq"], node["fsused"]  # asked for since this was recorded
        assert found == expected


def test_links_are_of_the_real_kinds(host: SimulatedHost) -> None:
    real = {_kind(line) for line in _read("home-tank", "links.txt").splitlines() if "vda" not in line}
    said = {_kind(line) for line in host.run(DiskLinks()).stdout.splitlines()}
    # The simulated flash drives hold the system: their partitions and arrays have links of their own.
    assert real - said == {"by-path usb usbv3"}
    said = {kind for kind in said if not kind.startswith("by-diskseq")}  # asked for since this was recorded
    assert {kind for kind in said - real if "usb" not in kind} == {"by-id md-name", "by-id md-uuid"}


def _kind(line: str) -> str:
    link, _, target = line.partition("\t")
    folder, name = link.removeprefix("/dev/disk/").split("/", 1)
    assert target.count("../") == 2 + name.count("/")
    sub = next(
        (f" {word}" for word in ("by-partnum", "by-partuuid", "by-label", "by-uuid") if word in name), ""
    )
    if folder == "by-id":
        return f"by-id {'-'.join(name.split('-')[:2]) if name.startswith('md') else name.split('-')[0]}"
    usb = next((f" {word}" for word in ("usbv2", "usbv3") if word in name), "")
    port = "usb" if "usb" in name else "ata"
    return f"by-path {port}{usb}{sub}"


def test_snapshots_come_in_columns(host: SimulatedHost) -> None:
    (line,) = host.run(ZfsListSnapshots(datasets=("tank/media",))).stdout.splitlines()
    name, guid, createtxg = line.split("\t")
    assert name == "tank/media@before-move" and guid.isdecimal() and createtxg.isdecimal()
    (line,) = host.run(ZfsSnapshotDetails(names=(name,))).stdout.splitlines()
    columns = line.split("\t")
    assert columns[:3] == [name, guid, createtxg] and columns[3].isdecimal()
    assert columns[4:] == ["0", "196416", "1", "off", "-", "-"]


def test_arrays_are_reported_as_by_the_kernel(blank: SimulatedHost) -> None:
    lines = blank.run(ReadFact(path="/proc/mdstat")).stdout.splitlines()
    real = _read("home-claimed", "mdstat.txt").splitlines()
    assert (lines[0], lines[-1]) == (real[0], real[-1])
    assert lines[1] == "md0 : active raid1 sdh1[1] sdg1[0]"
    assert lines[2].endswith(" blocks super 1.2 [2/2] [UU]")


@pytest.mark.parametrize(
    ("profile", "data", "boot", "memory_gib", "ecc"),
    [
        ("home", 6, "usb", 7, "unknown"),
        ("rack24", 24, "sata", 62, "yes"),
        ("rack90", 90, "sata", 62, "yes"),
        ("shelf12", 12, "sata", 62, "yes"),
        ("flash4", 4, "sata", 62, "yes"),
    ],
)
def test_profiles_are_the_machines_they_claim_to_be(
    tmp_path: Path, profile: str, data: int, boot: str, memory_gib: int, ecc: str
) -> None:
    host = SimulatedHost(tmp_path / "machine.json", profile)
    inventory = probe(host)
    free = [disk for disk in inventory.disks if disk.free]
    system = [disk for disk in inventory.disks if any(claim.kind == "boot" for claim in disk.claims)]
    assert (len(free), len(system), {disk.transport for disk in system}) == (data, 2, {boot})
    assert (inventory.facts.memory_bytes >> 30, inventory.facts.ecc) == (memory_gib, ecc)
    everywhere = [name for disk in inventory.disks for name in disk.links]
    assert len(set(everywhere)) == len(everywhere)
    assert len({disk.port for disk in inventory.disks}) == data + 2
    assert len({disk.path for disk in inventory.disks}) == data + 2


def test_a_machine_nobody_knows_is_named() -> None:
    with pytest.raises(ValueError, match="Known are home, rack24, shelf12, flash4"):
        build("rack0")
    assert [build(name).profile for name in NAMES] == list(NAMES)


def test_memory_controllers_are_listed_where_there_is_ecc(blank: SimulatedHost, tmp_path: Path) -> None:
    assert blank.run(EccControllers()).stdout == ""
    rack = SimulatedHost(tmp_path / "rack.json", "rack24")
    assert rack.run(EccControllers()).stdout.splitlines()[0] == "/sys/devices/system/edac/mc/mc0"
