"""What `make run` takes: seconds to its first answer, and memory when it idles."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.bench.timing import show

ROOT = Path(__file__).parent.parent.parent


def measure() -> None:
    """Start the console twice in one folder; the second start is the figure."""
    with tempfile.TemporaryDirectory() as folder:
        _start(folder, measure_memory=False)
        seconds = _start(folder, measure_memory=True)
        how = "`make run` with everything built, until /accounts/login/ answers"
        show("second cold start of make run", seconds, aim=5, unit="s", how=how)


def _start(folder: str, *, measure_memory: bool) -> float:
    started = time.monotonic()
    with running(folder) as console:
        seconds = time.monotonic() - started
        if measure_memory:
            _show_memory(console.pid, Path(folder))
    return seconds


class Console(NamedTuple):
    """A `make run` that answers at `address`."""

    pid: int
    address: str


@contextmanager
def running(folder: str) -> Iterator[Console]:
    """`make run` of the profile `home` with its data in `folder`, from its first answer on."""
    port = _free_port()
    environment = os.environ | {"DATA_DIR": folder, "PORT": str(port), "MACHINE": "home"}
    environment.pop("DJANGO_SETTINGS_MODULE", None)
    process = subprocess.Popen(
        ["make", "run"],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        _wait_for(f"http://127.0.0.1:{port}/accounts/login/", process)
        yield Console(pid=process.pid, address=f"http://127.0.0.1:{port}")
    finally:
        os.killpg(process.pid, signal.SIGINT)
        process.wait(30)


def _show_memory(pid: int, folder: Path) -> None:
    helper = subprocess.Popen(
        [str(ROOT / ".venv/bin/python"), "-m", "host.helper", "--socket", str(folder / "helper.sock")],
        cwd=ROOT,
    )
    try:
        time.sleep(20)  # the worker has read the machine once, and the clock has ticked
        group = _descendants(pid) | {helper.pid}
        parts = {pid: _pss_mb(pid) for pid in group}
    finally:
        helper.terminate()
        helper.wait(10)
    names = sorted((f"{_name(pid)} {mb:.0f}" for pid, mb in parts.items() if mb > 1), key=str)
    how = f"PSS after 20 s idle, supervisor included: {', '.join(names)}"
    show("memory of web, worker, helper, Redis", sum(parts.values()), aim=250, unit="MB", how=how)


_names: dict[int, str] = {}


def _name(pid: int) -> str:
    return _names.get(pid, "?")


def _descendants(pid: int) -> set[int]:
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                status = (entry / "status").read_text()
            except OSError:
                continue
            parents[int(entry.name)] = int(status.split("PPid:")[1].split()[0])
            _names[int(entry.name)] = status.split()[1]
    found = {pid}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found


def _pss_mb(pid: int) -> float:
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0.0
    return int(text.split("Pss:")[1].split()[0]) * 1024 / 1e6


def _wait_for(address: str, process: subprocess.Popen[bytes]) -> None:
    for _ in range(1200):
        if process.poll() is not None:
            raise SystemExit("make run ended by itself")
        try:
            urllib.request.urlopen(address, timeout=5).read()
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.05)
        else:
            return
    raise SystemExit("make run did not answer within a minute")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
