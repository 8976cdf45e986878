"""Pools that leave a machine and come back."""

from __future__ import annotations

import msgspec
import pytest

from host.base import Host
from host.commands.datasets.keys import ZfsLoadKey
from host.commands.datasets.zfs import ZfsCreate, ZfsSet
from host.commands.pools.care import ZpoolSet
from host.commands.pools.importing import ZpoolExport, ZpoolImport
from host.commands.pools.members import ZpoolReplace
from host.commands.pools.mount import MountPool
from host.commands.pools.zpool import ZpoolDestroy
from host.commands.system.boot import CachedPools
from host.inventory import Disk, ImportablePool, leaves
from host.pool_mounts import ASKED
from host.probe.pools.importable import read_import_loss, read_importable, scan_for_pools
from host.probe.system.boot import read_boot_import
from tests.contract.bench import POOL, SECOND_POOL, Bench
from tests.contract.conftest import prepare
from tests.contract.secrets import PHRASE, reference

KEYED = {
    "encryption": "aes-256-gcm", "keyformat": "passphrase", "keylocation": "prompt", "pbkdf2iters": "100000",
}  # fmt: skip


def _found(host: Host, guid: str, *, destroyed: bool = False) -> ImportablePool | None:
    pools = read_importable(host, destroyed=destroyed)
    return next((pool for pool in pools if pool.guid == guid), None)


def _blank(bench: Bench, disk: Disk) -> None:
    prepare(bench.host, disk)


def test_a_pool_whose_root_is_encrypted_is_locked_when_it_comes_back(bench: Bench) -> None:
    plain = bench.command(("data", "stripe", 1))
    root = plain.root_properties | KEYED
    bench.host.run(msgspec.structs.replace(plain, root_properties=root, secret=reference(PHRASE)))
    made = [bench.value(POOL, name).value for name in ("encryption", "encryptionroot", "keystatus")]
    assert made == ["aes-256-gcm", POOL, "available"]
    guid = bench.status().guid
    bench.host.run(ZpoolExport(name=POOL))
    bench.host.run(ZpoolImport(guid=guid))
    assert bench.value(POOL, "keystatus").value == "unavailable"
    bench.host.run(ZfsLoadKey(name=POOL, secret=reference(PHRASE)))
    assert bench.value(POOL, "keystatus").value == "available"


@pytest.mark.core
def test_an_exported_pool_is_found_and_comes_back_with_all_it_had(bench: Bench) -> None:
    pool = bench.create(("data", "mirror", 2), ("spare", "stripe", 1))
    bench.host.run(ZfsCreate(name=f"{POOL}/media", properties={"compression": "zstd"}))
    bench.host.run(ZpoolExport(name=POOL))
    assert bench.health() == {}
    found = _found(bench.host, pool.guid)
    assert found is not None
    assert (found.name, found.state, found.destroyed) == (POOL, "ONLINE", False)
    assert [(vdev.role, vdev.name) for vdev in found.vdevs] == [
        ("data", "mirror-0"), ("spare", bench.parts[2].rpartition("/")[2]),
    ]  # fmt: skip
    names = [part.rpartition("/")[2] for part in bench.parts[:2]]
    assert sorted(leaf.name for leaf in found.vdevs[0].children) == sorted(names)
    bench.host.run(ZpoolImport(guid=pool.guid))
    back = bench.status()
    assert (back.guid, back.health) == (pool.guid, "healthy")
    assert [leaf.path for leaf in leaves(back.vdevs[0])] == list(bench.parts[:2])
    assert (back.properties["autoexpand"], back.vdevs[1].state) == ("on", "AVAIL")
    media = bench.dataset(f"{POOL}/media")
    assert (media.mounted, media.value("compression")) == (False, "zstd")
    said = bench.host.run(MountPool(name=POOL)).stdout.splitlines()
    assert said == [f"{POOL} is mounted at /mnt/{POOL}.", f"{POOL}/media is mounted at /mnt/{POOL}/media."]
    assert bench.dataset(f"{POOL}/media").mounted
    assert _found(bench.host, pool.guid) is None


