"""On the virtual NAS: a replication beside Debian's syncoid and beside a bare pipe, on the same pool."""

from __future__ import annotations

import time
from datetime import datetime
from typing import Any

from tests.bench.sanoid import INSTALL
from tests.bench.timing import show
from tests.lab.builder import build_image, built_release
from tests.lab.console import Console
from tests.lab.copying import Copying
from tests.lab.disks import HOME
from tests.lab.machine import Machine
from tests.lab.pool_life import until

DATASETS = 200
LARGE_GB = 10
POLL_S = 10  # each answer takes a processor of the emulator for a second, and the bare pipe has both
_UNITS = ("nasweb-web", "nasweb-worker", "nasweb-helper")


def measure() -> None:
    """Boot a NAS of its own for it."""
    with Machine(build_image(built_release()), HOME) as machine:
        machine.boot()
        console = Console(machine)
        console.fresh()
        disks = [d["id"] for d in console.get("disks/")["results"] if d["id"].startswith("ata-WDC_WD30EFRX")]
        vdev = {"role": "data", "layout": "stripe", "disks": disks[:1]}  # 30 GB are written here
        console.do("POST", "pools/", {"name": "tank", "vdevs": [vdev]})
        compare(machine, console)


def compare(machine: Machine, console: Console) -> None:
    """Needs the pool `tank`. Prints a run with nothing to send in parts of syncoid's, a large dataset in
    parts of the bare pipe, and how the memory of the console grew while it passed."""
    machine.run(INSTALL, timeout_s=900)
    machine.run(
        f"zfs create tank/many; for n in $(seq {DATASETS - 1}); do zfs create tank/many/d$n; done"
        "; zfs snapshot -r tank/many@one; zfs create tank/copies",
        timeout_s=1800,
    )
    console.fresh()
    console.do("POST", "targets/", {"name": "copies", "kind": "pool", "dataset": "tank/copies"})
    _nothing_new(machine, console)
    _large(machine, console)


def _nothing_new(machine: Machine, console: Console) -> None:
    line = "syncoid --recursive --no-sync-snap --no-rollback tank/many tank/theirs"
    machine.run(line, timeout_s=7200)
    theirs = _timed(machine, line)
    copying = Copying(console, {"name": "many", "source": "tank/many", "target": "copies"})
    first = copying.run()
    copying.wait_while_proving()
    again = copying.run()
    assert (first["verdict"], again["verdict"], again["sent_bytes"]) == ("done", "done", 0), (first, again)
    ours = _span(again)
    how = f"{DATASETS} datasets, nothing new; ours {ours:.1f} s with all it reads, syncoid {theirs:.1f}"
    show("a replication against syncoid's", ours / theirs, aim=0.3, unit="×", how=how)


def _large(machine: Machine, console: Console) -> None:
    machine.run(
        "zfs create -o compression=off tank/large"
        "; head -c 1000000000 /dev/urandom > /mnt/tank/large/1; sync"
        # Clones of its blocks are written in no time, and sent like any others.
        f"; for n in $(seq 2 {LARGE_GB}); do cp --reflink=always /mnt/tank/large/1 /mnt/tank/large/$n; done"
        "; sync; zfs snapshot tank/large@one",
        timeout_s=3600,
    )
    bare = _timed(machine, "zfs send -Lec tank/large@one | zfs receive -u tank/bare")
    machine.run("zfs create tank/second")  # of its own: the list of 200 replicas is measured above
    console.fresh()
    console.do("POST", "targets/", {"name": "second", "kind": "pool", "dataset": "tank/second"})
    copying = Copying(console, {"name": "large", "source": "tank/large", "target": "second"})
    before = _memory(machine)
    copying.start()
    most = dict(before)

    def over() -> bool:
        most.update({unit: max(size, most[unit]) for unit, size in _memory(machine).items()})
        return copying.now()["verdict"] is not None

    until(over, limit_s=3600, every_s=POLL_S)
    run = copying.now()
    assert run["verdict"] == "done", run
    ours = _span(run)
    how = f"{LARGE_GB} GB; ours {ours:.1f} s from its first probe to its last, the bare pipe {bare:.1f}"
    show("a large dataset against a bare pipe", ours / bare, aim=1.05, unit="×", how=how)
    grown = sum(most[unit] - before[unit] for unit in _UNITS) / (1 << 20)
    how = ", ".join(f"{unit} {before[unit] >> 20} to {most[unit] >> 20} MiB" for unit in _UNITS)
    show("memory of the console while it passes", grown, aim=16, unit="MiB", how=how)


def _memory(machine: Machine) -> dict[str, int]:
    said = machine.run(f"systemctl show --value -p MemoryCurrent {' '.join(_UNITS)}").stdout.split()
    return dict(zip(_UNITS, map(int, said), strict=True))


def _timed(machine: Machine, line: str) -> float:
    started = time.monotonic()
    machine.run(line, timeout_s=7200)
    return time.monotonic() - started


def _span(run: dict[str, Any]) -> float:
    ended, begun = (datetime.fromisoformat(run[key]) for key in ("finished_at", "started_at"))
    return (ended - begun).total_seconds()
