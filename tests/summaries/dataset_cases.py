"""Machines that the examples about datasets are planned on."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from host.inventory import Dataset, Inventory, NfsShare, Sharing, SmbShare
from pools.policies.rules.policy import PROPERTY
from tests import made
from tests.pools.policies.cases import taken

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
_LOCKABLE: dict[str, Any] = {
    "encryption": "aes-256-gcm",
    "encryptionroot": "tank/safe",
    "keyformat": "passphrase",
}


def mounted_at(name: str, **more: Any) -> Dataset:
    """A file system that is mounted where tank hands it."""
    place = made.inherited(f"/mnt/{name}", "tank")
    return made.dataset(name, **({"canmount": "on", "mounted": "yes", "mountpoint": place} | more))


def machine(*, locked: bool = False, mounted: bool = True) -> Inventory:
    key = {"keystatus": "unavailable" if locked else "available"} | _LOCKABLE
    unlocked = {"mounted": "no" if locked else "yes"} | key
    papers = {"mounted": "yes" if mounted else "no"}
    datasets = (
        mounted_at("tank", mountpoint="/mnt/tank", readonly="off", compression="lz4"),
        mounted_at(
            "tank/films", used=str(1200 << 30), compression=made.inherited("lz4", "tank"), sync="standard"
        ),
        mounted_at("tank/films/old", compression=made.inherited("lz4", "tank"), used=str(200 << 30)),
        mounted_at("tank/films/new", compression=made.inherited("lz4", "tank"), used=str(100 << 30)),
        mounted_at("tank/papers", used=str(12 << 30), quota="0", readonly="off", **papers),
        mounted_at("tank/trial", origin="tank/papers@monday"),
        mounted_at("tank/safe", used=str(40 << 30), **unlocked),
        mounted_at("tank/safe/letters", **unlocked),
        mounted_at("tank/safe/own", **unlocked | {"encryptionroot": "tank/safe/own"}),
        made.dataset("tank/disk1", kind="volume", volsize=str(40 << 30), used=str(41 << 30)),
        mounted_at("tank/daily", **{PROPERTY: "daily=10"}),
        mounted_at("tank/daily/below", **{PROPERTY: made.inherited("daily=10", "tank/daily")}),
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


def shared(**more: bool) -> Inventory:
    """The same, with shares of films, papers and the safe."""
    found = machine(**more)
    guid = {one.name: one.guid for one in found.datasets}
    smb = tuple(
        SmbShare(id=number, name=name.title(), guid=guid[f"tank/{name}"], dataset=f"tank/{name}")
        for number, name in enumerate(("films", "papers", "safe"), 1)
    )
    nfs = (NfsShare(id=1, guid=guid["tank/films"], dataset="tank/films"),)
    return msgspec.structs.replace(found, sharing=Sharing(smb=smb, nfs=nfs))


def with_snapshot(change: str, **changes: Any) -> Inventory:
    """The machine with another value of one snapshot."""
    found = machine()
    dataset = change.partition("@")[0]
    row = tuple(
        msgspec.structs.replace(one, **changes) if one.name == change else one
        for one in found.snapshots[dataset]
    )
    return msgspec.structs.replace(found, snapshots=found.snapshots | {dataset: row})


def without_clone(inventory: Inventory) -> Inventory:
    """Nothing was cloned from films or papers, so that they can be destroyed."""
    datasets = tuple(one for one in inventory.datasets if one.value("origin") is None)
    snapshots = {
        name: tuple(msgspec.structs.replace(one, clones=()) for one in row)
        for name, row in inventory.snapshots.items()
    }
    return msgspec.structs.replace(inventory, datasets=datasets, snapshots=snapshots)
