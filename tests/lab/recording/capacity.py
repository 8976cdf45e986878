"""`python -m tests.lab.recording.capacity`: measures fresh pools, into tests/transcripts/capacity.json."""

import dataclasses
import json
from itertools import batched

from tests.lab.builder import build_image
from tests.lab.disks import GB, SATA_BYTES, Disk, sas
from tests.lab.machine import Machine
from tests.lab.recording.record import TRANSCRIPTS
from tests.lab.recording.states import partition, partition_mib, parts

MIB = 1024**2
BIG = tuple(dataclasses.replace(sas(number), size_bytes=SATA_BYTES) for number in range(1, 13))
SMALL_SIZES = (3 * GB, 16 * GB, 100 * GB, 500 * GB)
SMALL = tuple(
    dataclasses.replace(sas(13 + 3 * group + each), size_bytes=size)
    for group, size in enumerate(SMALL_SIZES)
    for each in range(3)
)

# (layout, disks in each vdev, number of vdevs, ashift)
BIG_LAYOUTS = (
    ("stripe", 1, 1, 12), ("stripe", 1, 3, 12), ("mirror", 2, 1, 12), ("mirror", 2, 3, 12),
    ("mirror", 3, 1, 12), ("raidz1", 3, 1, 12), ("raidz1", 5, 1, 12), ("raidz2", 4, 1, 12),
    ("raidz2", 6, 1, 12), ("raidz2", 6, 2, 12), ("raidz2", 11, 1, 12), ("raidz3", 8, 1, 12),
    ("raidz3", 11, 1, 12), ("raidz2", 6, 1, 13), ("raidz2", 6, 1, 9), ("mirror", 2, 1, 9),
    ("draid1", 4, 1, 12), ("draid2:4d:8c:1s", 8, 1, 12), ("draid1:3d:12c:1s", 12, 1, 12),
)  # fmt: skip
SMALL_LAYOUTS = (("stripe", 1, 1, 12), ("mirror", 2, 1, 12), ("raidz1", 3, 1, 12))


def main() -> None:
    """Boots a machine with 24 disks and makes each pool once."""
    rows: list[dict[str, object]] = []
    with Machine(build_image(), (*BIG, *SMALL)) as machine:
        machine.boot()
        partition(machine, (*BIG, *SMALL))
        rows += [_measure(machine, BIG, *layout) for layout in BIG_LAYOUTS]
        for group in batched(SMALL, 3):
            rows += [_measure(machine, group, *layout) for layout in SMALL_LAYOUTS]
    (TRANSCRIPTS / "capacity.json").write_text("[\n  " + ",\n  ".join(map(json.dumps, rows)) + "\n]\n")


def _measure(
    machine: Machine, disks: tuple[Disk, ...], layout: str, width: int, vdevs: int, ashift: int
) -> dict[str, object]:
    """One row; sizes in bytes. `metaslab_shift` and `asize` are the first vdev's, to debug a formula with."""
    members = disks[: width * vdevs]
    word = "" if layout == "stripe" else layout
    spec = " ".join(f"{word} {parts(vdev)}" for vdev in batched(members, width))
    machine.run(f"zpool create -f -o ashift={ashift} fresh {spec}")
    used, available = map(int, machine.run("zfs list -Hp -o used,available fresh").stdout.split())
    label = machine.run("zdb -C fresh | grep -E 'metaslab_shift|asize' | head -2; zpool destroy fresh").stdout
    facts = dict(line.split(": ") for line in map(str.strip, label.splitlines()))
    return {
        "layout": layout,
        "vdevs": vdevs,
        "disks": len(members),
        "disk_bytes": members[0].size_bytes,
        "partition_bytes": partition_mib(members[0]) * MIB,
        "ashift": ashift,
        "metaslab_shift": int(facts["metaslab_shift"]),
        "asize": int(facts["asize"]),
        "available_plus_used": used + available,
    }


if __name__ == "__main__":
    main()