def test_a_pool_comes_back_under_another_name_read_only_and_elsewhere(bench: Bench) -> None:
    pool = bench.create(("data", "stripe", 1))
    bench.host.run(ZpoolExport(name=POOL))
    bench.host.run(ZpoolImport(guid=pool.guid, new_name=SECOND_POOL, readonly=True, altroot="/mnt/look"))
    back = bench.status(SECOND_POOL)
    assert (back.guid, back.readonly, back.altroot, back.cachefile) == (pool.guid, True, "/mnt/look", "none")
    assert bench.dataset(SECOND_POOL).value("mountpoint") == f"/mnt/look/mnt/{POOL}"
    bench.host.run(ZpoolExport(name=SECOND_POOL))
    bench.host.run(ZpoolImport(guid=pool.guid, new_name=POOL))
    back = bench.status()
    assert (back.readonly, back.altroot, back.cachefile) == (False, None, None)
    assert not bench.dataset(POOL).mounted


def _mounted(bench: Bench, *names: str) -> list[str | None]:
    """Where these datasets are mounted, None for those that are not."""
    found = (bench.dataset(name) for name in names)
    return [one.value("mountpoint") if one.mounted else None for one in found]


def test_the_label_shows_that_this_machine_had_a_pool_last(bench: Bench) -> None:
    guid = bench.create(("data", "mirror", 2)).guid
    bench.host.run(ZpoolExport(name=POOL))
    found = scan_for_pools(bench.host).pool(guid)
    assert found is not None
    assert (found.used_here, found.last_used_elsewhere) == (True, False)


def test_a_pool_of_this_machine_is_mounted_as_it_was(bench: Bench) -> None:
    pool = bench.create(("data", "stripe", 1))
    bench.host.run(ZfsCreate(name=f"{POOL}/set", properties={"mountpoint": "/contract-elsewhere/set"}))
    bench.host.run(ZfsCreate(name=f"{POOL}/later", properties={"canmount": "noauto"}))
    bench.host.run(ZpoolExport(name=POOL))
    bench.host.run(ZpoolImport(guid=pool.guid))
    assert _mounted(bench, POOL, f"{POOL}/set", f"{POOL}/later") == [None, None, None]
    said = bench.host.run(MountPool(name=POOL)).stdout.splitlines()
    assert said == [
        f"{POOL}/set is mounted at /contract-elsewhere/set.", f"{POOL} is mounted at /mnt/{POOL}.",
    ]  # fmt: skip
    assert _mounted(bench, POOL, f"{POOL}/set", f"{POOL}/later") == [
        f"/mnt/{POOL}", "/contract-elsewhere/set", None,
    ]  # fmt: skip
    assert bench.value(POOL, "setuid").value == "on"
    # What is mounted stays; there is nothing more to say.
    assert bench.host.run(MountPool(name=POOL)).stdout == ""


