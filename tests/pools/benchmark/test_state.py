"""What has changed between two benchmarks."""

from __future__ import annotations

import msgspec

from host.inventory import Vdev
from pools.benchmark.state import MachineState, changes, machine_state
from tests import made
from tests.pools.benchmark.test_expect import LINKS, leaf, vdev


def state(*vdevs: Vdev, **changed: object) -> MachineState:
    pool = made.pool(vdevs=vdevs)
    return msgspec.structs.replace(machine_state(pool, made.inventory(pools=(pool,))), **changed)


MIRROR = vdev("mirror-0", *LINKS[:2])


def test_the_state_has_what_decides_the_speed() -> None:
    found = state(MIRROR, leaf(LINKS[2], "log"), leaf(LINKS[3], "spare"))
    assert found.vdevs == ("A data vdev (mirror of 2 disks)", "A log vdev (one disk)")
    assert found.disks == ("ata-0", "ata-1", "ata-2")
    assert (found.openzfs, found.kernel, found.memory_bytes) == ("zfs-kmod-2.3.9", "6.12", 8 << 30)


def test_nothing_has_changed() -> None:
    assert changes(state(MIRROR), state(MIRROR)) == ()


def test_vdevs_come_and_go() -> None:
    before, now = state(MIRROR), state(MIRROR, leaf(LINKS[2], "log"))
    assert changes(before, now) == ("A log vdev (one disk) was added.",)
    assert changes(now, before) == ("A log vdev (one disk) was removed.",)


def test_a_disk_was_replaced() -> None:
    now = state(vdev("mirror-0", LINKS[0], LINKS[5]))
    assert changes(state(MIRROR), now) == ("ata-5 replaced ata-1.",)


def test_what_is_about_the_machine() -> None:
    now = state(MIRROR, openzfs="zfs-kmod-2.4.0", memory_bytes=16 << 30, used_percent=62)
    assert changes(state(MIRROR, used_percent=35), now) == (
        "OpenZFS was zfs-kmod-2.3.9 and is zfs-kmod-2.4.0.",
        "The memory was 8.0 GiB and is 16.0 GiB.",
        "The pool was 35% full and is 62% full.",
    )
