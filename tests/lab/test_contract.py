"""The contract suite on real machines, through the root helper: the tests that the simulator passes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.contract import secrets
from tests.contract.real_run import CORE, SOCKETS
from tests.lab.builder import build_image, built_release
from tests.lab.disks import HOME
from tests.lab.machine import Machine

ROOT = Path(__file__).parents[2]
LIMIT_S = 2700
# The suite asks one thing after the other: two machines of one processor do more than one of two.
MACHINES = 2
SHORT = ("--tb=short", "--maxfail=5")  # the first failure explains those that follow


@pytest.fixture(scope="module")
def pair() -> Iterator[list[Machine]]:
    """Two NAS, each with its helper's socket in its folder, and passphrases that the suite may name."""
    with ExitStack() as stack:
        image = build_image(built_release())
        # QEMU ends with the thread that started it (prctl(2), PR_SET_PDEATHSIG): these live as long as it.
        together = stack.enter_context(ThreadPoolExecutor(MACHINES))
        machines = [stack.enter_context(Machine(image, HOME, cpus=1)) for _ in range(MACHINES)]
        list(together.map(_ready, machines))
        yield machines


def _ready(machine: Machine) -> None:
    machine.boot()
    # The suite has the machine to itself: in emulation the worker's probes would take half of it.
    machine.run("systemctl stop nasweb-web nasweb-worker nginx")
    machine.shell.forward(machine.folder / "helper.sock", "/run/nasweb/helper.sock")
    machine.run(secrets.shell_lines())


def test_the_contract_holds_on_real_openzfs(pair: list[Machine], capsys: pytest.CaptureFixture[str]) -> None:
    """Runs the suite in processes of its own, because it takes another host and another configuration."""
    ids = pair[0].run("ls /dev/disk/by-id").stdout.split()
    disks = sorted(name for name in ids if name.startswith("ata-WDC_WD30EFRX") and "-part" not in name)
    done = subprocess.run(
        [
            sys.executable, "-m", "pytest", "tests/contract", "-q", "--numprocesses", str(MACHINES),
            "--dist", "loadfile", "--durations=10", *SHORT,
        ],
        cwd=ROOT,
        env=os.environ
        | {
            SOCKETS: ",".join(str(machine.folder / "helper.sock") for machine in pair),
            "NASWEB_CONTRACT_DISKS": ",".join(disks),
            "PYTEST_ADDOPTS": "",
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )  # fmt: skip
    how = "the core, and what has changed since it was proven" if os.environ.get(CORE) else "all of it"
    with capsys.disabled():
        print(f"\nThe contract on {MACHINES} machines, {how}:\n{done.stdout[-8000:]}", flush=True)
    if done.returncode:
        pytest.fail(f"The contract does not hold on the real machine:\n{done.stdout[-20000:]}")
