"""Other machines: a connection of its own for each, and what one that was paired may do here.

The other machine is this one, at an address of its own: its SSH server takes a connection by the key that was
accepted, and runs our program for it.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from host import typed
from host.base import CommandFailed, Host
from host.commands.datasets.snapshots import ZfsSnapshot
from host.commands.datasets.zfs import ZfsCreate, ZfsDestroy
from host.commands.network import Addresses
from host.commands.peering.connections import (
    CheckConnection,
    ForgetConnection,
    MakeConnection,
    MakeConnectionKey,
    ProbeConnection,
    ReadConnectionKey,
    ReadPaired,
    ScanHostKeys,
    TrustHostKeys,
    WriteConnection,
)
from host.commands.peering.peers import (
    RIGHTS,
    AcceptPeerKey,
    AllowPeer,
    DisallowPeer,
    ForgetPeer,
    OwnHostKeys,
    ShowAllowed,
    SshServerState,
    WritePeerRights,
)
from host.commands.replication.runs import (
    ForgetReplication,
    ListReplications,
    ReadProof,
    ReadReplication,
    StartProof,
    StartReplication,
)
from host.commands.replication.task import Connection, Task
from host.contents import peers, ssh
from host.pairing.probed import Probed, missing_rights
from host.probe.network import parse_interfaces
from host.replication.proof import BY_GUID_ALONE, Proof
from host.replication.values import Replicated
from tests.contract.bench import POOL, Bench
from tests.contract.secrets import PHRASE, reference
from tests.contract.waiting import first_answer

CONNECTION, PEER = "c0c0c0c0c0c0c0c0", "d0d0d0d0d0d0d0d0"
KEYS = (f"{number:016x}" for number in range(1, 1000))


@pytest.fixture
def address(host: Host) -> str:
    """One of the machine's own, by which it is another machine to ssh."""
    found = parse_interfaces(host.run(Addresses()).stdout)
    return next(
        one.address for port in found for one in port.addresses if ssh.host_fault(one.address) is None
    )


@pytest.fixture
def key(host: Host, address: str) -> Iterator[str]:
    """A connection to the machine itself, whose key nobody accepts yet."""
    host.run(MakeConnection(connection=CONNECTION))
    host.run(MakeConnectionKey(connection=CONNECTION))
    host.run(WriteConnection(connection=CONNECTION, host=address, user=peers.USER))
    found = ssh.public_part(host.run(ReadConnectionKey(connection=CONNECTION)).stdout)
    assert found is not None
    yield found
    host.run(ForgetConnection(connection=CONNECTION))
    host.run(ForgetPeer(peer=PEER))


@pytest.fixture
def root(tank: Bench, host: Host) -> Iterator[str]:
    """A dataset that replicas may lie below."""
    name = f"{POOL}/replicas"
    host.run(ZfsCreate(name=name, properties={"canmount": "off"}))
    yield name
    host.run(ZfsDestroy(name=name))


def probed(host: Host, address: str, dataset: str | None = None) -> Probed:
    command = ProbeConnection(
        connection=CONNECTION, kind="nasweb", dataset=dataset, host=address, user=peers.USER, key=next(KEYS)
    )
    return typed.decode(host.run(command).stdout, Probed)


def test_ssh_reads_what_was_written(key: str, host: Host, address: str) -> None:
    found = dict(
        line.split(" ", 1) for line in host.run(CheckConnection(connection=CONNECTION)).stdout.splitlines()
    )
    report = {name: found[name] for name in ("hostname", "port", "user", "identityfile", "hostkeyalias")}
    assert report == {
        "hostname": address, "port": "22", "user": "nasweb-peer", "hostkeyalias": CONNECTION,
        "identityfile": f"/etc/nasweb/replication/{CONNECTION}/id_ed25519",
    }  # fmt: skip


def test_a_key_is_never_overwritten(key: str, host: Host) -> None:
    with pytest.raises(CommandFailed):
        host.run(MakeConnectionKey(connection=CONNECTION))
    assert ssh.public_part(host.run(ReadConnectionKey(connection=CONNECTION)).stdout) == key
    assert host.run(ReadPaired(connection=CONNECTION)).exit == 1


def test_what_was_removed_is_gone(key: str, host: Host) -> None:
    host.run(ForgetConnection(connection=CONNECTION))
    for command in (CheckConnection(connection=CONNECTION), ReadConnectionKey(connection=CONNECTION)):
        with pytest.raises(CommandFailed):
            host.run(command)


