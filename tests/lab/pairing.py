"""Two NAS, paired as an owner does it: a code shown on one and typed on the other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.lab.builder import build_image, built_release
from tests.lab.console import Console
from tests.lab.machine import Machine
from tests.lab.pool_life import DISKS, PoolLab

HOST = "10.0.2.2"  # the computer that runs both, as QEMU shows it to each: its ports lead to the other


@contextmanager
def two_machines() -> Iterator[tuple[PoolLab, PoolLab]]:
    """`home`, with a pool tank, and `attic`, with a pool vault."""
    image = build_image(built_release())
    with Machine(image, DISKS, memory_mib=2560) as one, Machine(image, DISKS, memory_mib=2560) as other:
        one.boot()
        other.boot()
        home, attic = PoolLab(one), PoolLab(other)
        home.create("tank", "mirror", 1, 2)
        attic.create("vault", "mirror", 1, 2)
        yield home, attic


def pair(home: PoolLab, attic: PoolLab, root: str) -> None:
    """Let `home` replicate to below `root` of the other one, which is the target `attic` from then on."""
    there, here = attic.console, home.console
    there.do("POST", "pairings/", {"name": "home", "dataset": root})
    (pairing,) = there.get("pairings/")["results"]
    code = _code(there, pairing["id"])
    port = attic.machine.https_port
    here.do("POST", "targets/pair/", {"name": "attic", "host": HOST, "port": port, "code": code})
    (target,) = here.get("targets/")["results"]
    here.do("PATCH", f"targets/{target['id']}/", {"port": attic.machine.ssh_port})
    probed = here.read(f"targets/{target['id']}/probe/")
    assert probed["ready"], probed


def _code(console: Console, pairing: int) -> str:
    for _ in range(15):
        answer = console.ask("POST", f"pairings/{pairing}/code/", {}, Prefer="wait=60")
        if answer.status == 201:
            return str(answer.body["code"])
    pytest.fail(f"No code: {answer}")
