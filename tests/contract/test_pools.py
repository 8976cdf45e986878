"""Pools of all layouts and roles, and the pools that cannot be."""

from __future__ import annotations

import msgspec
import pytest

from host.base import Host
from host.capacity import Shape, shapes, usable_bytes
from host.commands.pools.members import ZpoolOffline
from host.commands.pools.zpool import VdevSpec, ZpoolCreate, ZpoolDestroy
from host.inventory import Disk, Pool, leaves
from host.layouts import draid, kind
from tests.contract.bench import POOL, SECOND_POOL, Bench, Wanted, read_disks, read_members
from tests.contract.conftest import prepare

LAYOUTS: tuple[tuple[Wanted, ...], ...] = (
    (("data", "stripe", 1),),
    (("data", "stripe", 3),),
    (("data", "mirror", 2),),
    (("data", "mirror", 3),),
    (("data", "mirror", 2), ("data", "mirror", 2)),
    (("data", "raidz1", 3),),
    (("data", "raidz2", 6),),
    (("data", "raidz3", 5),),
    (("data", "draid1", 6),),
    (("data", "draid2:3d:6c:1s", 6),),
)


def _paths(pool: Pool, role: str) -> list[str | None]:
    return [leaf.path for vdev in pool.vdevs if vdev.role == role for leaf in leaves(vdev)]


def _name(wanted: tuple[Wanted, ...]) -> str:
    return "-".join(f"{layout}{count}" for _, layout, count in wanted)


def _shapes(bench: Bench, wanted: tuple[Wanted, ...]) -> list[Shape]:
    disk = next(d for d in read_disks(bench.host) if any(p.number == 1 for p in d.partitions) and not d.free)
    size = next(part.size_bytes for part in disk.partitions if part.number == 1)
    return [shape for _, layout, count in wanted for shape in shapes(layout, [size] * count)]


@pytest.mark.parametrize("wanted", LAYOUTS, ids=_name)
def test_a_pool_has_the_layout_asked_for(
    bench: Bench, disks: tuple[Disk, ...], wanted: tuple[Wanted, ...]
) -> None:
    bench.create(*wanted)
    (pool,) = read_members(bench.host)[1]
    count = sum(number for _, _, number in wanted)
    data_vdevs = [vdev for vdev in pool.vdevs if vdev.role == "data"]
    assert (pool.state, pool.health, pool.ashift) == ("ONLINE", "healthy", 12)
    assert _paths(pool, "data") == list(bench.parts[:count])
    assert [leaf.disk for vdev in data_vdevs for leaf in leaves(vdev)] == [disk.id for disk in disks[:count]]
    tops = [layout for _, layout, number in wanted for _ in range(number if layout == "stripe" else 1)]
    assert [vdev.kind for vdev in data_vdevs] == [kind(layout).replace("stripe", "disk") for layout in tops]
    if wanted[0][1] != "stripe":
        full = draid(wanted[0][1], count).name if kind(wanted[0][1]) == "draid" else wanted[0][1]
        assert pool.vdevs[0].name == f"{full}-0"
    root = bench.dataset(POOL)
    shape = _shapes(bench, wanted)
    assert root.number("available") + root.number("used") == usable_bytes(shape, ashift=12)


def test_the_root_has_the_properties_asked_for(bench: Bench) -> None:
    pool = bench.create(("data", "mirror", 2))
    root = bench.dataset(POOL)
    assert root.mounted
    found = {name: (root.properties[name].value, root.properties[name].source) for name in root.properties}
    assert found["mountpoint"] == (f"/mnt/{POOL}", "local")
    assert found["compression"] == ("lz4", "local")
    assert found["atime"] == ("off", "local")
    # Both are shown in OpenZFS' own spelling, whatever they were given as.
    assert found["xattr"] == ("on", "local")
    assert found["acltype"] == ("posix", "local")
    assert found["recordsize"] == ("131072", "default")
    assert (pool.properties["autoexpand"], pool.properties["autotrim"]) == ("on", "off")
    assert pool.size_bytes == pool.allocated_bytes + pool.free_bytes
    assert 0 < pool.allocated_bytes < 64 << 20


