"""The contract suite on real machines, through the root helper: the tests that the simulator passes."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.contract import secrets
from tests.contract.real_run import CORE, PART, SOCKETS
from tests.lab.builder import build_image, built_release
from tests.lab.container import Container
from tests.lab.disks import HOME
from tests.lab.machine import Machine

ROOT = Path(__file__).parents[2]
LIMIT_S = 2700
# The suite asks one thing after the other: two machines of one processor do more than one of two.
MACHINES = 2
# The suite has the machine to itself: in emulation the worker's probes would take half of it.
AT_WORK = ("nasweb-web.service", "nasweb-worker.service", "nasweb-redis.service", "nginx.service")
# What the suite waits for: that ZFS writes out what has changed, which it does every five seconds, and that
# mdadm's monitor reads which arrays there are, once a minute. At the event of each dataset that comes or goes
# zed starts a program for the syslog, too, which nobody reads here.
OFTEN = """
    echo 1 > /sys/module/zfs/parameters/zfs_txg_timeout
    echo MONITORDELAY 5 > /etc/mdadm/mdadm.conf.d/often.conf
    rm /etc/zfs/zed.d/all-syslog.sh && systemctl restart zfs-zed
    """
PROBLEM, PAGE = "application/problem+json", "text/html; charset=utf-8"
SHORT = ("--tb=short", "--maxfail=5")  # the first failure explains those that follow
# pytest-xdist would put the largest family first, whatever order the suite has; the first one waits for zed.
IN_ORDER = ("--dist", "loadfile", "--no-loadscope-reorder")


@pytest.fixture(scope="module")
def pair() -> Iterator[list[Machine]]:
    """Two NAS, each with its helper's socket in its folder, and passphrases that the suite may name."""
    with ExitStack() as stack:
        image = build_image(built_release())
        # QEMU ends with the thread that started it (prctl(2), PR_SET_PDEATHSIG): these live as long as it.
        together = stack.enter_context(ThreadPoolExecutor(MACHINES))
        machines = [
            stack.enter_context(Machine(image, HOME, cpus=1, masked=AT_WORK)) for _ in range(MACHINES)
        ]
        list(together.map(_ready, machines))
        yield machines


def _ready(machine: Machine) -> None:
    machine.boot()
    machine.run(OFTEN)
    machine.shell.forward(machine.folder / "helper.sock", "/run/nasweb/helper.sock")
    machine.run(secrets.shell_lines())


@pytest.fixture(scope="module")
def container() -> Iterator[Container]:
    """A NAS without a kernel of its own, with all of its services."""
    with Container(build_image(built_release())) as nas:
        assert nas.run(f"systemctl is-active {' '.join(AT_WORK)}").split() == ["active"] * 4
        yield nas


def _asked(nas: Container, path: str) -> tuple[str, str]:
    """What nginx answers in `nas`: status, Retry-After and type in one line, and the body."""
    head = "\n%{http_code} %header{retry-after} %{content_type}"
    body, _, line = nas.run(f"curl -sk -w {shlex.quote(head)} https://127.0.0.1{path}").rpartition("\n")
    return line, body


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., None]:
    """Runs a part of the suite in processes of its own, because it takes another host and configuration."""

    def run(part: str, sockets: list[Path], disks: Sequence[str] = ()) -> None:
        argv = [sys.executable, "-m", "pytest", "tests/contract", "-q", "--numprocesses", str(len(sockets))]
        done = subprocess.run(
            [*argv, *IN_ORDER, "--durations=10", *SHORT],
            cwd=ROOT,
            env=os.environ
            | {
                SOCKETS: ",".join(map(str, sockets)),
                PART: part,
                "NASWEB_CONTRACT_DISKS": ",".join(disks),
                "PYTEST_ADDOPTS": "",
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )
        how = "the core, and what has changed since it was proven" if os.environ.get(CORE) else "all of it"
        with capsys.disabled():
            print(f"\nThe contract, {part}, {how}:\n{done.stdout[-8000:]}", flush=True)
        if done.returncode:
            pytest.fail(f"The contract does not hold on the real machine:\n{done.stdout[-20000:]}")

    return run


def test_nginx_answers_where_the_console_does_not(container: Container) -> None:
    container.run("nginx -t")
    assert _asked(container, "/api/v1/jobs/")[0] == f"401  {PROBLEM}"
    assert _asked(container, "/")[0] == f"302  {PAGE}"
    container.run("systemctl stop nasweb-web.socket nasweb-web.service")
    line, problem = _asked(container, "/api/v1/jobs/")
    assert (line, json.loads(problem)["status"]) == (f"503 5 {PROBLEM}", 503)
    line, page = _asked(container, "/")
    assert line == f"503 5 {PAGE}" and "<h1>The console does not answer</h1>" in page
    container.run("systemctl start nasweb-web.socket nasweb-web.service")
    assert _asked(container, "/api/v1/jobs/")[0] == f"401  {PROBLEM}"


def test_the_contract_holds_where_no_kernel_is_asked(container: Container, run: Callable[..., None]) -> None:
    container.run(f"systemctl stop {' '.join(AT_WORK)}")
    container.run(secrets.shell_lines())
    run("user-space", [container.helper])


def test_the_contract_holds_on_real_openzfs(pair: list[Machine], run: Callable[..., None]) -> None:
    ids = pair[0].run("ls /dev/disk/by-id").stdout.split()
    disks = sorted(name for name in ids if name.startswith("ata-WDC_WD30EFRX") and "-part" not in name)
    try:
        run("kernel", [machine.folder / "helper.sock" for machine in pair], disks)
    except pytest.fail.Exception:
        for machine in pair:
            print("It still answers." if machine.shell.boot_id() else machine.last_words())
        raise
