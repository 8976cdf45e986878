"""Plans about members of pools, by value."""

from __future__ import annotations

import msgspec
import pytest

from host.commands.disks.partition import WritePartition
from host.inventory import Absent, Inventory, leaves
from host.inventory.redundancy import survives
from jobs.plan import Refused
from pools.create_pool import NewVdev
from pools.members import add, replace
from pools.members.newcomer import needed_bytes, partition_bytes
from pools.members.remove import mapping_bytes
from pools.preparation import MIB
from tests import made
from tests.frontend import machines

GIB = 1 << 30


def degraded(size_bytes: int) -> Inventory:
    """`tank` whose third disk was pulled, and a new disk of that size."""
    whole = machines.degraded()
    new = made.disk(9, size_bytes=size_bytes)
    return msgspec.structs.replace(whole, disks=(*whole.disks, new))


def request(inventory: Inventory) -> replace.ReplaceMember:
    gone = next(leaf for leaf in leaves(inventory.pools[0].vdevs[0]) if leaf.state == "REMOVED")
    return replace.ReplaceMember(name="tank", vdev=gone.guid, disk=made.disk(9).id)


def with_space(inventory: Inventory, raw_bytes: int) -> Inventory:
    pool = inventory.pools[0]
    top = msgspec.structs.replace(pool.vdevs[0], total_bytes=raw_bytes)
    return msgspec.structs.replace(inventory, pools=(msgspec.structs.replace(pool, vdevs=(top,)),))


def test_a_target_has_to_hold_its_share_of_the_metaslabs() -> None:
    inventory = with_space(degraded(made.WD_BYTES), 6 * 2700 * GIB)
    assert needed_bytes(inventory.pools[0].vdevs[0]) == 2700 * GIB + (4608 << 10)
    plan = replace.plan(request(inventory), inventory)
    assert [step.title.split()[0] for step in plan.steps] == ["Prepare", "Replace"]
    assert plan.claims == ("pool:tank", f"disk:{made.disk(9).id}")
    small = with_space(degraded(2600 * GIB), 6 * 2700 * GIB)
    with pytest.raises(Refused) as refused:
        replace.plan(request(small), small)
    assert [(f.code, f.field) for f in refused.value.findings if f.level == "error"] == [
        ("disk-too-small", "disk")
    ]


def test_the_plan_names_a_disk_that_is_gone_by_its_bay() -> None:
    inventory = degraded(made.WD_BYTES)
    lost = next(leaf for leaf in leaves(inventory.pools[0].vdevs[0]) if leaf.state == "REMOVED")
    gone = Absent(
        id=lost.link, serial="WD-0003", model="WDC WD30EFRX", since="2026-11-21T12:00:00Z", bay="A3"
    )
    plan = replace.plan(request(inventory), msgspec.structs.replace(inventory, gone=(gone,)))
    assert plan.steps[-1].title.startswith("Replace bay A3, WDC WD30EFRX, serial WD-0003 by ")


def test_a_disk_of_the_same_model_always_fits() -> None:
    disk = made.disk(1)
    inventory = with_space(degraded(made.WD_BYTES), 6 * (partition_bytes(disk) - (4608 << 10)))
    replace.plan(request(inventory), inventory)


def test_an_equal_disk_fits_where_the_old_one_was_filled_to_its_end() -> None:
    filled = made.WD_BYTES - 9 * MIB  # as `zpool create` labels a whole disk: 1 MiB before, 8 behind
    inventory = with_space(degraded(made.WD_BYTES), 6 * (filled - (4608 << 10)))
    plan = replace.plan(request(inventory), inventory)
    (written,) = (c for step in plan.steps for c in step.commands if isinstance(c, WritePartition))
    assert filled <= written.size_mib * MIB <= made.WD_BYTES - 2 * MIB
    smaller = with_space(degraded(made.WD_BYTES - 10 * MIB), 6 * (filled - (4608 << 10)))
    with pytest.raises(Refused):
        replace.plan(request(smaller), smaller)


def test_what_a_vdev_survives_counts_what_it_has_lost_and_what_is_not_copied_yet() -> None:
    whole, hurt = machines.tank().pools[0].vdevs[0], machines.degraded().pools[0].vdevs[0]
    assert (survives(whole), survives(hurt)) == (2, 1)
    assert survives(whole, frozenset({whole.children[0].guid, whole.children[1].guid})) == 0


def test_the_map_of_a_removed_vdev_is_small_where_its_data_is_in_one_piece() -> None:
    assert mapping_bytes(1 << 40) == (65_536 * 24, 8_388_608 * 24)


def test_what_is_added_is_warned_of_like_what_is_made() -> None:
    whole = machines.tank()
    new = tuple(made.disk(number, size_bytes=16_000_000_000_000) for number in range(11, 15))
    inventory = msgspec.structs.replace(whole, disks=(*whole.disks, *new))
    vdevs = (NewVdev(role="data", layout="raidz1", disks=tuple(disk.id for disk in new)),)
    plan = add.plan(add.AddVdevs(name="tank", vdevs=vdevs, confirm="tank"), inventory)
    warned = {(finding.code, finding.field) for finding in plan.findings if finding.level == "warning"}
    assert ("raidz1-large-disks", "vdevs[0].layout") in warned and ("one-batch", "vdevs") in warned
