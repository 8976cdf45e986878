"""What the drills of replication share: a tree to be copied, how a run ends, and hashes."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from tests.lab.console import Console
from tests.lab.machine import Machine
from tests.lab.pool_life import until

PHRASE = "a passphrase of the lab"
SECRET = "tank/data/secret"
VOLUME = "tank/data/volume"
PLAIN = ("tank/data", "tank/data/a b", *(f"tank/data/many/{number:02}" for number in range(15)))
ALL = (*PLAIN, "tank/data/many", SECRET, VOLUME)
RUN_S = 1800.0  # twenty datasets to another machine, both emulated


def q(text: str) -> str:
    """As one word of a shell."""
    return shlex.quote(text)


def make_tree(nas: Machine, console: Console) -> None:
    """Twenty datasets below tank/data: one encrypted, one volume, one with a space in its name."""
    for name in ("tank/data", "tank/data/many"):
        console.do("POST", "datasets/", {"name": name})
    nas.run("zfs create 'tank/data/a b'")  # the console makes no such names, but finds them on foreign pools
    for number in range(15):
        console.do("POST", "datasets/", {"name": f"tank/data/many/{number:02}"})
    console.do("POST", "datasets/", {"name": SECRET, "passphrase": PHRASE, "encryption": "on"})
    console.do("POST", "datasets/", {"name": VOLUME, "kind": "volume", "volume_bytes": 32 << 20})
    nas.run("udevadm settle")
    change(nas, 1)


def change(nas: Machine, number: int) -> None:
    """Write something new into each of them."""
    for name in (*PLAIN, SECRET):
        folder = q(f"/mnt/{name}")
        nas.run(f"head -c 200000 /dev/urandom > {folder}/file{number}; echo {number} >> {folder}/log")
    nas.run(f"dd if=/dev/urandom of=/dev/zvol/{VOLUME} bs=1M seek={number} count=2 conv=fsync", timeout_s=300)


def sums(nas: Machine, replicas: Mapping[str, str], tag: str) -> dict[str, str]:
    """The hash over all files of each dataset's snapshot, by the source's name; of a volume over all of it.
    The snapshots are mounted apart: replicas are mounted nowhere."""
    found = {}
    for source, name in replicas.items():
        snapshot = q(f"{name}@{tag}")
        if source == VOLUME:
            device = q(f"/dev/zvol/{name}@{tag}")
            line = f"zfs set snapdev=visible {q(name)} && udevadm wait -t 60 {device} && sha256sum < {device}"
        else:
            line = (
                f"mkdir -p /run/sums && mount -t zfs -o ro {snapshot} /run/sums && cd /run/sums"
                " && find . -type f -print0 | sort -z | xargs -0 -r sha256sum | sha256sum"
                "; cd /; umount /run/sums"
            )
        found[source] = nas.run(line, timeout_s=600).stdout.strip()
    return found


def unlock(nas: Machine, name: str) -> None:
    """Give the key of a replica, as its owner would who needs it."""
    nas.run(f"zfs load-key {q(name)}", input=f"{PHRASE}\n", timeout_s=120)


class Copying:
    """One replication of a console."""

    def __init__(self, console: Console, body: dict[str, Any]) -> None:
        self._console = console
        console.do("POST", "replications/", body)
        found = console.get("replications/")["results"]
        self.id = next(one["id"] for one in found if one["name"] == body["name"])

    def state(self) -> dict[str, Any]:
        """As the list has it."""
        found: dict[str, Any] = self._console.get(f"replications/{self.id}/")
        return found

    def start(self) -> None:
        """Begin a run."""
        self._console.do("POST", f"replications/{self.id}/run/")

    def now(self) -> dict[str, Any]:
        """How the run stands."""
        found: dict[str, Any] = self._console.read(f"replications/{self.id}/progress/")["run"]
        return found

    def end(self) -> dict[str, Any]:
        """The run once it has ended."""
        until(lambda: self.now()["verdict"], limit_s=RUN_S, every_s=2)
        return self.now()

    def prove(self) -> dict[str, Any]:
        """A whole proof: the replication as the list has it then. One may be under way."""
        self.wait_while_proving()
        self._console.do("POST", f"replications/{self.id}/prove/")
        self.wait_while_proving()
        return self.state()

    def wait_while_proving(self) -> None:
        """After its first run a replica is proven by itself."""
        until(lambda: not self.state()["proving"], limit_s=RUN_S, every_s=5)

    def run(self) -> dict[str, Any]:
        """A whole run."""
        self.start()
        return self.end()
