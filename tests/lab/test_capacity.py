"""What the API predicts of a pool that is only thought of, against what OpenZFS then has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from host.capacity import shapes, usable_bytes
from tests.lab.builder import build_image, built_release
from tests.lab.console import Console
from tests.lab.disks import GB, sas
from tests.lab.machine import Machine
from tests.lab.recording.layouts import FOLDER, measure, wanted
from tests.lab.test_drill import sata_ids

# The lab keeps its disks as files in ext4, which end at 16 TiB; larger ones are tried as files in memory.
SMALL, MIDDLE, LARGE = 3 * GB, 500 * GB, 16_000 * GB
SIZES = (SMALL,) * 6 + (MIDDLE,) * 6 + (LARGE,) * 12
EXACTLY, NEARLY = (
    0.00001,
    0.001,
)  # RAIDZ, mirrors and stripes; dRAID and pools with metadata on vdevs of its own

# Each word is a vdev: a role unless it is data, a layout, and its disks by size (Small, Middle, Large).
LAYOUTS = (
    "stripe=S", "stripe=M", "stripe=L", "stripe=SML", "stripe=" + "S" * 6 + "M" * 6 + "L" * 12,
    "mirror=SS", "mirror=MM", "mirror=LL", "mirror=SL", "mirror=MLL", "mirror=SS mirror=MM mirror=LL",
    "mirror=LL mirror=LL mirror=LL mirror=LL mirror=LL mirror=LL",
    "mirror=LLL mirror=LLL mirror=LLL mirror=LLL",
    "raidz1=SSS", "raidz1=SSSSS", "raidz1=MMM", "raidz1=LLLL", "raidz1=LLLLL", "raidz1=SML",
    "raidz1=LLL raidz1=LLL raidz1=LLL raidz1=LLL", "raidz1=MMM raidz1=LLL",
    "raidz2=SSSS", "raidz2=SSSSSS", "raidz2=MMMMMM", "raidz2=LLLLLL", "raidz2=LLLLLLL", "raidz2=LLLLLLLLLLL",
    "raidz2=LLLLLLLLLLLL", "raidz2=LLLLLL raidz2=LLLLLL", "raidz2=MMMMMM raidz2=LLLLLL",
    "raidz2=" + "S" * 6 + "M" * 6 + "L" * 12,
    "raidz3=SSSSS", "raidz3=MMMMMM", "raidz3=LLLLLLLL", "raidz3=LLLLLLLLLLL",
    "draid1=SSSSSS", "draid1:3d:6c:1s=SSSSSS", "draid2:3d:6c:1s=MMMMMM", "draid1:2d:6c:2s=MMMMMM",
    "draid2:4d:12c:1s=LLLLLLLLLLLL", "draid2:8d:12c:1s=LLLLLLLLLLLL", "draid3:8d:12c:0s=LLLLLLLLLLLL",
    "draid2:8d:24c:2s=" + "S" * 6 + "M" * 6 + "L" * 12, "draid1:4d:18c:1s=" + "M" * 6 + "L" * 12,
    "raidz2=LLLLLL special:mirror=MM", "mirror=MM special:mirror=SS", "raidz2=LLLLLL dedup:mirror=MM",
    "raidz1=MMM special:mirror=SSS log:mirror=SS cache:stripe=S",
    "draid2:4d:12c:1s=LLLLLLLLLLLL special:mirror=MMM",
    "raidz2=LLLLLLLL log:mirror=SS spare:stripe=L",
)  # fmt: skip


@pytest.mark.parametrize(
    "vdevs",
    [
        [("data", "draid2:3d:6c:1s", 6)],
        [("data", "mirror", 2), ("data", "mirror", 2), ("special", "mirror", 2)],
    ],
    ids=["draid", "mirrors-with-special"],
)
def test_a_pool_made_by_the_api_offers_what_it_was_said_to(
    console: Console, vdevs: list[tuple[str, str, int]]
) -> None:
    ids = iter(sata_ids(console))
    asked = [
        {"role": role, "layout": layout, "disks": [next(ids) for _ in range(count)]}
        for role, layout, count in vdevs
    ]
    predicted = console.ask("POST", "capacity/", {"vdevs": asked}).body["usable_bytes"]
    console.do("POST", "pools/", {"name": "tank", "vdevs": asked})
    try:
        assert console.get("pools/tank/")["capacity"]["usable_bytes"] == pytest.approx(predicted, rel=NEARLY)
    finally:
        console.do("DELETE", "pools/tank/")


@pytest.fixture(scope="module")
def rack() -> Iterator[Machine]:
    """A NAS of 24 disks from 3 GB to 16 TB."""
    disks = [sas(number, size_bytes=size) for number, size in enumerate(SIZES, 1)]
    with Machine(build_image(built_release()), disks) as machine:
        machine.boot()
        yield machine


@pytest.mark.drill
def test_what_is_predicted_for_many_layouts_is_what_zfs_has(rack: Machine) -> None:
    console = Console(rack)
    console.fresh()
    disks = {disk["serial"]: disk for disk in console.get("disks/")["results"]}
    ids = [disks[disk.serial]["id"] for disk in rack.disks.values()]
    # The console itself prepares the disks, once; each layout is then made on the partitions it left.
    everything = [{"role": "data", "layout": "stripe", "disks": ids}]
    console.do("POST", "pools/", {"name": "fresh", "vdevs": everything})
    console.do("DELETE", "pools/fresh/")
    # Nothing more is asked of these two, whose probes of 24 disks take most of an emulated machine.
    rack.run("systemctl stop nasweb-worker zfs-zed")
    wrong = {}
    for layout in LAYOUTS:
        vdevs = _vdevs(layout, ids)
        answer = console.ask("POST", "capacity/", {"vdevs": vdevs, "ashift": 12})
        assert answer.status == 200, (layout, answer)
        predicted, found = answer.body["usable_bytes"], _fresh(rack, vdevs)
        nearly = "draid" in layout or "special" in layout or "dedup" in layout
        if abs(predicted - found) > found * (NEARLY if nearly else EXACTLY):
            wrong[layout] = (predicted, found)
    assert len(LAYOUTS) >= 40
    assert wrong == {}


@pytest.mark.drill
def test_disks_larger_than_files_of_the_lab_can_be_are_predicted_too(rack: Machine) -> None:
    rack.run(f"mkdir -p {FOLDER}; mount -t tmpfs -o size=1G tmpfs {FOLDER}")
    large = [one for one in wanted() if max(max(sizes) for _, _, sizes in one[1]) >= 18_000 * GB]
    rows = [measure(rack, ashift, vdevs) for ashift, vdevs in large]
    rack.run(f"umount {FOLDER}")
    assert len(rows) > 10
    for row in rows:
        data = [vdev for vdev in row["vdevs"] if vdev["role"] == "data"]
        tops = [shape for vdev in data for shape in shapes(vdev["layout"], vdev["bytes"])]
        predicted = usable_bytes(tops, ashift=row["ashift"])
        assert predicted == pytest.approx(row["available_plus_used"], rel=NEARLY), row["vdevs"]


def _vdevs(layout: str, ids: list[str]) -> list[dict[str, Any]]:
    free = {"S": iter(ids[:6]), "M": iter(ids[6:12]), "L": iter(ids[12:])}
    vdevs = []
    for word in layout.split():
        name, _, letters = word.partition("=")
        role, _, rest = name.partition(":")
        is_role = role in {"special", "dedup", "log", "cache", "spare"}
        vdevs.append(
            {
                "role": role if is_role else "data",
                "layout": rest if is_role else name,
                "disks": [next(free[letter]) for letter in letters],
            }
        )
    return vdevs


def _fresh(machine: Machine, vdevs: list[dict[str, Any]]) -> int:
    """`available` and `used` of a pool of these vdevs, made and destroyed again."""
    words: list[str] = []
    for vdev in vdevs:
        words += [vdev["role"]] if vdev["role"] != "data" else []
        words += [] if vdev["layout"] == "stripe" else [vdev["layout"]]
        words += [f"/dev/disk/by-id/{disk}-part1" for disk in vdev["disks"]]
    machine.run(f"zpool create -f -o ashift=12 -m none fresh {' '.join(words)}")
    used, available = map(int, machine.run("zfs list -Hp -o used,available fresh").stdout.split())
    machine.run("zpool destroy fresh")
    return used + available
