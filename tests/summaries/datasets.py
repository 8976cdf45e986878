"""Examples of plans on datasets, their snapshots, keys and policies, and on files in snapshots."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import msgspec

from host.files.answers import FileEntry, Measure
from host.inventory import Dataset, Inventory, NfsShare, Sharing, SmbShare
from jobs.plan import Plan
from pools.datasets import (
    create_dataset,
    destroy_dataset,
    mount_dataset,
    promote_dataset,
    rename_dataset,
    set_properties,
    unmount_dataset,
)
from pools.files import restore, stop_restore
from pools.keys import change_key, load_key, test_key, unload_key
from pools.policies import prune, run_policies, set_policy
from pools.policies.rules.policy import PROPERTY
from pools.quotas import set_quotas
from pools.snapshots import clone, destroy_snapshots, hold, release, rename_snapshot, rollback, take_snapshot
from tests import made
from tests.pools.files import test_stop_restore as stopping
from tests.pools.policies.cases import taken

PASSPHRASE = f"secret:{32 * '0'}"
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
_LOCKABLE: dict[str, Any] = {
    "encryption": "aes-256-gcm",
    "encryptionroot": "tank/safe",
    "keyformat": "passphrase",
}
_AUTO = "auto-daily_2026-11-21T12.00.00Z"
_OLD = "auto-daily_2026-11-01T12.00.00Z"


def _at(name: str, **more: Any) -> Dataset:
    """A file system that is mounted where tank hands it."""
    place = made.inherited(f"/mnt/{name}", "tank")
    return made.dataset(name, **({"canmount": "on", "mounted": "yes", "mountpoint": place} | more))


def _machine(*, locked: bool = False, mounted: bool = True) -> Inventory:
    key = {"keystatus": "unavailable" if locked else "available"} | _LOCKABLE
    unlocked = {"mounted": "no" if locked else "yes"} | key
    papers = {"mounted": "yes" if mounted else "no"}
    datasets = (
        _at("tank", mountpoint="/mnt/tank", readonly="off", compression="lz4"),
        _at("tank/films", used=str(1200 << 30), compression=made.inherited("lz4", "tank"), sync="standard"),
        _at("tank/films/old", compression=made.inherited("lz4", "tank"), used=str(200 << 30)),
        _at("tank/films/new", compression=made.inherited("lz4", "tank"), used=str(100 << 30)),
        _at("tank/papers", used=str(12 << 30), quota="0", readonly="off", **papers),
        _at("tank/trial", origin="tank/papers@monday"),
        _at("tank/safe", used=str(40 << 30), **unlocked),
        _at("tank/safe/letters", **unlocked),
        _at("tank/safe/own", **unlocked | {"encryptionroot": "tank/safe/own"}),
        made.dataset("tank/disk1", kind="volume", volsize=str(40 << 30), used=str(41 << 30)),
        _at("tank/daily", **{PROPERTY: "daily=10"}),
        _at("tank/daily/below", **{PROPERTY: made.inherited("daily=10", "tank/daily")}),
    )
    snapshots = [
        made.snapshot(f"tank/papers@{tag}", createtxg=number)
        for number, tag in enumerate(("monday", "tuesday", "wednesday", "thursday", "friday"), 1)
    ]
    snapshots += [
        made.snapshot("tank/films@may", createtxg=1, clones=("tank/cut",)),
        made.snapshot("tank/films/old@may", createtxg=1),
        made.snapshot("tank/disk1@clean", createtxg=1),
    ]
    snapshots += [
        taken("daily", NOON - timedelta(days=day), dataset=name, mark=made.pool().guid)
        for name in ("tank/daily", "tank/daily/below")
        for day in range(14)
    ]
    return made.inventory(pools=(made.pool(),), datasets=datasets, snapshots=tuple(snapshots))


def _shared(**more: bool) -> Inventory:
    """The same, with shares of films, papers and the safe."""
    found = _machine(**more)
    guid = {one.name: one.guid for one in found.datasets}
    smb = tuple(
        SmbShare(id=number, name=name.title(), guid=guid[f"tank/{name}"], dataset=f"tank/{name}")
        for number, name in enumerate(("films", "papers", "safe"), 1)
    )
    nfs = (NfsShare(id=1, guid=guid["tank/films"], dataset="tank/films"),)
    return msgspec.structs.replace(found, sharing=Sharing(smb=smb, nfs=nfs))


def _with(change: str, **changes: Any) -> Inventory:
    """The machine with another value of one snapshot."""
    found = _machine()
    dataset = change.partition("@")[0]
    row = tuple(
        msgspec.structs.replace(one, **changes) if one.name == change else one
        for one in found.snapshots[dataset]
    )
    return msgspec.structs.replace(found, snapshots=found.snapshots | {dataset: row})


def _create(**request: Any) -> Plan:
    return create_dataset.plan(create_dataset.CreateDataset(**request), _shared())


def _set(name: str, inventory: Inventory | None = None, **properties: str | None) -> Plan:
    request = set_properties.SetProperties(name=name, properties=properties)
    return set_properties.plan(request, inventory or _machine())


def _bulk(*names: str, **properties: str | None) -> Plan:
    request = set_properties.BulkSetProperties(names=names, properties=properties)
    return set_properties.plan_bulk(request, _machine())


def _rename(name: str, to: str, inventory: Inventory, *, keep_mounts: bool = False) -> Plan:
    request = rename_dataset.RenameDataset(name=name, to=to, keep_mounts=keep_mounts)
    return rename_dataset.plan(request, inventory)


def _mount(name: str, inventory: Inventory, *, recursive: bool = False) -> Plan:
    return mount_dataset.plan(mount_dataset.MountDataset(name=name, recursive=recursive), inventory)


def _unmounted_with_a_full_folder() -> Inventory:
    found = _machine(mounted=False)
    datasets = tuple(
        msgspec.structs.replace(one, folder_empty=False) if one.name == "tank/papers" else one
        for one in found.datasets
    )
    return msgspec.structs.replace(found, datasets=datasets)


def _unmount(name: str, inventory: Inventory) -> Plan:
    return unmount_dataset.plan(unmount_dataset.UnmountDataset(name=name), inventory)


def _destroy(name: str, inventory: Inventory, *, recursive: bool = True) -> Plan:
    return destroy_dataset.plan(destroy_dataset.DestroyDataset(name=name, recursive=recursive), inventory)


def _without_clone(inventory: Inventory) -> Inventory:
    """Nothing was cloned from films or papers, so that they can be destroyed."""
    datasets = tuple(one for one in inventory.datasets if one.value("origin") is None)
    snapshots = {
        name: tuple(msgspec.structs.replace(one, clones=()) for one in row)
        for name, row in inventory.snapshots.items()
    }
    return msgspec.structs.replace(inventory, datasets=datasets, snapshots=snapshots)


def _quota(*accounts: set_quotas.AccountLimit, **limits: int | None) -> Plan:
    request = set_quotas.SetQuotas(name="tank/papers", limits_bytes=limits, accounts=accounts)  # type: ignore[arg-type]
    return set_quotas.plan(request, _machine())


def _account(name: str, limit: int | None, **more: Any) -> set_quotas.AccountLimit:
    return set_quotas.AccountLimit(**({"whose": "user", "account": name, "limit": limit} | more))


def _unlock(*names: str, inventory: Inventory | None = None, **more: Any) -> Plan:
    request = load_key.LoadKey(names=names, passphrase=PASSPHRASE, **more)
    return load_key.plan(request, inventory or _machine(locked=True))


def _lock(inventory: Inventory, *, recursive: bool = False) -> Plan:
    return unload_key.plan(unload_key.UnloadKey(name="tank/safe", recursive=recursive), inventory)


def _change_key(name: str, **more: Any) -> Plan:
    return change_key.plan(change_key.ChangeKey(name=name, **more), _machine())


def _try_key() -> Plan:
    return test_key.plan(test_key.TestKey(name="tank/safe", passphrase=PASSPHRASE), _machine())


def _take(*datasets: str, recursive: bool = False) -> Plan:
    request = take_snapshot.TakeSnapshot(datasets=datasets, name="before-move", recursive=recursive)
    return take_snapshot.plan(request, _machine())


def _delete(*snapshots: str, **more: bool) -> Plan:
    return destroy_snapshots.plan(destroy_snapshots.DestroySnapshots(snapshots=snapshots, **more), _machine())


def _hold(*snapshots: str, recursive: bool = False) -> Plan:
    return hold.plan(hold.HoldSnapshots(snapshots=snapshots, recursive=recursive), _machine())


def _release(inventory: Inventory, *snapshots: str) -> Plan:
    return release.plan(release.ReleaseSnapshots(snapshots=snapshots), inventory)


def _two_held() -> Inventory:
    found = _with("tank/papers@monday", holds=1, leaving=True)
    row = tuple(
        msgspec.structs.replace(one, holds=2) if one.tag == "friday" else one
        for one in found.snapshots["tank/papers"]
    )
    return msgspec.structs.replace(found, snapshots=found.snapshots | {"tank/papers": row})


def _clone(snapshot: str, name: str) -> Plan:
    return clone.plan(clone.CloneSnapshot(snapshot=snapshot, name=name), _machine())


def _rename_snapshot(snapshot: str, name: str, *, recursive: bool = False) -> Plan:
    request = rename_snapshot.RenameSnapshot(snapshot=snapshot, name=name, recursive=recursive)
    return rename_snapshot.plan(request, _machine())


def _roll_back(snapshot: str, inventory: Inventory, *, destroy_clones: bool = False) -> Plan:
    return rollback.plan(rollback.RollBack(snapshot=snapshot, destroy_clones=destroy_clones), inventory)


def _file(kind: Any = "file", size: int = 12_288) -> FileEntry:
    return FileEntry(
        name="plan.odt", kind=kind, size_bytes=size, modified_ns=1, changed_ns=size, inode=1, mode=0o644,
        uid=1000, gid=1000, owner="anna", group="anna",
    )  # fmt: skip


def _restore(path: str, measured: Measure, **more: Any) -> Plan:
    request = restore.RestoreFromSnapshot(snapshot="tank/papers@monday", path=path, **more)
    return restore.plan(request, msgspec.structs.replace(_machine(), answers={restore.QUESTION: measured}))


_ONE = Measure(entry=_file(), files=1, folders=0, others=0, size_bytes=12_288, mounts=0)
_FOLDER = Measure(entry=_file("folder"), files=120, folders=4, others=0, size_bytes=24 << 30, mounts=0)


def _stop_restore() -> Plan:
    return stop_restore.plan(stopping.WISH, stopping.machine())


def _policy(dataset: str, policy: str | None) -> Plan:
    return set_policy.plan(set_policy.SetPolicy(dataset=dataset, policy=policy), _machine())


def _policy_of_its_own_below() -> Plan:
    found = _machine()
    own = {PROPERTY: "hourly=24"}
    datasets = tuple(
        _at(one.name, **own) if one.name == "tank/daily/below" else one for one in found.datasets
    )
    request = set_policy.SetPolicy(dataset="tank/daily/below", policy=None)
    return set_policy.plan(request, msgspec.structs.replace(found, datasets=datasets))


def _run(**request: Any) -> Plan:
    return run_policies.plan(run_policies.RunPolicies(pool="tank", **request), _machine())


def _prune() -> Plan:
    return prune.plan(prune.PrunePool(pool="tank"), _machine())


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
        partial(lambda: _set("tank/papers", _shared(), mountpoint="/mnt/documents")),
        partial(lambda: _set("tank/papers", _shared(), canmount="off")),
        partial(_set, "tank/disk1", volsize="30G"),
        partial(_set, "tank/disk1", volsize="60G"),
    ),
    "dataset.bulk-set": (
        partial(_bulk, "tank/films", "tank/papers", compression="zstd"),
        partial(_bulk, "tank/films", "tank/papers", "tank/trial", readonly="on", atime="off"),
    ),
    "dataset.rename": (
        lambda: _rename("tank/papers", "tank/documents", _machine()),
        lambda: _rename("tank/films", "tank/video", _shared()),
        lambda: _rename("tank/papers", "tank/documents", _machine(), keep_mounts=True),
        lambda: _rename("tank/disk1", "tank/disk2", _machine()),
    ),
    "dataset.promote": (
        lambda: promote_dataset.plan(promote_dataset.PromoteDataset(name="tank/trial"), _machine()),
    ),
    "dataset.mount": (
        lambda: _mount("tank/papers", _shared(mounted=False)),
        lambda: _mount("tank/papers", _unmounted_with_a_full_folder()),
        lambda: _mount("tank", _machine(mounted=False, locked=True), recursive=True),
    ),
    "dataset.unmount": (
        lambda: _unmount("tank/papers", _machine()),
        lambda: _unmount("tank/films", _shared()),
        lambda: _unmount("tank/films/old", _shared()),
    ),
    "dataset.destroy": (
        lambda: _destroy("tank/trial", _machine(), recursive=False),
        lambda: _destroy("tank/films", _without_clone(_shared())),
        lambda: _destroy("tank/papers", _without_clone(_shared())),
        lambda: _destroy("tank/disk1", _machine()),
    ),
    "dataset.quota": (
        partial(_quota, quota=500 << 30),
        partial(_quota, quota=None, reservation=100 << 30),
        partial(_quota, _account("anna", 50 << 30), _account("ben", None)),
        partial(_quota, *(_account(f"user{number}", 1 << 30) for number in range(12)), refquota=1 << 40),
    ),
    "dataset.load-key": (
        lambda: _unlock("tank/safe/own", inventory=_shared(locked=True)),
        lambda: _unlock("tank/safe", inventory=_shared(locked=True)),
        lambda: _unlock("tank/safe", recursive=True),
        lambda: _unlock("tank/safe", mount=False),
    ),
    "dataset.unload-key": (
        lambda: _lock(_shared()),
        lambda: _lock(_machine(), recursive=True),
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
        lambda: _release(_with("tank/papers@monday", holds=1), "tank/papers@monday"),
        lambda: _release(_with("tank/papers@monday", holds=2), "tank/papers@monday"),
        lambda: _release(_with("tank/papers@monday", holds=1, leaving=True), "tank/papers@monday"),
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
        lambda: _roll_back("tank/papers@friday", _machine()),
        lambda: _roll_back("tank/papers@wednesday", _machine()),
        lambda: _roll_back(
            "tank/papers@monday", _with("tank/papers@tuesday", clones=("tank/trial",)), destroy_clones=True
        ),
        lambda: _roll_back("tank/disk1@clean", _machine()),
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
