"""Two NAS: paired by a code, one replicates to the other, and can do nothing else there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from tests.lab.copying import ALL, PLAIN, SECRET, Copying, change, make_tree, q, sums, unlock
from tests.lab.pairing import pair, two_machines
from tests.lab.pool_life import PoolLab, until

pytestmark = pytest.mark.drill

_ROOT = "vault/replicas/home"
_REPLICAS = {name: f"{_ROOT}/data{name.removeprefix('tank/data')}" for name in ALL}
_BIG_MB = 60
_ASK = """
import socket, sys
with socket.socket(socket.AF_UNIX) as service:
    service.connect("/run/nasweb-peer-files/socket")
    service.sendall(sys.argv[1].encode())
    service.shutdown(socket.SHUT_WR)
    print(service.recv(65536).decode())
"""


class Two(NamedTuple):
    """The one that has the data, and the one that gets it."""

    home: PoolLab
    attic: PoolLab

    @property
    def connection(self) -> str:
        """The folder of root's files about the connection, at home."""
        return self.home.machine.run("ls -d /etc/nasweb/replication/*/").stdout.split()[0].rstrip("/")

    def over(self, *words: str, options: str = "") -> tuple[int, str]:
        """What comes of ssh with the paired key, as a thief of it would use it."""
        name = self.connection.rpartition("/")[2]
        line = " ".join(map(q, words))
        done = self.home.machine.run(
            f"ssh -F {self.connection}/ssh_config {options} {name} {line} </dev/null",
            check=False,
            timeout_s=120,
        )
        return done.exit, done.stdout + done.stderr


@pytest.fixture(scope="module")
def two() -> Iterator[Two]:
    with two_machines() as (home, attic):
        make_tree(home.machine, home.console)
        yield Two(home, attic)


def take(two: Two, tag: str, dataset: str = "tank/data") -> None:
    body = {"datasets": [dataset], "name": tag, "recursive": True}
    two.home.console.do("POST", "snapshots/", body)


@pytest.fixture(scope="module")
def copying(two: Two) -> Copying:
    pair(two.home, two.attic, _ROOT)
    body = {"name": "data", "source": "tank/data", "target": "attic", "dataset": f"{_ROOT}/data"}
    return Copying(two.home.console, body)


def test_a_tree_of_twenty_arrives_and_follows_byte_for_byte(two: Two, copying: Copying) -> None:
    take(two, "one")
    done = copying.run()
    assert done["verdict"] == "done", done
    unlock(two.attic.machine, _REPLICAS[SECRET])
    here = sums(two.home.machine, {name: name for name in ALL}, "one")
    assert sums(two.attic.machine, _REPLICAS, "one") == here and len(set(here.values())) == len(ALL)
    proof = copying.prove()
    assert proof["proof_verdict"] == "same" and proof["proven_at"], proof
    assert int(proof["proof_words"].split(" files compared by hash")[0]) > len(PLAIN), proof
    change(two.home.machine, 2)
    take(two, "two")
    assert copying.run()["verdict"] == "done"
    here = sums(two.home.machine, {name: name for name in ALL}, "two")
    assert sums(two.attic.machine, _REPLICAS, "two") == here
    mounted = two.attic.machine.run(f"zfs get -rH -o value mounted {_ROOT}").stdout.split()
    assert set(mounted) <= {"no", "-"}


@pytest.mark.parametrize("how", ["network", "target-power"])
def test_a_run_that_lost_the_other_machine_goes_on(two: Two, copying: Copying, how: str) -> None:
    nas = two.home.machine
    nas.run(f"head -c {_BIG_MB}000000 /dev/urandom > /mnt/tank/data/{how}; sync", timeout_s=600)
    two.home.console.do("PATCH", f"replications/{copying.id}/", {"limits": [{"bytes_per_s": 1_000_000}]})
    take(two, how)
    copying.start()
    until(lambda: copying.now()["sent_bytes"] > 15_000_000, limit_s=300, every_s=1)
    if how == "network":
        two.attic.machine.run("systemctl kill -s KILL 'ssh@*' ; pkill -KILL -f sshd-session", check=False)
    else:
        two.attic.machine.cut_power()
    ended = copying.end()
    assert (ended["verdict"], ended["code"]) == ("failed", "connection"), ended
    if how == "target-power":
        two.attic.machine.boot()
    two.home.console.do("PATCH", f"replications/{copying.id}/", {"limits": []})
    rest = copying.run()
    assert rest["verdict"] == "done" and rest["sent_bytes"] < _BIG_MB * 1_050_000 - 5_000_000, rest
    name = f"{_ROOT}/data@{how}"
    guid = two.attic.machine.run(f"zfs get -Hp -o value guid {name}").stdout
    assert guid == nas.run(f"zfs get -Hp -o value guid tank/data@{how}").stdout


