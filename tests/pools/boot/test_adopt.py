"""A root that is on md RAID1 already: what is missing of a boot pair, and what cannot be one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from host.boot_pair import boot_pair
from host.commands.disks.md import MdBitmap
from host.commands.system.boot_pair import BootCopy
from host.inventory import BootNotes, Inventory, Partition
from host.probe.whole import probe
from host.simulated import SimulatedHost
from pools.boot import adopt
from tests.pools.boot.test_boot_pair import carry_out, refused

WISH = adopt.Adopt()
BIOS = "21686148-6449-6e6f-744e-656564454649"
ESP = "c12a7328-f81f-11d2-ba4b-00a0c93ec93b"


@pytest.fixture
def foreign(tmp_path: Path) -> SimulatedHost:
    """A pair that somebody else made: no bitmap, and GRUB as Debian's installer wrote it."""
    host = SimulatedHost(tmp_path / "machine.json", "home")
    with host._store.change() as machine:
        machine.loaders = []
        for array in machine.arrays.values():
            array.bitmap = False
    return host


def states(inventory: Inventory) -> dict[str, str]:
    return {trait.code: trait.state for trait in adopt.traits(inventory)}


def with_root(inventory: Inventory, **changes: Any) -> Inventory:
    arrays = tuple(
        msgspec.structs.replace(array, **changes) if array.carries_system else array
        for array in inventory.arrays
    )
    return msgspec.structs.replace(inventory, arrays=arrays)


def with_part(inventory: Inventory, part: Partition) -> Inventory:
    """One more partition on the first half."""
    pair = boot_pair(inventory)
    assert pair is not None
    first = pair.halves[0].disk.id
    disks = tuple(
        msgspec.structs.replace(disk, partitions=(*disk.partitions, part)) if disk.id == first else disk
        for disk in inventory.disks
    )
    return msgspec.structs.replace(inventory, disks=disks)


def test_a_pair_of_ours_lacks_nothing(tmp_path: Path) -> None:
    inventory = probe(SimulatedHost(tmp_path / "machine.json", "home"))
    assert states(inventory) == {
        "metadata": "good", "boot": "good", "loader": "good", "bitmap": "good",
        "swap-without-copies": "warning",
    }  # fmt: skip
    assert refused(adopt.plan, WISH, inventory) == {"adopted": ""}


def test_what_is_missing_is_written(foreign: SimulatedHost) -> None:
    inventory = probe(foreign)
    pair = boot_pair(inventory)
    assert pair is not None
    plan = adopt.plan(WISH, inventory)
    commands = [command for step in plan.steps for command in step.commands]
    assert commands == [
        *(BootCopy(disk=half.disk.link) for half in pair.halves),
        MdBitmap(array=pair.root.node),
    ]
    assert plan.destroys == ()
    # Their tables are of the old kind: no ESP, so a BIOS starts them and UEFI does not.
    warnings = [finding.code for finding in plan.findings if finding.level == "warning"]
    assert sorted(warnings) == ["one-firmware", "one-firmware", "swap-without-copies"]
    carry_out(foreign, plan)
    now = probe(foreign)
    assert set(states(now).values()) == {"good", "warning"}
    assert refused(adopt.plan, WISH, now) == {"adopted": ""}


def test_only_the_half_that_lacks_it_gets_a_boot_loader(foreign: SimulatedHost) -> None:
    inventory = probe(foreign)
    pair = boot_pair(inventory)
    assert pair is not None
    one, two = (half.disk for half in pair.halves)
    known = msgspec.structs.replace(inventory, boot=BootNotes(loaders=(one.serial or "",)))
    copies = [c for step in adopt.plan(WISH, known).steps for c in step.commands if isinstance(c, BootCopy)]
    assert copies == [BootCopy(disk=two.link)]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"metadata": "external:imsm"}, "metadata"),
        ({"fstype": "zfs_member"}, "file-system"),
        ({"wanted": 1}, "one-place"),
        ({"level": "raid5"}, "not-raid1"),
        ({"fstype": "LVM2_member", "mountpoints": ()}, "root-on-lvm"),
        ({"fstype": "crypto_LUKS", "mountpoints": ()}, "root-encrypted"),
        ({"mountpoints": ("/srv",)}, "no-boot-pair"),
    ],
)
def test_what_cannot_be_adopted_is_refused(foreign: SimulatedHost, changes: Any, code: str) -> None:
    assert refused(adopt.plan, WISH, with_root(probe(foreign), **changes)) == {code: ""}


def test_what_lies_on_one_disk_alone_is_told(foreign: SimulatedHost) -> None:
    inventory = probe(foreign)

    def mounted(point: str) -> Inventory:
        part = Partition(number=9, path="/dev/sdz9", size_bytes=1 << 30, fstype="ext4", mountpoints=(point,))
        return with_part(inventory, part)

    assert refused(adopt.plan, WISH, mounted("/boot")) == {"boot-alone": ""}
    assert refused(adopt.plan, WISH, mounted("/var")) == {"part-alone": ""}
    assert states(mounted("/boot/efi"))["esp-mounted"] == "warning"
    assert states(mounted("[SWAP]"))["swap-alone"] == "warning"


def test_a_half_without_room_for_a_boot_loader_is_refused(foreign: SimulatedHost) -> None:
    inventory = probe(foreign)
    bare = tuple(
        msgspec.structs.replace(
            disk,
            partitions=tuple(
                msgspec.structs.replace(part, parttype="gpt-of-another-kind") for part in disk.partitions
            ),
        )
        for disk in inventory.disks
    )
    assert refused(adopt.plan, WISH, msgspec.structs.replace(inventory, disks=bare)) == {"no-room": ""}
    part = Partition(number=9, path="/dev/sdz9", size_bytes=1 << 20, parttype=BIOS)
    assert states(with_part(inventory, part))["loader"] == "missing"


def test_an_esp_that_is_a_member_of_an_array_is_refused_before_grub_fails_on_it(
    foreign: SimulatedHost,
) -> None:
    part = Partition(number=9, path="/dev/sdz9", size_bytes=1 << 29, parttype=ESP, fstype="linux_raid_member")
    assert refused(adopt.plan, WISH, with_part(probe(foreign), part)) == {"esp-in-array": ""}


def test_an_esp_in_a_table_of_the_old_kind_is_not_written_so_it_does_not_count(
    foreign: SimulatedHost,
) -> None:
    part = Partition(number=9, path="/dev/sdz9", size_bytes=1 << 29, parttype="0xef", fstype="vfat")
    found = [trait.code for trait in adopt.traits(with_part(probe(foreign), part))]
    assert found.count("one-firmware") == 2
