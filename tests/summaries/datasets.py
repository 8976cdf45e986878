"""Examples of plans on datasets, their snapshots, keys and policies, and on files in snapshots."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec

from host.compression.values import Measured
from host.files.answers import FileEntry, Measure
from host.inventory import Inventory
from host.scan.scanning import begun
from host.scan.values import Scanned
from jobs.plan import Plan
from pools.compression import measure as measure_compression
from pools.compression import see as compression
from pools.compression import stop as stop_compression
from pools.datasets import (
    create_dataset,
    destroy_dataset,
    destroy_many,
    mount_dataset,
    promote_dataset,
    rename_dataset,
    set_properties,
    unmount_dataset,
)
from pools.files import restore, share_blocks, stop_restore
from pools.keys import change_key, load_key, test_key, unload_key
from pools.policies import prune, run_policies, set_policy
from pools.policies.rules.policy import PROPERTY
from pools.quotas import set_quotas
from pools.scan import see as scan
from pools.scan import start as start_scan
from pools.scan import stop as stop_scan
from pools.snapshots import clone, destroy_snapshots, hold, release, rename_snapshot, rollback, take_snapshot
from tests import made
from tests.pools.files import test_stop_restore as stopping
from tests.summaries.dataset_cases import machine, mounted_at, shared, with_snapshot, without_clone

PASSPHRASE = f"secret:{32 * '0'}"
_AUTO = "auto-daily_2026-11-21T12.00.00Z"
_OLD = "auto-daily_2026-11-01T12.00.00Z"


def _create(**request: Any) -> Plan:
    return create_dataset.plan(create_dataset.CreateDataset(**request), shared())


def _set(name: str, inventory: Inventory | None = None, **properties: str | None) -> Plan:
    request = set_properties.SetProperties(name=name, properties=properties)
    return set_properties.plan(request, inventory or machine())


def _bulk(*names: str, **properties: str | None) -> Plan:
    request = set_properties.BulkSetProperties(names=names, properties=properties)
    return set_properties.plan_bulk(request, machine())


def _rename(name: str, to: str, inventory: Inventory, *, keep_mounts: bool = False) -> Plan:
    request = rename_dataset.RenameDataset(name=name, to=to, keep_mounts=keep_mounts)
    return rename_dataset.plan(request, inventory)


def _mount(name: str, inventory: Inventory, *, recursive: bool = False) -> Plan:
    return mount_dataset.plan(mount_dataset.MountDataset(name=name, recursive=recursive), inventory)


def _unmounted_with_a_full_folder() -> Inventory:
    found = machine(mounted=False)
    datasets = tuple(
        msgspec.structs.replace(one, folder_empty=False) if one.name == "tank/papers" else one
        for one in found.datasets
    )
    return msgspec.structs.replace(found, datasets=datasets)


def _unmount(name: str, inventory: Inventory) -> Plan:
    return unmount_dataset.plan(unmount_dataset.UnmountDataset(name=name), inventory)


def _destroy(name: str, inventory: Inventory, *, recursive: bool = True) -> Plan:
    return destroy_dataset.plan(destroy_dataset.DestroyDataset(name=name, recursive=recursive), inventory)


def _destroy_many(*names: str, recursive: bool = True) -> Plan:
    request = destroy_many.DestroyDatasets(names=names, recursive=recursive)
    return destroy_many.plan(request, without_clone(shared()))


def _quota(*accounts: set_quotas.AccountLimit, **limits: int | None) -> Plan:
    request = set_quotas.SetQuotas(name="tank/papers", limits_bytes=limits, accounts=accounts)  # type: ignore[arg-type]
    return set_quotas.plan(request, machine())


def _account(name: str, limit: int | None, **more: Any) -> set_quotas.AccountLimit:
    return set_quotas.AccountLimit(**({"whose": "user", "account": name, "limit": limit} | more))


def _unlock(*names: str, inventory: Inventory | None = None, **more: Any) -> Plan:
    request = load_key.LoadKey(names=names, passphrase=PASSPHRASE, **more)
    return load_key.plan(request, inventory or machine(locked=True))


def _lock(inventory: Inventory, *, recursive: bool = False) -> Plan:
    return unload_key.plan(unload_key.UnloadKey(name="tank/safe", recursive=recursive), inventory)


def _change_key(name: str, **more: Any) -> Plan:
    return change_key.plan(change_key.ChangeKey(name=name, **more), machine())


def _try_key() -> Plan:
    return test_key.plan(test_key.TestKey(name="tank/safe", passphrase=PASSPHRASE), machine())


def _take(*datasets: str, recursive: bool = False) -> Plan:
    request = take_snapshot.TakeSnapshot(datasets=datasets, name="before-move", recursive=recursive)
    return take_snapshot.plan(request, machine())


def _delete(*snapshots: str, **more: bool) -> Plan:
    return destroy_snapshots.plan(destroy_snapshots.DestroySnapshots(snapshots=snapshots, **more), machine())


def _hold(*snapshots: str, recursive: bool = False) -> Plan:
    return hold.plan(hold.HoldSnapshots(snapshots=snapshots, recursive=recursive), machine())


def _release(inventory: Inventory, *snapshots: str) -> Plan:
    return release.plan(release.ReleaseSnapshots(snapshots=snapshots), inventory)


def _two_held() -> Inventory:
    found = with_snapshot("tank/papers@monday", holds=1, leaving=True)
    row = tuple(
        msgspec.structs.replace(one, holds=2) if one.tag == "friday" else one
        for one in found.snapshots["tank/papers"]
    )
    return msgspec.structs.replace(found, snapshots=found.snapshots | {"tank/papers": row})


def _clone(snapshot: str, name: str) -> Plan:
    return clone.plan(clone.CloneSnapshot(snapshot=snapshot, name=name), machine())


def _rename_snapshot(snapshot: str, name: str, *, recursive: bool = False) -> Plan:
    request = rename_snapshot.RenameSnapshot(snapshot=snapshot, name=name, recursive=recursive)
    return rename_snapshot.plan(request, machine())


def _roll_back(snapshot: str, inventory: Inventory, *, destroy_clones: bool = False) -> Plan:
    return rollback.plan(rollback.RollBack(snapshot=snapshot, destroy_clones=destroy_clones), inventory)


def _file(kind: Any = "file", size: int = 12_288) -> FileEntry:
    return FileEntry(
        name="plan.odt", kind=kind, size_bytes=size, modified_ns=1, changed_ns=size, inode=1, mode=0o644,
        uid=1000, gid=1000, owner="anna", group="anna",
    )  # fmt: skip


def _restore(path: str, measured: Measure, **more: Any) -> Plan:
    request = restore.RestoreFromSnapshot(snapshot="tank/papers@monday", path=path, **more)
    return restore.plan(request, msgspec.structs.replace(machine(), answers={restore.QUESTION: measured}))


_ONE = Measure(entry=_file(), files=1, folders=0, others=0, size_bytes=12_288, mounts=0)
_FOLDER = Measure(entry=_file("folder"), files=120, folders=4, others=0, size_bytes=24 << 30, mounts=0)


def _measuring(run: Measured | None) -> Inventory:
    found = machine()
    datasets = tuple(
        made.dataset(one.name, recordsize="131072") if one.name == "tank/papers" else one
        for one in found.datasets
    )
    answers = {compression.QUESTION: compression.CompressionFound(measured=run)}
    return msgspec.structs.replace(found, datasets=datasets, answers=answers)


def _measure() -> Plan:
    return measure_compression.plan(measure_compression.MeasureDataset(name="tank/papers"), _measuring(None))


def _stop_measuring() -> Plan:
    run = Measured(
        run="0" * 16, dataset="tank/papers", snapshot="friday", record_bytes=131072, ashift=12,
        started_at="2026-11-26T10:00:00+00:00", updated_at="2026-11-26T10:00:05+00:00",
    )  # fmt: skip
    return stop_compression.plan(stop_compression.StopMeasuringDataset(name="tank/papers"), _measuring(run))


def _scanning(run: Scanned | None) -> Inventory:
    return msgspec.structs.replace(machine(), answers={scan.QUESTION: scan.FilesFound(scanned=run)})


def _scan(*, duplicates: bool = False) -> Plan:
    wish = start_scan.ScanDataset(name="tank/papers", duplicates=duplicates)
    return start_scan.plan(wish, _scanning(None))


def _stop_scan() -> Plan:
    run = begun("2026-11-26T10:00:00+00:00", run="0" * 16, dataset="tank/papers", snapshot="friday")
    return stop_scan.plan(stop_scan.StopScan(name="tank/papers"), _scanning(run))


def _stop_restore() -> Plan:
    return stop_restore.plan(stopping.WISH, stopping.machine())


def _share_blocks() -> Plan:
    found = machine()
    cloning = {"feature@block_cloning": "enabled"}
    pools = tuple(msgspec.structs.replace(one, properties=one.properties | cloning) for one in found.pools)
    request = share_blocks.ShareBlocksOfFiles(
        dataset="tank/papers", kept="Letters/plan.odt", paths=("Letters/copy.odt", "plan.odt")
    )
    return share_blocks.plan(request, msgspec.structs.replace(found, pools=pools))


def _policy(dataset: str, policy: str | None) -> Plan:
    return set_policy.plan(set_policy.SetPolicy(dataset=dataset, policy=policy), machine())


def _policy_of_its_own_below() -> Plan:
    found = machine()
    own = {PROPERTY: "hourly=24"}
    datasets = tuple(
        mounted_at(one.name, **own) if one.name == "tank/daily/below" else one for one in found.datasets
    )
    request = set_policy.SetPolicy(dataset="tank/daily/below", policy=None)
    return set_policy.plan(request, msgspec.structs.replace(found, datasets=datasets))


def _run(**request: Any) -> Plan:
    return run_policies.plan(run_policies.RunPolicies(pool="tank", **request), machine())


def _prune() -> Plan:
    return prune.plan(prune.PrunePool(pool="tank"), machine())


EXAMPLES: dict[str, tuple[Callable[[], Plan], ...]] = {
    "dataset.create": (
        partial(_create, name="tank/photos", preset="general"),
        partial(_create, name="tank/films/short", preset="media"),
        partial(_create, name="tank/mac", preset="time-machine", properties={"quota": "500G"}),
        partial(_create, name="tank/private", passphrase=PASSPHRASE),
        partial(_create, name="tank/safe/more", properties={"canmount": "off"}),
        partial(_create, name="tank/vm", kind="volume", volume_bytes=40 << 30, preset="virtual-machines"),
        partial(_create, name="tank/vm", kind="volume", volume_bytes=40 << 30, sparse=True),
    ),
    "dataset.set": (
        partial(_set, "tank", compression="zstd"),
        partial(_set, "tank/papers", readonly="on", quota="500G"),
        partial(_set, "tank/films", compression=None, sync="disabled"),
        partial(lambda: _set("tank/papers", shared(), mountpoint="/mnt/documents")),
        partial(lambda: _set("tank/papers", shared(), canmount="off")),
        partial(_set, "tank/disk1", volsize="30G"),
        partial(_set, "tank/disk1", volsize="60G"),
    ),
    "dataset.bulk-set": (
        partial(_bulk, "tank/films", "tank/papers", compression="zstd"),
        partial(_bulk, "tank/films", "tank/papers", "tank/trial", readonly="on", atime="off"),
    ),
    "dataset.rename": (
        lambda: _rename("tank/papers", "tank/documents", machine()),
        lambda: _rename("tank/films", "tank/video", shared()),
        lambda: _rename("tank/papers", "tank/documents", machine(), keep_mounts=True),
        lambda: _rename("tank/disk1", "tank/disk2", machine()),
    ),
    "dataset.promote": (
        lambda: promote_dataset.plan(promote_dataset.PromoteDataset(name="tank/trial"), machine()),
    ),
    "dataset.mount": (
        lambda: _mount("tank/papers", shared(mounted=False)),
        lambda: _mount("tank/papers", _unmounted_with_a_full_folder()),
        lambda: _mount("tank", machine(mounted=False, locked=True), recursive=True),
    ),
    "dataset.unmount": (
        lambda: _unmount("tank/papers", machine()),
        lambda: _unmount("tank/films", shared()),
        lambda: _unmount("tank/films/old", shared()),
    ),
    "dataset.destroy": (
        lambda: _destroy("tank/trial", machine(), recursive=False),
        lambda: _destroy("tank/films", without_clone(shared())),
        lambda: _destroy("tank/papers", without_clone(shared())),
        lambda: _destroy("tank/disk1", machine()),
    ),
    "dataset.bulk-destroy": (
        lambda: _destroy_many("tank/films", "tank/disk1"),
        lambda: _destroy_many("tank/safe", "tank/safe/own", "tank/safe/letters", recursive=False),
        lambda: _destroy_many("tank/daily"),
    ),
    "dataset.quota": (
        partial(_quota, quota=500 << 30),
        partial(_quota, quota=None, reservation=100 << 30),
        partial(_quota, _account("anna", 50 << 30), _account("ben", None)),
        partial(_quota, *(_account(f"user{number}", 1 << 30) for number in range(12)), refquota=1 << 40),
    ),
    "dataset.load-key": (
        lambda: _unlock("tank/safe/own", inventory=shared(locked=True)),
        lambda: _unlock("tank/safe", inventory=shared(locked=True)),
        lambda: _unlock("tank/safe", recursive=True),
        lambda: _unlock("tank/safe", mount=False),
    ),
    "dataset.unload-key": (
        lambda: _lock(shared()),
        lambda: _lock(machine(), recursive=True),
    ),
    "dataset.change-key": (
        partial(_change_key, "tank/safe", passphrase=PASSPHRASE),
        partial(_change_key, "tank/safe/letters", passphrase=PASSPHRASE),
        partial(_change_key, "tank/safe/own", inherit=True),
    ),
    "dataset.test-key": (_try_key,),
    "snapshot.create": (
        partial(_take, "tank/papers"),
        partial(_take, "tank/films", recursive=True),
        partial(_take, "tank/papers", "tank/films", "tank/disk1"),
    ),
    "dataset.scan-files": (_scan, partial(_scan, duplicates=True)),
    "dataset.stop-scan": (_stop_scan,),
    "dataset.measure-compression": (_measure,),
    "dataset.stop-measuring-compression": (_stop_measuring,),
    "snapshot.destroy": (
        partial(_delete, "tank/papers@monday"),
        partial(_delete, "tank/papers@monday,tuesday"),
        partial(_delete, "tank/papers@%"),
        partial(_delete, "tank/papers@monday", "tank/films@may", "tank/films/old@may", skip_kept=True),
    ),
    "snapshot.hold": (
        partial(_hold, "tank/papers@monday"),
        partial(_hold, "tank/films@may", recursive=True),
    ),
    "snapshot.release": (
        lambda: _release(with_snapshot("tank/papers@monday", holds=1), "tank/papers@monday"),
        lambda: _release(with_snapshot("tank/papers@monday", holds=2), "tank/papers@monday"),
        lambda: _release(with_snapshot("tank/papers@monday", holds=1, leaving=True), "tank/papers@monday"),
        lambda: _release(_two_held(), "tank/papers@monday", "tank/papers@friday"),
    ),
    "snapshot.clone": (
        partial(_clone, "tank/papers@monday", "tank/recovered"),
        partial(_clone, "tank/disk1@clean", "tank/disk2"),
    ),
    "snapshot.rename": (
        partial(_rename_snapshot, "tank/papers@monday", "before-tax"),
        partial(_rename_snapshot, "tank/films@may", "spring", recursive=True),
        partial(_rename_snapshot, f"tank/daily@{_AUTO}", "good"),
    ),
    "snapshot.rollback": (
        lambda: _roll_back("tank/papers@friday", machine()),
        lambda: _roll_back("tank/papers@wednesday", machine()),
        lambda: _roll_back(
            "tank/papers@monday",
            with_snapshot("tank/papers@tuesday", clones=("tank/trial",)),
            destroy_clones=True,
        ),
        lambda: _roll_back("tank/disk1@clean", machine()),
    ),
    "snapshot.restore": (
        partial(_restore, "Letters/plan.odt", _ONE, mode="beside"),
        partial(
            _restore, "Letters/plan.odt", msgspec.structs.replace(_ONE, target=_file(size=9000)), mode="over"
        ),
        partial(_restore, "Letters", _FOLDER, mode="over"),
        partial(
            _restore, "Letters",
            msgspec.structs.replace(_FOLDER, target=_file("folder", 1), target_files=80), mode="over",
        ),
    ),
    "dataset.share-blocks": (_share_blocks,),
    "snapshot.stop-restore": (_stop_restore,),
    "policy.set": (
        partial(_policy, "tank/films", "hourly=24 daily=30 weekly=8 monthly=12"),
        partial(_policy, "tank/papers", "frequent=8 daily=14"),
        partial(_policy, "tank/daily", "daily=4"),
        partial(_policy, "tank/daily", "off"),
        partial(_policy, "tank/daily", None),
        _policy_of_its_own_below,
    ),
    "policy.run": (
        partial(
            _run, take={_AUTO: ("tank/daily", "tank/daily/below")}, delete={"tank/daily": (_OLD,)}
        ),
        partial(_run, take={_AUTO: ("tank/daily",)}),
    ),
    "policy.prune": (_prune,),
}  # fmt: skip