def test_the_paired_key_is_good_for_nothing_else(two: Two, copying: Copying) -> None:
    attic = two.attic.machine
    attic.run("zfs create -o mountpoint=/mnt/vault/private vault/private && zfs snapshot vault/private@s")
    before = attic.run("zfs list -H -t all -o name | sha256sum").stdout
    tried = [
        ("id",), ("sh", "-c", "id"), ("zfs list",), ("scp", "-f", "/etc/shadow"), ("",),
        ('{"type":"ListDatasets","name":"vault"}',), ('{"type":"SendStream","snapshot":"vault/private@s"}',),
        ('{"type":"ListDatasets","name":"vault/replicas/home-evil"}',),
        (f'{{"type":"ReceiveStream","name":"{_ROOT}/../../private/x"}}',),
        ('{"type":"ReceiveStream","name":"vault/private/x"}',),
        (f'{{"type":"ForgetSnapshots","name":"{_ROOT}","tags":["x"]}}',),
        (f'{{"type":"MakeContainer","name":"-o mountpoint=/etc {_ROOT}/x"}}',),
        ('{"type":"ZfsDestroy","name":"vault/private"}',),
        ('{"type":"HashFiles","snapshot":"vault/private@s","files":[{"path":"c2VjcmV0","seed":1}]}',),
        (f'{{"type":"HashFiles","snapshot":"{_ROOT}/data@one","files":[{{"path":"Li4veA==","seed":1}}]}}',),
    ]  # fmt: skip
    for words in tried:
        exit_status, said = two.over(*words)
        assert exit_status != 0, (words, said)
        assert "uid=" not in said and "root:" not in said and "vault/private@" not in said, (words, said)
    assert two.over("id", options="-tt")[0] != 0
    forward = two.over(options="-N -L 127.0.0.1:9999:127.0.0.1:443 -o ExitOnForwardFailure=yes -f")
    reached = two.home.machine.run("curl -sk --max-time 5 https://127.0.0.1:9999/", check=False)
    assert reached.exit != 0, (forward, reached)
    assert attic.run("zfs list -H -t all -o name | sha256sum").stdout == before


def test_the_service_that_hashes_files_believes_its_account_nothing(two: Two, copying: Copying) -> None:
    attic = two.attic.machine
    (name,) = attic.run("basename -a /etc/nasweb/peers/*.json").stdout.split()
    peer, own = name.removesuffix(".json"), f"{_ROOT}/data@one"

    def asked(peer: str, snapshot: str, account: str = "nasweb-peer") -> str:
        command = {"type": "HashFiles", "snapshot": snapshot, "files": []}
        words = ("runuser", "-u", account, "--", "python3", "-c", _ASK)
        line = " ".join(map(q, (*words, json.dumps({"peer": peer, "command": command}))))
        done = attic.run(line, check=False, timeout_s=120)
        return done.stdout + done.stderr

    assert json.loads(asked(peer, own)) == {"files": [], "trouble": None, "said": ""}
    assert "vault/private is not shared with this machine." in asked(peer, "vault/private@s")
    assert "This machine is not paired any more." in asked("0" * 16, own)
    assert "This is no request." in asked("../peers/x", own)
    assert "This is no request." in asked(peer, f"{_ROOT}/../private@s")
    assert "Permission denied" in asked(peer, own, "nobody")


def test_everything_comes_back_onto_new_disks(two: Two, copying: Copying) -> None:
    """The pool at home is lost: what the other machine has is fetched back."""
    two.home.console.do("DELETE", f"replications/{copying.id}/")
    two.home.machine.run("zpool destroy -f tank")
    two.home.console.fresh()
    two.home.create("tank", "mirror", 3, 4)
    there = two.attic.console
    (pairing,) = there.get("pairings/")["results"]
    assert pairing["paired"]
    body = {
        "name": "back", "source": f"{_ROOT}/data", "target": "attic", "dataset": "tank/data", "pull": True,
    }  # fmt: skip
    done = Copying(two.home.console, body).run()
    assert done["verdict"] == "done", done
    unlock(two.home.machine, SECRET)
    unlock(two.attic.machine, _REPLICAS[SECRET])  # it lost its power since, and its keys
    back = sums(two.home.machine, {name: name for name in ALL}, "two")
    assert back == sums(two.attic.machine, _REPLICAS, "two")
