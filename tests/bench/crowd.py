"""Pages, API and index with 1 000 datasets and 100 000 snapshots on a simulated machine.

A process of its own each for filling the machine, for the worker's part and for the web's, so that the memory
of one is not that of another.
"""

from __future__ import annotations

import gc
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.timing import show, show_times, times_ms

DATASETS, SNAPSHOTS = 1000, 100
_MIB = 1e6


def measure() -> None:
    """One part after the other."""
    with tempfile.TemporaryDirectory() as folder:
        for part in ("fill", "worker", "web"):
            subprocess.run([sys.executable, "-m", "tests.bench.crowd", part, folder], check=True)


def _part(part: str, folder: str) -> None:
    os.environ.update(
        DATA_DIR=folder, MACHINE="rack24", DJANGO_SETTINGS_MODULE="nasweb.settings", NASWEB_LOG="ERROR"
    )
    import django
    from django.conf import settings
    from django.core.management import call_command

    django.setup()
    settings.ALLOWED_HOSTS = ["*"]
    settings.STATIC_ROOT = Path(folder) / "static"
    if part == "fill":
        call_command("migrate", verbosity=0)
        call_command("collectstatic", verbosity=0, interactive=False)
        _fill()
        return
    if part == "worker":
        _time_refresh()
        # The simulated machine lives in this process too, with all its snapshots.
        _show_memory(
            part, "the most that probes took, the simulated machine (twice, while it changes) included"
        )
        _time_probes()  # afterwards: twenty repetitions of a piece of a probe take memory
    else:
        _time_requests()
        _show_memory(part, "the most that the web's part took")


def _show_memory(part: str, how: str) -> None:
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / _MIB
    show(f"memory of the {part} with 100 000 snapshots", most, aim=200, unit="MB", how=how)


def _fill() -> None:
    from accounts.models import User
    from accounts.roles import Role
    from host.simulated import SimulatedHost
    from jobs import cache, engine
    from jobs.models import IndexedSnapshot
    from jobs.operation import the_host
    from jobs.submission import submit

    host = the_host()
    assert isinstance(host, SimulatedHost)
    engine.refresh(host)
    inventory = cache.current()
    assert inventory is not None
    free = [disk.id for disk in inventory.disks if disk.free]
    user = User.objects.create_user("bench", role=Role.ADMIN)
    pool = {"name": "tank", "vdevs": [{"role": "data", "layout": "raidz2", "disks": free[:8]}]}
    engine.run(submit("pool.create", pool, user).pk, host)
    host.crowd("tank", datasets=DATASETS, snapshots=SNAPSHOTS)
    started, probes = time.perf_counter(), 0
    while IndexedSnapshot.objects.count() < DATASETS * SNAPSHOTS:
        engine.refresh(host)
        probes += 1
        assert probes < 50, "the index does not come to an end"
    took = time.perf_counter() - started
    show("first index of 100 000 snapshots", took, aim=120, unit="s", how=f"in {probes} probes")


def _time_probes() -> None:
    """What a probe that finds nothing new costs besides the commands: 70 000 lines of `zfs get all`."""
    from host.commands.datasets.zfs import ZfsGet
    from host.probe.datasets.datasets import parse_zfs_get
    from jobs import cache, engine
    from jobs.models import CachedInventory
    from jobs.operation import the_host

    host = the_host()
    engine.refresh(host)
    text = host.run(ZfsGet()).stdout
    lines = text.count("\n")
    times = times_ms(lambda: parse_zfs_get(text), runs=20)
    show_times("parsing zfs get", times, aim=500, how=f"{lines} lines, {len(text) / 1e6:.1f} MB")
    inventory = cache.current()
    assert inventory is not None
    times = times_ms(lambda: cache.keep(inventory), runs=20)
    show_times("storing an unchanged inventory", times, aim=100, how="encoded and compared")

    def decode() -> None:
        cache._newest = None
        cache.current()

    stored = len(bytes(CachedInventory.objects.get().data)) / 1000
    show_times("decoding the stored inventory", times_ms(decode, runs=20), aim=150, how=f"{stored:.0f} kB")


class _Pauses:
    """The time that collecting garbage takes outside of the machine's commands, from now on.

    A collection goes through the 200 000 objects of the simulated machine, which no real worker holds.
    """

    def __init__(self) -> None:
        self.spent, self._since = 0.0, 0.0
        self.counts = True
        gc.callbacks.append(self._collecting)

    def _collecting(self, phase: str, _: object) -> None:
        now = time.perf_counter()
        if phase == "start":
            self._since = now
        elif self.counts:
            self.spent += now - self._since


def _time_refresh() -> None:
    """One dataset gets a snapshot: what the refresh takes beyond the commands that it runs."""
    from host.base import Host, Result
    from host.commands.base import Command
    from host.commands.datasets.snapshots import ZfsSnapshot
    from jobs import engine
    from jobs.index import refreshing
    from jobs.operation import take_inventory, the_host

    class Clocked:
        """The machine, with the time that its commands take."""

        kind = "simulated"

        def __init__(self, host: Host) -> None:
            self.host, self.spent, self.calls = host, 0.0, 0

        def run(self, command: Command) -> Result:
            started, pauses.counts = time.perf_counter(), False
            try:
                return self.host.run(command)
            finally:
                self.spent += time.perf_counter() - started
                self.calls, pauses.counts = self.calls + 1, True

    host, pauses = the_host(), _Pauses()
    for _ in range(3):
        engine.refresh(host)  # whole probes, for the memory that they take
    found: list[float] = []
    calls = 0
    for number in range(20):
        host.run(ZfsSnapshot(names=(f"tank/group001/data01@bench{number}",)))
        inventory = take_inventory(host)
        clocked = Clocked(host)
        collected, started = pauses.spent, time.perf_counter()
        refreshing.refresh(inventory, clocked)
        took = time.perf_counter() - started - clocked.spent - (pauses.spent - collected)
        if number:  # the first one loads what it needs
            found.append(1000 * took)
        calls = clocked.calls
    how = f"beyond the {calls} zfs calls that it makes"
    show_times("index refresh after one change", found, aim=50, how=how)


def _time_requests() -> None:
    from django.test import Client

    from accounts import tokens
    from accounts.models import User

    user = User.objects.get()
    _, token = tokens.create(name="bench", scopes=("pools:read",), user=user)
    browser, script = Client(), Client(headers={"Authorization": f"Bearer {token}"})
    browser.force_login(user)
    for what, client, path, aim in (
        ("dataset tree of 1 000", browser, "/datasets/", 150),
        ("dataset page", browser, "/datasets/tank/group001/data01/", 150),
        ("snapshot page", browser, "/snapshots/tank/group001/data01/", 150),
        ("snapshot page, narrowed", browser, "/snapshots/tank/group001/data01/?text=auto&age=week", 150),
        ("API: 100 snapshots", script, "/api/v1/snapshots/?dataset=tank/group001/data01", 30),
        ("API: 100 datasets", script, "/api/v1/datasets/", 30),
    ):
        answer = client.get(path)
        assert answer.status_code == 200, (path, answer.status_code)
        times = times_ms(lambda client=client, path=path: client.get(path), runs=40)  # type: ignore[misc]
        show_times(what, times, aim=aim, how=f"GET {path}, {len(answer.content) / 1000:.0f} kB, whole stack")


if __name__ == "__main__":
    if sys.argv[1:]:
        _part(*sys.argv[1:])
    else:
        measure()
