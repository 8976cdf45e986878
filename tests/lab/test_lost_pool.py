"""Both disks of a pool die: everything comes back onto new ones, from its replica and from restic."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.lab.builder import build_image, built_release
from tests.lab.clients import Clients
from tests.lab.copying import Copying
from tests.lab.machine import Machine
from tests.lab.pool_life import DISKS, PoolLab, small, until

pytestmark = pytest.mark.drill
ANNA = "words of anna"
PASSWORD = "four words from a book"
_SUMS = "cd {folder} && find . -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum"


@pytest.fixture(scope="module")
def lab() -> Iterator[PoolLab]:
    """A share that anna may write, with a replica and a backup on the pool vault, and its own pool lost."""
    with Machine(build_image(built_release()), DISKS) as nas:
        nas.boot()
        found = PoolLab(nas)
        do = found.console.do
        found.create("tank", "mirror", 1, 2)
        found.create("vault", "stripe", 3)
        do("POST", "users/", {"name": "anna", "password": ANNA})
        do("POST", "datasets/", {"name": "tank/files"})
        do("POST", "datasets/", {"name": "tank/files/inner"})
        do("POST", "datasets/", {"name": "vault/copies"})
        do("POST", "shares/folder/",
           {"dataset": "tank/files", "name": "Files", "set_rights": True, "write": ["anna"]})  # fmt: skip
        do("PATCH", "datasets/tank/files/", {"properties": {"quota": str(2 << 30)}})
        nas.run("for n in 1 2 3 4 5; do head -c 3000000 /dev/urandom > /mnt/tank/files/$n; done")
        nas.run("chown anna: /mnt/tank/files/1; echo inner > /mnt/tank/files/inner/letter; sync")
        do("POST", "snapshots/", {"datasets": ["tank/files"], "name": "one", "recursive": True})
        do("POST", "targets/", {"name": "attic", "kind": "pool", "dataset": "vault"})
        yield found


@pytest.fixture(scope="module")
def copying(lab: PoolLab) -> Copying:
    return Copying(lab.console, {"name": "files", "source": "tank/files", "target": "attic"})


@pytest.fixture(scope="module")
def before(lab: PoolLab, copying: Copying) -> str:
    """The hash of all files; the replica and the backup have them, and then the pool is gone."""
    assert copying.run()["verdict"] == "done"
    do = lab.console.do
    do("POST", "repositories/",
       {"name": "shelf", "password": PASSWORD, "local": {"path": "/mnt/vault/copies/restic"}})  # fmt: skip
    do("POST", "backups/", {"name": "Files", "repository": "shelf", "datasets": ["tank/files"]})
    do("POST", "backups/Files/run/")
    until(lambda: _last_run(lab)["verdict"], limit_s=900, every_s=3)
    assert _last_run(lab)["verdict"] == "good", _last_run(lab)
    sums = lab.machine.run(_SUMS.format(folder="/mnt/tank/files"), timeout_s=300).stdout
    lab.machine.cut_power()
    for number in (1, 2):
        lab.machine.pull_disk(small(number).id)
    lab.machine.boot()
    until(lambda: lab.console.ask("GET", "pools/").status == 200, limit_s=600, every_s=2)
    lab.console.fresh()
    assert [pool["name"] for pool in lab.console.get("pools/")["results"]] == ["vault"]
    lab.create("tank", "mirror", 4, 5)
    lab.console.fresh()
    return str(sums)


def _last_run(lab: PoolLab) -> dict[str, Any]:
    found = lab.console.get("backups/Files/")
    return dict(found["last_run"] or {"verdict": None})


def sums(lab: PoolLab, folder: str) -> str:
    return lab.machine.run(_SUMS.format(folder=folder), timeout_s=300).stdout


def test_the_replica_comes_back_with_its_share(lab: PoolLab, copying: Copying, before: str) -> None:
    do = lab.console.do
    do("POST", f"replications/{copying.id}/reverse/", {})
    assert copying.end()["verdict"] == "done"
    forward = f"replications/{copying.id}/forward/"
    # The console knows of the run's end within half a minute, and then looks at the machine once more.
    until(
        lambda: lab.console.ask("POST", f"{forward}?dry_run=true", {}).status == 200, limit_s=300, every_s=5
    )
    do("POST", forward, {})
    assert sums(lab, "/mnt/tank/files") == before
    assert lab.machine.run("stat -c %U /mnt/tank/files/1").stdout == "anna\n"
    assert lab.machine.run("zfs get -Hp -o value quota tank/files").stdout == f"{2 << 30}\n"
    clients = Clients(lab.machine)
    clients.come()
    clients.know("anna", ANNA)
    got = lambda: clients.smb("Files", "get 1 /var/tmp/back", person="anna").exit == 0  # noqa: E731
    until(got, limit_s=300, every_s=5)
    clients.run("cmp /var/tmp/back /mnt/tank/files/1")
    assert copying.end()["verdict"] == "done", "and it is replicated again"
    assert copying.state()["leads_back"] is False


def test_restic_gives_back_the_same(lab: PoolLab, before: str) -> None:
    (stored,) = lab.console.read("repositories/shelf/snapshots/")["results"]
    do = lab.console.do
    do("POST", "datasets/", {"name": "tank/again"})
    do("POST", f"repositories/shelf/snapshots/{stored['id']}/restore/", {"dataset": "tank/again"})

    def restored() -> Any:
        runs = lab.console.get("backup-runs/")["results"]
        return next((one for one in runs if one["action"] == "restore" and one["verdict"]), None)

    _, run = until(restored, limit_s=900, every_s=3)
    assert run["verdict"] == "good", run
    (folder,) = lab.machine.run("ls /mnt/tank/again").stdout.split()
    lab.machine.run(
        f"rm -rf /mnt/tank/again/{folder}/inner; rm -rf /run/plain; cp -a /mnt/tank/files /run/plain"
    )
    lab.machine.run("rm -rf /run/plain/inner")
    assert sums(lab, f"/mnt/tank/again/{folder}") == sums(lab, "/run/plain")
    assert lab.machine.run(f"stat -c %U /mnt/tank/again/{folder}/1").stdout == "anna\n"
