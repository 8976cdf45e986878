"""Replicas on another machine: proven by files on a paired Nasweb, by guids alone on any other host."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest
from rest_framework.test import APIClient

from host import typed
from host.commands.network import Addresses
from host.commands.peering.connections import (
    MakeConnection,
    MakeConnectionKey,
    ReadConnectionKey,
    TrustHostKeys,
    WriteConnection,
)
from host.commands.peering.peers import AcceptPeerKey, OwnHostKeys, WritePeerRights
from host.contents import peers, ssh
from host.inventory import DatasetCopy
from host.probe.network import parse_interfaces
from host.replication.proof import Proof, Result
from host.replication.values import Target
from host.simulated import SimulatedHost
from jobs import cache
from replication.models import TargetRow, TaskRow
from replication.replications import following, proofs
from replication.replications.copies import elsewhere
from replication.stored import complete, value_of
from tests.api.test_snapshots import do
from tests.conftest import refresh
from tests.prepared import made_once

BASE = "/api/v1/replications/"
CONNECTION, PEER = "c0c0c0c0c0c0c0c0", "d0d0d0d0d0d0d0d0"


@pytest.fixture
@made_once
def paired(api: APIClient, free_disks: list[str], simulated: SimulatedHost) -> APIClient:
    """A machine that is paired with itself, with files in tank/photos and a replication of them."""
    for name, disk in (("tank", free_disks[0]), ("vault", free_disks[1])):
        vdev = {"role": "data", "layout": "stripe", "disks": [disk]}
        do(api, "post", "/api/v1/pools/", {"name": name, "vdevs": [vdev]})
    for name in ("tank/photos", "vault/home"):
        do(api, "post", "/api/v1/datasets/", {"name": name})
    simulated.furnish("tank/photos")
    do(api, "post", "/api/v1/snapshots/", {"datasets": ["tank/photos"], "name": "one"})
    links = parse_interfaces(simulated.run(Addresses()).stdout)
    host = next(one.address for link in links for one in link.addresses if not ssh.host_fault(one.address))
    simulated.run(MakeConnection(connection=CONNECTION))
    simulated.run(MakeConnectionKey(connection=CONNECTION))
    simulated.run(WriteConnection(connection=CONNECTION, host=host, user=peers.USER))
    keys = tuple(filter(None, map(ssh.public_part, simulated.run(OwnHostKeys()).stdout.splitlines())))
    simulated.run(TrustHostKeys(connection=CONNECTION, keys=keys))
    simulated.run(WritePeerRights(peer=PEER, root="vault/home", shared=("tank/photos",)))
    key = ssh.public_part(simulated.run(ReadConnectionKey(connection=CONNECTION)).stdout)
    assert key is not None
    simulated.run(AcceptPeerKey(peer=PEER, key=key))
    target = Target(
        id=0, name="cellar", kind="nasweb", dataset="vault/home", connection=CONNECTION, host=host,
        user=peers.USER, shared=("tank/photos",),
    )  # fmt: skip
    TargetRow.objects.create(name=target.name, value=value_of(target))
    refresh()
    do(api, "post", BASE, {"name": "photos", "source": "tank/photos", "target": "cellar"})
    return api


def only(api: APIClient) -> dict[str, Any]:
    (found,) = api.get(BASE).json()["results"]
    return found  # type: ignore[no-any-return]


def ran(api: APIClient, simulated: SimulatedHost) -> dict[str, Any]:
    do(api, "post", f"{BASE}{only(api)['id']}/run/")
    simulated.pass_time(1000)
    following.follow(simulated)
    refresh()
    return only(api)


def proven(api: APIClient, simulated: SimulatedHost) -> dict[str, Any]:
    do(api, "post", f"{BASE}{only(api)['id']}/prove/")
    simulated.pass_time(100)
    proofs.follow(simulated)
    return only(api)


def copy_of_photos() -> DatasetCopy:
    inventory = cache.current()
    assert inventory is not None
    (found,) = elsewhere(complete(inventory), datetime.now(UTC))
    return found


def test_a_replica_on_a_paired_nasweb_is_proven_by_its_files(
    paired: APIClient, simulated: SimulatedHost
) -> None:
    assert ran(paired, simulated)["last_words"] == "1 dataset up to date."
    found = proven(paired, simulated)
    assert found["proof_verdict"] == "same" and found["proven_at"]
    assert found["proof_words"].endswith(" files compared by hash: all the same.")
    assert copy_of_photos().proven_at == TaskRow.objects.get().proven_at.isoformat()  # type: ignore[union-attr]
    with simulated.change() as machine:
        for file in machine.pools["vault"].datasets["vault/home/photos"].files:
            file.size += 1
    found = proven(paired, simulated)
    assert found["proof_verdict"] == "different"
    assert found["proof_words"].startswith("Files of vault/home/photos differ from the source")


@pytest.mark.parametrize(("result", "counts"), [("same", True), ("locked", True), ("unreachable", False)])
def test_a_replica_that_could_not_be_read_is_not_proven_with_the_others(
    paired: APIClient, simulated: SimulatedHost, result: Result, *, counts: bool
) -> None:
    ran(paired, simulated)
    proven(paired, simulated)
    row = TaskRow.objects.get()
    proof = typed.convert(row.proof, Proof)
    one = msgspec.structs.replace(proof.datasets[0], result=result)
    proofs.keep(row, msgspec.structs.replace(proof, verdict="partly", datasets=(one,)))
    assert (copy_of_photos().proven_at is not None) == counts


def test_a_difference_stays_until_files_are_compared_again(
    paired: APIClient, simulated: SimulatedHost
) -> None:
    ran(paired, simulated)
    files = simulated.machine().pools["vault"].datasets["vault/home/photos"].files
    sizes = [file.size for file in files]

    def sized(*, larger: int) -> None:
        with simulated.change() as machine:
            there = machine.pools["vault"].datasets["vault/home/photos"].files
            for file, size in zip(there, sizes, strict=True):
                file.size = size + larger

    sized(larger=1)
    assert proven(paired, simulated)["proof_verdict"] == "different"
    row = TaskRow.objects.get()
    row.proof = (row.proof or {}) | {"verdict": "failed"}
    failed = typed.convert(row.proof, Proof)
    proofs.keep(TaskRow.objects.get(), failed)
    assert only(paired)["proof_verdict"] == "different"
    sized(larger=0)
    assert proven(paired, simulated)["proof_verdict"] == "same"


def test_what_is_fetched_from_there_is_proven_here(paired: APIClient, simulated: SimulatedHost) -> None:
    do(paired, "delete", f"{BASE}{only(paired)['id']}/")
    body = {"source": "tank/photos", "target": "cellar", "dataset": "vault/fetched", "pull": True}
    do(paired, "post", BASE, {"name": "back", **body})
    ran(paired, simulated)
    assert proven(paired, simulated)["proof_verdict"] == "same"
    with simulated.change() as machine:
        files = machine.pools["vault"].datasets["vault/fetched"].files
        next(one for one in files if one.kind == "file").path += ".scr"
    assert proven(paired, simulated)["proof_verdict"] == "different"


def test_guids_count_until_files_could_be_compared(paired: APIClient, simulated: SimulatedHost) -> None:
    ran(paired, simulated)
    row = TaskRow.objects.get()
    assert row.copied_at is not None and copy_of_photos().proven_at == row.copied_at.isoformat()
    moment = "2026-03-01T00:00:00+00:00"
    proof = Proof(task=row.key, started_at=moment, updated_at=moment, verdict="failed", words="Too old.")
    TaskRow.objects.update(proof=msgspec.to_builtins(proof))
    assert copy_of_photos().proven_at == row.copied_at.isoformat()
    TaskRow.objects.update(proof=msgspec.to_builtins(msgspec.structs.replace(proof, verdict="different")))
    assert copy_of_photos().proven_at is None


def test_it_is_proven_by_itself_and_again_the_day_after_the_other_machine_was_off(
    paired: APIClient, simulated: SimulatedHost
) -> None:
    ran(paired, simulated)
    now = datetime.now(UTC)
    proofs.start(now, set())
    assert only(paired)["proving"]
    simulated.run(WritePeerRights(peer=PEER, root="vault/home/others"))
    simulated.pass_time(100)
    proofs.follow(simulated)
    row = TaskRow.objects.get()
    assert row.proof is not None
    proof = typed.convert(row.proof, Proof)
    assert (proof.verdict, row.proving) == ("failed", False) and "is not shared" in proof.words
    proofs.start(now + timedelta(hours=20), set())
    assert not only(paired)["proving"]
    proofs.start(now + timedelta(hours=30), set())
    assert only(paired)["proving"]


def test_on_any_other_host_guids_are_compared_and_the_proof_says_so(
    paired: APIClient, simulated: SimulatedHost
) -> None:
    ran(paired, simulated)
    row = TargetRow.objects.get()
    TargetRow.objects.update(value=row.value | {"kind": "ssh"})
    refresh()
    (finding,) = paired.post(f"{BASE}{only(paired)['id']}/prove/", {}).json()["findings"]
    assert (finding["code"], finding["field"]) == ("elsewhere", "name")
    assert finding["message"].startswith("cellar is no Nasweb. Files there cannot be read from here")
    proofs.start(datetime.now(UTC), set())
    assert not only(paired)["proving"]
    assert copy_of_photos().proven_at == TaskRow.objects.get().copied_at.isoformat()  # type: ignore[union-attr]


def test_without_its_source_nothing_is_compared(paired: APIClient, simulated: SimulatedHost) -> None:
    ran(paired, simulated)
    do(paired, "post", "/api/v1/pools/tank/export/")
    (finding,) = paired.post(f"{BASE}{only(paired)['id']}/prove/", {}).json()["findings"]
    assert (finding["code"], finding["message"]) == (
        "source-missing",
        "tank/photos is not there now. Import its pool first.",
    )
    proofs.start(datetime.now(UTC), set())
    assert not only(paired)["proving"]
