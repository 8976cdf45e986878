"""Two NAS, paired as an owner does it: a code shown on one and typed on the other."""

from __future__ import annotations

import pytest

from tests.lab.console import Console
from tests.lab.pool_life import PoolLab

HOST = "10.0.2.2"  # the computer that runs both, as QEMU shows it to each: its ports lead to the other


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
