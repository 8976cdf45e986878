"""Vdevs and members that come and go while the pool is in use."""

from __future__ import annotations

import pytest

from host.commands.pools.members import (
    ZpoolAdd,
    ZpoolAttach,
    ZpoolCancelRemoval,
    ZpoolDetach,
    ZpoolOffline,
    ZpoolRemove,
    ZpoolReplace,
)
from host.commands.pools.zpool import Role, VdevSpec
from host.inventory import Disk, Pool, leaves
from tests.contract.bench import POOL, Bench
from tests.contract.conftest import again


def _whole(pool: Pool) -> bool:
    """Every resilver is over, and nothing is being replaced."""
    running = pool.scan is not None and pool.scan.state == "SCANNING"
    kinds = {child.kind for vdev in pool.vdevs for child in vdev.children}
    return not running and not kinds & {"replacing", "spare"}


def test_a_pool_grows_by_vdevs_like_its_own(bench: Bench) -> None:
    before = bench.create(("data", "mirror", 2)).size_bytes
    single = VdevSpec(role="data", layout="stripe", devices=(bench.parts[2],))
    refused = bench.refuse(ZpoolAdd(name=POOL, vdevs=(single,)))
    assert (refused.exit, refused.stderr) == (
        1,
        (
            "invalid vdev specification\nuse '-f' to override the following errors:\n"
            "mismatched replication level: pool uses mirror and new vdev is disk\n"
        ),
    )
    mirror = VdevSpec(role="data", layout="mirror", devices=bench.parts[2:4])
    bench.host.run(ZpoolAdd(name=POOL, vdevs=(mirror,), properties={"ashift": "12"}))
    pool = bench.status()
    assert [vdev.name for vdev in pool.vdevs] == ["mirror-0", "mirror-1"]
    assert [leaf.path for leaf in leaves(pool.vdevs[1])] == list(bench.parts[2:4])
    assert pool.size_bytes == 2 * before


def test_helpers_are_added_and_removed(bench: Bench) -> None:
    bench.create(("data", "mirror", 2))
    roles: tuple[Role, ...] = ("log", "cache", "spare")
    for role, part in zip(roles, bench.parts[2:5], strict=True):
        spec = VdevSpec(role=role, layout="stripe", devices=(part,))
        bench.host.run(ZpoolAdd(name=POOL, vdevs=(spec,)))
    pool = bench.status()
    found = [(vdev.role, vdev.path, vdev.state) for vdev in pool.vdevs if vdev.role != "data"]
    assert found == [
        ("log", bench.parts[2], "ONLINE"),
        ("cache", bench.parts[3], "ONLINE"),
        ("spare", bench.parts[4], "AVAIL"),
    ]
    for vdev in pool.vdevs[1:]:
        bench.host.run(ZpoolRemove(name=POOL, vdev=vdev.guid))
    assert [vdev.role for vdev in bench.until(lambda pool: len(pool.vdevs) == 1).vdevs] == ["data"]


def test_a_disk_becomes_a_mirror_and_a_disk_again(bench: Bench, disks: tuple[Disk, ...]) -> None:
    (single,) = bench.create(("data", "stripe", 1)).vdevs
    bench.host.run(ZpoolAttach(name=POOL, vdev=single.guid, device=bench.parts[1]))
    pool = bench.until(_whole)
    assert [vdev.name for vdev in pool.vdevs] == ["mirror-0"]
    assert [leaf.path for leaf in bench.leaves()] == list(bench.parts[:2])
    assert pool.health == "healthy"
    bench.host.run(ZpoolDetach(name=POOL, vdev=single.guid))
    pool = bench.status()
    assert [(vdev.kind, vdev.path) for vdev in pool.vdevs] == [("disk", bench.parts[1])]
    # Its label stays, but is none of a member: nobody can import it, and who confirms that can take it.
    detached = again(bench.host, disks[0])
    (claim,) = detached.claims
    assert (claim.kind, claim.active, claim.pool) == ("former-member", False, POOL)
    assert claim.words == f"old label of pool {POOL}, which it has left"


@pytest.mark.core
def test_a_member_is_replaced(bench: Bench) -> None:
    old = bench.create(("data", "raidz1", 3)).vdevs[0].children[1]
    bench.host.run(ZpoolReplace(name=POOL, vdev=old.guid, device=bench.parts[4]))
    pool = bench.until(_whole)
    assert [leaf.path for leaf in leaves(pool.vdevs[0])] == [bench.parts[0], bench.parts[4], bench.parts[2]]
    assert pool.health == "healthy"
    assert pool.scan is not None
    assert (pool.scan.function, pool.scan.errors) == ("RESILVER", 0)