@pytest.mark.core
def test_every_role_finds_its_place(bench: Bench) -> None:
    pool = bench.create(
        ("data", "mirror", 2), ("special", "mirror", 2), ("log", "stripe", 1), ("cache", "stripe", 1)
    )
    assert [(vdev.role, vdev.kind) for vdev in pool.vdevs] == [
        ("data", "mirror"), ("special", "mirror"), ("log", "disk"), ("cache", "disk"),
    ]  # fmt: skip
    assert [_paths(pool, role) for role in ("data", "special", "log", "cache")] == [
        list(bench.parts[:2]), list(bench.parts[2:4]), [bench.parts[4]], [bench.parts[5]],
    ]  # fmt: skip
    assert pool.health == "healthy"


def test_dedup_mirrored_log_and_spare_find_their_place(bench: Bench) -> None:
    pool = bench.create(
        ("data", "stripe", 1), ("dedup", "stripe", 1), ("log", "mirror", 2), ("spare", "stripe", 2)
    )
    assert [(vdev.role, vdev.kind, vdev.state) for vdev in pool.vdevs] == [
        ("data", "disk", "ONLINE"), ("dedup", "disk", "ONLINE"), ("log", "mirror", "ONLINE"),
        ("spare", "disk", "AVAIL"), ("spare", "disk", "AVAIL"),
    ]  # fmt: skip
    assert pool.health == "healthy"


def test_the_same_disks_can_be_used_again_at_once_three_times(host: Host, disks: tuple[Disk, ...]) -> None:
    for _ in range(3):
        prepare(host, *disks[:4])
        bench = Bench(host, disks)
        assert bench.create(("data", "raidz2", 4)).health == "healthy"
        host.run(ZpoolDestroy(name=POOL))
        assert bench.health() == {}
        assert all(not dataset.name.startswith(POOL) for dataset in bench.datasets())


def test_a_leaf_that_was_offline_at_the_end_of_its_pool_serves_the_next_one(bench: Bench) -> None:
    # Its label is as it was while the pool lived: zpool alone would refuse it, so the bench prepares it anew.
    leaf = bench.create(("data", "mirror", 2)).vdevs[0].children[0]
    bench.host.run(ZpoolOffline(name=POOL, vdev=leaf.guid))
    bench.host.run(ZpoolDestroy(name=POOL))
    assert bench.create(("data", "stripe", 1)).health == "healthy"


def test_vdevs_of_different_strength_need_force(bench: Bench) -> None:
    uneven: tuple[Wanted, ...] = (("data", "mirror", 2), ("data", "stripe", 1))
    refused = bench.refuse(bench.command(*uneven))
    assert refused.exit == 1
    assert "mismatched replication level" in refused.stderr
    pool = bench.create(*uneven, force=True)
    # In whichever order: to zpool, a disk after a mirror would be one more member of it.
    shapes_found = {vdev.kind: [leaf.path for leaf in leaves(vdev)] for vdev in pool.vdevs}
    assert shapes_found == {"mirror": list(bench.parts[:2]), "disk": [bench.parts[2]]}


def test_the_distributed_spares_of_a_draid_have_no_disk(bench: Bench) -> None:
    pool = bench.create(("data", "draid1:2d:6c:2s", 6))
    spares = [(vdev.path, vdev.kind, vdev.state, vdev.disk) for vdev in pool.vdevs if vdev.role == "spare"]
    assert spares == [("draid1-0-0", "dspare", "AVAIL", None), ("draid1-0-1", "dspare", "AVAIL", None)]
    assert pool.properties["feature@draid"] == "active"


def test_raidz_takes_a_mirror_of_equal_strength(bench: Bench) -> None:
    assert bench.create(("data", "raidz1", 3), ("special", "mirror", 2)).health == "healthy"


@pytest.mark.parametrize(
    ("layout", "count", "needed"), [("mirror", 1, 2), ("raidz2", 2, 3), ("raidz3", 3, 4)]
)
def test_too_few_disks_are_refused(bench: Bench, layout: str, count: int, needed: int) -> None:
    spec = msgspec.convert({"role": "data", "layout": layout, "devices": bench.parts[:count]}, VdevSpec)
    command = msgspec.structs.replace(bench.command(("data", "stripe", 1)), vdevs=(spec,))
    refused = bench.refuse(command)
    assert refused.exit == 1
    assert f"{layout} requires at least {needed} devices" in refused.stderr


