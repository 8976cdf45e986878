"""A share is served from its replica on another machine while its own is off, and all of it comes back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest

from tests.lab.clients import Clients
from tests.lab.copying import Copying
from tests.lab.pairing import pair, two_machines
from tests.lab.pool_life import PoolLab, until

pytestmark = pytest.mark.drill
ANNA = "words of anna"
_ROOT = "vault/replicas/home"
_REPLICA = f"{_ROOT}/files"
_SUMS = "cd {folder} && find . -type f -print0 | sort -z | xargs -0 sha256sum"


class Two(NamedTuple):
    """The one that serves the share, the one that has its replica, and how the first is replicated."""

    home: PoolLab
    attic: PoolLab
    copying: Copying


@pytest.fixture(scope="module")
def two() -> Iterator[Two]:
    with two_machines() as (home, attic):
        for name in ("tank/files", "tank/files/inner"):
            home.console.do("POST", "datasets/", {"name": name})
        serve(home, "tank/files")
        run = home.machine.run
        run("for n in 1 2 3; do head -c 2000000 /dev/urandom > /mnt/tank/files/$n; done")
        run("echo inner > /mnt/tank/files/inner/letter; chown anna: /mnt/tank/files/1; sync")
        snapshot(home, "tank/files", "one")
        pair(home, attic, _ROOT)
        body = {"name": "files", "source": "tank/files", "target": "attic", "dataset": _REPLICA}
        copying = Copying(home.console, body)
        assert copying.run()["verdict"] == "done"
        yield Two(home, attic, copying)


def serve(lab: PoolLab, dataset: str) -> None:
    """A share of it that anna may write."""
    lab.console.do("POST", "users/", {"name": "anna", "password": ANNA})
    body = {"dataset": dataset, "name": "Files", "set_rights": True, "write": ["anna"]}
    lab.console.do("POST", "shares/folder/", body)


def snapshot(lab: PoolLab, dataset: str, tag: str) -> None:
    lab.console.do("POST", "snapshots/", {"datasets": [dataset], "name": tag, "recursive": True})


def client(lab: PoolLab) -> Clients:
    """Somebody at the desk, once the share answers."""
    clients = Clients(lab.machine)
    clients.come()
    clients.know("anna", ANNA)
    until(lambda: clients.smb("Files", "ls", person="anna").exit == 0, limit_s=300, every_s=5)
    return clients


def sums(lab: PoolLab, folder: str) -> str:
    """The hash of each file below a folder."""
    return str(lab.machine.run(_SUMS.format(folder=folder), timeout_s=300).stdout)


def test_the_replica_is_served_while_its_source_is_off_and_all_comes_back(two: Two) -> None:
    home, attic, copying = two
    before = sums(home, "/mnt/tank/files")
    home.machine.cut_power()

    attic.console.fresh()
    attic.console.do("POST", "replications/go-live/", {"dataset": _REPLICA})
    folder = attic.machine.run(f"zfs get -Hp -o value mountpoint {_REPLICA}").stdout.strip()
    assert sums(attic, folder) == before
    assert attic.machine.run(f"zfs get -Hp -o value setuid {_REPLICA}").stdout == "off\n"
    serve(attic, _REPLICA)
    there = client(attic)
    there.run("head -c 1000000 /dev/urandom > /var/tmp/new")
    done = there.smb(
        "Files", "get 1 /var/tmp/one; put new; mkdir more; cd more; put new again", person="anna"
    )
    assert done.exit == 0, done
    there.run(f"cmp /var/tmp/one {folder}/1")
    meanwhile = sums(attic, folder)
    assert "./more/again" in meanwhile and "./new" in meanwhile

    # Its source is back and is replicated as ever: nothing that was written there is touched.
    home.machine.boot()
    until(lambda: home.console.ask("GET", "pools/").status == 200, limit_s=600, every_s=2)
    home.console.fresh()
    snapshot(home, "tank/files", "two")
    ended = copying.run()
    assert ended["verdict"] in {"partly", "failed"}, ended
    (top, _) = sorted(ended["datasets"], key=lambda one: str(one["source"]))
    assert (top["state"], top["code"]) == ("conflict", "target-written"), ended
    assert sums(attic, folder) == meanwhile

    # Frozen there, it is copied back. The snapshot that home took since stands in the way, and is said.
    attic.console.fresh()
    there.go()
    attic.console.do("POST", "replications/freeze/", {"dataset": _REPLICA})
    (frozen,) = [
        name
        for name in attic.machine.run(f"zfs list -Ht snapshot -o name {_REPLICA}").stdout.split()
        if "@frozen-" in name
    ]
    assert attic.machine.run(f"zfs get -Hp -o value mounted,readonly {_REPLICA}").stdout == "no\non\n"
    home.console.do("POST", f"replications/{copying.id}/reverse/", {})
    ended = copying.end()
    found = {one["target"]: (one["state"], one["code"]) for one in ended["datasets"]}
    assert found == {"tank/files": ("conflict", "target-ahead"), "tank/files/inner": ("current", "")}, ended
    assert home.machine.run("zfs get -Hp -o value mounted tank/files").stdout == "no\n"
    home.console.do("POST", "snapshots/tank/files@one/rollback/", {})
    ended = copying.run()
    assert ended["verdict"] == "done", ended
    forward = f"replications/{copying.id}/forward/"
    until(
        lambda: home.console.ask("POST", f"{forward}?dry_run=true", {}).status == 200, limit_s=300, every_s=5
    )
    home.console.do("POST", forward, {})
    assert sums(home, "/mnt/tank/files") == meanwhile
    here = client(home)
    assert here.smb("Files", "get new /var/tmp/back", person="anna").exit == 0
    here.run("cmp /var/tmp/back /mnt/tank/files/new")
    here.go()

    assert copying.end()["verdict"] == "done", "and it is replicated again"
    snapshot(home, "tank/files", "three")
    assert copying.run()["verdict"] == "done"
    newest = "zfs list -Hpt snapshot -o guid -s createtxg {} | tail -1"
    assert (
        attic.machine.run(newest.format(_REPLICA)).stdout
        == home.machine.run(newest.format("tank/files")).stdout
    )
    assert frozen.rpartition("@")[2] in home.machine.run("zfs list -Ht snapshot -o name tank/files").stdout