@pytest.mark.core
def test_a_paired_machine_gets_in_and_no_further(key: str, root: str, host: Host, address: str) -> None:
    assert "active" in host.run(SshServerState()).stdout.splitlines()
    lines = host.run(OwnHostKeys()).stdout.splitlines()
    own = tuple(filter(None, map(ssh.public_part, lines)))
    assert own
    assert probed(host, address).trouble == "host-key"
    host.run(TrustHostKeys(connection=CONNECTION, keys=own))
    assert probed(host, address).trouble == "key-refused"
    host.run(WritePeerRights(peer=PEER, root=root))
    host.run(AcceptPeerKey(peer=PEER, key=key))
    found = probed(host, address, root)
    assert (found.trouble, found.dataset) == (None, "there")
    assert found.zfs is not None and found.zfs.startswith("2.")
    assert probed(host, address, POOL).dataset == "missing"  # it may not even look there
    host.run(ForgetPeer(peer=PEER))
    assert probed(host, address, root).trouble == "key-refused"


@pytest.fixture
def task(key: str, root: str, tank: Bench) -> Iterator[Task]:
    """A replication of two datasets to the machine itself, which is paired with itself. One is encrypted."""
    host = tank.host
    lines = host.run(OwnHostKeys()).stdout.splitlines()
    host.run(TrustHostKeys(connection=CONNECTION, keys=tuple(filter(None, map(ssh.public_part, lines)))))
    host.run(AllowPeer(dataset=root, what="receive"))
    host.run(WritePeerRights(peer=PEER, root=root))
    host.run(AcceptPeerKey(peer=PEER, key=key))
    source = tank.fresh()
    keyed = {"encryption": "aes-256-gcm", "keyformat": "passphrase", "pbkdf2iters": "100000"}
    host.run(ZfsCreate(name=f"{source}/secret", properties=keyed, secret=reference(PHRASE)))
    host.run(ZfsSnapshot(names=(f"{source}@one",), recursive=True))
    task = Task(
        id="c0de0000c0de0001", source=source, root=root, target=f"{root}/home",
        connection=Connection(id=CONNECTION, kind="nasweb"),
    )  # fmt: skip
    yield task
    host.run(WritePeerRights(peer=PEER, root=root))
    host.run(ForgetReplication(task=task))  # else its holds keep the replica
    host.run(ZfsDestroy(name=task.target, recursive=True))


def ended[T: (Replicated, Proof)](host: Host, ask: ReadReplication | ReadProof, kind: type[T]) -> T:
    """The report of a run or a proof, once its unit has ended."""

    def over() -> T | None:
        report = typed.decode(host.run(ask).stdout, kind)
        runs = ask.task in host.run(ListReplications()).stdout
        return report if report.verdict is not None and not runs else None

    return first_answer(host, over, simulated_s=10)


def test_what_lies_on_a_paired_machine_is_read_there_to_prove_it(task: Task, host: Host) -> None:
    host.run(StartReplication(task=task))
    done = ended(host, ReadReplication(task=task.id), Replicated)
    assert (done.verdict, done.words, [one.said for one in done.datasets]) == ("done", "", ["", ""])
    host.run(StartProof(task=task))
    proof = ended(host, ReadProof(task=task.id), Proof)
    # No command writes a file: what there is was mounted on both sides, and is empty (see the drill of two).
    found = {one.target: (one.result, one.snapshot) for one in proof.datasets}
    assert found == {task.target: ("empty", "one"), f"{task.target}/secret": ("locked", "one")}, proof
    assert (proof.verdict, proof.words) == ("nothing", "")
    host.run(WritePeerRights(peer=PEER, root=f"{task.root}/others"))
    host.run(StartProof(task=task))
    refused = ended(host, ReadProof(task=task.id), Proof)
    assert refused.verdict == "failed" and "is not shared with this machine" in refused.words
    host.run(StartProof(task=msgspec.structs.replace(task, connection=Connection(id=CONNECTION, kind="ssh"))))
    assert ended(host, ReadProof(task=task.id), Proof).words == BY_GUID_ALONE


def test_another_host_key_is_told_from_the_trusted_one(key: str, host: Host, address: str) -> None:
    shown = ssh.scanned_keys(host.run(ScanHostKeys(host=address, key=next(KEYS))).stdout)
    assert shown
    # The connection's own key is one of no server.
    host.run(TrustHostKeys(connection=CONNECTION, keys=(key,)))
    found = probed(host, address)
    assert (found.trouble, set(found.shown_keys)) == ("host-key", set(shown))


def test_nobody_answers_at_an_address_of_nobody(host: Host) -> None:
    assert host.run(ScanHostKeys(host="192.0.2.9", key=next(KEYS))).stdout == ""


def test_rights_are_given_and_taken_back(root: str, host: Host) -> None:
    host.run(AllowPeer(dataset=root, what="receive"))
    assert missing_rights(host.run(ShowAllowed(dataset=root)).stdout, peers.USER) == ()
    host.run(DisallowPeer(dataset=root))
    assert set(missing_rights(host.run(ShowAllowed(dataset=root)).stdout, peers.USER)) == set(
        RIGHTS["receive"]
    )
    with pytest.raises(CommandFailed, match="dataset does not exist"):
        host.run(AllowPeer(dataset=f"{POOL}/nothing", what="send"))