def test_a_spare_is_called_in_and_sent_back(bench: Bench) -> None:
    raidz, spare = bench.create(("data", "raidz1", 3), ("spare", "stripe", 1)).vdevs
    bench.host.run(ZpoolReplace(name=POOL, vdev=raidz.children[0].guid, device=bench.parts[3]))
    pool = bench.until(lambda pool: pool.scan is not None and pool.scan.state == "FINISHED")
    node = pool.vdevs[0].children[0]
    if node.kind == "spare":
        assert [leaf.path for leaf in leaves(node)] == [bench.parts[0], bench.parts[3]]
        assert pool.vdevs[1].state == "INUSE"
        bench.host.run(ZpoolDetach(name=POOL, vdev=spare.guid))
    # Whether by hand or because the original is whole: it is free again.
    pool = bench.until(lambda pool: pool.vdevs[1].state == "AVAIL")
    assert [leaf.path for leaf in leaves(pool.vdevs[0])] == list(bench.parts[:3])


def test_a_leaf_is_replaced_while_a_spare_stands_in_which_then_steps_back(bench: Bench) -> None:
    raidz, spare = bench.create(("data", "raidz1", 3), ("spare", "stripe", 1)).vdevs
    gone = raidz.children[0].guid
    bench.host.run(ZpoolOffline(name=POOL, vdev=gone))
    bench.host.run(ZpoolReplace(name=POOL, vdev=gone, device=bench.parts[3]))
    pool = bench.until(lambda pool: pool.scan is not None and pool.scan.state == "FINISHED")
    assert (pool.vdevs[0].children[0].kind, pool.vdevs[1].state) == ("spare", "INUSE")
    bench.host.run(ZpoolReplace(name=POOL, vdev=gone, device=bench.parts[4]))
    pool = bench.until(_whole)
    assert [leaf.path for leaf in leaves(pool.vdevs[0])] == [bench.parts[4], *bench.parts[1:3]]
    assert (pool.health, pool.vdevs[1].state, pool.vdevs[1].guid) == ("healthy", "AVAIL", spare.guid)


def test_a_mirror_is_removed_once_its_data_has_moved(bench: Bench) -> None:
    first, second = bench.create(("data", "mirror", 2), ("data", "mirror", 2)).vdevs
    bench.host.run(ZpoolRemove(name=POOL, vdev=first.guid))
    pool = bench.until(lambda pool: pool.removal is not None and pool.removal.state == "FINISHED")
    assert [(vdev.name, vdev.guid) for vdev in pool.vdevs] == [("mirror-1", second.guid)]
    assert pool.health == "healthy"


def test_where_nothing_is_removed_nothing_can_be_cancelled(bench: Bench) -> None:
    bench.create(("data", "stripe", 1))
    refused = bench.refuse(ZpoolCancelRemoval(name=POOL))
    assert refused.exit != 0
    assert refused.stderr.startswith("cannot cancel removal: ")


def test_a_raidz_takes_one_disk_more(bench: Bench) -> None:
    before = bench.create(("data", "raidz1", 3))
    raidz = before.vdevs[0]
    bench.host.run(ZpoolAttach(name=POOL, vdev=raidz.guid, device=bench.parts[3]))
    pool = bench.until(lambda pool: pool.expansion is not None and pool.expansion.state == "FINISHED")
    assert [leaf.path for leaf in leaves(pool.vdevs[0])] == list(bench.parts[:4])
    assert pool.features["raidz_expansion"] == "active"
    grown = bench.until(lambda pool: pool.size_bytes > before.size_bytes)
    assert grown.vdevs[0].guid == raidz.guid


def test_what_a_raidz_cannot_do_is_refused(bench: Bench) -> None:
    raidz = bench.create(("data", "raidz1", 3)).vdevs[0]
    leaf = raidz.children[0]
    detach = bench.refuse(ZpoolDetach(name=POOL, vdev=leaf.guid))
    assert "only applicable to mirror and replacing vdevs" in detach.stderr
    attach = bench.refuse(ZpoolAttach(name=POOL, vdev=leaf.guid, device=bench.parts[3]))
    assert "can only attach to mirrors and top-level disks" in attach.stderr
    assert bench.refuse(ZpoolRemove(name=POOL, vdev=leaf.guid)).exit == 1
    assert [one.path for one in bench.leaves()] == list(bench.parts[:3])


def test_a_member_of_the_pool_is_no_replacement_even_with_force(bench: Bench) -> None:
    mirror = bench.create(("data", "mirror", 2)).vdevs[0]
    for force in (False, True):
        command = ZpoolReplace(name=POOL, vdev=mirror.children[0].guid, device=bench.parts[1], force=force)
        assert f"{bench.parts[1]} is part of active pool '{POOL}'" in bench.refuse(command).stderr
    assert bench.status().health == "healthy"