def test_another_machines_pool_gives_up_what_it_may_not_have(bench: Bench) -> None:
    pool = bench.create(("data", "stripe", 1))
    elsewhere = {"mountpoint": "/contract-elsewhere/set"}
    bench.host.run(ZfsCreate(name=f"{POOL}/set", properties=elsewhere))
    bench.host.run(ZfsCreate(name=f"{POOL}/set/below"))
    bench.host.run(ZfsCreate(name=f"{POOL}/own", properties={"setuid": "on"}))
    bench.host.run(ZpoolExport(name=POOL))
    bench.host.run(ZpoolImport(guid=pool.guid))
    said = bench.host.run(MountPool(name=POOL, foreign=True)).stdout.splitlines()
    assert said == [
        f"{POOL}: devices=off setuid=off",
        f"{POOL}/own: setuid=off",
        f"{POOL}/set: mountpoint=none {ASKED}=/contract-elsewhere/set",
        f"{POOL} is mounted at /mnt/{POOL}.",
        f"{POOL}/own is mounted at /mnt/{POOL}/own.",
    ]
    assert _mounted(bench, f"{POOL}/set", f"{POOL}/set/below", f"{POOL}/own") == [
        None, None, f"/mnt/{POOL}/own",
    ]  # fmt: skip
    asked = bench.value(f"{POOL}/set", ASKED)
    assert (asked.value, asked.source) == ("/contract-elsewhere/set", "local")
    assert [bench.value(f"{POOL}/own", name).value for name in ("setuid", "devices")] == ["off", "off"]
    # The way on: one mount point, and what inherits it follows.
    bench.host.run(ZfsSet(name=f"{POOL}/set", properties={"mountpoint": f"/mnt/{POOL}/set"}))
    assert _mounted(bench, f"{POOL}/set", f"{POOL}/set/below") == [
        f"/mnt/{POOL}/set", f"/mnt/{POOL}/set/below",
    ]  # fmt: skip


def test_another_machines_pool_that_is_only_read_is_not_changed(bench: Bench) -> None:
    pool = bench.create(("data", "stripe", 1))
    bench.host.run(ZfsCreate(name=f"{POOL}/set", properties={"mountpoint": "/contract-elsewhere/set"}))
    bench.host.run(ZpoolExport(name=POOL))
    bench.host.run(ZpoolImport(guid=pool.guid, readonly=True))
    said = bench.host.run(MountPool(name=POOL, foreign=True, readonly=True)).stdout.splitlines()
    assert [line.partition(":")[0] for line in said] == [
        f"{POOL}/set stays unmounted", f"{POOL} is mounted at /mnt/{POOL}.",
    ]  # fmt: skip
    assert _mounted(bench, f"{POOL}/set") == [None]
    assert bench.value(f"{POOL}/set", "mountpoint").value == "/contract-elsewhere/set"
    # The mount has it, whatever the property says.
    found = bench.value(POOL, "setuid")
    assert (found.value, found.source) == ("off", "temporary")


def test_nothing_is_mounted_over_what_is_mounted(bench: Bench) -> None:
    first = bench.create(("data", "stripe", 1))
    bench.host.run(ZpoolExport(name=POOL))
    bench.create(("data", "stripe", 1), first=1)  # at the same folder
    bench.host.run(ZpoolImport(guid=first.guid, new_name=SECOND_POOL))
    said = bench.host.run(MountPool(name=SECOND_POOL)).stdout
    assert said.startswith(f"{SECOND_POOL} stays unmounted: {POOL} is mounted at /mnt/{POOL}.")
    assert _mounted(bench, SECOND_POOL, POOL) == [None, f"/mnt/{POOL}"]


def test_to_mount_nothing_changes_what_has_to_be(bench: Bench) -> None:
    pool = bench.create(("data", "stripe", 1))
    bench.host.run(ZpoolExport(name=POOL))
    bench.host.run(ZpoolImport(guid=pool.guid))
    said = bench.host.run(MountPool(name=POOL, foreign=True, unmounted=True)).stdout
    assert said == f"{POOL}: devices=off setuid=off\n"
    assert _mounted(bench, POOL) == [None]


def test_a_name_in_use_is_refused_and_another_one_taken(bench: Bench) -> None:
    first = bench.create(("data", "stripe", 1))
    bench.host.run(ZpoolExport(name=POOL))
    bench.create(("data", "stripe", 1), first=1)
    refused = bench.refuse(ZpoolImport(guid=first.guid))
    assert refused.exit == 1
    assert refused.stderr.startswith(f"cannot import '{POOL}'")
    bench.host.run(ZpoolImport(guid=first.guid, new_name=SECOND_POOL))
    assert bench.status(SECOND_POOL).guid == first.guid


