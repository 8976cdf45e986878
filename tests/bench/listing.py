"""On the virtual NAS: what bringing the index up to date asks of ZFS after one change, beside listing all."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from tests.bench.journal import commands
from tests.bench.timing import show
from tests.lab.console import Console
from tests.lab.machine import Machine

DATASETS, EACH = 100, 200
_TOP = "tank/listing"
_CHANGED = f"{_TOP}/d7"


def compare(machine: Machine, console: Console) -> None:
    """Needs the pool `tank`, and leaves it full. Prints the refresh after one change beside a full list."""
    machine.run("systemctl stop nasweb-worker")  # nobody lists while they are being made
    machine.run(
        f"zfs create -o canmount=off {_TOP}; for n in $(seq {DATASETS - 1}); do zfs create {_TOP}/d$n; done",
        timeout_s=900,
    )
    # Side by side they share transaction groups, of which one by one each would wait for its own.
    machine.run(f"seq {EACH} | xargs -P 8 -I+ zfs snapshot -r {_TOP}@s+", timeout_s=3600)
    machine.run("systemctl start nasweb-worker")
    names = [_TOP, *(f"{_TOP}/d{number}" for number in range(1, DATASETS))]
    first_s = _seconds(lambda: wait_until_indexed(console, names, EACH))
    full = min(_full_s(machine) for _ in range(3))
    before = len(_listings(machine))
    console.do("POST", "snapshots/", {"datasets": [_CHANGED], "name": "changed"})
    console.fresh()
    asked = [one for one in _listings(machine)[before:] if _CHANGED in " ".join(one["argv"])]
    refresh = sum(float(one["duration_s"]) for one in asked)
    count = int(machine.run("zfs list -H -t snapshot -o name | wc -l", timeout_s=900).stdout)
    how = (
        f"{len(asked)} zfs calls, {refresh:.2f} s; all {count} snapshots {full:.2f} s; first {first_s:.0f} s"
    )
    show("index refresh against a full list", refresh / full, aim=0.1, unit="×", how=how)


def _full_s(machine: Machine) -> float:
    line = "s=$(date +%s%N); zfs list -Hp -t snapshot > /dev/null; e=$(date +%s%N); echo $((e - s))"
    return int(machine.run(line, timeout_s=900).stdout) / 1e9


def wait_until_indexed(console: Console, names: Sequence[str], each: int) -> None:
    """Wait until the index has so many snapshots of each of these datasets."""
    deadline = time.monotonic() + 3600
    console.fresh()
    while missing := [name for name in names if _count(console, name) < each]:
        assert time.monotonic() < deadline, f"The index does not come to an end: {missing[:3]}"
        console.fresh()
        names = missing


def _count(console: Console, dataset: str) -> int:
    answer = console.ask("GET", f"snapshots/?dataset={dataset}&limit=1000")
    return len(answer.body["results"]) if answer.status == 200 else 0


def _listings(machine: Machine) -> list[dict[str, Any]]:
    """What the helper was asked to list, in its order, with the seconds that each took."""
    return [entry for entry in commands(machine) if entry["argv"][:2] == ["zfs", "list"]]


def _seconds(call: Callable[[], object]) -> float:
    started = time.monotonic()
    call()
    return time.monotonic() - started