def test_a_taken_name_is_refused(bench: Bench) -> None:
    bench.create(("data", "stripe", 1))
    again = msgspec.structs.replace(bench.command(("data", "stripe", 1), first=1), mountpoint="none")
    refused = bench.refuse(again)
    assert (refused.exit, refused.stderr) == (1, f"cannot create '{POOL}': pool already exists\n")


@pytest.mark.parametrize("name", ["mirror", "raidz1", "draid", "spares", "log", "mirrored"])
def test_a_reserved_name_is_refused(bench: Bench, name: str) -> None:
    refused = bench.refuse(bench.command(("data", "stripe", 1), name=name))
    assert refused.exit == 1
    assert refused.stderr.startswith(f"cannot create '{name}': name is reserved\n")


def test_a_name_too_long_is_refused(bench: Bench) -> None:
    command = msgspec.structs.replace(bench.command(("data", "stripe", 1), name="t" * 240), mountpoint="none")
    refused = bench.refuse(command)
    assert refused.exit == 1
    assert "name is too long" in refused.stderr


def test_a_device_that_is_gone_is_refused(bench: Bench) -> None:
    gone = f"{bench.parts[0]}9"
    spec = VdevSpec(role="data", layout="stripe", devices=(gone,))
    command = msgspec.structs.replace(bench.command(("data", "stripe", 1)), vdevs=(spec,))
    refused = bench.refuse(command)
    assert refused.exit == 1
    assert gone in refused.stderr


@pytest.mark.parametrize("force", [False, True])
def test_a_member_of_an_imported_pool_is_refused_even_with_force(bench: Bench, force: bool) -> None:
    bench.create(("data", "mirror", 2))
    refused = bench.refuse(bench.command(("data", "mirror", 2), name=SECOND_POOL, first=1, force=force))
    assert refused.exit == 1
    assert f"{bench.parts[1]} is part of active pool '{POOL}'" in refused.stderr
    assert bench.health() == {POOL: "healthy"}


def test_a_device_twice_is_refused(bench: Bench) -> None:
    spec = VdevSpec(role="data", layout="mirror", devices=(bench.parts[0], bench.parts[0]))
    command = msgspec.structs.replace(bench.command(("data", "stripe", 1)), vdevs=(spec,))
    assert bench.refuse(command).exit == 1
    assert POOL not in bench.health()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"properties": {"ashift": "99"}}, "only values between 9 and 16 are allowed"),
        ({"properties": {"ashift": "12", "autotrim": "maybe"}}, "'autotrim' must be one of"),
        ({"root_properties": {"compression": "zip"}}, "'compression' must be one of"),
        ({"root_properties": {"nonsense": "on"}}, "property 'nonsense' is not a valid filesystem property"),
        ({"root_properties": {"volsize": "1G"}}, "property 'volsize' is not a valid filesystem property"),
    ],
    ids=lambda value: str(value)[:50],
)
def test_bad_properties_are_refused(bench: Bench, change: dict[str, dict[str, str]], said: str) -> None:
    command: ZpoolCreate = msgspec.structs.replace(bench.command(("data", "stripe", 1)), **change)
    refused = bench.refuse(command)
    assert refused.exit != 0
    assert said in refused.stderr
    assert POOL not in bench.health()


def test_two_pools_stand_side_by_side(bench: Bench) -> None:
    bench.create(("data", "mirror", 2))
    bench.create(("data", "mirror", 2), name=SECOND_POOL, first=2)
    bench.host.run(ZpoolDestroy(name=POOL))
    assert bench.health() == {SECOND_POOL: "healthy"}
    assert [dataset.name for dataset in bench.datasets() if dataset.pool == SECOND_POOL] == [SECOND_POOL]


def test_a_pool_that_is_not_there_cannot_be_destroyed(host: Host) -> None:
    refused = Bench(host, ()).refuse(ZpoolDestroy(name="contract9"))
    assert (refused.exit, refused.stderr) == (1, "cannot open 'contract9': no such pool\n")
