"""`python -m tests.lab.recording.layouts`: fresh pools of many layouts: tests/transcripts/layouts.json.

The members are sparse files in the guest's memory, as large as the partitions that the product makes on disks
of those sizes: so pools of any size cost nothing, and a layout takes seconds.
"""

import json
from collections.abc import Iterator, Sequence
from itertools import batched
from typing import Any

from tests.lab.builder import build_image
from tests.lab.machine import Machine
from tests.lab.recording.record import TRANSCRIPTS

MIB, GB, TB = 1024**2, 1000**3, 1000**4
_RESERVE = 2 * 1024 * MIB
FOLDER = "/run/members"

Vdev = tuple[str, str, tuple[int, ...]]  # role, layout, bytes of the disks
Wanted = tuple[int, tuple[Vdev, ...]]  # ashift, vdevs


def wanted() -> Iterator[Wanted]:
    """What is measured: the layouts and sizes that people use, and the edges of each rule."""
    for size in (3 * GB, 16 * GB, 64 * GB, 250 * GB, 1 * TB, 4_000_787_030_016, 12 * TB, 20 * TB):
        yield 12, (_of("stripe", size, 1),)
        yield 12, (_of("mirror", size, 2), _of("mirror", size, 2))
        yield 12, (_of("raidz1", size, 4),)
        yield 12, (_of("raidz2", size, 7),)
        yield 12, (_of("draid2:4d:12c:1s", size, 12),)
    for size in (3 * GB, 4_000_787_030_016, 20 * TB):
        yield 12, (_of("raidz3", size, 24),)
        yield 12, tuple(_of("raidz2", size, 8) for _ in range(3))
        yield 12, (_of("draid3:8d:24c:2s", size, 24),)
        yield 12, (_of("draid1:5d:13c:0s", size, 13),)
    yield from _draids()
    yield from _mixed()
    yield from _classes()
    for ashift in (9, 13, 14):
        yield ashift, (_of("raidz2", 4 * TB, 6),)
        yield ashift, (_of("draid2:5d:12c:1s", 4 * TB, 12),)
        yield ashift, (_of("raidz1", 3 * GB, 5),)


def _draids() -> Iterator[Wanted]:
    for layout, count in (
        ("draid1", 2), ("draid1", 3), ("draid2", 5), ("draid3", 9), ("draid", 12), ("draid2:8d:14c:2s", 14),
        ("draid1:1d:6c:1s", 6), ("draid2:11d:15c:2s", 15), ("draid3:16d:24c:3s", 24),
        ("draid2:3d:24c:4s", 24),
    ):  # fmt: skip
        for size in (16 * GB, 1 * TB, 18 * TB):
            yield 12, (_of(layout, size, count),)
    yield 12, (_of("draid2:4d:12c:1s", 8 * TB, 12), _of("draid2:4d:12c:1s", 8 * TB, 12))
    yield 12, (("data", "draid2:4d:12c:1s", (*(4 * TB,) * 11, 3 * TB)),)


def _mixed() -> Iterator[Wanted]:
    yield 12, (("data", "stripe", (3 * GB, 500 * GB, 20 * TB)),)
    yield 12, (("data", "mirror", (3 * GB, 20 * TB)),)
    yield 12, (("data", "mirror", (4 * TB, 8 * TB, 20 * TB)),)
    yield 12, (_of("mirror", 2 * TB, 2), _of("mirror", 10 * TB, 2), _of("mirror", 64 * GB, 2))
    yield 12, (("data", "raidz1", (3 * TB, 4 * TB, 6 * TB)),)
    yield 12, (("data", "raidz2", (8 * TB, 8 * TB, 10 * TB, 12 * TB, 20 * TB, 20 * TB)),)
    yield 12, (_of("raidz2", 4 * TB, 6), _of("raidz2", 12 * TB, 8))
    yield 12, (_of("raidz1", 3 * GB, 3), _of("mirror", 20 * TB, 2), _of("stripe", 100 * GB, 1))


def _classes() -> Iterator[Wanted]:
    for size, special in ((4 * TB, 240 * GB), (20 * TB, 2 * TB), (16 * GB, 3 * GB)):
        data = _of("raidz2", size, 6)
        yield 12, (data, _of("mirror", special, 2, "special"))
        yield 12, (data, _of("mirror", special, 2, "dedup"))
        yield 12, (data, _of("stripe", special, 1, "log"), _of("stripe", special, 1, "cache"))
        yield 12, (data, _of("mirror", special, 3, "special"), _of("mirror", special, 2, "special"),
                   _of("mirror", special, 2, "log"), _of("stripe", size, 1, "spare"))  # fmt: skip
    yield 12, (_of("draid2:4d:12c:1s", 8 * TB, 12), _of("mirror", 1 * TB, 3, "special"))
    yield 12, (_of("stripe", 3 * GB, 1), _of("stripe", 20 * TB, 1, "special"))


def _of(layout: str, size: int, count: int, role: str = "data") -> Vdev:
    return role, layout, (size,) * count


def partition_bytes(disk_bytes: int) -> int:
    """The partition on a disk for a pool: 1 MiB in front, min(2 GiB, 1 %) behind."""
    return ((disk_bytes - min(_RESERVE, disk_bytes // 100)) // MIB - 1) * MIB


def measure(machine: Machine, ashift: int, vdevs: Sequence[Vdev]) -> dict[str, Any]:
    """One row; sizes in bytes. `vdevs` of the row have the bytes of partitions, `tops` what ZFS made of them
    (allocatable bytes and metaslab shift), to debug a formula with."""
    words, rows = list[str](), list[dict[str, Any]]()
    files: dict[str, int] = {}
    for role in ("data", "special", "dedup", "log", "cache", "spare"):
        found = [vdev for vdev in vdevs if vdev[0] == role]
        words += [role] if found and role != "data" else []
        for _, layout, sizes in sorted(found, key=lambda vdev: vdev[1] != "stripe"):
            names = [f"{FOLDER}/{len(files) + place}" for place in range(len(sizes))]
            files |= dict(zip(names, map(partition_bytes, sizes), strict=True))
            words += [*([] if layout == "stripe" else [layout]), *names]
            rows.append({"role": role, "layout": layout, "bytes": [files[name] for name in names]})
    make = "; ".join(f"truncate -s {size} {name}" for name, size in files.items())
    machine.run(f"rm -rf {FOLDER}/*; {make}; zpool create -f -o ashift={ashift} fresh {' '.join(words)}")
    used, available = map(int, machine.run("zfs list -Hp -o used,available fresh").stdout.split())
    label = machine.run("zdb -C fresh | grep -E ' (metaslab_shift|asize): '; zpool destroy fresh").stdout
    numbers = [int(line.split(": ")[1]) for line in label.splitlines()]
    tops = [{"metaslab_shift": shift, "asize": asize} for shift, asize in batched(numbers, 2)]
    return {"ashift": ashift, "vdevs": rows, "available_plus_used": used + available, "tops": tops}


def main() -> None:
    """Boots a machine without disks and makes each pool once."""
    with Machine(build_image()) as machine:
        machine.boot()
        machine.run(f"mkdir {FOLDER}; mount -t tmpfs -o size=2G tmpfs {FOLDER}; modprobe zfs")
        rows = [measure(machine, ashift, vdevs) for ashift, vdevs in wanted()]
    (TRANSCRIPTS / "layouts.json").write_text("[\n  " + ",\n  ".join(map(json.dumps, rows)) + "\n]\n")


if __name__ == "__main__":
    main()