def test_a_pool_that_is_nowhere_is_refused(host: Host) -> None:
    refused = Bench(host, ()).refuse(ZpoolImport(guid="1234567890123456789"))
    assert refused.exit == 1
    assert refused.stderr == "cannot import '1234567890123456789': no such pool available\n"


def test_a_destroyed_pool_is_brought_back(bench: Bench) -> None:
    pool = bench.create(("data", "mirror", 2))
    bench.host.run(ZfsCreate(name=f"{POOL}/media"))
    bench.host.run(ZpoolDestroy(name=POOL))
    assert _found(bench.host, pool.guid) is None
    found = _found(bench.host, pool.guid, destroyed=True)
    assert found is not None
    assert (found.name, found.state, found.destroyed) == (POOL, "ONLINE", True)
    bench.host.run(ZpoolImport(guid=pool.guid, destroyed=True, force=True))
    assert bench.status().health == "healthy"
    assert bench.below(POOL) == ["media"]


def test_a_pool_without_one_of_its_disks_is_imported_and_made_whole(
    bench: Bench, disks: tuple[Disk, ...]
) -> None:
    pool = bench.create(("data", "mirror", 2))
    gone = pool.vdevs[0].children[1]
    bench.host.run(ZpoolExport(name=POOL))
    _blank(bench, disks[1])
    found = _found(bench.host, pool.guid)
    assert found is not None
    assert found.state == "DEGRADED"
    assert sorted(leaf.state or "" for leaf in found.vdevs[0].children) == ["ONLINE", "UNAVAIL"]
    bench.host.run(ZpoolImport(guid=pool.guid))
    assert [leaf.state for leaf in bench.leaves()] == ["ONLINE", "UNAVAIL"]
    bench.host.run(ZpoolReplace(name=POOL, vdev=gone.guid, device=bench.parts[2]))
    whole = bench.until(lambda pool: pool.state == "ONLINE")
    assert [leaf.path for leaf in leaves(whole.vdevs[0])] == [bench.parts[0], bench.parts[2]]


def test_a_lost_log_is_given_up_only_if_asked(bench: Bench, disks: tuple[Disk, ...]) -> None:
    pool = bench.create(("data", "stripe", 1), ("log", "stripe", 1))
    bench.host.run(ZpoolExport(name=POOL))
    _blank(bench, disks[1])
    refused = bench.refuse(ZpoolImport(guid=pool.guid))
    assert refused.exit == 1
    assert "use '-m' to import the pool anyway" in refused.stdout + refused.stderr
    bench.host.run(ZpoolImport(guid=pool.guid, missing_log=True))
    assert [leaf.state for leaf in bench.leaves()] == ["ONLINE"]


def test_a_sound_pool_would_lose_nothing_and_is_left_as_it_was(bench: Bench) -> None:
    pool = bench.create(("data", "stripe", 1))
    bench.host.run(ZpoolExport(name=POOL))
    loss = read_import_loss(bench.host, pool.guid)
    assert (loss.needed, loss.seconds, loss.refused) == (False, None, None)
    # zpool did import it for that: the read has to export it again, and nothing was written.
    found = _found(bench.host, pool.guid)
    assert found is not None
    assert (found.name, found.state) == (POOL, "ONLINE")
    bench.host.run(ZpoolImport(guid=pool.guid))
    assert bench.status().readonly is False


def test_whether_a_pool_comes_back_at_the_next_start_is_reported(bench: Bench) -> None:
    pool = bench.create(("data", "stripe", 1))
    before = read_boot_import(bench.host)
    assert before is not None
    assert before.brings_back(pool.guid) is True
    bench.host.run(ZpoolSet(name=POOL, property="cachefile", value="none"))
    # The file is not removed but emptied.
    emptied = bench.host.run(CachedPools())
    assert (emptied.exit, emptied.stdout, emptied.stderr) == (1, "", "failed to unpack nvlist\n")
    after = read_boot_import(bench.host)
    assert after is not None
    assert after.brings_back(pool.guid) is False
