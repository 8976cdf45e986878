"""The contract suite on the real machine, through the root helper: the tests that the simulator passes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.contract import secrets
from tests.lab.machine import Machine

ROOT = Path(__file__).parents[2]
LIMIT_S = 2700
SHORT = ("--tb=short", "--maxfail=5")  # the first failure explains those that follow


def test_the_contract_holds_on_real_openzfs(machine: Machine) -> None:
    """Runs the suite in a process of its own, because it takes another host and another configuration."""
    # The suite has the machine to itself: in emulation the worker's looks would take half of it.
    machine.run("systemctl stop nasweb-web nasweb-worker")
    socket = machine.folder / "helper.sock"
    machine.shell.forward(socket, "/run/nasweb/helper.sock")
    machine.run(secrets.shell_lines())
    ids = machine.run("ls /dev/disk/by-id").stdout.split()
    disks = sorted(name for name in ids if name.startswith("ata-WDC_WD30EFRX") and "-part" not in name)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "tests/contract", "-q", "-p", "no:xdist", "--durations=8", *SHORT],
        cwd=ROOT,
        env=os.environ
        | {
            "NASWEB_CONTRACT_SOCKET": str(socket),
            "NASWEB_CONTRACT_DISKS": ",".join(disks),
            "PYTEST_ADDOPTS": "",
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    print(done.stdout[-6000:])
    machine.run("systemctl start nasweb-worker nasweb-web")
    if done.returncode:
        pytest.fail(f"The contract does not hold on the real machine:\n{done.stdout[-20000:]}")
